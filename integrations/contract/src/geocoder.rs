//! Searching the coordinates of an address.

use async_trait::async_trait;

use crate::CallError;

/// A place that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The whole address, as people read it.
    pub label: String,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lng: f64,
    /// The outer ring of each part of the place, latitude and longitude; empty unless it was asked for, and
    /// for what has none, such as a house.
    pub outline: Vec<Vec<(f64, f64)>>,
}

/// Finds places by words: an address of a restaurant, never one of a guest.
#[async_trait]
pub trait Geocoder: Send + Sync {
    /// The best places for these words, the likeliest first; empty when there is none. With their outlines if
    /// `outlines` says so.
    ///
    /// # Errors
    /// Why the other side did not answer; nothing happens there in any case.
    async fn search(&self, words: &str, languages: &str, outlines: bool) -> Result<Vec<Place>, CallError>;
}
