//! The form of an e-mail address: one rule for every field that takes one.

use std::fmt;

use email_address::{EmailAddress, Options};

/// An e-mail address that is reachable from the internet: a local part without quotes, and a domain of at
/// least two labels. Whether somebody reads it there shows only a mail.
///
/// It is kept as it was sent, without the blanks around it; [`Email::lowercase`] is the form in which
/// addresses are compared.
#[derive(Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// How a schema says that a text is an address. The check of bodies knows it.
    pub(crate) const FORMAT: &'static str = "email";
    /// The most characters of an address: what fits into SMTP's path of 256 with its brackets.
    pub(crate) const MAX_CHARS: usize = 254;

    /// The address in `text`; none when it has not the form of one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(' ');
        // The package takes any character beyond ASCII, also invisible ones, and `_` in a domain.
        let visible = text.chars().all(|c| c.is_ascii() || c.is_alphanumeric());
        let options = Options::default().with_required_tld().without_domain_literal().without_display_text();
        let address = EmailAddress::parse_with_options(text, options).ok()?;
        let host = address.domain().chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.'));
        let fits = text.chars().count() <= Self::MAX_CHARS && !text.starts_with('"');
        (visible && host && fits).then(|| Self(text.to_owned()))
    }

    /// The address as it was sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address in lower case, as accounts are found by.
    #[must_use]
    pub fn lowercase(&self) -> String {
        self.0.to_lowercase()
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Email> for String {
    fn from(email: Email) -> Self {
        email.0
    }
}

#[cfg(test)]
mod tests {
    use super::Email;

    fn parsed(text: &str) -> Option<String> {
        Email::parse(text).map(String::from)
    }

    #[test]
    fn addresses_that_can_be_written_to() {
        for text in [
            "kovacs.anna@pelda.hu",
            "Kovacs.Anna@Pelda.HU",
            "a+b@x.example",
            "o'neill@x.example",
            "a_b-c@sub.x-y.example",
            "1@2.example",
            "árvíztűrő@példa.hu",
            "anna@xn--plda-bpa.hu",
        ] {
            assert_eq!(parsed(text).as_deref(), Some(text));
        }
        assert_eq!(parsed("  anna@pelda.hu ").as_deref(), Some("anna@pelda.hu"));
        assert_eq!(
            Email::parse("Anna@Pelda.HU").map(|email| email.lowercase()).as_deref(),
            Some("anna@pelda.hu")
        );
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            " ",
            "@",
            "anna",
            "anna@",
            "@pelda.hu",
            "anna@pelda",
            "anna@@pelda.hu",
            "a@b@c.d",
            "an na@pelda.hu",
            "anna@pel da.hu",
            "anna@.pelda.hu",
            "anna@pelda.hu.",
            "anna@pelda..hu",
            "anna@-pelda.hu",
            "anna@pelda-.hu",
            "anna@pelda_ki.hu",
            ".anna@pelda.hu",
            "anna.@pelda.hu",
            "an..na@pelda.hu",
            "Anna <anna@pelda.hu>",
            "<anna@pelda.hu>",
            "\"anna\"@pelda.hu",
            "\"an na\"@pelda.hu",
            "anna@[127.0.0.1]",
            "anna@[IPv6:::1]",
            "anna(comment)@pelda.hu",
            "anna@pelda.hu,bela@pelda.hu",
            "anna@pelda.hu;bela@pelda.hu",
            "mailto:anna@pelda.hu",
            "anna@pelda.hu\r\nBcc: x@y.hu",
            "anna\r\n@pelda.hu",
            "anna@pelda.hu\n",
            "anna\0@pelda.hu",
            "an\u{200b}na@pelda.hu",
            "anna\u{202e}@pelda.hu",
            "anna@pelda\u{2028}.hu",
            "anna@pelda.hu\u{85}",
            "anna@pelda\u{3002}hu",
        ] {
            assert_eq!(parsed(text), None, "{text:?}");
        }
    }

    #[test]
    fn lengths_are_limited() {
        let local = |length| format!("{}@x.example", "l".repeat(length));
        assert!(parsed(&local(64)).is_some());
        assert!(parsed(&local(65)).is_none());
        let label = |length| format!("a@{}.example", "d".repeat(length));
        assert!(parsed(&label(63)).is_some());
        assert!(parsed(&label(64)).is_none());
        let labels = |count| format!("a@{}example", "0123456789.".repeat(count));
        assert!(parsed(&labels(22)).is_some());
        assert!(parsed(&labels(23)).is_none());
    }
}
