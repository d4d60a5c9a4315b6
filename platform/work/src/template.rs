//! Texts with placeholders such as `{{guest}}`: those of an allow-list, and nothing else of the template
//! language. [`check`] checks a text when it is saved; `minijinja` fills it.

use std::{collections::BTreeMap, sync::LazyLock};

use minijinja::{Environment, UndefinedBehavior, syntax::SyntaxConfig};
use regex::Regex;

use crate::{JobError, Mail};

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

/// Placeholders only: the delimiters of statements and comments hold characters that no text may hold, so
/// what looks like a statement is text. There are no filters, functions and includes.
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
pub fn filled(template: &str, values: &Values) -> Result<String, TemplateError> {
    let context = minijinja::Value::from_pairs(values.iter().map(|(name, value)| (*name, value.as_str())));
    Ok(environment()?.render_str(template, context)?)
}

/// The name of a person as mails may have it: empty where it holds what a mail program makes a link of. Who
/// writes the name is not always who gets the mail.
#[must_use]
pub fn person(name: &str) -> &str {
    let lower = name.to_lowercase();
    if ["://", "www.", "@"].iter().any(|link| lower.contains(link)) { "" } else { name }
}

/// One line: a value cannot begin another header.
pub fn subject(template: &str, values: &Values) -> Result<String, TemplateError> {
    let line = filled(template, values)?;
    Ok(line.split(char::is_control).collect::<Vec<_>>().join(" ").trim().to_owned())
}

/// A mail that the service writes by itself: the words in both languages, with the same placeholders.
#[derive(Debug)]
pub struct MailText {
    pub hu: MailWords,
    pub en: MailWords,
}

/// One language of a [`MailText`].
#[derive(Debug)]
pub struct MailWords {
    pub subject: &'static str,
    /// The plain text. A paragraph that is only `{{link}}` is a button in the HTML form.
    pub text: &'static str,
    /// What stands on the button; empty where the text has none.
    pub button: &'static str,
}

impl MailText {
    /// The mail to this address, as plain text and as HTML.
    pub fn mail(&self, to: String, english: bool, values: &Values) -> Result<Mail, TemplateError> {
        let (words, lang) = if english { (&self.en, "en") } else { (&self.hu, "hu") };
        Ok(Mail {
            to,
            subject: subject(words.subject, values)?,
            text: filled(words.text, values)?,
            html: Some(page(&paragraphs(words.text, values, words.button)?, lang)),
            reply_to: None,
        })
    }
}

/// Without the lines whose placeholders are all empty: *Questions: {{phone}}* of a restaurant without a
/// phone. Where a whole paragraph goes, one of the empty lines around it goes too.
fn with_values(template: &str, values: &Values) -> String {
    let says = |line: &str| {
        let mut named = placeholders(line).flatten().peekable();
        named.peek().is_none()
            || named.any(|name| values.get(name).is_some_and(|value| !value.trim().is_empty()))
    };
    let mut kept = String::with_capacity(template.len());
    let (mut after_empty, mut left_out) = (true, false);
    for line in template.split_inclusive('\n') {
        if !says(line) {
            left_out = true;
            continue;
        }
        let empty = line.trim().is_empty();
        if !(empty && after_empty && left_out) {
            kept.push_str(line);
        }
        (after_empty, left_out) = (empty, false);
    }
    kept
}

pub fn text(template: &str, values: &Values) -> Result<String, TemplateError> {
    filled(&with_values(template, values), values)
}

/// As HTML: the template is text, and what stands in it and in the values is shown as it is written.
pub fn html(template: &str, values: &Values, lang: &str) -> Result<String, TemplateError> {
    Ok(page(&paragraphs(&with_values(template, values), values, "")?, lang))
}

/// The place of the button in a text.
const LINK: &str = "{{link}}";

/// The text as paragraphs of HTML, the value of [`LINK`] as a link. Where there is a label, the paragraph
/// [`LINK`] of the template is a button with the address below; a value never becomes one.
fn paragraphs(template: &str, values: &Values, label: &str) -> Result<String, TemplateError> {
    let escaped_values: Values = values.iter().map(|(name, value)| (*name, escaped(value))).collect();
    let mut shown = escaped_values.clone();
    if let Some(address) = shown.get_mut("link") {
        *address = format!("<a href=\"{address}\">{address}</a>");
    }
    let mut html = String::new();
    for part in template.split("\n\n") {
        if part.trim() == LINK && !label.is_empty() {
            html.push_str(&button(&filled(LINK, &escaped_values)?, label));
            continue;
        }
        let text = filled(&escaped(part), &shown)?;
        for paragraph in text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
            html.push_str(&format!("<p>{}</p>", paragraph.replace('\n', "<br>")));
        }
    }
    Ok(html)
}

/// A link that looks like a button. The address stands below as well: some programs show no styles, and the
/// reader sees where it leads. `address` is escaped already.
fn button(address: &str, label: &str) -> String {
    format!(
        "<p style=\"margin:24px 0 8px\"><a href=\"{address}\" style=\"display:inline-block;padding:12px \
         24px;border-radius:8px;background-color:#0b7a5e;color:#ffffff;font-weight:600;\
         text-decoration:none\">{}</a></p><p style=\"margin:0 0 24px;font-size:13px;\
         word-break:break-all\"><a href=\"{address}\" style=\"color:inherit\">{address}</a></p>",
        escaped(label)
    )
}

/// A whole page. It loads nothing. Text and background have the colours of the reader's mail program, light
/// or dark; only the button has its own, both of them.
fn page(body: &str, lang: &str) -> String {
    format!(
        "<!doctype html><html lang=\"{lang}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"><meta \
         name=\"supported-color-schemes\" content=\"light dark\"></head><body style=\"font:16px/1.5 \
         Helvetica,Arial,sans-serif;margin:0;padding:24px\"><div style=\"max-width:560px;margin:0 \
         auto\">{body}</div></body></html>"
    )
}

/// Text in HTML.
#[must_use]
pub fn escaped(text: &str) -> String {
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
            text("Kedves {{ guest }}!\n{{items}} {% if guest %} {# no comment #}", &values()).unwrap(),
            "Kedves <b>Éva</b> {{items}}!\n1 × Leves {% if guest %} {# no comment #}"
        );
        assert_eq!(text("a { b } }} c\n", &values()).unwrap(), "a { b } }} c\n");
        assert_eq!(text("", &values()).unwrap(), "");
        assert_eq!(
            text("Kedves {{guest}}!\n{{address}}\nKérdésed van? {{phone}}\nVége", &values()).unwrap(),
            "Kedves <b>Éva</b> {{items}}!\nVége"
        );
        // A paragraph that says nothing leaves no gap; gaps of the author stay.
        assert_eq!(text("A\n\n{{phone}}\n\nB\n\n\nC\n", &values()).unwrap(), "A\n\nB\n\n\nC\n");
        assert_eq!(text("{{phone}}\n\nB\n\n{{address}}\n", &values()).unwrap(), "B\n\n");
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

    /// The address of the template is a button; what a value says never is.
    #[test]
    fn only_the_template_makes_a_button() {
        const TEXT: MailText = MailText {
            hu: MailWords {
                subject: "{{who}}",
                text: "Szia!\n\n{{who}}\n\n{{link}}\n\nVége\n",
                button: "Megnyitás",
            },
            en: MailWords { subject: "{{who}}", text: "{{who}}\n", button: "" },
        };
        let values: Values = [
            ("who", "Éva\n\n{{link}}\n\nhttps://elsewhere.example <b>".to_owned()),
            ("link", "https://pult.test/x?a=1&b=\"2\"".to_owned()),
        ]
        .into();
        let mail = TEXT.mail("a@b.hu".into(), false, &values).unwrap();
        let page = mail.html.unwrap();
        assert_eq!(
            page.matches("<a href=\"https://pult.test/x?a=1&amp;b=&quot;2&quot;\"").count(),
            2,
            "{page}"
        );
        assert!(page.contains("<p>{{link}}</p><p>https://elsewhere.example &lt;b&gt;</p>"), "{page}");
        assert!(page.contains(">Megnyitás</a>") && page.contains("<html lang=\"hu\">"), "{page}");
        // Nothing is loaded, and no colour of a text stands without its background.
        for remote in ["src=", "url(", "<link", "<script", "@import", "color:#1"] {
            assert!(!page.contains(remote), "{remote} in {page}");
        }
        assert!(mail.text.contains("\nhttps://pult.test/x?a=1&b=\"2\"\n"));
        let linked = html("Megnyitás: {{link}} {{who}}", &values, "hu").unwrap();
        assert_eq!(linked.matches("<a href=\"https://pult.test/x?a=1&amp;b=&quot;2&quot;\">").count(), 1);
        let plain = TEXT.mail("a@b.hu".into(), true, &values).unwrap().html.unwrap();
        assert!(!plain.contains("<a "), "{plain}");
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
