//! Calls with the key, and failures by their possible effect.

use std::time::Duration;

use client::{Answer, Client};
use contract::{CallError, CallFault, Secret};
use reqwest::{Method, header::HeaderValue};
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;
use url::Url;

/// The errors of an answer. `AuthData`, which has the account, and the texts are not even read.
#[derive(Default, Deserialize)]
struct Problems {
    #[serde(rename = "Errors", default)]
    errors: Option<Vec<Problem>>,
    /// Of a payment: an answer that has one is no refusal, whatever errors stand beside it.
    #[serde(rename = "Status", default)]
    status: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Problem {
    #[serde(rename = "ErrorCode", default)]
    code: Option<String>,
}

impl Problems {
    /// The code of the first error; one of the server itself goes before the others.
    fn code(&self) -> Option<&str> {
        let codes = || self.errors.iter().flatten().map(|one| one.code.as_deref().unwrap_or_default());
        codes().find(|code| code.eq_ignore_ascii_case(INTERNAL)).or_else(|| codes().next())
    }
}

const INTERNAL: &str = "InternalServerError";

#[derive(Debug)]
pub(crate) struct Http(Client);

impl Http {
    pub(crate) fn new(connect: Duration, patience: Duration) -> Result<Self, String> {
        Client::new(connect, patience).map(Self)
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, url: Url, key: &Secret) -> Result<T, CallError> {
        self.call(Method::GET, url, key, None).await
    }

    pub(crate) async fn post<T: DeserializeOwned>(
        &self, url: Url, key: &Secret, body: &Value,
    ) -> Result<T, CallError> {
        self.call(Method::POST, url, key, Some(body.to_string())).await
    }

    /// Sends one call, once.
    async fn call<T: DeserializeOwned>(
        &self, method: Method, url: Url, key: &Secret, body: Option<String>,
    ) -> Result<T, CallError> {
        let refused_key = || CallError::harmless(CallFault::Credentials);
        let mut key = HeaderValue::from_str(key.reveal().trim()).map_err(|_| refused_key())?;
        if key.is_empty() {
            return Err(refused_key());
        }
        key.set_sensitive(true);
        let reads = method == Method::GET;
        let mut request = self.0.request(method, url).header("x-pos-key", key);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let answer = self.0.send(request, Answer::is_json).await?;
        let status = answer.status;
        if status == 429 {
            return Err(answer.rate_limited());
        }
        let body = answer.body?;
        // A page instead of JSON (a check for robots) says nothing.
        let problems: Problems = serde_json::from_slice(&body).unwrap_or_default();
        match (status, problems.code()) {
            (500..=599, code) => {
                Err(CallError::unknown(CallFault::Broken).with_code(code.unwrap_or_default()))
            }
            (401, None) => Err(CallError::harmless(CallFault::Credentials)),
            (200..=299, Some(code)) if !reads || problems.status.is_none() => Err(refusal(status, code)),
            (400..=499, Some(code)) => Err(refusal(status, code)),
            (200..=299, _) => {
                serde_json::from_slice(&body).map_err(|_| CallError::unknown(CallFault::Protocol))
            }
            _ => Err(CallError::unknown(CallFault::Protocol)),
        }
    }
}

/// What an error code means. One that is not documented counts as a refusal where the status says so too.
fn refusal(status: u16, code: &str) -> CallError {
    let error = match code.to_ascii_lowercase().as_str() {
        // The key is wrong, or of the other environment; the payee does not belong to it.
        "authenticationfailed" | "invaliduser" => CallError::harmless(CallFault::Credentials),
        "notexistingpaymentid" => CallError::harmless(CallFault::NotFound),
        "modelvalidationerror"
        | "transactiondoesnotbelongtopayment"
        | "invalidtransactiontype"
        | "amounttorefundisgreaterthantransactionamount" => CallError::harmless(CallFault::Invalid),
        "shopisclosed"
        | "shopisindraftstate"
        | "paymentstatusnotvalid"
        | "suspendedusertriedtorefund"
        | "toolowbalancetomakerefund" => CallError::harmless(CallFault::Conflict),
        other => match status {
            _ if other.eq_ignore_ascii_case(INTERNAL) => CallError::unknown(CallFault::Broken),
            401 | 403 => CallError::harmless(CallFault::Credentials),
            404 | 410 => CallError::harmless(CallFault::NotFound),
            408 => CallError::unknown(CallFault::Unreachable),
            409 => CallError::harmless(CallFault::Conflict),
            400..=499 => CallError::harmless(CallFault::Invalid),
            _ => CallError::unknown(CallFault::Protocol),
        },
    };
    error.with_code(code)
}

#[cfg(test)]
mod tests {
    use contract::Effect;

    use super::*;

    #[test]
    fn codes_say_whether_something_may_have_happened() {
        for (status, code, effect, fault) in [
            (400, "AuthenticationFailed", Effect::None, CallFault::Credentials),
            (400, "InvalidUser", Effect::None, CallFault::Credentials),
            (400, "ModelValidationError", Effect::None, CallFault::Invalid),
            (400, "ShopIsClosed", Effect::None, CallFault::Conflict),
            (400, "ShopIsInDraftState", Effect::None, CallFault::Conflict),
            (400, "NotExistingPaymentId", Effect::None, CallFault::NotFound),
            (400, "PaymentStatusNotValid", Effect::None, CallFault::Conflict),
            (400, "TransactionDoesNotBelongToPayment", Effect::None, CallFault::Invalid),
            (400, "InvalidTransactionType", Effect::None, CallFault::Invalid),
            (400, "SuspendedUserTriedToRefund", Effect::None, CallFault::Conflict),
            (400, "InternalServerError", Effect::Unknown, CallFault::Broken),
            (400, "SomethingNew", Effect::None, CallFault::Invalid),
            // Barion's errors came with the status 200 too.
            (200, "PaymentStatusNotValid", Effect::None, CallFault::Conflict),
            (200, "SomethingNew", Effect::Unknown, CallFault::Protocol),
        ] {
            let error = refusal(status, code);
            assert_eq!((error.effect, error.fault), (effect, fault), "{status} {code}");
            assert_eq!(error.code.as_deref(), Some(code));
        }
    }
}
