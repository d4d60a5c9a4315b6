//! Trying out promotions: the price of a cart now, and with a promotion that is not saved yet. See
//! `docs/decisions/promotions.md#trying-out`.

use access::{Pin, prelude::*};
use checkout::{Cart, Quote, Trial};
use contract::Plugins;
use poem::web::Data;
use promotions::{Discounts, NewDiscount};

use crate::callers::{geocode_cart, sent_by};

pub(crate) struct TryOut;

/// A cart, and the promotion that is being edited.
#[derive(Debug, Object)]
struct DiscountTrial {
    /// Its `customer_id`, `phone_1` and `email` need the own PIN.
    cart: Cart,
    /// The moment of ordering; now when absent.
    ordered_at: Option<Timestamp>,
    /// The promotion as it would be saved. It counts as switched on.
    draft: Option<NewDiscount>,
    /// The saved promotion that the draft stands for.
    draft_of: Option<Id<Discounts>>,
}

/// What a cart costs.
#[derive(Debug, Object)]
struct DiscountTrialResult {
    /// With the promotions as they are saved.
    now: Quote,
    /// With the draft; null when none was sent.
    draft: Option<Quote>,
}

type Here = In<Restaurant, perm::Discount>;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/discounts",
    tag = "Tag::Orders"
)]
impl TryOut {
    /// Tries promotions out on a cart: as they are, and with a draft. Nothing is saved and no use is taken.
    ///
    /// A draft is checked as saving checks it; its keys stand below `draft`.
    #[oai(path = "/try", method = "post", operation_id = "discounts_try")]
    async fn try_out(
        &self, scope: Here, pin: Pin, body: Body<DiscountTrial>, plugins: Data<&Plugins>,
    ) -> Result<Json<DiscountTrialResult>> {
        let DiscountTrial { cart, ordered_at, draft, draft_of } = body.into_inner();
        // Whoever is found by phone or e-mail is named as well.
        if cart.customer_id.is_some() || cart.phone_1.is_some() || cart.email.is_some() {
            pin.own(&scope).await?;
        }
        let geocoded = geocode_cart(&scope, &plugins, &cart).await?;
        let tx = scope.begin().await?;
        let (restaurant, sent_by) = (scope.restaurant(), sent_by(scope.caller()));
        let trial = Trial { restaurant, sent_by, cart: &cart, ordered_at, geocoded };
        let price = async |tried| trial.price(&tx, tried).await.map_err(|problem| problem.below("cart"));
        let now = price(draft_of).await?;
        let draft = match draft {
            None if draft_of.is_some() => {
                return Err(Problem::new(Code::VALIDATION_FAILED).key("draft", Fault::Required));
            }
            None => None,
            Some(draft) => {
                let id = promotions::write_draft(&tx, &scope, draft_of, draft).await.map_err(in_body)?;
                Some(price(Some(id)).await?)
            }
        };
        // Never committed: the draft was written only to be priced by the rules of saved ones.
        drop(tx);
        Ok(Json(DiscountTrialResult { now, draft }))
    }
}

/// What saving the draft would answer, with the fields of this body.
fn in_body(problem: Problem) -> Problem {
    if problem.code() == Code::DISCOUNT_NOT_EXIST {
        return Problem::new(Code::VALIDATION_FAILED).key("draft_of", Fault::NotExist);
    }
    problem.below("draft")
}
