//! A page that shows stored mails, newest first, and a page in the place of the external builders. Both are
//! read-only.

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
};

use http_body_util::Full;
use hyper::{Method, Response, StatusCode, body::Bytes, header};
use mail_parser::MessageParser;
use sandbox::{html::escaped, http};
use tokio::net::TcpListener;

/// The list ends after so many mails: older ones are in the folder.
const SHOWN: usize = 200;

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, folder: PathBuf) {
    http::serve(listener, move |request| {
        let folder = folder.clone();
        async move { Ok::<_, Infallible>(answer(request.method(), request.uri().path(), &folder)) }
    })
    .await;
}

fn answer(method: &Method, path: &str, folder: &Path) -> Response<Full<Bytes>> {
    let name = path.trim_start_matches('/');
    let page = match name {
        _ if method != Method::GET => None,
        "" => Some(list(folder)),
        // The names that `smtp::keep` gives; anything else, dots and slashes among them, is not looked up.
        _ if name.ends_with(".eml")
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.') =>
        {
            one(folder, name)
        }
        // Whichever of them was opened; a real one redeems the ticket that stands in its address.
        _ if name.starts_with("builder/") => {
            Some("<h1>A builder</h1><p>Here a site or app would be built.</p>".into())
        }
        _ => None,
    };
    let (status, body) = match page {
        Some(body) => (StatusCode::OK, body),
        None => (StatusCode::NOT_FOUND, "<p>Not here.</p>".into()),
    };
    let html = format!(
        "<!doctype html><meta charset=utf-8><title>Mails</title><link rel=icon \
         href=\"data:,\"><style>body{{font:15px system-ui;margin:2rem;max-width:60rem}}td{{padding:.2rem \
         1rem .2rem 0}}pre{{white-space:pre-wrap}}</style>{body}"
    );
    let mut response = Response::new(Full::new(Bytes::from(html)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        header::HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'"),
    );
    response
}

fn list(folder: &Path) -> String {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".eml") && !name.starts_with('.'))
        .collect();
    names.sort_by(|a, b| b.cmp(a));
    let rows: String = names
        .iter()
        .take(SHOWN)
        .map(|name| {
            let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
            let (to, subject) = headings(&bytes);
            format!(
                "<tr><td>{}<td>{}<td><a href=\"/{name}\">{}</a></tr>",
                escaped(name),
                escaped(&to),
                escaped(&subject)
            )
        })
        .collect();
    format!(
        "<h1>Mails</h1><p>{} in {}</p><table>{rows}</table>",
        names.len(),
        escaped(&folder.display().to_string())
    )
}

fn headings(bytes: &[u8]) -> (String, String) {
    let Some(message) = MessageParser::default().parse(bytes) else {
        return (String::new(), "(not readable)".into());
    };
    let to = message.header_raw("X-Envelope-To").unwrap_or_default().trim().to_owned();
    (to, message.subject().unwrap_or("(no subject)").to_owned())
}

fn one(folder: &Path, name: &str) -> Option<String> {
    let bytes = std::fs::read(folder.join(name)).ok()?;
    let (to, subject) = headings(&bytes);
    let text = MessageParser::default()
        .parse(&bytes)
        .and_then(|message| Some(message.body_text(0)?.into_owned()))
        .unwrap_or_default();
    Some(format!(
        "<p><a href=\"/\">All mails</a></p><h1>{}</h1><p>{}</p><pre>{}</pre><details><summary>As \
         sent</summary><pre>{}</pre></details>",
        escaped(&subject),
        escaped(&to),
        with_links(&text),
        escaped(&String::from_utf8_lossy(&bytes))
    ))
}

/// The text, with its web addresses made clickable: most mails here carry a one-time link.
fn with_links(text: &str) -> String {
    text.split_inclusive(char::is_whitespace)
        .map(|word| {
            let bare = word.trim_end();
            if bare.starts_with("http://") || bare.starts_with("https://") {
                let address = escaped(bare);
                format!("<a href=\"{address}\">{address}</a>{}", &word[bare.len()..])
            } else {
                escaped(word)
            }
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_addresses_are_links() {
        assert_eq!(
            with_links("<b> http://localhost/a?b=1&c=2\nend"),
            "&lt;b&gt; <a href=\"http://localhost/a?b=1&amp;c=2\">http://localhost/a?b=1&amp;c=2</a>\nend"
        );
    }

    #[test]
    fn subjects_and_bodies_are_decoded() {
        let mail =
            b"X-Envelope-To: b@x.hu\r\nSubject: =?utf-8?b?SmVsc3rDsw==?=\r\nContent-Type: text/plain; \
            charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nhttp://localhost/?t=3Dx\r\n";
        assert_eq!(headings(mail), ("b@x.hu".into(), "Jelszó".into()));
    }

    #[test]
    fn only_names_of_kept_mails_are_looked_up() {
        for path in ["/../secrets/key.eml", "/.hidden.eml/..", "/a/b.eml", "/x.txt"] {
            assert_eq!(
                answer(&Method::GET, path, Path::new("/nowhere")).status(),
                StatusCode::NOT_FOUND,
                "{path}"
            );
        }
    }
}
