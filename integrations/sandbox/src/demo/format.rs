//! The format of the demo files. Names are those of the API. References are by key, allergen code and VAT
//! percent, and category of the tax report (`ETEL/LEVES`). Other fields are sent to the service unchanged.

use std::{collections::HashSet, fs, path::Path};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Result;

#[derive(Debug, Deserialize)]
pub struct Menu {
    pub restaurant: Restaurant,
    /// Groups that sub-products refer to by `key`.
    #[serde(default)]
    pub option_groups: Vec<OptionGroup>,
    /// Categories with their products; parents may stand anywhere.
    pub categories: Vec<Category>,
    #[serde(default)]
    pub promotions: Vec<Promotion>,
}

/// Settings: each object is the body of the call of that name.
#[derive(Debug, Deserialize)]
pub struct Restaurant {
    pub name: String,
    /// Body of `PUT general`.
    pub general: Option<Value>,
    /// Body of `PUT delivery`.
    pub delivery: Option<Value>,
    /// Body of `PUT system`.
    pub system: Option<Value>,
    /// Body of `PUT pos/configs`.
    pub pos_configs: Option<Value>,
    /// Rows of `PUT opening-hours`.
    pub opening_hours: Option<Vec<Value>>,
    /// Providers at whose stand-ins it has accounts: `simplepay` (one restaurant alone), `barion`.
    #[serde(default)]
    pub online_payment: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct OptionGroup {
    /// The key by which sub-products refer to it.
    pub key: String,
    #[serde(default)]
    pub options: Vec<Choice>,
    /// Name, type, limits.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// One option of a group.
#[derive(Debug, Deserialize)]
pub struct Choice {
    #[serde(default)]
    pub allergens: Vec<String>,
    /// Names, price.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// VAT by percent, and the category of the tax report; `null` or absent is inherited.
#[derive(Debug, Default, Deserialize)]
pub struct Vat {
    /// Taken away or delivered.
    pub vat: Option<Value>,
    pub sit_in_vat: Option<Value>,
    /// Main and sub-category of the tax report, in its words: `ETEL/LEVES`.
    pub ntak: Option<String>,
}

/// A category of the first or second level.
#[derive(Debug, Deserialize)]
pub struct Category {
    /// The key by which its children refer to it.
    pub key: String,
    pub parent: Option<String>,
    /// VAT for all below.
    #[serde(flatten)]
    pub vat: Vat,
    #[serde(default)]
    pub products: Vec<Product>,
    /// Names, visibility, times.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
pub struct Product {
    /// At least one.
    pub subproducts: Vec<Subproduct>,
    /// VAT for all sizes.
    #[serde(flatten)]
    pub vat: Vat,
    /// Names, descriptions.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// The unit that is ordered and priced.
#[derive(Debug, Deserialize)]
pub struct Subproduct {
    #[serde(default)]
    pub allergens: Vec<String>,
    /// Keys, in the order in which a guest is asked.
    #[serde(default)]
    pub option_groups: Vec<String>,
    /// What one piece consists of.
    #[serde(default)]
    pub components: Vec<Component>,
    #[serde(flatten)]
    pub vat: Vat,
    /// Names, price.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// A size within another, by the names of its product and its own.
#[derive(Debug, Deserialize)]
pub struct Component {
    pub product: String,
    pub size: String,
    pub pieces: i32,
}

/// A discount or a coupon.
#[derive(Debug, Deserialize)]
pub struct Promotion {
    /// Keys of the categories it is for; none: for everything.
    #[serde(default)]
    pub categories: Vec<String>,
    /// Name, type, ranges.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

impl Product {
    /// Whether it has a size that consists of others, so that it can be loaded after these only.
    pub fn is_menu(&self) -> bool {
        self.subproducts.iter().any(|size| !size.components.is_empty())
    }
}

/// The `name` among these fields, for messages.
pub fn name(fields: &Map<String, Value>) -> &str {
    fields.get("name").and_then(Value::as_str).unwrap_or("?")
}

/// A JSON number, or a string with one.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.to_string().parse().ok(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// Reads and checks every `*.json` of a folder, in the order of their names.
pub fn read_folder(folder: &Path) -> Result<Vec<(String, Menu)>> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("{} cannot be read: {error}.", folder.display()))?;
    let mut files: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(format!("{} has no *.json.", folder.display()));
    }
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(path).map_err(|error| format!("{name} cannot be read: {error}."))?;
        let menu = parse(&text).map_err(|error| format!("{name}: {error}."))?;
        Ok((name, menu))
    };
    files.iter().map(read).collect()
}

/// Reads one menu and checks that every key it uses exists once.
pub fn parse(text: &str) -> Result<Menu> {
    let menu: Menu = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let groups = unique("option group", menu.option_groups.iter().map(|group| group.key.as_str()))?;
    let categories = unique("category", menu.categories.iter().map(|category| category.key.as_str()))?;
    for category in &menu.categories {
        if let Some(parent) = &category.parent
            && (!categories.contains(parent.as_str()) || *parent == category.key)
        {
            return Err(format!("category \"{}\" has the unknown parent \"{parent}\"", category.key));
        }
        for product in &category.products {
            if product.subproducts.is_empty() {
                return Err(format!("product \"{}\" has no subproducts", name(&product.fields)));
            }
            for key in product.subproducts.iter().flat_map(|subproduct| &subproduct.option_groups) {
                if !groups.contains(key.as_str()) {
                    return Err(format!(
                        "product \"{}\" has the unknown option group \"{key}\"",
                        name(&product.fields)
                    ));
                }
            }
        }
    }
    check_components(&menu)?;
    for promotion in &menu.promotions {
        if let Some(key) = promotion.categories.iter().find(|key| !categories.contains(key.as_str())) {
            let name = name(&promotion.fields);
            return Err(format!("promotion \"{name}\" has the unknown category \"{key}\""));
        }
    }
    Ok(menu)
}

fn check_components(menu: &Menu) -> Result<()> {
    let products = || menu.categories.iter().flat_map(|category| &category.products);
    let sizes: HashSet<(&str, &str)> = products()
        .filter(|product| !product.is_menu())
        .flat_map(|product| {
            product.subproducts.iter().map(|size| (name(&product.fields), name(&size.fields)))
        })
        .collect();
    for product in products() {
        let components = product.subproducts.iter().flat_map(|size| &size.components);
        for Component { product: of, size, .. } in components {
            if !sizes.contains(&(of.as_str(), size.as_str())) {
                let name = name(&product.fields);
                return Err(format!("product \"{name}\" consists of the unknown \"{of}\", \"{size}\""));
            }
        }
    }
    Ok(())
}

fn unique<'a>(what: &str, keys: impl Iterator<Item = &'a str>) -> Result<HashSet<&'a str>> {
    let mut seen = HashSet::new();
    for key in keys {
        if !seen.insert(key) {
            return Err(format!("the {what} key \"{key}\" is there twice"));
        }
    }
    Ok(seen)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const MENU: &str = r#"{
        "restaurant": {"name": "R", "general": {"phone_1": "+36"}, "opening_hours": [{"day": "mon", "open_at": "10:00", "close_at": "22:00"}]},
        "option_groups": [{"key": "side", "name": "Köret", "type": "exclusive", "min_no_options": 1, "max_no_options": 1,
                           "options": [{"name": "Rizs", "price": 0.10, "allergens": ["A"]}]}],
        "categories": [
            {"key": "soups", "name": "Levesek", "parent": "food", "vat": 5, "ntak": "ETEL/LEVES", "visible_phone": false, "products": [
                {"name": "Húsleves", "name_sec_lang": "Broth", "subproducts": [
                    {"name": "Kicsi", "price": 1700, "allergens": ["A", "I"], "option_groups": ["side"], "sit_in_vat": 27}]}]},
            {"key": "food", "name": "Étel"},
            {"key": "lunch", "name": "Ebéd", "products": [{"name": "Menü", "subproducts": [
                {"name": "Menü", "price": 1, "components": [{"product": "Húsleves", "size": "Kicsi", "pieces": 2}]}]}]}],
        "promotions": [{"name": "Ebéd", "categories": ["lunch"], "discount_type": "discount"}]}"#;

    #[test]
    fn unknown_fields_are_sent_unchanged_and_references_extracted() {
        let menu = parse(MENU).unwrap();
        let soups = &menu.categories[0];
        assert_eq!(
            (soups.parent.as_deref(), soups.vat.vat.as_ref().and_then(number)),
            (Some("food"), Some(5.0))
        );
        assert_eq!(soups.vat.ntak.as_deref(), Some("ETEL/LEVES"));
        assert_eq!(
            serde_json::to_string(&soups.fields).unwrap(),
            r#"{"name":"Levesek","visible_phone":false}"#
        );
        let size = &soups.products[0].subproducts[0];
        assert_eq!(size.vat.sit_in_vat.as_ref().and_then(number), Some(27.0));
        assert_eq!(size.option_groups, ["side"]);
        let menu_of_day = &menu.categories[2].products[0];
        assert!(menu_of_day.is_menu() && !soups.products[0].is_menu());
        assert_eq!(menu_of_day.subproducts[0].components[0].pieces, 2);
        assert_eq!(menu.promotions[0].fields["discount_type"], "discount");
        // Exact digits survive: a price is not a float.
        assert_eq!(menu.option_groups[0].options[0].fields["price"].to_string(), "0.10");
        assert_eq!(size.fields["price"].to_string(), "1700");
    }

    #[test]
    fn wrong_keys_are_named() {
        let cases = [
            (r#""parent": "food""#, r#""parent": "drinks""#, "unknown parent \"drinks\""),
            (r#""option_groups": ["side"]"#, r#""option_groups": ["size"]"#, "unknown option group \"size\""),
            (r#""key": "food""#, r#""key": "soups""#, "\"soups\" is there twice"),
            (r#""size": "Kicsi""#, r#""size": "Nagy""#, "the unknown \"Húsleves\", \"Nagy\""),
            (r#""product": "Húsleves""#, r#""product": "Menü""#, "the unknown \"Menü\", \"Kicsi\""),
            (r#"["lunch"]"#, r#"["dinner"]"#, "the unknown category \"dinner\""),
            (
                r#""subproducts": [
                    {"#,
                r#""sizes": [
                    {"#,
                "missing field `subproducts`",
            ),
        ];
        for (from, to, error) in cases {
            assert!(MENU.contains(from), "{from}");
            let message = parse(&MENU.replace(from, to)).unwrap_err();
            assert!(message.contains(error), "{message}");
        }
    }

    #[test]
    fn the_files_of_this_folder_can_be_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
        let menus = read_folder(&folder).unwrap();
        assert!(menus.iter().all(|(_, menu)| !menu.categories.is_empty()));
    }
}
