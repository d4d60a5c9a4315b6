//! Where permissions are asked for, and what a closed door says.

use kernel::{Code, Id, Partner, Problem, Restaurant};
use tenants::Refusal;

/// Where a permission is asked for; stands for the path's prefix.
pub trait Scope: Send + Sync + 'static {
    /// Its name in `x-scope`.
    const NAME: &'static str;
    /// Whether the path names a restaurant.
    const RESTAURANT: bool;
    /// The ids in the path below the partner.
    type Target: Copy + Send + Sync + Into<Option<Id<Restaurant>>>;
    /// The target of a path with this restaurant; none when the scope needs one and the path has none.
    fn target(restaurant: Option<Id<Restaurant>>) -> Option<Self::Target>;
}

impl Scope for Restaurant {
    const NAME: &'static str = "restaurant";
    const RESTAURANT: bool = true;
    type Target = Id<Restaurant>;
    fn target(restaurant: Option<Id<Restaurant>>) -> Option<Self::Target> {
        restaurant
    }
}
impl Scope for Partner {
    const NAME: &'static str = "partner";
    const RESTAURANT: bool = false;
    type Target = Option<Id<Restaurant>>;
    fn target(restaurant: Option<Id<Restaurant>>) -> Option<Self::Target> {
        Some(restaurant)
    }
}
/// Shops, kiosks and third parties: open to an API key with the scope, or to a signed-in admin of the
/// restaurant.
#[derive(Debug)]
pub enum Public {}
impl Scope for Public {
    const NAME: &'static str = "public";
    const RESTAURANT: bool = true;
    type Target = Id<Restaurant>;
    fn target(restaurant: Option<Id<Restaurant>>) -> Option<Self::Target> {
        restaurant
    }
}

/// What its caller is told of a closed door; `restaurant`: the path names one.
pub(crate) fn problem(refusal: Refusal, restaurant: bool) -> Problem {
    match refusal {
        Refusal::Session => Problem::new(Code::USER_LOGIN_REQUIRED),
        Refusal::Key => Problem::new(Code::API_KEY_INVALID),
        Refusal::Device => Problem::new(Code::DEVICE_INVALID),
        Refusal::Unknown if restaurant => Problem::new(Code::RESTAURANT_NOT_EXIST),
        Refusal::Unknown => Problem::new(Code::PARTNER_NOT_EXIST),
        Refusal::Support => Problem::new(Code::SUPPORT_ACCESS_REQUIRED),
        Refusal::Suspended => Problem::new(Code::PARTNER_SUSPENDED),
        Refusal::Maintenance => Problem::new(Code::PARTNER_IN_MAINTENANCE).retry_after(5),
    }
}
