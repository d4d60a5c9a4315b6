//! What happens beside and after a request: the queue of jobs, events for sockets, schedules, mail. It has no
//! API.

pub mod breaker;
pub mod carrier;
pub mod events;
mod hub;
mod job_error;
pub mod jobs;
pub mod mail;
pub mod outgoing;
mod pace;
pub mod platform_jobs;
mod runner;
pub mod subscriptions;
pub mod template;

pub use breaker::Breakers;
pub use hub::Hub;
pub use job_error::JobError;
pub use jobs::{Handler, Job, JobContext, Reading, due_now, enqueue};
pub use mail::{Mail, Mailer};
pub use outgoing::{Lookup, Outgoing};
pub use platform_jobs::{IfWaiting, PlatformJob};
pub use runner::Runner;
pub use subscriptions::{Subscriptions, Work};
