//! Finding orders by their number, or by the guest's phone or name. See
//! `docs/decisions/orders.md#searching`.

use access::{
    prelude::*,
    search::{HITS, SearchText},
};
use chrono::{DateTime, Duration, Utc};
use customers::phone;
use kernel::money::{Currency, Money};
use sea_orm::FromQueryResult;

use crate::{
    rights::Reads,
    values::{OrderId, OrderStatus},
};

/// How far back is searched, in days: this finds an order one talks about.
const DAYS: i64 = 30;
/// The fewest letters of a name.
const NAME: usize = 2;

/// What a text may mean. An order is found when one of them fits.
pub(crate) struct SearchTerms {
    /// The number of an order, with or without its prefix.
    counter: String,
    /// Digits of a phone, in one piece.
    phone: Option<String>,
    /// Parts of the guest's name; all of them have to fit.
    names: Vec<String>,
}

impl SearchTerms {
    /// `country`: where phones without a calling code are from.
    pub(crate) fn of(text: &SearchText, country: &str) -> Self {
        let names = text.words();
        let letters: usize = names.iter().flat_map(|word| word.chars()).filter(|c| c.is_alphabetic()).count();
        Self {
            counter: text.text.trim().trim_start_matches('#').to_uppercase(),
            phone: phone::part(&text.text, country),
            names: if letters >= NAME { names } else { Vec::new() },
        }
    }
}

/// An order that was found, with what tells it from others.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct OrderHit {
    id: Id<OrderId>,
    counter: String,
    status: OrderStatus,
    is_test: bool,
    first_name: Option<String>,
    last_name: Option<String>,
    created_at: Timestamp,
    total_price: Money,
    currency: Currency,
}

const FIND: &str = "select o.id, o.counter, o.status, o.is_test, o.first_name, o.last_name, o.created_at, \
    o.total_price, o.currency \
    from orders o where o.restaurant_id = $1 and o.created_at >= $2 and o.counter is not null \
    and (upper(o.counter) = $3 or regexp_replace(o.counter, '^\\D+', '') = $3 \
        or strpos(regexp_replace(coalesce(o.phone_1, ''), '\\D', '', 'g'), $4) > 0 \
        or (cardinality($5::text[]) > 0 and not exists (select from unnest($5::text[]) word \
            where strpos(ref.fold(concat_ws(' ', o.last_name, o.first_name)), ref.fold(word)) = 0))) \
    order by o.created_at desc, o.id desc limit $6";

/// The newest orders of a restaurant since then that fit, of those that have reached it.
pub(crate) async fn find(
    tx: &TenantTx, restaurant: Id<Restaurant>, terms: SearchTerms, since: DateTime<Utc>, limit: i64,
) -> Result<Vec<OrderHit>> {
    let SearchTerms { counter, phone, names } = terms;
    let values = [restaurant.into(), since.into(), counter.into(), phone.into(), names.into(), limit.into()];
    Ok(tx.all(FIND, values).await?)
}

pub(crate) struct OrderSearch;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Orders"
)]
impl OrderSearch {
    /// The newest orders of the last 30 days whose number, guest's phone (at least four digits) or guest's
    /// name the text is.
    #[oai(path = "/search", method = "post", operation_id = "orders_search")]
    async fn search(
        &self, scope: In<Restaurant, Reads>, body: Body<SearchText>,
    ) -> Result<Json<Vec<OrderHit>>> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let country = restaurants::facts(&tx, restaurant).await?.country;
        let since = kernel::clock::now() - Duration::days(DAYS);
        find(&tx, restaurant, SearchTerms::of(&body, &country), since, HITS).await.map(Json)
    }
}
