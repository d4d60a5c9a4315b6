//! Types and rules that every crate shares and that do no I/O of their own:
//! the error table, ids, request bodies, paging, money, time and the clock.
//!
//! Without the feature `service` there are only money, time, the clock and the faults of fields, and neither poem nor
//! sea-orm nor tokio.

pub mod clock;
mod fault;
pub mod money;
pub mod time;

#[cfg(feature = "service")]
pub mod body;
#[cfg(feature = "service")]
pub mod clearable;
#[cfg(feature = "service")]
mod device_kind;
#[cfg(feature = "service")]
mod domain_name;
#[cfg(feature = "service")]
mod email;
#[cfg(feature = "service")]
pub mod error;
#[cfg(feature = "service")]
pub mod form;
#[cfg(feature = "service")]
pub mod id;
#[cfg(feature = "service")]
pub mod ids;
#[cfg(feature = "service")]
pub mod paging;
#[cfg(feature = "service")]
pub mod request;
#[cfg(feature = "service")]
mod schema_check;
#[cfg(feature = "service")]
pub mod setting;
#[cfg(feature = "service")]
pub mod text;
#[cfg(feature = "service")]
mod wire;

pub use fault::Fault;
#[cfg(feature = "service")]
pub use {
    body::{AnyBody, Body},
    clearable::Clearable,
    device_kind::DeviceKind,
    domain_name::DomainName,
    email::Email,
    error::{Code, Problem, Result},
    id::{Id, Resource},
    ids::{Account, Admin, Group, Partner, Restaurant},
    paging::{Page, Paging, QueryParam, SerializedPage, Unpaged},
    schema_check::bounds as integer_bounds,
    text::Message,
};
