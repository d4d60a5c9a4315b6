//! The page on which a guest pays: in Hungarian or English, without scripts.

use url::form_urlencoded;

use super::{SimplePay, Transaction};
use crate::{
    faults::{Answer, answer},
    html::escaped,
};

struct Words {
    language: &'static str,
    title: &'static str,
    note: &'static str,
    shop: &'static str,
    order: &'static str,
    amount: &'static str,
    card: &'static str,
    pay: &'static str,
    back: &'static str,
    waits: &'static str,
    over: &'static str,
    to_shop: &'static str,
    /// By the value of the form.
    outcomes: [(&'static str, &'static str); 6],
}

const HUNGARIAN: Words = Words {
    language: "hu",
    title: "Fizetés próbaoldalon",
    note: "Ez a SimplePay helyett áll. Pénz nem mozog.",
    shop: "Kereskedő",
    order: "Rendelés",
    amount: "Fizetendő",
    card: "Próbakártya",
    pay: "Fizetés",
    back: "Vissza a boltba",
    waits: "A bank még dolgozik. A fizetés folyamatban van.",
    over: "Ez a fizetés véget ért.",
    to_shop: "Tovább a boltba",
    outcomes: [
        ("paid", "Sikeres fizetés"),
        ("2013", "Nincs elég fedezet (2013)"),
        ("2064", "Hibás kártyaadatok (2064)"),
        ("2019", "A bank nem válaszol időben (2019)"),
        ("slow", "Lassú bank: folyamatban marad"),
        ("fraud", "Csalásellenőrzés: később dől el"),
    ],
};

const ENGLISH: Words = Words {
    language: "en",
    title: "Pay on a test page",
    note: "This stands in for SimplePay. No money moves.",
    shop: "Merchant",
    order: "Order",
    amount: "To pay",
    card: "Test card",
    pay: "Pay",
    back: "Back to the shop",
    waits: "The bank is still at work. The payment is not finished.",
    over: "This payment has ended.",
    to_shop: "On to the shop",
    outcomes: [
        ("paid", "The payment succeeds"),
        ("2013", "Not enough money (2013)"),
        ("2064", "Wrong card data (2064)"),
        ("2019", "The bank does not answer in time (2019)"),
        ("slow", "Slow bank: it stays unfinished"),
        ("fraud", "Fraud check: decided later"),
    ],
};

const STYLE: &str = "body{font:1.1rem/1.5 system-ui;margin:3rem auto;max-width:26rem;padding:0 1rem;color:#111;\
    background:#fff}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dd{margin:0;\
    overflow-wrap:anywhere}label,select,button,a.next{display:block;width:100%;box-sizing:border-box}\
    select,button,a.next{font:inherit;padding:.75rem;margin:.5rem 0 1rem;min-height:3rem}\
    button.pay,a.next{background:#0b5d2e;color:#fff;border:0;border-radius:.4rem;text-align:center}\
    .note{background:#fff4ce;padding:.75rem;border-radius:.4rem}:focus-visible{outline:3px solid #1a56db;\
    outline-offset:2px}";

fn shown(one: &Transaction) -> String {
    let digits = one.account.digits(one.total);
    let whole = digits.split('.').next().map_or(0, str::len);
    let gap = if one.hungarian { '\u{a0}' } else { ',' };
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at < whole && (whole - at).is_multiple_of(3) {
            grouped.push(gap);
        }
        grouped.push(if digit == '.' && one.hungarian { ',' } else { digit });
    }
    match (one.account.currency, one.hungarian) {
        ("HUF", true) => format!("{grouped} Ft"),
        ("EUR", true) => format!("{grouped} €"),
        (currency, _) => format!("{currency} {grouped}"),
    }
}

fn html(one: &Transaction) -> String {
    let words = if one.hungarian { &HUNGARIAN } else { &ENGLISH };
    let card = if one.account.szep { "SZÉP" } else { words.card };
    let options = words.outcomes.iter().map(|(value, name)| format!("<option value={value}>{name}</option>"));
    let action = format!("/pay/{}", one.token);
    let waits =
        if one.is_slow { format!("<p role=status class=note>{}</p>", words.waits) } else { String::new() };
    let rest = if one.is_open() {
        format!(
            "{waits}<form method=post action=\"{action}\"><label for=outcome>{card}</label>\
             <select id=outcome name=outcome>{}</select><button class=pay>{}</button></form>\
             <form method=post action=\"{action}\"><input type=hidden name=outcome value=back>\
             <button>{}</button></form>",
            options.collect::<String>(),
            words.pay,
            words.back
        )
    } else {
        let to = escaped(&one.back().unwrap_or_default());
        format!("<p role=status>{}</p><a class=next href=\"{to}\">{}</a>", words.over, words.to_shop)
    };
    format!(
        "<!doctype html><html lang={}><meta charset=utf-8><meta name=viewport \
         content=\"width=device-width\"><title>{}</title><link rel=icon href=\"data:,\"><style>{STYLE}</style>\
         <main><h1>{}</h1><p class=note>{}</p><dl><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{}</dd><dt>{}</dt>\
         <dd><strong>{}</strong></dd></dl>{rest}</main></html>",
        words.language,
        words.title,
        words.title,
        words.note,
        words.shop,
        one.account.merchant,
        words.order,
        escaped(&one.order_ref),
        words.amount,
        shown(one)
    )
}

impl SimplePay {
    pub(super) fn page(&self, token: &str) -> Answer {
        let mut state = self.state();
        state.sweep();
        let Some(one) = state.of_token(token) else { return answer(404, "text/plain", String::new()) };
        if one.status == "INIT" {
            "INPAYMENT".clone_into(&mut one.status);
        }
        answer(200, "text/html; charset=utf-8", html(one))
    }

    /// The guest has chosen an outcome.
    pub(super) fn chosen(&self, token: &str, body: &[u8]) -> Answer {
        let outcome = form_urlencoded::parse(body).find(|(name, _)| name == "outcome");
        let outcome = outcome.map(|(_, outcome)| outcome.into_owned()).unwrap_or_default();
        let Some(id) = self.state().of_token(token).map(|one| one.id.to_string()) else {
            return answer(404, "text/plain", String::new());
        };
        match outcome.as_str() {
            "paid" => self.pay(&id),
            "back" => self.go_back(&id),
            "fraud" => self.hold_for_check(&id),
            "slow" => self.make_slow(&id),
            code => code.parse().is_ok_and(|code| self.decline(&id, code)),
        };
        let mut state = self.state();
        let Some(one) = state.of_token(token) else { return answer(404, "text/plain", String::new()) };
        // An open payment stays on the page.
        if one.is_open() { Self::lead(Some(format!("/pay/{token}"))) } else { Self::lead(one.back()) }
    }

    fn make_slow(&self, name: &str) -> bool {
        let mut state = self.state();
        let Some(one) = state.find(name).filter(|one| one.is_open()) else { return false };
        "INPAYMENT".clone_into(&mut one.status);
        one.is_slow = true;
        true
    }
}
