//! HTML that people write: only elements of text stay. Screens clean it again when they show it. See
//! `docs/decisions/security.md#html`.

use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};

/// Paragraphs, lists, emphasis, headings and links to https, mail and telephone; no styles, no classes, no
/// pictures.
static TEXT: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(["p", "br", "b", "strong", "i", "em", "u", "ul", "ol", "li", "h3", "h4", "code", "a"].into())
        .clean_content_tags(["script", "style", "template", "noscript", "iframe", "svg", "math"].into())
        .tag_attributes([("a", ["href"].into())].into())
        .url_schemes(["https", "mailto", "tel"].into())
        .url_relative(UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer"));
    builder
});

/// The same text without anything that is not text.
pub(crate) fn clean(html: &str) -> String {
    TEXT.clean(html).to_string()
}

/// Whether a sanitised text shows nothing.
pub(crate) fn is_blank(html: &str) -> bool {
    Builder::empty().clean(html).to_string().replace("&nbsp;", " ").trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::{clean, is_blank};

    #[test]
    fn what_shows_nothing() {
        for blank in [
            "",
            " \n",
            "<p></p>",
            "<ul><li> </li></ul><br>",
            "<p>\u{a0}</p>",
            "<a href=\"https://example.com\"></a>",
        ] {
            assert!(is_blank(&clean(blank)), "{blank}");
        }
        for text in ["x", "<p>x</p>", "&lt;", "<script>x</script>y"] {
            assert!(!is_blank(&clean(text)), "{text}");
        }
    }

    #[test]
    fn sanitising_twice_changes_nothing() {
        for text in [
            "5 < 6 & 7 > 2",
            "&lt;script&gt;alert(1)&lt;/script&gt;",
            "első\nmásodik",
            "<p>Új <b>gomb",
            "a&nbsp;b",
        ] {
            assert_eq!(clean(&clean(text)), clean(text), "{text}");
        }
    }

    #[test]
    fn text_stays() {
        let text = "<p>Új <strong>gomb</strong> &amp; <em>nézet</em><br></p><ul><li>egy</li></ul>";
        assert_eq!(clean(text), text);
        assert_eq!(
            clean("<a href=\"https://example.com/?a=1&amp;b=2\" target=\"_blank\" onclick=\"x()\">itt</a>"),
            "<a href=\"https://example.com/?a=1&amp;b=2\" rel=\"noopener noreferrer\">itt</a>"
        );
    }

    #[test]
    fn nothing_that_runs_stays() {
        let attacks = [
            "<script>alert(1)</script>",
            "<ScRiPt src=//x.example></sCrIpT>",
            "<img src=x onerror=alert(1)>",
            "<svg onload=alert(1)><script>alert(1)</script></svg>",
            "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
            "<math><mtext><table><mglyph><style><img src onerror=alert(1)>",
            "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
            "<object data=javascript:alert(1)></object>",
            "<embed src=javascript:alert(1)>",
            "<a href=javascript:alert(1)>x</a>",
            "<a href=\" java\tscript:alert(1)\">x</a>",
            "<a href=&#106;avascript:alert(1)>x</a>",
            "<a href=data:text/html,<script>alert(1)</script>>x</a>",
            "<a href=//evil.example onmouseover=alert(1)>x</a>",
            "<a href=vbscript:msgbox(1)>x</a>",
            "<form action=javascript:alert(1)><button>x</button></form>",
            "<input autofocus onfocus=alert(1)>",
            "<details open ontoggle=alert(1)>x</details>",
            "<video><source onerror=alert(1)></video>",
            "<p style=\"background:url(javascript:alert(1))\">x</p>",
            "<style>@import 'javascript:alert(1)';</style>",
            "<link rel=stylesheet href=//evil.example>",
            "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
            "<base href=//evil.example/>",
            "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
            "<template><script>alert(1)</script></template>",
            "<!--><img src=x onerror=alert(1)>-->",
            "<p/onclick=alert(1)>x",
            "<<script>alert(1)//<</script>",
            "<xss style=behavior:url(x.htc)>",
        ];
        for attack in attacks {
            let cleaned = clean(attack).to_lowercase();
            for forbidden in [
                "<script", "<img", "<svg", "<iframe", "<object", "<embed", "<form", "<style", "<link",
                "<meta", "<base", "javascript:", "data:", "vbscript:", "style=",
            ] {
                assert!(!cleaned.contains(forbidden), "{attack} -> {cleaned}");
            }
            let attributes = cleaned
                .split('<')
                .skip(1)
                .filter_map(|tag| tag.split_once('>'))
                .any(|(tag, _)| tag.contains(" on") || tag.contains("/on"));
            assert!(!attributes, "{attack} -> {cleaned}");
        }
    }
}
