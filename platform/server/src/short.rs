//! Short forms of paths, for older clients: what such a client calls `/payment-methods` is
//! `/admin/partners/{p}/restaurants/{r}/payment-methods`. They are declared here once; the document lists
//! them as `x-short-path`, and the rewrite in front of the router takes those of the declared operations. See
//! `docs/decisions/api.md#short-paths`.

use std::sync::LazyLock;

use access::{App, RequestTarget};
use kernel::{Code, Result};
use poem::{
    Endpoint, IntoResponse, Request, Response,
    http::{Uri, uri::PathAndQuery},
};
use poem_openapi::OpenApi;
use uuid::Uuid;

use crate::document::plain_path;

/// The header that names the partner or restaurant.
const TARGET: &str = "x-target";

/// What stands before an operation's own path, the narrowest place first.
const PLACES: [&str; 3] = [
    "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}",
    "/api/v3/admin/partners/{partner_id}/restaurant-groups/{restaurant_group_id}",
    "/api/v3/admin/partners/{partner_id}",
];

/// Stands in the full path where no target is known. It is no id: the caller is told what is wrong with the
/// credential, or that there is no such place.
const NO_TARGET: &str = "-";

/// Short forms and what they begin instead of. One that begins with `=` stands for that path alone, not for
/// those below it. Where nothing is declared below the full form yet, there is no short form either.
const SHORT: [(&str, &str); 18] = [
    ("/api/v3/admins", "/admins"),
    ("/api/v3/api-keys", "/api-keys"),
    ("/api/v3/export-requests", "/export-requests"),
    ("/api/v3/features", "/features"),
    ("/api/v3/kiosks", "/kiosks"),
    ("/api/v3/legal-file", "/legal-file"),
    ("/api/v3/opening-hours", "/opening-hours"),
    ("/api/v3/payment-methods", "/payment-methods"),
    ("/api/v3/restaurant-holidays", "/restaurant-holidays"),
    ("/api/v3/terminal-schemes", "/terminal-schemes"),
    ("/api/v3/terminals", "/terminals"),
    ("/api/v3/teya", "/teya"),
    ("/api/v3/articles", "/articles"),
    ("/api/v3/article-categories", "/article-categories"),
    ("/api/v3/recipes", "/recipes"),
    ("/api/v3/recipe-categories", "/recipe-categories"),
    ("/api/v3/suppliers", "/suppliers"),
    ("/api/delivery_regions?restaurant_id={restaurant_id}", "=/delivery-regions"),
];

/// The short forms of a path of the document.
pub fn forms(path: &str) -> Vec<String> {
    let Some(own) = PLACES.iter().find_map(|place| path.strip_prefix(place)) else { return vec![] };
    let short = SHORT.iter().filter_map(|(short, full)| match full.strip_prefix('=') {
        Some(full) => (own == full).then(|| (*short).to_owned()),
        None => own
            .strip_prefix(full)
            .filter(|below| below.is_empty() || below.starts_with('/'))
            .map(|below| format!("{short}{below}")),
    });
    short.collect()
}

/// A short form and the path it stands for.
#[derive(Debug)]
struct Form {
    short: Vec<String>,
    /// The parameter of the query that names the place.
    named_by: Option<String>,
    full: Vec<String>,
    place: usize,
}

fn segments(path: &str) -> Vec<String> {
    path.split('/').map(str::to_owned).collect()
}

/// What stands at the variables of a template in a path that fits it.
fn captured<'p>(template: &[String], path: &'p str) -> Vec<&'p str> {
    template
        .iter()
        .zip(path.split('/'))
        .filter(|(one, _)| one.starts_with('{'))
        .map(|(_, part)| part)
        .collect()
}

/// Whether a path is of this form.
fn fits(template: &[String], parts: &[&str]) -> bool {
    let same =
        |(one, part): (&String, &&str)| if one.starts_with('{') { !part.is_empty() } else { one == part };
    template.len() == parts.len() && template.iter().zip(parts).all(same)
}

#[derive(Debug)]
pub struct ShortForms {
    forms: Vec<Form>,
    /// Paths that are complete as they stand go before short forms.
    complete: Vec<Vec<String>>,
}

/// Those of this service. From the operations' paths alone: making the whole document for them would hold up
/// the first sign-in.
pub static FORMS: LazyLock<ShortForms> = LazyLock::new(|| ShortForms::of(&paths(crate::api())));

fn paths<T: OpenApi>(_: T) -> Vec<String> {
    T::meta().into_iter().flat_map(|api| api.paths).map(|one| plain_path(&one.path)).collect()
}

impl ShortForms {
    fn of(paths: &[String]) -> Self {
        let mut found = Vec::new();
        for path in paths {
            let Some(place) = PLACES.iter().position(|place| path.starts_with(place)) else { continue };
            for short in forms(path) {
                let (short, query) = short.split_once('?').unwrap_or((&short, ""));
                let named_by = query.split_once('=').map(|(name, _)| name.to_owned());
                found.push(Form { short: segments(short), named_by, full: segments(path), place });
            }
        }
        let complete = paths
            .iter()
            .map(|path| segments(path))
            .filter(|path| found.iter().all(|form| form.full != *path));
        Self { complete: complete.collect(), forms: found }
    }

    /// The forms that a path fits; none when it is complete as it stands.
    fn fitting(&self, path: &str) -> Vec<&Form> {
        // Every request comes by here.
        let parts: Vec<&str> = path.split('/').collect();
        let fitting: Vec<_> = self.forms.iter().filter(|form| fits(&form.short, &parts)).collect();
        let complete = !fitting.is_empty() && self.complete.iter().any(|template| fits(template, &parts));
        if complete { vec![] } else { fitting }
    }

    /// The template of the full path that a short one stands for: for `Allow`.
    pub fn template(&self, path: &str) -> Option<&[String]> {
        self.fitting(path).first().map(|form| form.full.as_slice())
    }
}

/// The full path at this place, of those that the short one may stand for: for a restaurant its own, else its
/// group's or partner's; for a partner the other way round.
/// Errors: `TARGET_REQUIRED` when the place is one of several.
fn full(forms: &[&Form], path: &str, target: Option<RequestTarget>) -> Result<String> {
    let chosen = if target.is_some_and(|target| target.whole_partner) {
        forms.iter().max_by_key(|form| form.place)
    } else {
        forms.iter().min_by_key(|form| form.place)
    };
    let form = chosen.ok_or(Code::NOT_FOUND)?;
    let mut own = captured(&form.short, path).into_iter();
    let mut full = Vec::with_capacity(form.full.len());
    let known = |id: fn(RequestTarget) -> Option<Uuid>| match target {
        Some(target) => id(target).map(|id| id.to_string()).ok_or(Code::TARGET_REQUIRED),
        None => Ok(NO_TARGET.to_owned()),
    };
    for part in &form.full {
        full.push(match part.as_str() {
            "{partner_id}" => known(|target| target.partner)?,
            "{restaurant_group_id}" if form.place == 1 => known(|target| target.group)?,
            "{restaurant_id}" if form.place == 0 => known(|target| target.restaurant)?,
            part if part.starts_with('{') => own.next().unwrap_or_default().to_owned(),
            part => part.to_owned(),
        });
    }
    Ok(full.join("/"))
}

/// The router, which knows full paths only, behind the rewrite.
pub struct Rewriting<E>(pub E);

impl<E: Endpoint> Rewriting<E> {
    async fn rewrite(&self, request: &mut Request) -> Result<()> {
        let path = request.uri().path().trim_end_matches('/').to_owned();
        let forms = FORMS.fitting(&path);
        if forms.is_empty() {
            return Ok(());
        }
        let app = request.data::<App>().ok_or(Code::UNKNOWN_ERROR)?;
        let query = request.uri().query().unwrap_or_default();
        let parameter = forms.iter().find_map(|form| form.named_by.as_deref());
        let in_query = parameter
            .and_then(|name| url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name));
        let in_query = in_query.map(|(_, value)| value.into_owned());
        let target = RequestTarget::of(app, request, request.header(TARGET).or(in_query.as_deref())).await?;
        let full = full(&forms, &path, target)?;
        let address = if query.is_empty() { full } else { format!("{full}?{query}") };
        let mut parts = request.uri().clone().into_parts();
        parts.path_and_query = Some(address.parse::<PathAndQuery>().map_err(|_| Code::BAD_REQUEST)?);
        *request.uri_mut() = Uri::from_parts(parts).map_err(|_| Code::BAD_REQUEST)?;
        Ok(())
    }
}

impl<E: Endpoint> Endpoint for Rewriting<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        self.rewrite(&mut request).await?;
        self.0.call(request).await.map(IntoResponse::into_response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also of operations that do not exist yet.
    fn table() -> ShortForms {
        ShortForms::of(
            &[
                "/api/v3/admins/sign_in",
                "/api/v3/admin/partners/{partner_id}/admins/{id}",
                "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}/admins/{id}",
                "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}/admins/picker",
                "/api/v3/admin/partners/{partner_id}/articles",
                "/api/v3/admin/partners/{partner_id}/articles/{id}/last-income",
                "/api/v3/admin/partners/{partner_id}/restaurant-groups/{restaurant_group_id}/recipe-categories/{id}",
                "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}/delivery-regions",
                "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}/delivery-regions/{id}",
                "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}/articles-of-law",
            ]
            .map(str::to_owned),
        )
    }

    #[test]
    fn a_short_path_is_completed_by_the_place() {
        let [partner, group, restaurant] = [1, 2, 3].map(Uuid::from_u128);
        let place = RequestTarget {
            partner: Some(partner),
            group: Some(group),
            restaurant: Some(restaurant),
            whole_partner: false,
        };
        let whole = RequestTarget { whole_partner: true, ..place };
        let several = RequestTarget { restaurant: None, group: None, ..place };
        let (p, g, r) = (
            format!("/api/v3/admin/partners/{partner}"),
            format!("/restaurant-groups/{group}"),
            format!("/restaurants/{restaurant}"),
        );
        let table = table();
        for (path, target, expected) in [
            ("/api/v3/admins/7", place, Some(format!("{p}{r}/admins/7"))),
            ("/api/v3/admins/7", whole, Some(format!("{p}/admins/7"))),
            ("/api/v3/admins/picker", place, Some(format!("{p}{r}/admins/picker"))),
            ("/api/v3/admins/7", several, None),
            ("/api/v3/articles", several, Some(format!("{p}/articles"))),
            ("/api/v3/articles/7/last-income", place, Some(format!("{p}/articles/7/last-income"))),
            ("/api/v3/recipe-categories/7", place, Some(format!("{p}{g}/recipe-categories/7"))),
            ("/api/v3/recipe-categories/7", several, None),
            ("/api/delivery_regions", place, Some(format!("{p}{r}/delivery-regions"))),
        ] {
            let found = full(&table.fitting(path), path, Some(target));
            assert_eq!(found.as_ref().ok(), expected.as_ref(), "{path}");
            assert!(expected.is_some() || found.unwrap_err().code() == Code::TARGET_REQUIRED, "{path}");
        }
        // Complete, not declared, or nothing of ours.
        for path in [
            "/api/v3/admins/sign_in",
            "/api/v3/admins/",
            "/api/delivery_regions/7",
            "/api/v3/suppliers",
            "/api/v3/articles-of-law",
            "/",
        ] {
            assert!(table.fitting(path).is_empty(), "{path}");
        }
    }
}
