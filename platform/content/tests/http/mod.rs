//! Tests of content through HTTP.

mod documentations;
mod help;
mod messages;
mod push;
