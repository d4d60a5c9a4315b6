//! Exports of orders and guests: ordered with the PIN, made by a job, sent as a link for a day. See
//! `docs/decisions/exports.md`.

mod api;
mod columns;
mod delimited;
mod file;
mod filter_api;
mod form;
mod jobs;
mod link;
mod listed;
mod make;
mod ordering;
mod rows;

pub(crate) use api::{ExportFiles, ExportRequests};
pub(crate) use filter_api::OrderExports;
pub(crate) use jobs::{handlers, withdraw};
