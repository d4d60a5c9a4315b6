//! Whether an order costs what its guest was shown. See `docs/decisions/pricing.md#one-function`.

use access::prelude::*;
use poem_openapi::types::ToJSON;
use pricing::PricedLine;
use serde_json::{Value as Json, json};

use crate::{
    checkout::PricedCart,
    input::{NewOrder, Quoted, QuotedItem},
    quote::explanation,
    sent_by::SentBy,
    types::Quote,
};

/// The first thing that differs.
struct Difference {
    field: &'static str,
    index: Option<usize>,
    quoted: Json,
    ours: Json,
}

/// Compares an order with what its guest was shown, as far as it says so: the explanation line by line, then
/// the items, then the total. Without a quote the total speaks, and a gift that was accepted and is not
/// given.
/// Errors: `ORDER_PRICE_CHANGED` with both and the first difference.
pub fn check(sent: &NewOrder, checkout: &PricedCart, sent_by: SentBy) -> Result<()> {
    let Some(first) = difference(sent, checkout) else { return Ok(()) };
    let quote = Quote::new(checkout, sent_by).to_json().unwrap_or_default();
    let mut difference = json!({"field": first.field, "quoted": first.quoted, "quote": first.ours});
    if let Some(index) = first.index {
        difference["index"] = index.into();
    }
    let problem = Problem::new(Code::ORDER_PRICE_CHANGED).with("quote", quote).with("difference", difference);
    Err(match &sent.quoted {
        Some(quoted) => problem.with("quoted", quoted.to_json().unwrap_or_default()),
        None => problem,
    })
}

fn difference(sent: &NewOrder, checkout: &PricedCart) -> Option<Difference> {
    let priced = &checkout.priced;
    if let Some(first) = sent.quoted.as_ref().and_then(|quoted| of_quote(quoted, checkout)) {
        return Some(first);
    }
    if let Some(shown) = sent.total_price.filter(|shown| *shown != priced.total_price) {
        let (quoted, ours) = (json(&shown), json(&priced.total_price));
        return Some(Difference { field: "total_price", index: None, quoted, ours });
    }
    let missed = *priced.missed_gifts.first()?;
    let shown = sent.total_price.is_some() && sent.quoted.is_none();
    let choice = sent.cart.gift_choices.as_ref()?.get(missed)?;
    shown.then(|| Difference {
        field: "gift_choices",
        index: Some(missed),
        quoted: json(choice),
        ours: Json::Null,
    })
}

fn of_quote(quoted: &Quoted, checkout: &PricedCart) -> Option<Difference> {
    let item = |line: &PricedLine| QuotedItem { unit_price: line.unit_price, paid_price: line.paid_price };
    let items: Vec<QuotedItem> = checkout.priced.lines.iter().map(item).collect();
    let of_lines =
        quoted.lines.as_ref().and_then(|shown| first("lines", shown, &explanation(&checkout.priced)));
    of_lines.or_else(|| first("items", quoted.items.as_ref()?, &items))
}

/// The first place where two lists differ.
fn first<T: PartialEq + ToJSON>(field: &'static str, quoted: &[T], ours: &[T]) -> Option<Difference> {
    let index = (0..quoted.len().max(ours.len())).find(|index| quoted.get(*index) != ours.get(*index))?;
    let at = |list: &[T]| list.get(index).map(json).unwrap_or_default();
    Some(Difference { field, index: Some(index), quoted: at(quoted), ours: at(ours) })
}

fn json(value: &impl ToJSON) -> Json {
    value.to_json().unwrap_or_default()
}
