//! Plug-ins of tests.

use contract::{Capability, Environment, Plugins};

/// These plug-ins, of a provider for tests.
pub fn plugins(all: impl IntoIterator<Item = (Environment, Capability)>) -> Plugins {
    let mut plugins = Plugins::default();
    for (environment, capability) in all {
        plugins.register("test", environment, capability).unwrap();
    }
    plugins
}
