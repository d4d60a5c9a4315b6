//! Loads the demo menus through the product's own API, as a partner would.

mod api;
mod format;
mod load;

pub use api::SignIn;

use std::{collections::HashMap, path::Path};

use serde_json::Value;

use crate::Result;
use api::Api;

/// Loads every `*.json` of `folder` into the restaurant of the name it says. `simplepay` is the address of that stand-in.
pub fn load(account: &SignIn, folder: &Path, simplepay: Option<&str>, resume: bool) -> Result<()> {
    let menus = format::read_folder(folder)?;
    let (api, me) = Api::sign_in(account)?;
    let restaurants = restaurants(&api, &me)?;
    let codes = Codes::read(&api)?;
    for (file, menu) in &menus {
        let name = &menu.restaurant.name;
        let Some(path) = restaurants.get(name) else {
            let known: Vec<&str> = restaurants.keys().map(String::as_str).collect();
            return Err(format!(
                "{file}: {} has no restaurant \"{name}\" (there are: {}).",
                account.email,
                known.join(", ")
            ));
        };
        load::restaurant(&api, path, file, menu, &codes, resume)?;
        load::connect_payment(&api, path, &menu.restaurant.online_payment, simplepay)?;
    }
    Ok(())
}

/// Name of each restaurant that the account may open, and the path its calls begin with.
fn restaurants(api: &Api, me: &Value) -> Result<HashMap<String, String>> {
    let mut found = HashMap::new();
    let mut partners: Vec<&str> = me["targets"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|target| target["partner_id"].as_str())
        .collect();
    partners.sort_unstable();
    partners.dedup();
    for partner in partners {
        for restaurant in api.list(&format!("/admin/partners/{partner}/restaurants"))? {
            if let (Some(name), Some(id)) = (restaurant["name"].as_str(), restaurant["id"].as_str()) {
                found.insert(name.to_owned(), format!("/admin/partners/{partner}/restaurants/{id}"));
            }
        }
    }
    Ok(found)
}

/// Ids of the reference data that the files name by code or percent.
pub(crate) struct Codes {
    allergens: HashMap<String, Value>,
    vats: Vec<(f64, Value)>,
    /// Categories of the tax report by both words.
    ntak: HashMap<String, Value>,
}

impl Codes {
    fn read(api: &Api) -> Result<Self> {
        let allergens = api
            .list("/admin/allergens")?
            .into_iter()
            .filter_map(|row| Some((row["code"].as_str()?.to_owned(), row["id"].clone())));
        let vats = api
            .list("/vats")?
            .into_iter()
            .filter_map(|row| Some((format::number(&row["percent"])?, row["id"].clone())));
        let ntak = api.list("/admin/ntak-categories")?.into_iter().filter_map(|row| {
            let words = format!("{}/{}", row["main_category"].as_str()?, row["sub_category"].as_str()?);
            Some((words, row["id"].clone()))
        });
        Ok(Self { allergens: allergens.collect(), vats: vats.collect(), ntak: ntak.collect() })
    }

    fn allergens(&self, codes: &[String]) -> Result<Vec<Value>> {
        codes
            .iter()
            .map(|code| {
                self.allergens.get(code).cloned().ok_or_else(|| format!("there is no allergen \"{code}\""))
            })
            .collect()
    }

    fn ntak(&self, words: &str) -> Result<Value> {
        let found = self.ntak.get(words).cloned();
        found.ok_or_else(|| format!("there is no category of the tax report \"{words}\""))
    }

    fn vat(&self, percent: &Value) -> Result<Value> {
        let wanted = format::number(percent).ok_or_else(|| format!("{percent} is not a VAT percent"))?;
        let found = self.vats.iter().find(|(percent, _)| (percent - wanted).abs() < 1e-9);
        found.map(|(_, id)| id.clone()).ok_or_else(|| format!("there is no VAT of {wanted} %"))
    }
}
