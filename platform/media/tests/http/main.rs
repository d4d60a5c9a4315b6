//! Tests of media through HTTP.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod images;
