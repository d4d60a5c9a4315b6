//! Exports of orders and guests: ordered behind the PIN, made by a job, sent as a link that holds for a day.

mod api;
mod form;
mod jobs;
mod link;
mod rows;
mod sheet;

pub(crate) use api::{ExportFiles, ExportRequests};
pub(crate) use jobs::handlers;
