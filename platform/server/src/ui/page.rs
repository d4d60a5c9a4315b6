//! A page of the interface: its style elements need a nonce, which is new in every answer.

use poem::Response;

use crate::headers::Nonce;

/// The placeholder of the nonce in the built page.
const PLACE: &str = "__NONCE__";

/// Around the outline of the shell in the built page.
const OUTLINE: [&str; 2] = ["<!--shell-->", "<!--/shell-->"];

/// The page with a nonce of its own. It is small and goes uncompressed. The outline of the shell is for those
/// who will see the shell: people with a session.
pub(super) fn page(built: &[u8], session: bool) -> Response {
    let nonce = Nonce::new();
    let mut text = String::from_utf8_lossy(built).replace(PLACE, nonce.as_str());
    if !session && let [Some(start), Some(end)] = OUTLINE.map(|mark| text.find(mark)) {
        text.replace_range(start..end, "");
    }
    let response =
        Response::builder().content_type("text/html; charset=utf-8").header("cache-control", "no-cache");
    response.extension(nonce).body(text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_shells_outline_is_for_people_with_a_session() {
        let built = b"<style nonce=\"__NONCE__\"></style><main><!--shell--><i></i><!--/shell--></main>";
        for (session, outline) in [(true, true), (false, false)] {
            let text = page(built, session).into_body().into_string().await.unwrap();
            assert_eq!(text.contains("<i></i>"), outline, "{text}");
            assert!(!text.contains(PLACE), "{text}");
        }
    }
}
