//! One restaurant's menu, row by row, in the order in which rows refer to each other.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{
    Codes,
    api::Api,
    format::{Category, Menu, OptionGroup, Product, Vat, name},
};
use crate::Result;

/// Ids by key of the file.
type Ids = HashMap<String, Value>;

/// Loads it all, unless the restaurant has categories already. With `resume` it adds what is not there by
/// name.
///
/// # Errors
/// The row at fault and what the service answered.
pub fn restaurant(api: &Api, path: &str, file: &str, menu: &Menu, codes: &Codes, resume: bool) -> Result<()> {
    let present = api.list(&format!("{path}/product-categories"))?;
    if !present.is_empty() && !resume {
        println!("{file}: \"{}\" has categories already, left alone.", menu.restaurant.name);
        return Ok(());
    }
    let loader = Loader { api, path, file, codes };
    loader.settings(menu)?;
    let groups = loader.option_groups(&menu.option_groups)?;
    let categories = loader.categories(&menu.categories, &present)?;
    let mut count = 0;
    for category in &menu.categories {
        count += loader.products(category, &categories[&category.key], &groups, !present.is_empty())?;
    }
    println!(
        "{file}: {} categories, {} option groups, {count} products into \"{}\".",
        categories.len(),
        groups.len(),
        menu.restaurant.name
    );
    Ok(())
}

struct Loader<'a> {
    api: &'a Api,
    path: &'a str,
    file: &'a str,
    codes: &'a Codes,
}

impl Loader<'_> {
    fn row(&self, kind: &str, name: &str) -> String {
        format!("{}, {kind} \"{name}\"", self.file)
    }

    fn settings(&self, menu: &Menu) -> Result<()> {
        let restaurant = &menu.restaurant;
        for (call, body) in [
            ("general", &restaurant.general),
            ("delivery", &restaurant.delivery),
            ("system", &restaurant.system),
        ] {
            if let Some(body) = body {
                self.api.put(
                    &format!("{}/{call}", self.path),
                    body,
                    &self.row("restaurant", &restaurant.name),
                )?;
            }
        }
        if let Some(hours) = &restaurant.opening_hours {
            let body = json!({"opening_hours": hours});
            self.api.put(
                &format!("{}/opening-hours", self.path),
                &body,
                &self.row("opening hours of", &restaurant.name),
            )?;
        }
        Ok(())
    }

    fn option_groups(&self, groups: &[OptionGroup]) -> Result<Ids> {
        let base = format!("{}/option-groups", self.path);
        let present = self.api.list(&format!("{base}?all_options=true"))?;
        let mut ids = Ids::new();
        for group in groups {
            let group_name = name(&group.fields);
            let known = find(&present, group_name, None);
            let id = match known {
                Some(row) => row["id"].clone(),
                None => id(&self.api.post(
                    &base,
                    &Value::Object(group.fields.clone()),
                    &self.row("option group", group_name),
                )?)?,
            };
            let options =
                known.map_or(&[][..], |row| row["options"].as_array().map_or(&[][..], Vec::as_slice));
            for option in
                group.options.iter().filter(|option| find(options, name(&option.fields), None).is_none())
            {
                let row = self.row("option", name(&option.fields));
                let mut body = option.fields.clone();
                body.insert("allergenic_ids".into(), self.allergens(&option.allergens, &row)?);
                self.api.post(&format!("{base}/{}/options", text(&id)), &Value::Object(body), &row)?;
            }
            ids.insert(group.key.clone(), id);
        }
        Ok(ids)
    }

    /// Parents first, otherwise in the order of the file, which is the order of the menu.
    fn categories(&self, categories: &[Category], present: &[Value]) -> Result<Ids> {
        let base = format!("{}/product-categories", self.path);
        let mut ids = Ids::new();
        let mut waiting: Vec<&Category> = categories.iter().collect();
        while !waiting.is_empty() {
            let (ready, later): (Vec<_>, Vec<_>) = waiting
                .into_iter()
                .partition(|category| category.parent.as_ref().is_none_or(|parent| ids.contains_key(parent)));
            if ready.is_empty() {
                let keys: Vec<&str> = later.iter().map(|category| category.key.as_str()).collect();
                return Err(format!(
                    "{}: these categories are each other's parents: {}.",
                    self.file,
                    keys.join(", ")
                ));
            }
            for category in ready {
                let row = self.row("category", name(&category.fields));
                let parent = category
                    .parent
                    .as_ref()
                    .and_then(|parent| ids.get(parent))
                    .cloned()
                    .unwrap_or(Value::Null);
                let id = match find(present, name(&category.fields), Some(("parent_id", &parent))) {
                    Some(row) => row["id"].clone(),
                    None => {
                        let mut body = category.fields.clone();
                        body.insert("parent_id".into(), parent);
                        self.vat(&mut body, &category.vat, &row)?;
                        id(&self.api.post(&base, &Value::Object(body), &row)?)?
                    }
                };
                ids.insert(category.key.clone(), id);
            }
            waiting = later;
        }
        Ok(ids)
    }

    /// The number of products that were created.
    fn products(&self, category: &Category, id: &Value, groups: &Ids, resume: bool) -> Result<usize> {
        let base = format!("{}/product-categories/{}/products", self.path, text(id));
        let present = if resume { self.api.list(&base)? } else { Vec::new() };
        let missing =
            category.products.iter().filter(|product| find(&present, name(&product.fields), None).is_none());
        let mut count = 0;
        for product in missing {
            let row = self.row("product", name(&product.fields));
            self.api.post(&base, &self.product(product, groups, &row)?, &row)?;
            count += 1;
        }
        Ok(count)
    }

    fn product(&self, product: &Product, groups: &Ids, row: &str) -> Result<Value> {
        let mut subproducts = Vec::new();
        for subproduct in &product.subproducts {
            let mut body = subproduct.fields.clone();
            self.vat(&mut body, &subproduct.vat, row)?;
            body.insert("allergenic_ids".into(), self.allergens(&subproduct.allergens, row)?);
            // `format::parse` has checked that every key has a group.
            let ids: Vec<Value> =
                subproduct.option_groups.iter().filter_map(|key| groups.get(key).cloned()).collect();
            body.insert("option_group_ids".into(), Value::Array(ids));
            subproducts.push(Value::Object(body));
        }
        let mut body = product.fields.clone();
        self.vat(&mut body, &product.vat, row)?;
        body.insert("subproducts".into(), Value::Array(subproducts));
        Ok(Value::Object(body))
    }

    fn vat(&self, body: &mut Map<String, Value>, vat: &Vat, row: &str) -> Result<()> {
        for (field, percent) in [("vat_id", &vat.vat), ("sit_in_vat_id", &vat.sit_in_vat)] {
            if let Some(percent) = percent {
                body.insert(
                    field.into(),
                    self.codes.vat(percent).map_err(|error| format!("{row}: {error}."))?,
                );
            }
        }
        Ok(())
    }

    fn allergens(&self, codes: &[String], row: &str) -> Result<Value> {
        self.codes.allergens(codes).map(Value::Array).map_err(|error| format!("{row}: {error}."))
    }
}

/// The row of this name, below this parent if one is given.
fn find<'a>(rows: &'a [Value], name: &str, parent: Option<(&str, &Value)>) -> Option<&'a Value> {
    rows.iter().find(|row| row["name"] == name && parent.is_none_or(|(field, id)| row[field] == *id))
}

fn id(row: &Value) -> Result<Value> {
    if row["id"].is_string() {
        Ok(row["id"].clone())
    } else {
        Err(format!("the created row has no id: {row}"))
    }
}

fn text(id: &Value) -> &str {
    id.as_str().unwrap_or_default()
}
