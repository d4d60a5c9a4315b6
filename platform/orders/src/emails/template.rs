//! Templates: text with placeholders of an allow list, filled in one pass. Pure.

use std::{borrow::Cow, collections::BTreeMap};

/// What stands for a placeholder in one mail.
pub(super) type Values = BTreeMap<&'static str, String>;

/// What is wrong with a template.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Faulty<'t> {
    /// Names no placeholder that this mail has.
    Unknown(&'t str),
    /// `{{` without `}}`.
    Open,
}

enum Part<'t> {
    Text(&'t str),
    Placeholder(&'t str),
    Open(&'t str),
}

fn parts(template: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(after) = rest.strip_prefix("{{") else {
            let (text, next) = rest.split_at(rest.find("{{").unwrap_or(rest.len()));
            rest = next;
            return Some(Part::Text(text));
        };
        Some(if let Some((name, next)) = after.split_once("}}") {
            rest = next;
            Part::Placeholder(name.trim())
        } else {
            Part::Open(std::mem::take(&mut rest))
        })
    })
}

/// Everything that is wrong with a template for which these placeholders are allowed.
pub(super) fn check<'t>(template: &'t str, allowed: &[&str]) -> Vec<Faulty<'t>> {
    let faulty = parts(template).filter_map(|part| match part {
        Part::Placeholder(name) if !allowed.contains(&name) => Some(Faulty::Unknown(name)),
        Part::Open(_) => Some(Faulty::Open),
        _ => None,
    });
    faulty.collect()
}

fn fill<'v>(template: &'v str, values: &'v Values, shown: impl Fn(&'v str) -> Cow<'v, str>) -> String {
    let filled = parts(template).map(|part| match part {
        Part::Text(text) | Part::Open(text) => shown(text),
        Part::Placeholder(name) => values.get(name).map_or(Cow::Borrowed(""), |value| shown(value)),
    });
    filled.collect()
}

/// One line: a value cannot begin another header.
pub(super) fn subject(template: &str, values: &Values) -> String {
    fill(template, values, Cow::Borrowed)
        .split(|letter: char| letter.is_control())
        .collect::<Vec<_>>()
        .join(" ")
        .trim()
        .to_owned()
}

/// Without the lines whose placeholders are all empty: *Questions: {{phone}}* of a restaurant without a
/// phone.
fn with_values(template: &str, values: &Values) -> String {
    let says = |line: &&str| {
        let mut named = parts(line)
            .filter_map(|part| if let Part::Placeholder(name) = part { Some(name) } else { None })
            .peekable();
        named.peek().is_none()
            || named.any(|name| values.get(name).is_some_and(|value| !value.trim().is_empty()))
    };
    template.split_inclusive('\n').filter(says).collect()
}

/// As plain text.
pub(super) fn text(template: &str, values: &Values) -> String {
    fill(&with_values(template, values), values, Cow::Borrowed)
}

/// As HTML: the template is text, and what stands in it and in the values is shown as it is written.
pub(super) fn html(template: &str, values: &Values, lang: &str) -> String {
    let template = with_values(template, values);
    let body = fill(&template, values, |text| Cow::Owned(escaped(text)));
    let paragraphs: String = body
        .trim()
        .split("\n\n")
        .map(|paragraph| format!("<p>{}</p>", paragraph.trim().replace('\n', "<br>")))
        .collect();
    format!(
        "<!doctype html><html lang=\"{lang}\"><head><meta charset=\"utf-8\"></head><body \
         style=\"font:16px/1.5 Helvetica,Arial,sans-serif;\
         color:#1f2430;margin:0;padding:24px\"><div style=\"max-width:560px;margin:0 \
         auto\">{paragraphs}</div></body></html>"
    )
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\r' => {}
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        [
            ("guest", "<b>Éva</b> {{items}}".to_owned()),
            ("items", "1 × Leves".to_owned()),
            ("order_number", "A1\r\nBcc: x@example.com".to_owned()),
        ]
        .into()
    }

    #[test]
    fn placeholders_are_filled_once() {
        assert_eq!(
            text("Kedves {{ guest }}!\n{{items}} {{nothing}}", &values()),
            "Kedves <b>Éva</b> {{items}}!\n1 × Leves "
        );
        assert_eq!(text("a { b } {{ c", &values()), "a { b } {{ c");
        assert_eq!(text("", &values()), "");
        assert_eq!(
            text("Kedves {{guest}}!\n{{address}}\nKérdésed van? {{phone}}\nVége", &values()),
            "Kedves <b>Éva</b> {{items}}!\nVége"
        );
    }

    #[test]
    fn no_value_begins_a_header_or_a_tag() {
        assert_eq!(subject("Rendelés: {{order_number}}", &values()), "Rendelés: A1  Bcc: x@example.com");
        let page = html("Szia {{guest}} <script>alert(1)</script>\n\nsor\nsor", &values(), "hu");
        assert!(
            page.contains(
                "<p>Szia &lt;b&gt;Éva&lt;/b&gt; {{items}} \
            &lt;script&gt;alert(1)&lt;/script&gt;</p><p>sor<br>sor</p>"
            ),
            "{page}"
        );
    }

    #[test]
    fn what_is_not_allowed_is_named() {
        let allowed = ["guest", "items"];
        assert_eq!(check("{{guest}} {{ items }} } {", &allowed), []);
        assert_eq!(
            check("{{gest}} {{}} {{guest", &allowed),
            [Faulty::Unknown("gest"), Faulty::Unknown(""), Faulty::Open]
        );
    }
}
