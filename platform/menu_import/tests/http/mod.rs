//! Imports of menus through HTTP.

mod imports;
