//! Calls of API keys: `calling` checks a call, `keys` remembers keys between requests, `cors` allows origins
//! of browser keys, `usage` counts calls. The crate `accounts` manages the keys. See
//! `docs/decisions/permissions.md#api-keys`.

pub(crate) mod calling;
pub(crate) mod cors;
pub(crate) mod keys;
mod usage;
