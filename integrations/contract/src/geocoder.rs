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
    /// Errors: Why the other side did not answer; nothing happens there in any case.
    async fn search(&self, words: &str, languages: &str, outlines: bool) -> Result<Vec<Place>, CallError>;
}

/// A guest's address as a geocoder gets it: nothing of who lives there, neither floor nor door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HouseAddress {
    /// ISO 3166-1, two capitals.
    pub country: String,
    /// This or the city is known.
    pub postcode: Option<String>,
    /// This or the postcode is known.
    pub city: Option<String>,
    /// The street without the number.
    pub street: String,
    /// The house number.
    pub number: String,
}

/// How exactly a place is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// A house.
    House,
    /// Somewhere in the street.
    Street,
    /// A part of a town, or more.
    Coarse,
}

/// A place that was found for a guest's address.
#[derive(Debug, Clone, PartialEq)]
pub struct HousePlace {
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lng: f64,
    /// How exactly it is known.
    pub precision: Precision,
    /// ISO 3166-1, two capitals.
    pub country: Option<String>,
    /// Its postcode.
    pub postcode: Option<String>,
    /// The names of the town that it lies in, and of parts of it.
    pub cities: Vec<String>,
}

/// Finds the places of guests' addresses. It must be one that the operator may give them to, which a public
/// geocoder is not.
#[async_trait]
pub trait GuestGeocoder: Send + Sync {
    /// The places that may be meant, the likeliest first; empty when there is none. It answers or fails within
    /// two seconds, and fails at once where it is not worth trying.
    /// Errors: Why the other side did not answer; nothing happens there in any case.
    async fn places(&self, address: &HouseAddress) -> Result<Vec<HousePlace>, CallError>;
}
