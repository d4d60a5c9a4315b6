//! Socials: a restaurant's pages on social networks.

use access::{answers::Tagged, prelude::*};
use poem_openapi::{param::Header, types::Example};
use url::Url;

use crate::settings;

/// Reading, also by third parties.
pub(crate) struct PublicSocials;
pub(crate) struct Socials;

/// A restaurant's addresses on the networks; null where it has none.
#[derive(Debug, Clone, PartialEq, Object, DeriveEntityModel)]
#[oai(rename = "Socials", example)]
#[sea_orm(table_name = "restaurant_socials")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub restaurant_id: Id<Restaurant>,
    pub facebook: Option<String>,
    pub instagram: Option<String>,
    pub youtube: Option<String>,
    pub twitter: Option<String>,
    pub blog: Option<String>,
    pub tumblr: Option<String>,
    /// 0 before anything is entered.
    pub version: i64,
}

impl Example for Model {
    fn example() -> Self {
        Self {
            facebook: Some("https://www.facebook.com/kekfrankos".to_owned()),
            blog: Some("https://kekfrankos.example/blog".to_owned()),
            version: 3,
            ..<Entity as rows::Singleton>::none(Id::from_uuid(uuid::Uuid::from_u128(
                0x0190_0000_0000_7000_8000_0000_0000_0001,
            )))
        }
    }
}

/// Each begins with `https://` and, but for `blog`, lies on the network's own host. Null or empty is none.
#[derive(Debug, Object)]
pub(crate) struct SocialsChange {
    #[oai(validator(max_length = 500))]
    facebook: Clearable<String>,
    #[oai(validator(max_length = 500))]
    instagram: Clearable<String>,
    #[oai(validator(max_length = 500))]
    youtube: Clearable<String>,
    /// On `twitter.com` or `x.com`.
    #[oai(validator(max_length = 500))]
    twitter: Clearable<String>,
    /// On any host.
    #[oai(validator(max_length = 500))]
    blog: Clearable<String>,
    /// On `tumblr.com` or a name below it.
    #[oai(validator(max_length = 500))]
    tumblr: Clearable<String>,
    version: Option<i64>,
}

entity!();

impl rows::Singleton for Entity {
    const NAME: &'static str = "socials";

    fn none(restaurant: Id<Restaurant>) -> Model {
        Model {
            restaurant_id: restaurant,
            facebook: None,
            instagram: None,
            youtube: None,
            twitter: None,
            blog: None,
            tumblr: None,
            version: 0,
        }
    }
}

/// Whether an address is one of the network: `hosts` with or without `www.`, a leading dot for any name
/// below; none for every host.
fn lies_on(address: &str, hosts: &[&str]) -> bool {
    let Ok(url) = address.parse::<Url>() else { return false };
    let plain = address.starts_with("https://")
        && url.username().is_empty()
        && url.password().is_none()
        && url.port().is_none();
    let host = url.host_str().unwrap_or_default();
    let named = |wanted: &&str| match wanted.strip_prefix('.') {
        Some(domain) => host.strip_suffix(domain).is_some_and(|below| below.ends_with('.')),
        None => host.strip_prefix("www.").unwrap_or(host) == *wanted,
    };
    plain && host.contains('.') && (hosts.is_empty() || hosts.iter().any(named))
}

fn check(row: &ActiveModel) -> Result<()> {
    let networks: [(&str, &[&str]); 6] = [
        ("facebook", &["facebook.com", "fb.com"]),
        ("instagram", &["instagram.com"]),
        ("youtube", &["youtube.com", "youtu.be"]),
        ("twitter", &["twitter.com", "x.com"]),
        ("blog", &[]),
        ("tumblr", &["tumblr.com", ".tumblr.com"]),
    ];
    let values = [&row.facebook, &row.instagram, &row.youtube, &row.twitter, &row.blog, &row.tumblr];
    let faulty = networks.into_iter().zip(values).filter(|((_, hosts), value)| {
        value.as_ref().as_deref().is_some_and(|address| !lies_on(address, hosts))
    });
    Problem::new(Code::VALIDATION_FAILED)
        .keys(faulty.map(|((key, _), _)| (key.to_owned(), Fault::Pattern)))
        .if_any()
}

/// Changes it in the caller's unit of work.
pub(crate) async fn change<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, change: SocialsChange,
) -> Result<Model> {
    let SocialsChange { facebook, instagram, youtube, twitter, blog, tumblr, version } = change;
    let [facebook, instagram, youtube, twitter, blog, tumblr] =
        [facebook, instagram, youtube, twitter, blog, tumblr].map(settings::none_if_empty);
    let rows = scope.rows(tx);
    let mut edit = rows.edit_one::<Entity>(version).await?;
    apply!(edit.row: facebook, instagram, youtube, twitter, blog, tumblr);
    check(&edit.row)?;
    rows.save_one(edit).await
}

#[OpenApi(
    prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/socials",
    tag = "Tag::Public"
)]
impl PublicSocials {
    /// The restaurant's addresses on the networks.
    ///
    /// Send the `ETag` back as `If-None-Match`: as long as nothing has changed the answer is 304 without a
    /// body.
    #[oai(path = "/", method = "get", operation_id = "socials_get")]
    async fn get(
        &self, scope: In<Public, perm::MenuRead>,
        /// ETags of copies that the client has.
        #[oai(name = "If-None-Match")]
        known: Header<Option<String>>,
    ) -> Result<Tagged<Model>> {
        let tx = scope.begin().await?;
        Ok(Tagged::new(&scope.rows(&tx).get_one::<Entity>().await?, known.as_deref()))
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/socials",
    tag = "Tag::Restaurants"
)]
impl Socials {
    /// Changes the restaurant's addresses on the networks.
    ///
    /// codes: CONFLICT
    #[oai(path = "/", method = "put", operation_id = "socials_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::RestaurantGeneral>, body: Body<SocialsChange>,
    ) -> Result<Json<Model>> {
        settings::changes::alone(&scope, body, change).await.map(Json)
    }
}

#[cfg(test)]
mod tests {
    use super::lies_on;

    #[test]
    fn addresses_lie_on_their_network() {
        let facebook = &["facebook.com", "fb.com"][..];
        for (address, hosts, good) in [
            ("https://facebook.com/x", facebook, true),
            ("https://www.facebook.com/x?y=1#z", facebook, true),
            ("https://WWW.Facebook.com/x", facebook, true),
            ("https://fb.com/x", facebook, true),
            ("http://facebook.com/x", facebook, false),
            ("facebook.com/x", facebook, false),
            ("https://facebook.com.example.com/x", facebook, false),
            ("https://evilfacebook.com/x", facebook, false),
            ("https://m.facebook.com/x", facebook, false),
            ("https://facebook.com@example.com/x", facebook, false),
            ("https://user:pw@facebook.com/x", facebook, false),
            ("https://facebook.com:8443/x", facebook, false),
            ("https://name.tumblr.com", &["tumblr.com", ".tumblr.com"], true),
            ("https://tumblr.com/name", &["tumblr.com", ".tumblr.com"], true),
            ("https://eviltumblr.com/name", &["tumblr.com", ".tumblr.com"], false),
            ("https://blog.example.com/a", &[], true),
            ("https://localhost/a", &[], false),
            ("http://blog.example.com", &[], false),
            ("javascript:alert(1)", &[], false),
            ("https://", &[], false),
        ] {
            assert_eq!(lies_on(address, hosts), good, "{address}");
        }
    }
}
