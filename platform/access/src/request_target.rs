//! The restaurant or partner of a request whose path names none (a short path). See
//! `docs/decisions/api.md#short-paths`.

use kernel::{Code, Result};
use poem::Request;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{app::App, credential::Credential};

/// A place, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestTarget {
    pub partner: Option<Uuid>,
    pub group: Option<Uuid>,
    pub restaurant: Option<Uuid>,
    /// Whether a partner was named, not a restaurant.
    pub whole_partner: bool,
}

#[derive(FromQueryResult)]
struct NamedPlace {
    partner_id: Option<Uuid>,
    group_id: Option<Uuid>,
    restaurant_id: Option<Uuid>,
}

impl RequestTarget {
    const fn all(id: Uuid) -> Self {
        Self { partner: Some(id), group: Some(id), restaurant: Some(id), whole_partner: false }
    }

    /// The place that is named, a restaurant or a partner, else the account's last choice, else the only one
    /// that the account sees. An id that is not known is one of several. None when what is named is no id, or
    /// nobody is signed in. It gives no right to be there.
    /// Errors: When the database does not answer; `TOO_MANY_REQUESTS`.
    pub async fn of(app: &App, request: &Request, named: Option<&str>) -> Result<Option<Self>> {
        let named: Option<Uuid> = match named.map(str::parse).transpose() {
            Ok(named) => named,
            Err(_) => return Ok(None),
        };
        let (session, account) = match Credential::of(request, app) {
            Ok(Credential::Session { account, session }) => (session, account),
            Err(problem) if problem.code() == Code::TOO_MANY_REQUESTS => return Err(problem),
            // Short forms are of calls for people.
            Ok(Credential::Key(_)) | Err(_) => return Ok(None),
        };
        let values = [named.into(), session.into(), account.uuid().into(), app.settings.development.into()];
        let place = app.door.one("select * from control.place_meant($1, $2, $3, $4)", values).await?;
        // A session that has ended.
        let Some(place) = place else { return Ok(None) };
        let NamedPlace { partner_id: partner, group_id: group, restaurant_id: restaurant } = place;
        Ok(Some(match (named, partner) {
            (Some(named), None) => Self::all(named),
            (named, partner) => {
                Self { partner, group, restaurant, whole_partner: named.is_some() && named == partner }
            }
        }))
    }
}
