//! Connects a restaurant to the stand-ins of online payment.

use sandbox::{barion, simplepay};
use serde_json::{Value, json};

use super::api::Api;
use crate::Result;

/// Its accounts at these providers, and every method that is paid online. A merchant of SimplePay has one address of
/// messages, so one restaurant alone has it; `stand_in` is told that address.
pub fn connect(api: &Api, path: &str, providers: &[String], stand_in: Option<&str>) -> Result<()> {
    let base = format!("{path}/payment-methods/provider-accounts");
    if providers.is_empty() || !api.list(&base)?.is_empty() {
        return Ok(());
    }
    if providers.iter().any(|name| name == "simplepay") {
        for one in simplepay::ACCOUNTS.iter().filter(|one| one.currency == "HUF") {
            let purpose = if one.szep { "szep" } else { "card" };
            let account = json!({"provider": "simplepay", "purpose": purpose, "account": one.merchant, "secret": one.secret});
            let made = api.post(&base, &account, one.merchant)?;
            if let Some(stand_in) = stand_in {
                api.tell(
                    &format!("{stand_in}/control/ipn"),
                    &json!({"merchant": one.merchant, "url": made["callback_url"]}),
                )?;
            }
        }
    }
    if providers.iter().any(|name| name == "barion") {
        let account = json!({"provider": "barion", "account": barion::PAYEE, "secret": barion::POS_KEY});
        api.post(&base, &account, barion::PAYEE)?;
    }
    let methods = api.list(&format!("{path}/payment-methods"))?;
    let is_on = |method: &&Value| {
        let can_be = method["needs"].as_array().is_none_or(Vec::is_empty);
        method["enabled_web"] == true || method["paid_online"] == true && can_be
    };
    let ids: Vec<_> = methods.iter().filter(is_on).map(|method| &method["id"]).collect();
    let change = json!({"view": "web", "payment_method_ids": ids});
    api.put(&format!("{path}/payment-methods"), &change, "payment methods").map(drop)
}
