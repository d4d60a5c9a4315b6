//! One restaurant's menu, row by row, in the order in which rows refer to each other.

use std::collections::HashMap;

use sandbox::{barion, simplepay};
use serde_json::{Map, Value, json};

use super::{
    Codes,
    api::Api,
    format::{Category, Component, Menu, OptionGroup, Product, Promotion, Vat, name},
};
use crate::Result;

type Ids = HashMap<String, Value>;

/// Loads it all, unless the restaurant has categories already. With `resume` it adds what is not there by
/// name.
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
    // What consists of others comes last.
    for menus in [false, true] {
        let refers = Refers { groups: &groups, sizes: &if menus { loader.sizes()? } else { Ids::new() } };
        for category in &menu.categories {
            let products = category.products.iter().filter(|product| product.is_menu() == menus);
            count += loader.products(&categories[&category.key], products, refers, !present.is_empty())?;
        }
    }
    loader.promotions(&menu.promotions, &categories)?;
    println!(
        "{file}: {} categories, {} option groups, {count} products into \"{}\".",
        categories.len(),
        groups.len(),
        menu.restaurant.name
    );
    Ok(())
}

/// Its accounts at these providers, and every method that is paid online. A merchant of SimplePay has one address of
/// messages, so one restaurant alone has it; `stand_in` is told that address.
pub fn connect_payment(api: &Api, path: &str, providers: &[String], stand_in: Option<&str>) -> Result<()> {
    let base = format!("{path}/payment-methods/provider-accounts");
    if providers.is_empty() || !api.list(&base)?.is_empty() {
        return Ok(());
    }
    if providers.iter().any(|name| name == "simplepay") {
        for one in simplepay::ACCOUNTS.iter().filter(|one| one.currency == "HUF") {
            let purpose = if one.szep { "szep" } else { "card" };
            let account = json!({"provider": "simplepay", "purpose": purpose, "account": one.merchant, "secret": one.secret});
            let made = api.post(&base, &account, one.merchant)?;
            if let Some(stand_in) = stand_in {
                api.tell(
                    &format!("{stand_in}/control/ipn"),
                    &json!({"merchant": one.merchant, "url": made["callback_url"]}),
                )?;
            }
        }
    }
    if providers.iter().any(|name| name == "barion") {
        let account = json!({"provider": "barion", "account": barion::PAYEE, "secret": barion::POS_KEY});
        api.post(&base, &account, barion::PAYEE)?;
    }
    let methods = api.list(&format!("{path}/payment-methods"))?;
    let is_on = |method: &&Value| {
        let can_be = method["needs"].as_array().is_none_or(Vec::is_empty);
        method["enabled_web"] == true || method["paid_online"] == true && can_be
    };
    let ids: Vec<_> = methods.iter().filter(is_on).map(|method| &method["id"]).collect();
    let change = json!({"view": "web", "payment_method_ids": ids});
    api.put(&format!("{path}/payment-methods"), &change, "payment methods").map(drop)
}

/// What products refer to.
#[derive(Clone, Copy)]
struct Refers<'a> {
    groups: &'a Ids,
    /// By [`size_key`].
    sizes: &'a Ids,
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
            ("pos/configs", &restaurant.pos_configs),
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

    fn products<'p>(
        &self, category: &Value, products: impl Iterator<Item = &'p Product>, refers: Refers<'_>,
        resume: bool,
    ) -> Result<usize> {
        let base = format!("{}/product-categories/{}/products", self.path, text(category));
        let present = if resume { self.api.list(&base)? } else { Vec::new() };
        let missing = products.filter(|product| find(&present, name(&product.fields), None).is_none());
        let mut count = 0;
        for product in missing {
            let row = self.row("product", name(&product.fields));
            self.api.post(&base, &self.product(product, refers, &row)?, &row)?;
            count += 1;
        }
        Ok(count)
    }

    fn product(&self, product: &Product, refers: Refers<'_>, row: &str) -> Result<Value> {
        let mut subproducts = Vec::new();
        for subproduct in &product.subproducts {
            let mut body = subproduct.fields.clone();
            self.vat(&mut body, &subproduct.vat, row)?;
            body.insert("allergenic_ids".into(), self.allergens(&subproduct.allergens, row)?);
            // `format::parse` has checked that every key has a group.
            let ids: Vec<Value> =
                subproduct.option_groups.iter().filter_map(|key| refers.groups.get(key).cloned()).collect();
            body.insert("option_group_ids".into(), Value::Array(ids));
            let components: Vec<Value> = subproduct
                .components
                .iter()
                .map(|Component { product, size, pieces }| {
                    let id = refers.sizes.get(&size_key(product, size));
                    let id = id.ok_or_else(|| format!("{row}: there is no \"{product}\", \"{size}\"."))?;
                    Ok(json!({"subproduct_id": id, "pieces": pieces}))
                })
                .collect::<Result<_>>()?;
            body.insert("components".into(), Value::Array(components));
            subproducts.push(Value::Object(body));
        }
        let mut body = product.fields.clone();
        self.vat(&mut body, &product.vat, row)?;
        body.insert("subproducts".into(), Value::Array(subproducts));
        Ok(Value::Object(body))
    }

    fn sizes(&self) -> Result<Ids> {
        let rows =
            self.api.list(&format!("{}/product-categories/all/products/all/subproducts", self.path))?;
        let sizes = rows
            .into_iter()
            .map(|row| (size_key(text(&row["product_name"]), text(&row["name"])), row["id"].clone()));
        Ok(sizes.collect())
    }

    fn promotions(&self, promotions: &[Promotion], categories: &Ids) -> Result<()> {
        let base = format!("{}/discounts", self.path);
        let present = if promotions.is_empty() { Vec::new() } else { self.api.list(&base)? };
        for promotion in promotions.iter().filter(|one| find(&present, name(&one.fields), None).is_none()) {
            let mut body = promotion.fields.clone();
            if !promotion.categories.is_empty() {
                let ids = promotion.categories.iter().filter_map(|key| categories.get(key).cloned());
                body.insert("product_category_ids".into(), ids.collect());
            }
            self.api.post(&base, &Value::Object(body), &self.row("promotion", name(&promotion.fields)))?;
        }
        Ok(())
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
        if let Some(words) = &vat.ntak {
            let id = self.codes.ntak(words).map_err(|error| format!("{row}: {error}."))?;
            body.insert("ntak_category_id".into(), id);
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

fn size_key(product: &str, size: &str) -> String {
    format!("{product}/{size}")
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
