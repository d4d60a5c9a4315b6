//! The payment method of an order. See `docs/decisions/payments.md#payment-methods`.

use std::sync::LazyLock;

use access::prelude::*;
use contract::Plugins;
use restaurants::Facts;
use sea_orm::{ActiveEnum, FromQueryResult, Value as Bound};
use serde::Deserialize;
use uuid::Uuid;

use super::{rules, types::PaymentType};
use crate::accounts::{self, Asking, Candidates, PaymentEnvironment, ServingAccount};

/// Where an order comes from, as far as paying it goes: each is a flag of the methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// The restaurant's page.
    Web,
    App,
    Phone,
    /// In the restaurant: till, table, kiosk.
    InPlace,
}

/// A payment method as one restaurant has it.
#[derive(Debug, Clone, FromQueryResult, Deserialize)]
pub struct ChosenMethod {
    /// Its row in the reference data.
    pub id: Uuid,
    /// Paid on a provider's page before the restaurant sees the order.
    pub paid_online: bool,
    payment_type: PaymentType,
    /// Its key: `cash`, `card`.
    pub payment_key: String,
    /// In Hungarian.
    pub name: String,
    pub name_en: String,
    enabled_web: bool,
    enabled_pos: bool,
    type_web: bool,
    type_app: bool,
    type_phone: bool,
    type_in_place: bool,
    type_delivery: bool,
    features: Vec<String>,
    candidates: Option<Candidates>,
    /// Through which account an order is paid online. None: through none, so it cannot be.
    #[sea_orm(skip)]
    #[serde(skip)]
    pub account: Option<ServingAccount>,
}

impl ChosenMethod {
    /// The kind of payment, by its name on the wire.
    #[must_use]
    pub fn payment_type(&self) -> String {
        self.payment_type.to_value()
    }

    /// Whether an order may be paid with it: it works, it is one of the channel's, and the restaurant takes
    /// it there. Deliveries that guests order themselves are paid online or to the courier.
    #[must_use]
    pub fn pays(&self, channel: Channel, delivered: bool) -> bool {
        let reached = self.paid_online || self.type_delivery || !delivered;
        self.works()
            && match channel {
                Channel::Web => self.enabled_web && self.type_web && reached,
                Channel::App => self.enabled_web && self.type_app && reached,
                Channel::Phone => self.enabled_pos && self.type_phone,
                Channel::InPlace => self.enabled_pos && self.type_in_place,
            }
    }
}

impl ChosenMethod {
    /// With the account that serves it in a partner of this mode.
    fn served_by(mut self, mode: &str, asking: Asking<'_>) -> Self {
        let account = self.candidates.take().and_then(|accounts| accounts.serving(mode, asking));
        self.account = account.map(|(_, account)| account);
        self
    }

    fn works(&self) -> bool {
        rules::needs(self.payment_type, &self.payment_key, &self.features, self.account.is_some()).is_empty()
    }

    /// Whether it is paid at the provider's host for tests: such an order is a test.
    #[must_use]
    pub fn is_paid_for_tests(&self) -> bool {
        self.account.as_ref().is_some_and(|account| account.environment == PaymentEnvironment::TestHost)
    }

    /// Whether staff may say that money has come by it: it works, the restaurant takes it in some view, and no
    /// provider has to say so. `split` says of an order that several will be.
    #[must_use]
    pub fn is_taken_by_hand(&self) -> bool {
        let enabled = self.enabled_web || self.enabled_pos;
        self.works() && enabled && !self.paid_online && self.payment_key != "split"
    }
}

/// The methods of which this holds; `$1` is the restaurant.
fn statement(which: &str) -> String {
    format!(
        "select m.id, m.paid_online, m.payment_type, m.payment_key, m.name, m.name_en, \
        m.always_available or coalesce(e.web, false) enabled_web, \
        m.always_available or coalesce(e.pos, false) enabled_pos, m.type_web, m.type_app, m.type_phone, \
        m.type_in_place, m.type_delivery, \
        coalesce((select features from restaurant_facts where id = $1), '{{}}') features, \
        case when m.paid_online then (select s.accounts from serving_account s where s.restaurant_id = $1 \
            and s.payment_method_id = m.id) end candidates \
        from ref.payment_method m left join restaurant_payment_method e on e.payment_method_id = m.id and \
        e.restaurant_id = $1 where {which}"
    )
}

static CHOSEN: LazyLock<String> = LazyLock::new(|| statement("m.id = $2 or m.payment_key = $3"));

static ALL: LazyLock<String> = LazyLock::new(|| statement("true order by m.id"));

/// The settings of a restaurant with the method; the second for a restaurant that must stay live.
static WITH_FACTS: LazyLock<[String; 2]> = LazyLock::new(|| {
    let method = format!("(select to_jsonb(m) from ({}) m)", statement("m.id = $3 or m.payment_key = $4"));
    [false, true].map(|live| restaurants::facts_statement(&method, live))
});

/// A payment method as somebody names it: by its id, else by its key.
#[derive(Debug, Clone, Copy)]
pub struct NamedMethod<'a> {
    id: Option<Uuid>,
    key: Option<&'a str>,
    test_key: bool,
}

impl<'a> NamedMethod<'a> {
    /// The id goes before the key.
    #[must_use]
    pub fn new(id: Option<Uuid>, key: Option<&'a str>) -> Self {
        Self { id, key: if id.is_some() { None } else { key }, test_key: false }
    }

    /// For an order that a key for tests sends, or none: the accounts of the provider's test host serve it.
    #[must_use]
    pub fn of_test_key(self, test_key: bool) -> Self {
        Self { test_key, ..self }
    }

    fn values(self) -> [Bound; 2] {
        [self.id.into(), self.key.map(str::to_owned).into()]
    }

    /// The method with the account that serves it. Refuses a name that no method has.
    async fn found(self, tx: &TenantTx, method: Option<ChosenMethod>) -> Result<Option<ChosenMethod>> {
        let asking = Asking { test_key: self.test_key, ..Asking::default() };
        let method = match method {
            // The mode is asked for what is paid online alone, and apart: it is no matter of the partner's schema.
            Some(method) if method.candidates.is_some() => {
                Some(method.served_by(&accounts::mode(tx).await?, asking))
            }
            method => method,
        };
        let field = match (self.id, self.key, &method) {
            (None, None, _) | (_, _, Some(_)) => return Ok(method),
            (Some(_), ..) => "payment_method_id",
            (None, Some(_), None) => "payment_method",
        };
        Err(Problem::new(Code::VALIDATION_FAILED).key(field, Fault::NotExist))
    }
}

/// The payment method with this id, else with this key; none when neither is given.
/// Errors: `VALIDATION_FAILED` at `payment_method_id` or `payment_method` when there is no such method
/// anywhere.
pub async fn chosen(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Option<Uuid>, key: Option<&str>,
) -> Result<Option<ChosenMethod>> {
    let named = NamedMethod::new(id, key);
    if id.is_none() && key.is_none() {
        return Ok(None);
    }
    let values = [Bound::from(restaurant)].into_iter().chain(named.values());
    named.found(tx, tx.one(CHOSEN.as_str(), values).await?).await
}

/// Every payment method as the restaurant has it, those that are paid online with the account that serves them, if its
/// plug-in is among these. Which of them pay an order says [`ChosenMethod::pays`].
pub async fn offered(
    tx: &TenantTx, restaurant: Id<Restaurant>, plugins: &Plugins, is_test: bool,
) -> Result<Vec<ChosenMethod>> {
    let methods: Vec<ChosenMethod> = tx.all(ALL.as_str(), [restaurant.into()]).await?;
    let asking = Asking { test_key: is_test, among: Some(plugins), placed: true };
    let mode = accounts::mode(tx).await?;
    Ok(methods.into_iter().map(|method| method.served_by(&mode, asking)).collect())
}

/// The settings of a restaurant and the method, in one statement. `live` as in [`restaurants::facts_of_live`].
/// The method is refused apart, because other faults of an order are told before it.
/// Errors: `RESTAURANT_NOT_EXIST`; what the database says; of the method as [`chosen`].
pub async fn facts_and_chosen(
    tx: &TenantTx, restaurant: Id<Restaurant>, named: NamedMethod<'_>, live: bool,
) -> Result<(Facts, Result<Option<ChosenMethod>>)> {
    let statement = &WITH_FACTS[usize::from(live)];
    let (facts, method) = restaurants::facts_by(tx, statement, restaurant, named.values()).await?;
    let method = method.map(serde_json::from_value).transpose().map_err(|_| Code::UNKNOWN_ERROR)?;
    let method = named.found(tx, method).await;
    Ok((facts, method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_pays_where_it_is_one_of_the_channel() {
        let none = ChosenMethod {
            id: Uuid::nil(),
            paid_online: false,
            payment_type: PaymentType::Other,
            payment_key: "voucher".to_owned(),
            name: String::new(),
            name_en: String::new(),
            enabled_web: true,
            enabled_pos: true,
            type_web: false,
            type_app: false,
            type_phone: false,
            type_in_place: false,
            type_delivery: false,
            features: vec![],
            candidates: None,
            account: None,
        };
        let web = ChosenMethod { type_web: true, ..none.clone() };
        let courier = ChosenMethod { type_delivery: true, ..web.clone() };
        let online = ChosenMethod { paid_online: true, ..web.clone() };
        let staff = ChosenMethod { type_phone: true, type_in_place: true, ..none.clone() };
        for (name, method, channel, delivered, pays) in [
            ("fetched from the web", &web, Channel::Web, false, true),
            ("not to the courier", &web, Channel::Web, true, false),
            ("to the courier", &courier, Channel::Web, true, true),
            ("online", &online, Channel::Web, true, true),
            ("not in the app", &courier, Channel::App, false, false),
            ("by phone, billed later", &staff, Channel::Phone, true, true),
            ("at the till", &staff, Channel::InPlace, false, true),
            ("not for guests", &staff, Channel::Web, false, false),
            (
                "waits for its provider",
                &ChosenMethod { payment_type: PaymentType::CardOnline, ..online.clone() },
                Channel::Web,
                true,
                false,
            ),
            (
                "served by an account",
                &ChosenMethod {
                    payment_type: PaymentType::CardOnline,
                    account: Some(ServingAccount {
                        id: Uuid::nil(),
                        provider: "barion".to_owned(),
                        environment: crate::PaymentEnvironment::Live,
                    }),
                    ..online.clone()
                },
                Channel::Web,
                true,
                true,
            ),
            (
                "waits for its feature",
                &ChosenMethod { payment_key: "balance".to_owned(), ..staff.clone() },
                Channel::InPlace,
                false,
                false,
            ),
            (
                "off on the web",
                &ChosenMethod { enabled_web: false, ..courier.clone() },
                Channel::Web,
                true,
                false,
            ),
            (
                "off at the till",
                &ChosenMethod { enabled_pos: false, ..staff.clone() },
                Channel::InPlace,
                false,
                false,
            ),
        ] {
            assert_eq!(method.pays(channel, delivered), pays, "{name}");
        }
    }
}
