//! Reference data: VAT, allergens, colours.

use serde_json::json;
use testkit::kit;

use super::{NOBODY, VAT_27, text};

#[testkit::test]
async fn vat_rates_are_sorted_and_found() {
    let place = kit().await.restaurant().await;
    let anyone = place.with_keys(&["admin_login"]).await;
    let vats = anyone.get("/api/v3/vats").send().await.assert(200).json();
    let percents: Vec<i64> = vats
        .as_array()
        .unwrap()
        .iter()
        .map(|vat| vat["percent"].to_string().parse::<f64>().unwrap() as i64)
        .collect();
    assert_eq!(percents, [30, 27, 25, 20, 18, 15, 13, 12, 10, 8, 7, 6, 5, 0]);
    let one = anyone.get(&format!("/api/v3/vats/{VAT_27}")).send().await.assert(200).json();
    assert_eq!(
        (&one["country_id"], &one["name_local"], &one["name_en"]),
        (&json!("HU"), &json!("Általános kulcs"), &json!("Standard rate"))
    );
    anyone.get(&format!("/api/v3/vats/{NOBODY}")).send().await.assert_problem(404, "VAT_NOT_EXIST");
    place.nobody().get("/api/v3/vats").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    place
        .api_key(&["menu:read"])
        .await
        .get("/api/v3/vats")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn allergens_and_colours() {
    let place = kit().await.restaurant().await;
    let anyone = place.with_keys(&["admin_login"]).await;
    let allergens = anyone.get("/api/v3/admin/allergens").send().await.assert(200).json();
    let codes: Vec<String> = allergens.as_array().unwrap().iter().map(|row| text(&row["code"])).collect();
    assert_eq!(codes.len(), 14);
    assert_eq!((codes[0].as_str(), codes[13].as_str()), ("GLUTEN", "MOLLUSCS"));
    // Each has its picture, which the service itself serves.
    for (allergen, code) in allergens.as_array().unwrap().iter().zip(&codes) {
        let file = format!("{}/../../admin-ui/public/allergens/{code}.svg", env!("CARGO_MANIFEST_DIR"));
        assert!(std::fs::read_to_string(&file).unwrap().starts_with("<svg"), "{file}");
        let address = text(&allergen["icon"]["present"]);
        assert!(
            address.ends_with(&format!("/allergens/{code}.svg")) && address.starts_with("http"),
            "{address}"
        );
        assert_eq!(allergen["icon"]["original"], allergen["icon"]["present"]);
    }
    let colours = anyone.get("/api/v3/admin/pos-colors").send().await.assert(200).json();
    assert_eq!((colours.as_array().unwrap().len(), &colours[0]["bg_color"]), (8, &json!("#DCE8DD")));
}
