//! The form of a domain name: one rule for every field that takes one.

use std::fmt;

use url::Host;

/// The most characters of a name.
const MAX_CHARS: usize = 253;
/// What an address that was copied from a browser has before its name.
const SCHEMES: [&str; 2] = ["https://", "http://"];
/// The most characters of a label.
const MAX_LABEL: usize = 63;

/// A host name of at least two labels, in small ASCII letters: `étterem.hu` is kept as `xn--tterem-9ua.hu`.
/// A leading `https://` and a closing slash or dot are cut off. Whether anything answers there is not
/// checked.
#[derive(Clone, PartialEq, Eq)]
pub struct DomainName(String);

impl DomainName {
    /// How a schema says that a text is a domain name. The check of bodies knows it.
    pub(crate) const FORMAT: &'static str = "hostname";
    /// The most characters that are read: a name with a scheme and a closing slash or dot.
    pub(crate) const MAX_SENT: usize = MAX_CHARS + SCHEMES[0].len() + 1;

    /// The name in `text`; none when it has not the form of one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(' ');
        let name = SCHEMES
            .iter()
            .find_map(|scheme| {
                let (start, rest) = text.split_at_checked(scheme.len())?;
                start.eq_ignore_ascii_case(scheme).then_some(rest)
            })
            .unwrap_or(text);
        let name = name.strip_suffix('/').unwrap_or(name);
        let Host::Domain(name) = Host::parse(name.strip_suffix('.').unwrap_or(name)).ok()? else {
            return None;
        };
        let fits = name.contains('.') && name.len() <= MAX_CHARS && name.split('.').all(is_label);
        fits.then_some(Self(name))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Letters, digits and dashes, with no dash at either end.
fn is_label(label: &str) -> bool {
    !label.is_empty()
        && label.len() <= MAX_LABEL
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl fmt::Debug for DomainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<DomainName> for String {
    fn from(name: DomainName) -> Self {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::DomainName;

    #[test]
    fn which_texts_are_domain_names() {
        for (text, expected) in [
            ("example.hu", Some("example.hu")),
            ("Example.HU", Some("example.hu")),
            (" example.hu. ", Some("example.hu")),
            ("https://example.hu", Some("example.hu")),
            ("HTTPS://Example.hu/", Some("example.hu")),
            ("http://example.hu/", Some("example.hu")),
            ("order.sub-1.example.hu", Some("order.sub-1.example.hu")),
            ("étterem.hu", Some("xn--tterem-9ua.hu")),
            ("xn--tterem-9ua.hu", Some("xn--tterem-9ua.hu")),
            ("https://étterem.hu/", Some("xn--tterem-9ua.hu")),
            ("", None),
            (" ", None),
            ("hu", None),
            ("localhost", None),
            (".hu", None),
            ("example..hu", None),
            ("-example.hu", None),
            ("example-.hu", None),
            ("exa_mple.hu", None),
            ("exa mple.hu", None),
            ("example.hu//", None),
            ("example.hu/menu", None),
            ("https://example.hu/menu", None),
            ("example.hu?a=1", None),
            ("example.hu#a", None),
            ("example.hu:443", None),
            ("a@example.hu", None),
            ("ftp://example.hu", None),
            ("https://https://example.hu", None),
            ("127.0.0.1", None),
            ("[::1]", None),
            ("xn--a.hu", None),
            ("exam\u{202e}ple.hu", None),
            ("example.hu\n", None),
        ] {
            assert_eq!(DomainName::parse(text).map(String::from).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn lengths_are_limited() {
        let label = |length| format!("{}.example", "d".repeat(length));
        assert!(DomainName::parse(&label(63)).is_some());
        assert!(DomainName::parse(&label(64)).is_none());
        let labels = |count| format!("{}example", "0123456789.".repeat(count));
        assert!(DomainName::parse(&labels(22)).is_some());
        assert!(DomainName::parse(&labels(23)).is_none());
    }
}
