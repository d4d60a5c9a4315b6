//! The guest of an API key's order: the network address that tells guests apart. See
//! `docs/decisions/orders.md#limits-for-guests`.

use kernel::{Code, Problem, Result};
use poem::{Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::{
    app::App,
    caller::Caller,
    credential::{address_of, client_address, counted_as},
    scope::marker,
};

/// Where a secret key says the address of its guest.
const HEADER: &str = "x-guest-address";

/// The guest's network address that a request names.
#[derive(Debug, Clone)]
pub struct GuestAddress {
    client: String,
    /// What the header says; an error when that is no address.
    header: Option<Result<String, ()>>,
}

impl GuestAddress {
    fn of(request: &Request, app: &App) -> Self {
        let header = request.headers().get(HEADER);
        let header = header.map(|value| {
            value.to_str().ok().and_then(|text| address_of(text.trim())).map(counted_as).ok_or(())
        });
        Self { client: client_address(request, &app.settings), header }
    }

    /// The guest's address, as addresses are counted (IPv6 by /64): who calls with a browser key, what a
    /// secret key says of its guest, and nobody's where staff call.
    /// Errors: `BAD_REQUEST` when a secret key says what is no address.
    pub fn counted(self, caller: &Caller) -> Result<Option<String>> {
        match caller {
            Caller::Key { browser: true, .. } => Ok(Some(self.client)),
            Caller::Key { .. } => self.header.transpose().map_err(|()| {
                Problem::new(Code::BAD_REQUEST).detail("X-Guest-Address must be an IP address")
            }),
            Caller::Person { .. } => Ok(None),
        }
    }
}

impl<'a> ApiExtractor<'a> for GuestAddress {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![marker::GUEST]
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self::of(request, App::of(request)?))
    }
}
