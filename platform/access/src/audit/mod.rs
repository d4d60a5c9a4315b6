//! The audit log: who did what, in the transaction that did it. `line` writes a line, `seal` links lines into
//! the chain, `refusals` writes refused calls, `support` writes events of support accesses outside of
//! requests, `carry` carries lines to partners on other servers, `history` and `log` read, `names` says what records in lines are called. The crate `accounts`
//! has the calls that read the log. See `docs/decisions/security.md#audit-log`.

mod carry;
mod forget;
mod history;
mod line;
mod log;
mod names;
pub(crate) mod recent_refusals;
pub(crate) mod refusals;
mod seal;
mod support;

pub use forget::{forget, forget_answers};
pub use history::{Line, action_of, counts, lines, lines_since, records_of};
pub use line::{Actor, difference, write};
pub use log::{AuditFilters, AuditRow, filled, limit_offset, page, total};
pub use names::{RecordName, names_within, platform_names, record_names};
pub use seal::{enqueue_seals, note_unsealed, seal_all};
pub use support::{SUPPORT_END, socket_step};

pub(crate) fn handlers() -> Vec<(&'static str, work::Handler)> {
    seal::handlers().into_iter().chain([support::handler(), carry::handler()]).collect()
}
