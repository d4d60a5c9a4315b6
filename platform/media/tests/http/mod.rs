//! Tests of media through HTTP.

mod images;
