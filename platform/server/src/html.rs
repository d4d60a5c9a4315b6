//! Pages for developers: the reference with its viewer, and what each error code means.

use std::sync::LazyLock;

use kernel::Code;
use poem::{Response, handler, http::StatusCode, web::Path};
use poem_openapi::OpenApiService;

/// The viewer's script, from the page that the library makes for a document of nothing.
static VIEWER: LazyLock<String> = LazyLock::new(|| {
    let page = OpenApiService::new((), "", "").scalar_html();
    let script = page.rsplit_once("<script charset=\"UTF-8\">").map_or("", |(_, rest)| rest);
    script.rsplit_once("</script>").map_or("", |(script, _)| script).to_owned()
});

const STYLE: &str = "body{margin:0;font:16px/1.5 system-ui,sans-serif}main.text{max-width:60rem;margin:3rem \
    auto;padding:0 1rem}\
    .text td,.text th{text-align:left;padding:.4rem .8rem;border-bottom:1px solid #ddd}";

fn page(title: &str, body: &str) -> Response {
    Response::builder().content_type("text/html; charset=utf-8").body(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><link rel=\"stylesheet\" \
         href=\"/api/docs/page.css\"></head><body>{body}</body></html>"
    ))
}

fn reference(document: &str) -> Response {
    let body = format!(
        "<script id=\"api-reference\" data-url=\"{document}\" \
         data-configuration='{{\"withDefaultFonts\":false,\"hideClientButton\":true}}'></script><script \
         src=\"/api/docs/viewer.js\"></script>"
    );
    page("Pult API", &body)
}

/// The reference of the whole API.
#[handler]
pub fn docs() -> Response {
    reference("/api/openapi.json")
}

/// The reference of what an API key may call.
#[handler]
pub fn public_docs() -> Response {
    reference("/api/public.json")
}

#[handler]
pub fn viewer() -> Response {
    Response::builder().content_type("text/javascript; charset=utf-8").body(VIEWER.as_str())
}

/// How these pages look.
#[handler]
pub fn style() -> Response {
    Response::builder().content_type("text/css; charset=utf-8").body(STYLE)
}

/// All error codes.
#[handler]
pub fn problems() -> Response {
    let rows: String = Code::ALL
        .iter()
        .map(|code| {
            format!(
                "<tr><td><a href=\"/api/problems/{0}\">{0}</a><td>{1}<td>{2}<td>{3}",
                code.name(),
                code.status(),
                code.english(),
                code.advice()
            )
        })
        .collect();
    page(
        "Error codes",
        &format!(
            "<main class=\"text\"><h1>Error codes</h1><table><tr><th>Code<th>Status<th>Meaning<th>What to \
             do{rows}</table></main>"
        ),
    )
}

/// What one error code means and what can be done.
#[handler]
pub fn problem(Path(name): Path<String>) -> Response {
    let own = Code::parse(&name);
    let family = || name.ends_with("_NOT_EXIST").then_some(Code::ENTITY_NOT_EXIST);
    let well_formed = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    match own.or_else(family).filter(|_| well_formed) {
        Some(code) => page(
            &name,
            &format!(
                "<main class=\"text\"><h1>{name}</h1><p>HTTP status {}</p><p \
                 lang=\"hu\">{}</p><p>{}</p><p><strong>{}</strong></p><p><a href=\"/api/problems\">All \
                 codes</a></p></main>",
                code.status(),
                code.hungarian(),
                code.english(),
                code.advice()
            ),
        ),
        None => page(
            "Unknown code",
            "<main class=\"text\"><h1>Unknown code</h1><p><a href=\"/api/problems\">All codes</a></p></main>",
        )
        .set_status_to(StatusCode::NOT_FOUND),
    }
}

trait SetStatus {
    fn set_status_to(self, status: StatusCode) -> Self;
}
impl SetStatus for Response {
    fn set_status_to(mut self, status: StatusCode) -> Self {
        self.set_status(status);
        self
    }
}
