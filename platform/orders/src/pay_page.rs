//! The page on which an order is paid online: its address, and where it leads back to.

use access::{App, Caller, prelude::*};
use url::Url;

use crate::place::PAY;

/// The address of the page with this token.
pub(crate) fn page_url(app: &App, token: &str) -> String {
    let base = app.settings.public_url.as_str().trim_end_matches('/');
    format!("{base}/{PAY}/{token}")
}

const HAS_ORIGIN: &str = "select control.key_has_origin($1, $2)";

/// The page to which a guest is led back, when it is one of the restaurant's domain (over https) or of the key's origins.
/// Errors: `VALIDATION_FAILED` at `return_url`: guests are led to no foreign page.
pub(crate) async fn checked_return(
    scope: &In<Public, perm::OrdersWrite>, tx: &TenantTx, sent: Option<&str>,
) -> Result<Option<String>> {
    let Some(sent) = sent else { return Ok(None) };
    let refused = || Problem::new(Code::VALIDATION_FAILED).key("return_url", Fault::Invalid);
    let url: Url = sent.parse().map_err(|_| refused())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused());
    }
    let domain = restaurants::facts(tx, scope.restaurant()).await?.domain;
    let host = url.host_str().unwrap_or_default();
    let is_own = domain.is_some_and(|domain| host == domain || host.strip_prefix("www.") == Some(&*domain));
    if is_own && url.scheme() == "https" && url.port().is_none() {
        return Ok(Some(url.into()));
    }
    let Caller::Key { id, .. } = scope.caller() else { return Err(refused()) };
    let origin = url.origin().ascii_serialization();
    match tx.value::<bool>(HAS_ORIGIN, [(*id).into(), origin.into()]).await? {
        Some(true) => Ok(Some(url.into())),
        _ => Err(refused()),
    }
}
