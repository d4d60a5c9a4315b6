//! The page on which a person pays, refuses or leaves, in the language of the payment.

use std::{collections::HashMap, sync::Arc};

use hyper::header;
use url::form_urlencoded;

use super::{Barion, Outcome, plain};
use crate::{
    faults::{Answer, answer},
    html::escaped,
};

struct Words {
    lang: &'static str,
    title: &'static str,
    note: &'static str,
    pays_to: &'static str,
    buttons: [&'static str; 4],
    over: &'static str,
    back: &'static str,
}

const HUNGARIAN: Words = Words {
    lang: "hu",
    title: "Fizetés – a Barion próbaoldala",
    note: "Itt nem mozdul pénz. Válaszd ki, mi történjen.",
    pays_to: "Kedvezményezett",
    buttons: [
        "Fizetek",
        "A bank elutasítja a kártyát",
        "Mégsem fizetek, vissza a boltba",
        "Banki átutalással fizetek, később dől el",
    ],
    over: "Ez a fizetés lezárult.",
    back: "Vissza a boltba",
};

const ENGLISH: Words = Words {
    lang: "en",
    title: "Payment – stand-in for Barion",
    note: "No money moves here. Choose what happens.",
    pays_to: "Payee",
    buttons: [
        "Pay",
        "The bank refuses the card",
        "Do not pay, back to the shop",
        "Pay by bank transfer, decided later",
    ],
    over: "This payment is closed.",
    back: "Back to the shop",
};

const ACTS: [(&str, Outcome); 4] = [
    ("pay", Outcome::Pay),
    ("decline", Outcome::Decline),
    ("cancel", Outcome::Cancel),
    ("wait", Outcome::Wait),
];

const STYLE: &str = "body{font:1.125rem/1.5 system-ui;margin:2rem auto;max-width:26rem;padding:0 1rem}\
    dt{color:#555}dd{margin:0 0 .75rem;font-weight:600}\
    button{font:inherit;width:100%;min-height:3rem;margin:.375rem 0;border:2px solid #1b4b8f;\
    border-radius:.5rem;background:#fff;color:#12335f}\
    button[value=pay]{background:#1b4b8f;color:#fff}:focus-visible{outline:3px solid #d17b00;outline-offset:2px}";

fn form(bytes: &[u8]) -> HashMap<String, String> {
    form_urlencoded::parse(bytes).into_owned().collect()
}

fn not_found() -> Answer {
    answer(404, "text/html; charset=utf-8", "<!doctype html><title>404</title><h1>404</h1>".to_owned())
}

impl Barion {
    /// Opening it begins the payment.
    pub(super) fn show(&self, query: &str) -> Answer {
        let id = plain(form(query.as_bytes()).get("id").map_or("", String::as_str));
        let mut state = self.state();
        let Some(payment) = state.payments.get_mut(&id) else { return not_found() };
        if payment.status == "Prepared" {
            "Started".clone_into(&mut payment.status);
        }
        let words = if payment.hungarian { &HUNGARIAN } else { &ENGLISH };
        let choice = if payment.open() {
            let buttons: String = ACTS
                .iter()
                .zip(words.buttons)
                .map(|((name, _), label)| format!("<button name=act value={name}>{label}</button>"))
                .collect();
            format!(
                "<p>{}</p><form method=post action=/Pay><input type=hidden name=id value=\"{id}\">{buttons}</form>",
                words.note
            )
        } else {
            format!(
                "<p role=status>{}</p><p><a href=\"{}\">{}</a></p>",
                words.over,
                escaped(&payment.back(&id)),
                words.back
            )
        };
        let html = format!(
            "<!doctype html><html lang={}><meta charset=utf-8><meta name=viewport \
             content=\"width=device-width\"><title>{}</title><link rel=icon \
             href=\"data:,\"><style>{STYLE}</style><main><h1>{}</h1><dl><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{} \
             {}</dd></dl>{choice}</main></html>",
            words.lang,
            words.title,
            words.title,
            words.pays_to,
            escaped(payment.account.payee),
            escaped(&payment.description),
            payment.asked,
            escaped(&payment.currency),
        );
        answer(200, "text/html; charset=utf-8", html)
    }

    /// A button was pressed: the browser goes back to the shop.
    pub(super) fn press(self: &Arc<Self>, body: &[u8]) -> Answer {
        let form = form(body);
        let get = |name: &str| form.get(name).map_or("", String::as_str);
        let id = plain(get("id"));
        let Some((_, outcome)) = ACTS.iter().find(|(name, _)| *name == get("act")) else {
            return not_found();
        };
        self.act(&id, *outcome);
        let place = self.state().payments.get(&id).map(|payment| payment.back(&id));
        let Some(place) = place.and_then(|place| place.parse().ok()) else { return not_found() };
        let mut response = answer(303, "text/plain", String::new());
        response.headers_mut().insert(header::LOCATION, place);
        response
    }
}
