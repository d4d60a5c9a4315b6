//! What happens when an API key calls: `calling`, with `keys` for what is remembered between requests, `cors`
//! for the pages of browser keys and `usage` for what became of the calls. The crate `accounts` manages the
//! keys.

pub(crate) mod calling;
pub(crate) mod cors;
pub(crate) mod keys;
mod usage;
