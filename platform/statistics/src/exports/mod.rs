//! Exports of orders and guests: ordered with the PIN, made by a job, sent as a link for a day. See
//! `docs/decisions/exports.md`.

mod api;
mod form;
mod jobs;
mod link;
mod rows;
mod sheet;

pub(crate) use api::{ExportFiles, ExportRequests};
pub(crate) use jobs::{handlers, withdraw};
