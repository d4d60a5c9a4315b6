//! Options: the choices of a group.

mod api;
pub(crate) mod entity;
mod picker;
mod store;
mod types;

pub(crate) use api::of_groups;
pub(crate) use picker::OptionPicker;
pub(crate) use types::OptionRow;

#[derive(Debug)]
pub struct Options;

kernel::resource!(Options, "options", "OPTION");
