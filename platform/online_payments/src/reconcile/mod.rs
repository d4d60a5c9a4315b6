//! A business day's online payments beside the provider's word, by night and on demand. See
//! `docs/decisions/payments.md#reconciling`.

mod api;
mod pause;
mod rules;
mod run;
mod store;
mod workbook;

pub(crate) use api::ReconciliationsApi;
pub(crate) use pause::{PartnerPause, RestaurantPause};
pub(crate) use run::run;
