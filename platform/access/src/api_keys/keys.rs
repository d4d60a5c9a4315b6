//! What this process remembers of API keys between requests. It only decides whose calls are counted, never
//! who may call.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use tenants::KeyFacts;
use uuid::Uuid;

use super::usage::Usage;
use crate::limits::Limits;

/// The state about keys shared by the process.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    pub(super) known: Mutex<HashMap<Vec<u8>, Arc<KnownKey>>>,
    pub(super) limits: Limits,
    pub(crate) usage: Usage,
}

/// What is remembered of a secret. It decides whose calls are counted. The door decides who gets in.
#[derive(Debug)]
pub(super) struct KnownKey {
    pub(super) id: Uuid,
    pub(super) kind: String,
    pub(super) origins: Vec<String>,
    pub(super) factor: i32,
}

impl KnownKey {
    /// What the door says of it.
    pub(super) fn of(facts: &KeyFacts) -> Self {
        Self {
            id: facts.id,
            kind: facts.kind.clone(),
            origins: facts.origins.clone(),
            factor: facts.limit_factor,
        }
    }
}
