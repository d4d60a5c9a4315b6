//! Settings that are stored and have no effect yet, with the reason. The published document shows it at the
//! field (`x-no-effect-yet`), and every form shows it.
//!
//! Implementing a setting removes its line here.

use serde_json::{Value, json};

/// The reason why a setting has no effect.
#[derive(Clone, Copy)]
enum MissingPart {
    Kitchen,
    Till,
    Kiosk,
    Printing,
    Payments,
    Customers,
    Tax,
    Documents,
    Stock,
    Platforms,
}

impl MissingPart {
    /// In English and in Hungarian.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Kitchen => ("there are no kitchen screens yet", "konyhai képernyő még nincs"),
            Self::Till => ("there is no till yet", "pénztár még nincs"),
            Self::Kiosk => ("no kiosk asks for it yet", "kioszk ezt még nem kéri"),
            Self::Printing => ("nothing is printed yet", "nyomtatás még nincs"),
            Self::Payments => (
                "no provider or terminal takes payments yet",
                "fizetési szolgáltató vagy terminál még nem intéz fizetést",
            ),
            Self::Customers => {
                ("guests have no loyalty cards yet", "a vendégeknek még nincs pontgyűjtő kártyájuk")
            }
            Self::Tax => ("nothing is reported to the tax office yet", "NTAK-adatszolgáltatás még nincs"),
            Self::Documents => ("no documents are made yet", "bizonylat még nem készül"),
            Self::Stock => ("there is no stock yet", "készletkezelés még nincs"),
            Self::Platforms => (
                "no delivery platform or foreign till is connected yet",
                "kiszállítási platform vagy idegen kassza még nincs bekötve",
            ),
        }
    }
}

/// Name of the field, the schemas that have it (every one when empty), the values of it that it concerns
/// (every one when empty), and what it waits for.
type Line = (&'static str, &'static [&'static str], &'static [&'static str], MissingPart);

const FIELDS: &[Line] = &[
    ("enable_kitchen_queue", &[], &[], MissingPart::Kitchen),
    ("autoqueue", &[], &[], MissingPart::Kitchen),
    ("floor_map", &[], &[], MissingPart::Till),
    ("offline_backend_enabled", &[], &[], MissingPart::Till),
    ("save_to_aws", &[], &[], MissingPart::Documents),
    ("is_loyalty_card_available", &[], &[], MissingPart::Customers),
    ("ntak_category_id", &[], &[], MissingPart::Tax),
    ("ntak_quantity_unit", &[], &[], MissingPart::Tax),
    ("ntak_quantity", &[], &[], MissingPart::Tax),
    ("pos_color_id", &[], &[], MissingPart::Till),
    ("wolt_id", &[], &[], MissingPart::Platforms),
    ("foodora_id", &[], &[], MissingPart::Platforms),
    ("bolt_id", &[], &[], MissingPart::Platforms),
    ("ordering_id", &[], &[], MissingPart::Platforms),
    ("hiopos_id", &[], &[], MissingPart::Platforms),
    ("hiopos_size_id", &[], &[], MissingPart::Platforms),
    ("hiopos_product_id", &[], &[], MissingPart::Platforms),
    ("print_zone_id", &[], &[], MissingPart::Printing),
    ("depot_id", &[], &[], MissingPart::Stock),
    (
        "currency",
        &["RestaurantGroup", "NewRestaurantGroup", "RestaurantGroupChange"],
        &[],
        MissingPart::Stock,
    ),
    ("pin", &["Kiosk", "NewKiosk", "KioskChange"], &[], MissingPart::Kiosk),
    (
        "terminal_id",
        &["TerminalScheme", "NewTerminalScheme", "TerminalSchemeChange"],
        &[],
        MissingPart::Payments,
    ),
];

pub(crate) fn say(schemas: &mut Value) {
    for (schema, fields) in schemas.as_object_mut().into_iter().flatten() {
        let Some(fields) = fields.get_mut("properties").and_then(Value::as_object_mut) else { continue };
        for (name, schemas, values, waits) in FIELDS {
            let Some(field) =
                fields.get_mut(*name).filter(|_| schemas.is_empty() || schemas.contains(&schema.as_str()))
            else {
                continue;
            };
            // What refers to a type says what is its own beside it.
            if field.get("$ref").is_some() {
                *field = json!({"allOf": [field.take()]});
            }
            let (en, hu) = waits.words();
            field["x-no-effect-yet"] = json!({"en": en, "hu": hu});
            if !values.is_empty() {
                field["x-no-effect-yet"]["values"] = (*values).into();
            }
            let of = if values.is_empty() { String::new() } else { format!(" of {}", values.join(", ")) };
            let before =
                field["description"].as_str().map(|before| format!("{before}\n\n")).unwrap_or_default();
            field["description"] = format!("{before}No effect{of} yet: {en}.").into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_fields_that_there_are() {
        let document = crate::document::full();
        let marked = |schema: &str, name: &str| {
            document["components"]["schemas"][schema]["properties"][name]["x-no-effect-yet"].is_object()
        };
        for (name, schemas, _, _) in FIELDS {
            let anywhere = document["components"]["schemas"]
                .as_object()
                .unwrap()
                .keys()
                .any(|schema| marked(schema, name));
            assert!(anywhere && schemas.iter().all(|schema| marked(schema, name)), "{name} of {schemas:?}");
        }
    }
}
