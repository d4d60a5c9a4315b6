//! Imports of menus through HTTP.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

mod imports;
