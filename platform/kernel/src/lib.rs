//! Types and rules that every crate shares and that do no I/O of their own:
//! the error table, ids, request bodies, paging, money, time and the clock.

pub mod body;
pub mod clearable;
pub mod clock;
mod device_kind;
mod domain_name;
mod email;
pub mod error;
pub mod form;
pub mod id;
pub mod ids;
pub mod money;
pub mod paging;
pub mod request;
mod schema_check;
pub mod setting;
pub mod text;
pub mod time;

pub use body::{AnyBody, Body};
pub use clearable::Clearable;
pub use device_kind::DeviceKind;
pub use domain_name::DomainName;
pub use email::Email;
pub use error::{Code, Fault, Problem, Result};
pub use id::{Id, Resource};
pub use ids::{Account, Admin, Group, Partner, Restaurant};
pub use paging::{Page, Paging, QueryParam, SerializedPage, Unpaged};
pub use schema_check::bounds as integer_bounds;
pub use text::Message;
