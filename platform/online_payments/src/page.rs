//! The page on which a guest pays: plain HTML that asks again by itself while something is open, with a script or without.

use orders::{Lang, OrderPaymentState};
use work::template::escaped;

/// Everything that the page says.
pub(crate) struct View<'a> {
    pub lang: Lang,
    pub restaurant: &'a str,
    /// As it is written: `5 900 Ft`.
    pub total: String,
    pub state: OrderPaymentState,
    /// The number of the order, once it has one.
    pub counter: Option<&'a str>,
    /// Name and id of the payment at the provider.
    pub provider: Option<(&'a str, &'a str)>,
    /// Why the last try has failed.
    pub failure: Option<Failure>,
    /// What has gone back, as it is written.
    pub back: Option<String>,
    /// Money has come by the last try, or is held.
    pub taken: bool,
    /// The restaurant had the order, and it was refused or cancelled.
    pub is_cancelled: bool,
    /// Why the card was refused, in our words ([`contract::Decline`]).
    pub decline: Option<&'a str>,
    /// The restaurant's own text about how the last try ended.
    pub own_text: Option<String>,
    /// What can be chosen, the method of the order first.
    pub methods: Vec<Method>,
    pub return_url: Option<&'a str>,
    /// Money is real here.
    pub is_real: bool,
    pub path: &'a str,
}

/// A way to pay.
pub(crate) struct Method {
    pub id: uuid::Uuid,
    pub name: String,
    pub paid_online: bool,
}

/// Why a try has not paid the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    Refused,
    GivenUp,
    TooLate,
    /// The provider could not be reached.
    Away,
    /// All tries are used up.
    NoMore,
}

fn tr(lang: Lang, hu: &'static str, en: &'static str) -> &'static str {
    match lang {
        Lang::Hu => hu,
        Lang::En => en,
    }
}

fn failure(lang: Lang, failure: Failure) -> &'static str {
    match failure {
        Failure::Refused => tr(
            lang,
            "A fizetés nem sikerült: a bank vagy a kártyakibocsátó elutasította. Nem terheltünk semmit.",
            "The payment did not succeed: the bank or the card's issuer refused it. Nothing was charged.",
        ),
        Failure::GivenUp => tr(
            lang,
            "A fizetést megszakították. Nem terheltünk semmit.",
            "The payment was cancelled. Nothing was charged.",
        ),
        Failure::TooLate => tr(
            lang,
            "A fizetésre szánt idő lejárt. Nem terheltünk semmit.",
            "The time for the payment was over. Nothing was charged.",
        ),
        Failure::Away => tr(
            lang,
            "A fizetési szolgáltató most nem érhető el. Próbálja újra egy perc múlva, vagy fizessen másképp.",
            "The payment provider cannot be reached now. Try again in a minute, or pay another way.",
        ),
        Failure::NoMore => tr(
            lang,
            "Ezt a rendelést online már nem lehet kifizetni.",
            "This order cannot be paid online any more.",
        ),
    }
}

/// What the guest can do about a refused card.
fn decline(lang: Lang, decline: &str) -> Option<&'static str> {
    Some(match decline {
        "not_enough_money" => {
            tr(lang, "Nincs elég pénz a kártyán.", "There is not enough money on the card.")
        }
        "card_data" => tr(
            lang,
            "A kártya adatai hibásak, vagy a kártya lejárt.",
            "The card's data are wrong, or the card has expired.",
        ),
        "authentication" => tr(
            lang,
            "A banki azonosítás nem sikerült: hagyja jóvá a fizetést a bankja alkalmazásában.",
            "The bank could not confirm that it is you: approve the payment in your bank's app.",
        ),
        "limit" => tr(
            lang,
            "A kártya limitje ennél kisebb: a bankjánál emelheti meg.",
            "The card's limit is lower: your bank can raise it.",
        ),
        "away" => tr(lang, "A bank most nem válaszol.", "The bank does not answer now."),
        _ => return None,
    })
}

/// Title and explanation of a state.
fn said(view: &View<'_>) -> (&'static str, String) {
    let lang = view.lang;
    match view.state {
        OrderPaymentState::Paid => {
            let number = view.counter.map_or_else(String::new, |counter| {
                format!(" {}: {}.", tr(lang, "A rendelés száma", "The order's number"), escaped(counter))
            });
            let text = tr(lang, "Az étterem megkapta a rendelést.", "The restaurant has the order.");
            let title = match view.provider {
                Some(_) => tr(lang, "Sikeres fizetés", "Payment successful"),
                None => tr(lang, "Rendelés elküldve", "Order sent"),
            };
            (title, format!("{text}{number}"))
        }
        OrderPaymentState::Checking => (
            tr(lang, "A fizetést ellenőrizzük", "The payment is being checked"),
            tr(
                lang,
                "Ez néhány másodperc, ritkán néhány perc. Ne fizessen újra: ez az oldal magától frissül.",
                "This takes some seconds, rarely some minutes. Do not pay again: this page renews itself.",
            )
            .to_owned(),
        ),
        OrderPaymentState::Pending => (
            tr(lang, "A fizetés folyamatban van", "The payment is under way"),
            tr(
                lang,
                "Fizessen a szolgáltató oldalán. Ha már fizetett, ez az oldal magától frissül.",
                "Pay on the provider's page. If you have paid, this page renews itself.",
            )
            .to_owned(),
        ),
        OrderPaymentState::Unpaid => (
            match view.failure {
                Some(Failure::Refused | Failure::GivenUp | Failure::TooLate) => {
                    tr(lang, "A fizetés nem sikerült", "The payment did not succeed")
                }
                _ => tr(lang, "Fizetés", "Payment"),
            },
            tr(
                lang,
                "A rendelést az étterem akkor kapja meg, amikor kifizette.",
                "The restaurant gets the order once it is paid.",
            )
            .to_owned(),
        ),
        OrderPaymentState::Ended => ended(view),
    }
}

/// An order that is over, and what becomes of its money.
fn ended(view: &View<'_>) -> (&'static str, String) {
    let lang = view.lang;
    let title = if view.is_cancelled {
        tr(lang, "A rendelést törölték", "The order was cancelled")
    } else {
        tr(lang, "A rendelés nem jött létre", "The order was not made")
    };
    let text = match (&view.back, view.taken, view.is_cancelled) {
        (Some(back), ..) => {
            let text = tr(lang, "Ennyit visszaküldtünk:", "So much has been sent back:");
            return (title, format!("{text} {}.", escaped(back)));
        }
        (None, true, _) => tr(
            lang,
            "A kifizetett összeg magától visszamegy oda, ahonnan jött.",
            "What was paid goes back by itself the way it came.",
        ),
        (None, false, true) => tr(lang, "Nem terheltünk semmit.", "Nothing was charged."),
        (None, false, false) => tr(
            lang,
            "Nem fizették ki időben. Ha a bank mégis terhelt, az összeget magától visszaküldjük.",
            "It was not paid in time. If the bank has charged it all the same, the amount goes back by itself.",
        ),
    };
    (title, text.to_owned())
}

fn form(view: &View<'_>) -> String {
    let lang = view.lang;
    let path = escaped(view.path);
    let buttons = view.methods.iter().enumerate().map(|(at, method)| {
        let class = if at == 0 { "first" } else { "other" };
        let verb = if method.paid_online {
            tr(lang, "Fizetés: ", "Pay: ")
        } else {
            tr(lang, "Inkább így fizetek: ", "I pay this way instead: ")
        };
        format!(
            "<form method=\"post\" action=\"{path}\"><input type=\"hidden\" name=\"method\" value=\"{}\">\
             <button class=\"{class}\">{verb}{}</button></form>",
            method.id,
            escaped(&method.name)
        )
    });
    buttons.collect()
}

/// The whole page.
pub(crate) fn html(view: &View<'_>) -> String {
    let lang = view.lang;
    let (title, text) = said(view);
    let again = match view.state {
        OrderPaymentState::Checking => Some(3),
        OrderPaymentState::Pending => Some(8),
        _ => None,
    };
    // The script changes the page where it stands, and only if it says something else; without scripts it is loaded again.
    let (reload, again) = again.map_or_else(Default::default, |seconds| {
        let reload = format!(
            "<script src=\"/pay/page.js\" defer></script>\
             <noscript><meta http-equiv=\"refresh\" content=\"{seconds}\"></noscript>"
        );
        (reload, format!(" data-again=\"{seconds}\""))
    });
    let own = view.own_text.as_deref().map(|own| escaped(own).replace('\n', "<br>"));
    let warning = view.failure.map_or_else(String::new, |one| {
        let reason = view.decline.filter(|_| one == Failure::Refused).and_then(|word| decline(lang, word));
        let said = own.clone().unwrap_or_else(|| failure(lang, one).to_owned());
        format!("<p class=\"failure\" role=\"alert\">{said} {}</p>", reason.unwrap_or_default())
    });
    let own = own.filter(|_| view.failure.is_none()).map(|own| format!("<p>{own}</p>")).unwrap_or_default();
    let test = if view.is_real {
        ""
    } else {
        tr(
            lang,
            "<p class=\"test\">Próba: itt nem mozog valódi pénz.</p>",
            "<p class=\"test\">A try: no real money moves here.</p>",
        )
    };
    let reference = view.provider.map_or_else(String::new, |(name, id)| {
        let label = tr(lang, "tranzakció azonosítója", "transaction id");
        format!("<p class=\"reference\">{} {label}: <b>{}</b></p>", escaped(name), escaped(id))
    });
    let actions = match view.state {
        OrderPaymentState::Unpaid | OrderPaymentState::Pending => form(view),
        _ => String::new(),
    };
    let onward = view.return_url.map_or_else(String::new, |url| {
        format!(
            "<p><a href=\"{}\">{}</a></p>",
            escaped(url),
            tr(lang, "Vissza az étterem oldalára", "Back to the restaurant's page")
        )
    });
    let (code, other, other_name) = match lang {
        Lang::Hu => ("hu", "en", "English"),
        Lang::En => ("en", "hu", "Magyar"),
    };
    format!(
        "<!doctype html><html lang=\"{code}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\">{reload}<title>{title} – {restaurant}</title>\
         <link rel=\"stylesheet\" href=\"/pay/page.css\"></head><body><main{again}>\
         <p class=\"lang\"><a lang=\"{other}\" href=\"{path}?lang={other}\">{other_name}</a></p>\
         <p class=\"place\">{restaurant}</p><h1>{title}</h1>{test}{warning}\
         <p class=\"total\">{total}</p><p role=\"status\">{text}</p>{own}{reference}{actions}{onward}</main></body></html>",
        restaurant = escaped(view.restaurant),
        path = escaped(view.path.split('?').next().unwrap_or_default()),
        total = escaped(&view.total),
    )
}

/// Where there is no page, or none now.
pub(crate) fn gone(is_away: bool) -> String {
    let (title, text) = if is_away {
        ("Karbantartás / Maintenance", "Próbálja újra egy perc múlva. Try again in a minute.")
    } else {
        (
            "Ez az oldal már nincs meg / This page is gone",
            "A rendelés fizetése lezárult. The payment of the order has ended.",
        )
    };
    format!(
        "<!doctype html><html lang=\"hu\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><title>{title}</title><link rel=\"stylesheet\" \
         href=\"/pay/page.css\"></head><body><main><h1>{title}</h1><p>{text}</p></main></body></html>"
    )
}

/// What asks while something is open.
pub(crate) const SCRIPT: &str = include_str!("page.js");

/// How it looks.
pub(crate) const STYLE: &str = "*{box-sizing:border-box}body{margin:0;background:#f4f4f2;color:#1d1d1b;\
    font:17px/1.5 system-ui,sans-serif}main{max-width:28rem;margin:0 auto;min-height:100vh;background:#fff;\
    padding:1.25rem}h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0 1rem}p{margin:.75rem 0}\
    .place{font-weight:600;margin:0}.lang{float:right;margin:0;font-size:.9rem}.total{font-size:2rem;font-weight:700;margin:.5rem 0}\
    .failure{background:#fdecea;color:#7a1512;border-left:4px solid #b3261e;padding:.75rem}\
    .test{background:#fff4d6;color:#5b4300;padding:.5rem .75rem}.reference{font-size:.95rem;overflow-wrap:anywhere}\
    form{margin:.75rem 0}button{width:100%;min-height:3rem;padding:.75rem;font:inherit;border-radius:.5rem;cursor:pointer}\
    .first{background:#0b5cad;color:#fff;border:1px solid #0b5cad;font-weight:600}.other{background:#fff;color:#0b4f95;\
    border:1px solid #6b7280}a{color:#0b4f95}a:focus-visible,button:focus-visible{outline:3px solid #f0a500;outline-offset:2px}\
    @media (prefers-color-scheme:dark){body{background:#121212;color:#f2f2f0}main{background:#1d1d1d}a{color:#8ec5ff}\
    .other{background:#1d1d1d;color:#8ec5ff}.failure{background:#4a1512;color:#ffd9d6}.test{background:#453600;color:#ffe9b0}}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_one_state_and_runs_nothing_of_a_stranger() {
        let mut view = View {
            lang: Lang::En,
            restaurant: "<b>Kispiac</b>",
            total: "5,900 Ft".into(),
            state: OrderPaymentState::Unpaid,
            counter: Some("12"),
            provider: Some(("SimplePay", "1\"2")),
            failure: Some(Failure::Refused),
            back: None,
            taken: false,
            is_cancelled: false,
            decline: Some("limit"),
            own_text: Some("Mine <u>".into()),
            methods: vec![Method { id: uuid::Uuid::nil(), name: "Card <i>".into(), paid_online: true }],
            return_url: Some("https://shop.test/?a=1&b=\"2\""),
            is_real: true,
            path: "/pay/pc_abc",
        };
        for (state, words, asks_again, has_form) in [
            (OrderPaymentState::Unpaid, "once it is paid", false, true),
            (OrderPaymentState::Pending, "under way", true, true),
            (OrderPaymentState::Checking, "Do not pay again", true, false),
            (OrderPaymentState::Paid, "The order&#39;s number", false, false),
            (OrderPaymentState::Ended, "goes back by itself", false, false),
        ] {
            view.state = state;
            let page = html(&view);
            assert!(page.contains(&words.replace("&#39;", "'")), "{state:?}");
            assert_eq!(page.contains("http-equiv=\"refresh\""), asks_again, "{state:?}");
            assert_eq!(page.contains("<form"), has_form, "{state:?}");
            for foreign in ["<b>Kispiac", "Mine <u>", "Card <i>", "b=\"2", "1\"2"] {
                assert!(!page.contains(foreign), "{foreign}");
            }
        }
    }
}
