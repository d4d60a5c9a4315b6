//! Texts with placeholders such as `{{guest}}`: those of an allow-list, and nothing else of the template
//! language. [`check`] checks a text when it is saved; `minijinja` fills it.

use std::{collections::BTreeMap, sync::LazyLock};

use minijinja::{Environment, UndefinedBehavior, syntax::SyntaxConfig};
use regex::Regex;

use crate::{JobError, Mail};

/// The values of the placeholders.
pub type Values = BTreeMap<&'static str, String>;

/// A text that cannot be filled: it was not checked with [`check`], or a value is missing.
#[derive(Debug, thiserror::Error)]
#[error("a text with placeholders cannot be filled: {0}")]
pub struct TemplateError(#[from] minijinja::Error);

impl From<TemplateError> for JobError {
    fn from(error: TemplateError) -> Self {
        Self::give_up(error)
    }
}

/// The faults of a template.
#[derive(Debug, PartialEq, Eq)]
pub enum Faulty<'t> {
    /// Names no placeholder that this text has.
    Unknown(&'t str),
    /// `{{` without `}}`.
    Open,
}

/// A placeholder: its name, and its end unless it is missing.
static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)\{\{(.*?)(\}\}|\z)").ok());

/// The names between double braces; none for what is not closed.
fn placeholders(template: &str) -> impl Iterator<Item = Option<&str>> {
    let found = PLACEHOLDER.iter().flat_map(|pattern| pattern.captures_iter(template));
    found.map(|one| {
        one.get(1).filter(|_| one.get(2).is_some_and(|end| !end.is_empty())).map(|name| name.as_str().trim())
    })
}

/// Everything that is wrong with a template for which these placeholders are allowed.
#[must_use]
pub fn check<'t>(template: &'t str, allowed: &[&str]) -> Vec<Faulty<'t>> {
    let faulty = placeholders(template).filter_map(|name| match name {
        Some(name) if allowed.contains(&name) => None,
        Some(name) => Some(Faulty::Unknown(name)),
        None => Some(Faulty::Open),
    });
    faulty.collect()
}

/// Units of work that filling one text may take: some ten times what the longest one takes.
const FUEL: u64 = 100_000;

/// Placeholders only: the delimiters of statements and comments hold characters that no text may hold, so what
/// looks like a statement is text. There are no filters, functions and includes.
fn environment() -> Result<Environment<'static>, TemplateError> {
    let mut environment = Environment::empty();
    let syntax = SyntaxConfig::builder()
        .block_delimiters("\u{1}%", "%\u{1}")
        .comment_delimiters("\u{1}#", "#\u{1}")
        .keep_trailing_newline(true)
        .build()?;
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    Ok(environment)
}

/// Fills a text; values are put in as they are.
///
/// # Errors
/// See [`TemplateError`].
pub fn filled(template: &str, values: &Values) -> Result<String, TemplateError> {
    let context = minijinja::Value::from_pairs(values.iter().map(|(name, value)| (*name, value.as_str())));
    Ok(environment()?.render_str(template, context)?)
}

/// One line: a value cannot begin another header.
///
/// # Errors
/// See [`TemplateError`].
pub fn subject(template: &str, values: &Values) -> Result<String, TemplateError> {
    let line = filled(template, values)?;
    Ok(line.split(char::is_control).collect::<Vec<_>>().join(" ").trim().to_owned())
}

/// A mail that the service writes by itself: subject and text in both languages, with the same placeholders.
#[derive(Debug)]
pub struct MailText {
    /// Hungarian.
    pub hu: (&'static str, &'static str),
    /// English.
    pub en: (&'static str, &'static str),
}

impl MailText {
    /// The mail to this address.
    ///
    /// # Errors
    /// A placeholder has no value.
    pub fn mail(&self, to: String, english: bool, values: &Values) -> Result<Mail, TemplateError> {
        let (line, body) = if english { self.en } else { self.hu };
        Ok(Mail { to, subject: subject(line, values)?, text: filled(body, values)?, html: None })
    }
}

/// Without the lines whose placeholders are all empty: *Questions: {{phone}}* of a restaurant without a
/// phone.
fn with_values(template: &str, values: &Values) -> String {
    let says = |line: &&str| {
        let mut named = placeholders(line).flatten().peekable();
        named.peek().is_none()
            || named.any(|name| values.get(name).is_some_and(|value| !value.trim().is_empty()))
    };
    template.split_inclusive('\n').filter(says).collect()
}

/// As plain text.
///
/// # Errors
/// See [`TemplateError`].
pub fn text(template: &str, values: &Values) -> Result<String, TemplateError> {
    filled(&with_values(template, values), values)
}

/// As HTML: the template is text, and what stands in it and in the values is shown as it is written.
///
/// # Errors
/// See [`TemplateError`].
pub fn html(template: &str, values: &Values, lang: &str) -> Result<String, TemplateError> {
    let template = escaped(&with_values(template, values));
    let escaped_values = values.iter().map(|(name, value)| (*name, escaped(value))).collect();
    let body = filled(&template, &escaped_values)?;
    let paragraphs: String = body
        .trim()
        .split("\n\n")
        .map(|paragraph| format!("<p>{}</p>", paragraph.trim().replace('\n', "<br>")))
        .collect();
    Ok(format!(
        "<!doctype html><html lang=\"{lang}\"><head><meta charset=\"utf-8\"></head><body \
         style=\"font:16px/1.5 Helvetica,Arial,sans-serif;\
         color:#1f2430;margin:0;padding:24px\"><div style=\"max-width:560px;margin:0 \
         auto\">{paragraphs}</div></body></html>"
    ))
}

/// Text in HTML.
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
    #![allow(clippy::unwrap_used)]

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
            text("Kedves {{ guest }}!\n{{items}} {% if guest %} {# no comment #}", &values()).unwrap(),
            "Kedves <b>Éva</b> {{items}}!\n1 × Leves {% if guest %} {# no comment #}"
        );
        assert_eq!(text("a { b } }} c\n", &values()).unwrap(), "a { b } }} c\n");
        assert_eq!(text("", &values()).unwrap(), "");
        assert_eq!(
            text("Kedves {{guest}}!\n{{address}}\nKérdésed van? {{phone}}\nVége", &values()).unwrap(),
            "Kedves <b>Éva</b> {{items}}!\nVége"
        );
    }

    #[test]
    fn no_value_begins_a_header_or_a_tag() {
        assert_eq!(
            subject("Rendelés: {{order_number}}", &values()).unwrap(),
            "Rendelés: A1  Bcc: x@example.com"
        );
        let page = html("Szia {{guest}} <script>alert(1)</script>\n\nsor\nsor", &values(), "hu").unwrap();
        assert!(
            page.contains(
                "<p>Szia &lt;b&gt;Éva&lt;/b&gt; {{items}} \
            &lt;script&gt;alert(1)&lt;/script&gt;</p><p>sor<br>sor</p>"
            ),
            "{page}"
        );
    }

    /// What a text could try if it were saved without a check: it is refused, and costs little.
    #[test]
    fn nothing_but_placeholders_is_done() {
        for template in [
            "{{nothing}}",
            "{{ guest",
            "{{ guest.name }}",
            "{{ guest|upper }}",
            "{{ range(1000000) }}",
            "{{ 'x' * 100000000 }}",
            "{{ \"\\u{1}%\" }}{{ [] }}{{ self }}",
        ] {
            let allowed: Vec<&str> = values().into_keys().collect();
            assert_ne!(check(template, &allowed), [], "{template}");
        }
        for template in ["{{nothing}}", "{{ guest", "{{ guest|upper }}", "{{ 'x' * 100000000 }}", "{{}}"] {
            assert!(filled(template, &values()).is_err(), "{template}");
        }
    }

    #[test]
    fn unknown_placeholders_are_named() {
        let allowed = ["guest", "items"];
        assert_eq!(check("{{guest}} {{ items }} } {", &allowed), []);
        assert_eq!(
            check("{{gest}} {{}} {{guest", &allowed),
            [Faulty::Unknown("gest"), Faulty::Unknown(""), Faulty::Open]
        );
    }
}
