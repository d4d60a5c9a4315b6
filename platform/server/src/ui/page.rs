//! A page of the interface: its style elements need a nonce, which is new in every answer.

use poem::Response;

use crate::headers::Nonce;

/// The placeholder of the nonce in the built page.
const PLACE: &str = "__NONCE__";

/// Around the outline of the shell in the built page.
const SHELL: [&str; 2] = ["<!--shell-->", "<!--/shell-->"];
/// Around the outline of signing in.
const DOOR: [&str; 2] = ["<!--door-->", "<!--/door-->"];

/// The page with a nonce of its own. It is small and goes uncompressed. The outline of the shell is for those
/// who will see the shell: people with a session. All others get that of signing in.
pub(super) fn page(built: &[u8], session: bool) -> Response {
    let nonce = Nonce::new();
    let mut text = String::from_utf8_lossy(built).replace(PLACE, nonce.as_str());
    let other = if session { DOOR } else { SHELL };
    if let [Some(start), Some(end)] = other.map(|mark| text.find(mark)) {
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
        let built =
            b"<style nonce=\"__NONCE__\"></style><main><!--shell--><i></i><!--/shell--><!--door--><b></b>\
            <!--/door--></main>";
        for (session, is, is_not) in [(true, "<i></i>", "<b></b>"), (false, "<b></b>", "<i></i>")] {
            let text = page(built, session).into_body().into_string().await.unwrap();
            assert!(text.contains(is) && !text.contains(is_not), "{text}");
            assert!(!text.contains(PLACE), "{text}");
        }
    }
}
