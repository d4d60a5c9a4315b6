//! The guest as a provider is told of.

use contract::Buyer;
use orders::online::PayingOrder;
use restaurants::Facts;

/// The guest, with the address of the delivery; for what is fetched, the restaurant's.
pub(crate) fn buyer(order: &PayingOrder, facts: &Facts) -> Buyer {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let name = format!("{} {}", text(&order.last_name), text(&order.first_name)).trim().to_owned();
    let own = order.delivery_data.as_ref().filter(|_| !order.pickup);
    let (postcode, city, street, number) = match own {
        Some(own) => (text(&own.postcode), own.city.clone(), &own.street, &own.premise_number),
        None => (text(&facts.postcode), facts.city.clone(), &facts.street, &facts.premise_number),
    };
    Buyer {
        name,
        email: text(&order.email),
        phone: order.phone_1.clone(),
        country: facts.country.clone(),
        postcode,
        city,
        address: format!("{street} {number}").trim().to_owned(),
    }
}
