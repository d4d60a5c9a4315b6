//! What happens when an API key calls: `calling`, with `cors` for the pages of browser keys and `usage` for
//! what became of the calls. The crate `accounts` manages the keys.

pub(crate) mod calling;
pub(crate) mod cors;
pub(crate) mod usage;
