//! The payment methods that third parties may offer to guests.

use access::{answers::Tagged, prelude::*};
use contract::Plugins;
use poem::web::Data;
use poem_openapi::{param::Header, types::Example};
use uuid::Uuid;

use super::{
    api::PaymentMethods,
    store,
    types::{PaymentType, RestaurantPaymentMethod},
};
use crate::accounts::{Asking, Provider};

pub(crate) struct PublicPaymentMethods;

/// A way to pay that the restaurant takes.
#[derive(Debug, Object)]
#[oai(example)]
struct PublicPaymentMethod {
    /// What an order names as `payment_method_id`.
    id: Id<PaymentMethods>,
    /// What an order may name instead, as `payment_method`.
    payment_key: String,
    payment_type: PaymentType,
    name: String,
    name_en: String,
    /// Paid on a provider's page before the restaurant sees the order.
    paid_online: bool,
    /// On whose page it is paid; null where `paid_online` is false. Show the provider's logo, as its terms ask.
    provider: Option<Provider>,
    /// For orders of `browser` and `messenger`.
    type_web: bool,
    /// For orders of `android` and `ios`.
    type_app: bool,
    /// For orders of `phone`.
    type_phone: bool,
    /// For orders of the till and of kiosks.
    type_in_place: bool,
    /// Can be paid to the courier: a delivery from web or app wants this or `paid_online`.
    type_delivery: bool,
}

impl Example for PublicPaymentMethod {
    fn example() -> Self {
        Self {
            id: Id::from_uuid(Uuid::from_u128(0x0000_0000_0000_7000_8000_0000_0000_0401)),
            payment_key: "cash".to_owned(),
            payment_type: PaymentType::Cash,
            name: "Készpénz".to_owned(),
            name_en: "Cash".to_owned(),
            paid_online: false,
            provider: None,
            type_web: true,
            type_app: true,
            type_phone: true,
            type_in_place: true,
            type_delivery: true,
        }
    }
}

impl From<RestaurantPaymentMethod> for PublicPaymentMethod {
    fn from(method: RestaurantPaymentMethod) -> Self {
        let RestaurantPaymentMethod { id, payment_key, payment_type, name, name_en, paid_online, .. } =
            method;
        let RestaurantPaymentMethod { enabled_web, enabled_pos, type_delivery, .. } = method;
        Self {
            id,
            payment_key,
            payment_type,
            name,
            name_en,
            paid_online,
            provider: method.provider,
            type_web: method.type_web && enabled_web,
            type_app: method.type_app && enabled_web,
            type_phone: method.type_phone && enabled_pos,
            type_in_place: method.type_in_place && enabled_pos,
            type_delivery,
        }
    }
}

#[OpenApi(
    prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/payment-methods",
    tag = "Tag::Public"
)]
impl PublicPaymentMethods {
    /// The ways to pay that the restaurant takes and that work. An order that names another is refused
    /// (`payment_method_not_available`).
    ///
    /// Send the `ETag` back as `If-None-Match`: as long as nothing has changed the answer is 304 without a
    /// body.
    #[oai(path = "/", method = "get", operation_id = "public_payment_methods_list")]
    async fn list(
        &self, scope: In<Public, perm::MenuRead>,
        /// ETags of copies that the client has.
        #[oai(name = "If-None-Match")]
        known: Header<Option<String>>,
        plugins: Data<&Plugins>,
    ) -> Result<Tagged<Vec<PublicPaymentMethod>>> {
        let tx = scope.begin().await?;
        let asking = Asking { test_key: scope.caller().is_test_key(), among: Some(&plugins), placed: false };
        let known_here = store::methods(&tx, scope.restaurant(), asking).await?;
        let taken = known_here.into_iter().filter(|method| method.enabled);
        Ok(Tagged::new(&taken.map(PublicPaymentMethod::from).collect(), known.as_deref()))
    }
}
