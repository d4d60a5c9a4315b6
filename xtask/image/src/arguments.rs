//! The words of a command: pairs of `--name value`, and after `--` the words of a program.

use std::{collections::BTreeMap, path::PathBuf};

use crate::Result;

/// Words that were read.
pub struct Arguments {
    values: BTreeMap<String, String>,
    /// What follows `--`.
    pub program: Vec<String>,
}

impl Arguments {
    pub fn read(words: &[String]) -> Result<Self> {
        let mut values = BTreeMap::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                break;
            }
            let name = word.strip_prefix("--").ok_or_else(|| format!("{word} has no name before it."))?;
            let value = words.next().ok_or_else(|| format!("--{name} needs a value."))?;
            values.insert(name.to_owned(), value.clone());
        }
        Ok(Self { values, program: words.cloned().collect() })
    }

    /// A value that may be missing.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    pub fn need(&self, name: &str) -> Result<&str> {
        self.get(name).ok_or_else(|| format!("--{name} is missing."))
    }

    pub fn path(&self, name: &str) -> Result<PathBuf> {
        self.need(name).map(PathBuf::from)
    }

    pub fn number<N: std::str::FromStr>(&self, name: &str) -> Result<N> {
        self.need(name)?.parse().map_err(|_| format!("--{name} needs a number."))
    }
}
