//! Which external builders a user may open here, with a one-time ticket. See
//! `docs/decisions/accounts.md#one-time-links-and-tickets`.

use access::{BuilderKind, Caller, prelude::*};

pub(crate) struct Builders;

/// An external builder. It is opened with a ticket of the purpose `builder`.
#[derive(Debug, Object)]
struct Builder {
    kind: BuilderKind,
    /// The server that will be opened.
    host: String,
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/builders",
    tag = "Tag::Content"
)]
impl Builders {
    /// The builders that the caller may open, of those that have an address on this installation.
    #[oai(path = "/", method = "get", operation_id = "builders_list")]
    async fn list(&self, scope: In<Restaurant, perm::SitebuilderLogin>) -> Result<Page<Builder>> {
        let super_admin =
            scope.may("super_admin") || matches!(scope.caller(), Caller::Person { support: Some(_), .. });
        let whole = scope.caller().whole_partner();
        let mine =
            scope.app().settings.builders.iter().filter(|(kind, _)| kind.opens_for(super_admin, whole));
        Ok(Page::unpaged(
            mine.map(|(kind, url)| Builder {
                kind: *kind,
                host: url.host_str().unwrap_or_default().to_owned(),
            })
            .collect(),
        ))
    }
}
