//! The content of mails about an order: default texts, values of placeholders, the sample of the preview.

use access::prelude::*;
use kernel::money::{Currency, Money};
use rust_decimal::Decimal;

use work::template::{self, Values};

use super::kind::{EmailKind, Lang};
use crate::{
    types::{LocalizedName, Order},
    values::OrderStatus,
};

const COMMON: &[&str] =
    &["restaurant", "order", "order_number", "guest", "items", "total", "address", "payment"];

pub(super) fn placeholders(kind: EmailKind) -> Vec<&'static str> {
    let own: &[&str] = match kind {
        EmailKind::Notification => &["expected_at", "guest_phone", "note", "link"],
        EmailKind::NotAccepted => &["expected_at", "guest_phone", "note", "link", "minutes"],
        EmailKind::Refused => &["phone", "reason"],
        EmailKind::TakenBack => &["phone"],
        EmailKind::Refunded => &["phone", "refund", "reason"],
        EmailKind::Replaced => &["phone", "expected_at", "old_number", "changes"],
        EmailKind::Received | EmailKind::Accepted => &["phone", "expected_at"],
    };
    [COMMON, own].concat()
}

pub(super) fn usual(kind: EmailKind, lang: Lang) -> (&'static str, &'static str) {
    match (kind, lang) {
        (EmailKind::Notification, Lang::Hu) => (
            "Új: {{order}} ({{total}})",
            "Megérkezett: {{order}}\n\n{{items}}\n\nMegjegyzés: {{note}}\n\n\
             Fizetendő: {{total}} ({{payment}})\nErre kéri: {{expected_at}}\n{{address}}\n\n\
             Vendég: {{guest}}\nTelefon: {{guest_phone}}\n\nA rendelés megnyitása: {{link}}\n",
        ),
        (EmailKind::Notification, Lang::En) => (
            "New: {{order}} ({{total}})",
            "{{order}} has come in.\n\n{{items}}\n\nNote: {{note}}\n\n\
             Total: {{total}} ({{payment}})\nWanted for: {{expected_at}}\n{{address}}\n\n\
             Guest: {{guest}}\nPhone: {{guest_phone}}\n\nOpen the order: {{link}}\n",
        ),
        (EmailKind::NotAccepted, Lang::Hu) => (
            "Senki nem fogadta el: {{order}} ({{total}})",
            "{{minutes}} perce senki nem fogadja el: {{order}}\n\n{{items}}\n\n\
             Megjegyzés: {{note}}\n\nFizetendő: {{total}} ({{payment}})\nErre kéri: {{expected_at}}\n\
             {{address}}\n\nVendég: {{guest}}\nTelefon: {{guest_phone}}\n\n\
             A rendelés megnyitása: {{link}}\n",
        ),
        (EmailKind::NotAccepted, Lang::En) => (
            "Nobody has accepted {{order}} ({{total}})",
            "For {{minutes}} minutes nobody has accepted {{order}}.\n\n{{items}}\n\n\
             Note: {{note}}\n\nTotal: {{total}} ({{payment}})\nWanted for: {{expected_at}}\n\
             {{address}}\n\nGuest: {{guest}}\nPhone: {{guest_phone}}\n\nOpen the order: {{link}}\n",
        ),
        (EmailKind::Received, Lang::Hu) => (
            "{{restaurant}}: megkaptuk a rendelésedet ({{order}})",
            "Kedves {{guest}}!\n\nMegkaptuk a rendelésedet ({{order}}), hamarosan \
             visszajelzünk.\n\n{{items}}\n\nFizetendő: {{total}} ({{payment}})\n\
             {{address}}\n\nKérdésed van? {{phone}}\n{{restaurant}}\n",
        ),
        (EmailKind::Received, Lang::En) => (
            "{{restaurant}}: we have received your order {{order_number}}",
            "Dear {{guest}},\n\nwe have received your order {{order_number}} and will confirm it \
             soon.\n\n{{items}}\n\nTotal: {{total}} ({{payment}})\n\
             {{address}}\n\nQuestions: {{phone}}\n{{restaurant}}\n",
        ),
        (EmailKind::Accepted, Lang::Hu) => (
            "{{restaurant}}: a rendelésed készül ({{order}})",
            "Kedves {{guest}}!\n\nElfogadtuk a rendelésedet ({{order}}), várható időpont: \
             {{expected_at}}.\n\n{{items}}\n\n\
             Fizetendő: {{total}} ({{payment}})\n{{address}}\n\nKérdésed van? {{phone}}\n{{restaurant}}\n",
        ),
        (EmailKind::Accepted, Lang::En) => (
            "{{restaurant}}: your order {{order_number}} is being made",
            "Dear {{guest}},\n\nwe have accepted your order {{order_number}}. Expect it at \
             {{expected_at}}.\n\n{{items}}\n\n\
             Total: {{total}} ({{payment}})\n{{address}}\n\nQuestions: {{phone}}\n{{restaurant}}\n",
        ),
        (EmailKind::Replaced, lang) => replaced(lang),
        (EmailKind::TakenBack, Lang::Hu) => (
            "{{restaurant}}: a rendelésed időpontja változik ({{order}})",
            "Kedves {{guest}}!\n\nA rendelésed ({{order}}) nem a korábban írt időpontra készül el. \
             Amint megvan az új időpont, megírjuk.\n\nKérdésed van? {{phone}}\n{{restaurant}}\n",
        ),
        (EmailKind::TakenBack, Lang::En) => (
            "{{restaurant}}: the time of your order {{order_number}} is being set anew",
            "Dear {{guest}},\n\nthe time of your order {{order_number}} is being set anew: the one we wrote \
             before does not hold any more. \
             We will write as soon as there is a new one.\n\nQuestions: {{phone}}\n{{restaurant}}\n",
        ),
        (EmailKind::Refunded, lang) => refunded(lang),
        (EmailKind::Refused, Lang::Hu) => (
            "{{restaurant}}: nem tudtuk elvállalni a rendelésedet ({{order}})",
            "Kedves Vendégünk!\n\nSajnáljuk, a rendelésedet ({{order}}) most nem tudtuk \
             elvállalni.\n{{reason}}\n\nKérdésed van? {{phone}}\n",
        ),
        (EmailKind::Refused, Lang::En) => (
            "{{restaurant}}: your order {{order_number}} could not be taken",
            "Dear guest,\n\nwe are sorry: {{restaurant}} could not take your order \
             {{order_number}}.\n{{reason}}\n\nQuestions: {{phone}}\n",
        ),
    }
}

/// The usual subject and text about money that goes back.
fn refunded(lang: Lang) -> (&'static str, &'static str) {
    match lang {
        Lang::Hu => (
            "{{restaurant}}: visszautaltuk a pénzed ({{refund}})",
            "Kedves {{guest}}!\n\nVisszautaltunk {{refund}} összeget oda, ahonnan fizettél: {{payment}}. A bankodtól \
             függően általában 3–10 banki napon belül jelenik meg a számládon.\n\n{{reason}}\n\n{{order}}\n\n\
             Kérdésed van? {{phone}}\n{{restaurant}}\n",
        ),
        Lang::En => (
            "{{restaurant}}: your money goes back ({{refund}})",
            "Dear {{guest}},\n\nwe have sent {{refund}} back the way you paid: {{payment}}. Depending on your bank it is \
             on your account within 3 to 10 banking days.\n\n{{reason}}\n\n{{order}}\n\nQuestions: {{phone}}\n{{restaurant}}\n",
        ),
    }
}

/// The usual subject and text about an order whose items were changed.
fn replaced(lang: Lang) -> (&'static str, &'static str) {
    match lang {
        Lang::Hu => (
            "{{restaurant}}: módosítottuk a rendelésedet ({{order_number}})",
            "Kedves {{guest}}!\n\nMódosítottuk a rendelésedet. Új száma {{order_number}}, eddig {{old_number}} \
             volt.\n\nEz változott:\n{{changes}}\n\nA teljes rendelés:\n{{items}}\n\n\
             Fizetendő: {{total}} ({{payment}})\nVárható időpont: {{expected_at}}\n{{address}}\n\n\
             Kérdésed van? {{phone}}\n{{restaurant}}\n",
        ),
        Lang::En => (
            "{{restaurant}}: your order {{order_number}} was changed",
            "Dear {{guest}},\n\nwe have changed your order. Its number is {{order_number}}, it was \
             {{old_number}}.\n\nWhat is new:\n{{changes}}\n\nThe whole order:\n{{items}}\n\n\
             Total: {{total}} ({{payment}})\nExpect it at: {{expected_at}}\n{{address}}\n\n\
             Questions: {{phone}}\n{{restaurant}}\n",
        ),
    }
}

/// The restaurant's data for a mail.
pub(super) struct MailRestaurant {
    pub id: Id<Restaurant>,
    pub name: String,
    pub phone: String,
    /// Its e-mail address: mails about new orders go there, and so do answers of guests.
    pub contact_email: Option<String>,
    pub zone: chrono_tz::Tz,
    pub currency: Currency,
}

/// `12 345 Ft`, `12,345 Ft`; `12,34 EUR`, `12.34 EUR`.
#[must_use]
pub fn money(value: Money, currency: Currency, lang: Lang) -> String {
    let value = value.0;
    let forint = currency == Currency::Huf;
    let text = if forint { value.round().to_string() } else { format!("{:.2}", value.round_dp(2)) };
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let (whole, cents) = text.split_once('.').map_or((text, None), |(whole, cents)| (whole, Some(cents)));
    let (group, point) = match lang {
        Lang::Hu => ('\u{a0}', ','),
        Lang::En => (',', '.'),
    };
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(group);
        }
        grouped.push(digit);
    }
    let cents = cents.map(|cents| format!("{point}{cents}")).unwrap_or_default();
    let unit = if forint { "Ft".to_owned() } else { currency.to_string().to_uppercase() };
    format!("{sign}{grouped}{cents}\u{a0}{unit}")
}

fn named(name: &LocalizedName, second: bool) -> &str {
    name.name_sec_lang.as_deref().filter(|own| second && !own.is_empty()).unwrap_or(&name.name)
}

/// One line per item, its options below.
fn items(order: &Order, lang: Lang, second: bool) -> String {
    let mut lines = Vec::new();
    for item in &order.items {
        let name = item.name_sec_lang.as_ref().filter(|_| second).unwrap_or(&item.name);
        let price = money(item.total_price.0, order.row.currency, lang);
        lines.push(format!("{} × {name} – {price}", item.quantity));
        for option in &item.item_options {
            let count = if option.quantity > 1 { format!("{} × ", option.quantity) } else { String::new() };
            lines.push(format!("   + {count}{}", named(&option.option, second)));
        }
    }
    lines.extend(steps(order, lang));
    lines.join("\n")
}

/// What came (+) and what went (−) when items were changed, one line each.
fn changes(order: &Order, second: bool) -> String {
    let line = |sign: &str, quantity: i32, name: &str, options: &[&str]| {
        let options = if options.is_empty() { String::new() } else { format!(" ({})", options.join(", ")) };
        format!("{sign} {quantity} × {name}{options}")
    };
    let came = order.items.iter().filter(|item| item.new_quantity > 0).map(|item| {
        let name = item.name_sec_lang.as_ref().filter(|_| second).unwrap_or(&item.name);
        let options: Vec<&str> = item.item_options.iter().map(|one| named(&one.option, second)).collect();
        line("+", item.new_quantity, name, &options)
    });
    let went = order.removed_items.iter().map(|item| {
        let name = item.name_sec_lang.as_ref().filter(|_| second).unwrap_or(&item.name);
        let options = if second { &item.options_sec_lang } else { &item.options };
        line("−", item.quantity, name, &options.iter().map(String::as_str).collect::<Vec<_>>())
    });
    came.chain(went).collect::<Vec<_>>().join("\n")
}

/// What follows the items on the way to the total: discounts, delivery, fees, tips, deposit.
fn steps(order: &Order, lang: Lang) -> Vec<String> {
    let steps = order.row.explanation.iter().filter(|line| !matches!(line.step.as_str(), "item" | "gift"));
    let written = steps.map(|line| {
        let used = order.row.promotions.iter().find(|one| Some(one.promotion_id) == line.reference);
        let name = used.map_or_else(|| step(&line.step, lang), |promotion| promotion.name.as_str());
        format!("{name}: {}", money(line.amount, order.row.currency, lang))
    });
    written.collect()
}

fn step(step: &str, lang: Lang) -> &'static str {
    let (hungarian, english) = match step {
        "delivery_fee" => ("Kiszállítás", "Delivery"),
        "service_fee" => ("Szervizdíj", "Service fee"),
        "tip" => ("Borravaló", "Tip"),
        "employee_tip" => ("Borravaló a felszolgálónak", "Tip for the waiter"),
        "courier_tip" => ("Borravaló a futárnak", "Tip for the courier"),
        "deposit" => ("Betétdíj", "Deposit"),
        "system_usage_fee" => ("Rendszerhasználati díj", "System usage fee"),
        _ => ("Kedvezmény", "Discount"),
    };
    if lang == Lang::Hu { hungarian } else { english }
}

fn address(order: &Order, lang: Lang) -> String {
    let word = |hu: &str, en: &str| if lang == Lang::Hu { hu.to_owned() } else { en.to_owned() };
    match &order.row.delivery_data {
        Some(to) => {
            // What a stranger types goes to an address that the same stranger types: no links in it.
            let [street, number, postcode, city] =
                [&to.street, &to.premise_number, to.postcode.as_deref().unwrap_or_default(), &to.city]
                    .map(template::person);
            let street = format!("{street} {number}");
            let place = format!("{postcode} {city}");
            let text = if lang == Lang::Hu {
                format!("{}, {}", place.trim(), street.trim())
            } else {
                format!("{}, {}", street.trim(), place.trim())
            };
            format!("{}{text}", word("Cím: ", "Address: "))
        }
        None if order.row.pickup => word("Átvétel az étteremben", "Pickup at the restaurant"),
        None => word("Helyben fogyasztás", "Eat in"),
    }
}

/// What an order is called. A number with a letter before it is no ordinal: `12. rendelés`, but `B12 rendelés`.
pub(super) fn title(counter: Option<&str>, lang: Lang) -> String {
    let Some(counter) = counter else { return String::new() };
    let ordinal = counter.bytes().all(|digit| digit.is_ascii_digit());
    match lang {
        Lang::En => format!("Order {counter}"),
        Lang::Hu if ordinal => format!("{counter}. rendelés"),
        Lang::Hu => format!("{counter} rendelés"),
    }
}

/// The values of the placeholders in mails about this order. `second`: names in the menu's second language.
pub(super) fn values(restaurant_facts: &MailRestaurant, order: &Order, lang: Lang, second: bool) -> Values {
    let parts = [order.row.last_name.as_deref(), order.row.first_name.as_deref()];
    let mut guest: Vec<&str> = parts
        .into_iter()
        .flatten()
        .map(template::person)
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    if lang == Lang::En {
        guest.reverse();
    }
    let guest = match (guest.is_empty(), lang) {
        (false, _) => guest.join(" "),
        (true, Lang::Hu) => "Vendégünk".to_owned(),
        (true, Lang::En) => "guest".to_owned(),
    };
    let expected_at = order
        .row
        .expected_at
        .map(|at| at.0.with_timezone(&restaurant_facts.zone).format("%Y/%m/%d %H:%M").to_string());
    [
        ("restaurant", restaurant_facts.name.clone()),
        ("phone", restaurant_facts.phone.clone()),
        ("order", title(order.row.counter.as_deref(), lang)),
        ("order_number", order.row.counter.clone().unwrap_or_default()),
        ("guest", guest),
        ("items", items(order, lang, second)),
        ("total", money(order.row.total_price.0, order.row.currency, lang)),
        ("address", address(order, lang)),
        ("payment", payment(order, lang)),
        ("expected_at", expected_at.unwrap_or_default()),
        ("reason", reason(order, lang, second)),
        ("old_number", order.replaces_counter.clone().unwrap_or_default()),
        ("changes", changes(order, second)),
    ]
    .into()
}

/// The chosen reason as a sentence, and what the staff wrote to the guest. The note of a storno is for the
/// house.
fn reason(order: &Order, lang: Lang, second: bool) -> String {
    let (hungarian, english) = match order.row.archive_reason.as_deref() {
        Some("out_of_stock") => ("Sajnos elfogyott, amit kértél.", "What you ordered is sold out."),
        Some("too_busy") => ("Most túl sok a rendelésünk.", "We have too many orders right now."),
        Some("closing") => ("Mára zárunk.", "We are closing for today."),
        Some("cannot_deliver") => ("Erre a címre nem tudjuk kivinni.", "We cannot deliver to this address."),
        Some("guest_request") => ("A kérésedre töröltük.", "We cancelled it as you asked."),
        None if matches!(
            order.row.status,
            OrderStatus::Expired | OrderStatus::Failed | OrderStatus::Canceled
        ) =>
        {
            (
                "A fizetés azután érkezett meg, hogy a rendelés ideje lejárt, ezért a rendelés nem jött létre.",
                "The payment came after the time of the order was over, so the order was not made.",
            )
        }
        Some("duplicate") => ("Ez a rendelés kétszer érkezett meg.", "This order has reached us twice."),
        _ => ("", ""),
    };
    let sentence = if lang == Lang::Hu { hungarian } else { english };
    let (first, sec) = (&order.row.archive_reason_name, &order.row.archive_reason_name_sec_lang);
    let named = sec.as_ref().filter(|name| second && !name.is_empty()).or(first.as_ref());
    let sentence = named.map_or(sentence, String::as_str);
    let to_guest = order.row.status == OrderStatus::Succeeded;
    let own = order.row.archive_reason_text.as_deref().filter(|_| to_guest).unwrap_or_default();
    [sentence, own].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The name of the method, whether it is paid, and the provider's id of the payment.
fn payment(order: &Order, lang: Lang) -> String {
    fn word<'a>(lang: Lang, hu: &'a str, en: &'a str) -> &'a str {
        if lang == Lang::Hu { hu } else { en }
    }
    let Some(method) = &order.payment_method else { return String::new() };
    let name = word(lang, &method.name, &method.name_en);
    let rows = &order.payable_transactions;
    let state = if order.paid.0 > Money::ZERO && order.due.0 <= Money::ZERO {
        word(lang, ", kifizetve", ", paid")
    } else if rows.iter().any(|row| row.status == "authorised") {
        word(
            lang,
            ", a bank zárolta, elfogadáskor vonjuk le",
            ", held by the bank and taken once the order is accepted",
        )
    } else {
        ""
    };
    let reference = rows.iter().find_map(|row| row.provider_ref.as_deref());
    let reference = reference.map(|id| format!(", {}: {id}", word(lang, "tranzakció", "transaction")));
    format!("{name}{state}{}", reference.unwrap_or_default())
}

/// An order that nobody made, for the preview and the test mail.
pub(super) fn sample(restaurant_facts: &MailRestaurant, lang: Lang) -> Values {
    let word = |hu: &str, en: &str| if lang == Lang::Hu { hu.to_owned() } else { en.to_owned() };
    let price = |amount: i64| money(Money(Decimal::from(amount)), restaurant_facts.currency, lang);
    let expected_at = Timestamp::now()
        .plus_minutes(45)
        .0
        .with_timezone(&restaurant_facts.zone)
        .format("%Y/%m/%d %H:%M")
        .to_string();
    [
        ("restaurant", restaurant_facts.name.clone()),
        ("phone", restaurant_facts.phone.clone()),
        ("order", title(Some("A12"), lang)),
        ("order_number", "A12".to_owned()),
        ("guest", word("Minta Éva", "Eva Sample")),
        (
            "items",
            [
                format!("1 × {} – {}", word("Gulyásleves", "Goulash soup"), price(1990)),
                format!(
                    "2 × {} – {}",
                    word("Margherita pizza, 32 cm", "Pizza Margherita, 32 cm"),
                    price(5580)
                ),
                format!("   + {}", word("extra sajt", "extra cheese")),
            ]
            .join("\n"),
        ),
        ("total", price(7570)),
        ("address", word("Cím: 1234 Mintaváros, Példa utca 1.", "Address: Példa utca 1., 1234 Mintaváros")),
        ("payment", word("Készpénz", "Cash")),
        ("refund", price(7570)),
        ("expected_at", expected_at),
        ("reason", word("Sajnos elfogyott a gulyásleves.", "The goulash soup is sold out.")),
        ("old_number", "A11".to_owned()),
        ("changes", word("+ 1 × Gulyásleves\n− 1 × Limonádé", "+ 1 × Goulash soup\n− 1 × Lemonade")),
    ]
    .into()
}

#[cfg(test)]
mod tests {
    use work::template::check;

    use super::*;

    #[test]
    fn the_usual_texts_keep_to_the_allow_list() {
        for &kind in EmailKind::ALL {
            for lang in [Lang::Hu, Lang::En] {
                let (subject, body) = usual(kind, lang);
                assert_eq!(check(subject, &placeholders(kind)), [], "{kind:?}");
                assert_eq!(check(body, &placeholders(kind)), [], "{kind:?}");
            }
        }
    }

    #[test]
    fn an_order_is_called_by_its_number_and_what_it_is() {
        for (counter, hungarian, english) in [
            (Some("2"), "2. rendelés", "Order 2"),
            (Some("120"), "120. rendelés", "Order 120"),
            (Some("B12"), "B12 rendelés", "Order B12"),
            (Some("T1"), "T1 rendelés", "Order T1"),
            (None, "", ""),
        ] {
            let said = [Lang::Hu, Lang::En].map(|lang| title(counter, lang));
            assert_eq!(said, [hungarian, english]);
        }
    }

    #[test]
    fn money_is_written_as_the_language_does() {
        let of = |text: &str| Money(text.parse::<Decimal>().unwrap());
        let (huf, eur) = (Currency::Huf, Currency::Eur);
        assert_eq!(money(of("1234567"), huf, Lang::Hu), "1\u{a0}234\u{a0}567\u{a0}Ft");
        assert_eq!(money(of("1234.5"), eur, Lang::En), "1,234.50\u{a0}EUR");
        assert_eq!(money(of("-12.3"), eur, Lang::Hu), "-12,30\u{a0}EUR");
        assert_eq!(money(of("100"), huf, Lang::En), "100\u{a0}Ft");
    }
}
