//! The preview of the menu never contradicts the order: random menus, channels and moments, and for each size the
//! quote of the order that the preview has tried. `PULT_PREVIEWS` sets how many sizes are compared, `PULT_PREVIEWS_SEED`
//! repeats a run.

use serde_json::{Value, json};
use testkit::{Client, Place, kit};

use super::{menu, text};

/// A generator whose numbers a seed repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Switches, hides, dates and sells out what there is. Each statement draws for each row from its id and the round.
const SHAKE: &[&str] = &[
    "update {}.product_category set active = hashtext(id::text || $2) % 8 <> 0, \
        visible_online = case hashtext(id::text || $2 || 'o') % 7 when 0 then false when 1 then true end, \
        time_ranges = case when hashtext(id::text || $2 || 't') % 3 = 0 then \
        '[{\"day\": \"every_day\", \"from\": \"11:00\", \"till\": \"15:00\"}]'::jsonb end where restaurant_id = $1",
    "update {}.product set active = hashtext(id::text || $2) % 8 <> 0, \
        visible_sit_in = case hashtext(id::text || $2 || 's') % 5 when 0 then false end, \
        expected_at = case when hashtext(id::text || $2 || 'e') % 5 = 0 then '2031-05-10T10:00:00Z'::timestamptz end, \
        available_to = case when hashtext(id::text || $2 || 'a') % 5 = 0 then '2031-05-12T10:00:00Z'::timestamptz end \
        where restaurant_id = $1",
    "update {}.subproduct set active = hashtext(id::text || $2) % 8 <> 0, \
        visible_phone = case hashtext(id::text || $2 || 'p') % 5 when 0 then false end, \
        sellable_quantity = case when hashtext(id::text || $2 || 'q') % 3 = 0 then \
        abs(hashtext(id::text || $2 || 'n') % 3) end where restaurant_id = $1",
    "update {}.option_group set active = hashtext(id::text || $2) % 8 <> 0, \
        min_no_options = abs(hashtext(id::text || $2 || 'm') % 3), max_no_options = 0, type = 'min_max', \
        visible_online = case hashtext(id::text || $2 || 'o') % 5 when 0 then false end where restaurant_id = $1",
    "update {}.option set active = hashtext(id::text || $2) % 4 <> 0, \
        visible_kiosk_sit_in = case hashtext(id::text || $2 || 'k') % 4 when 0 then false end where restaurant_id = $1",
    "update {}.restaurant set catalogue_version = catalogue_version + 1 where id = $1 and $2::text is not null",
];

async fn shake(place: &Place<'_>, round: u64) {
    for sql in SHAKE {
        let values = vec![place.restaurant.into(), round.to_string().into()];
        place.kit.run(&sql.replace("{}", &place.schema), values).await;
    }
}

fn sizes(categories: &Value, found: &mut Vec<Value>) {
    for category in categories.as_array().unwrap() {
        for product in category["products"].as_array().unwrap() {
            found.extend(product["subproducts"].as_array().unwrap().iter().cloned());
        }
        sizes(&category["children"], found);
    }
}

/// The names of reasons against the item, each once.
fn against_item(quote: &Value) -> Vec<String> {
    let reasons = quote["reasons"].as_array().unwrap().iter();
    let mut names: Vec<String> =
        reasons.filter(|one| !one["item_index"].is_null()).map(|one| text(&one["reason"])).collect();
    names.sort();
    names.dedup();
    names
}

/// The platform and whether it is fetched, of a channel.
const WAYS: [(&str, bool, &str); 7] = [
    ("online", false, "browser"),
    ("online", true, "browser"),
    ("sit_in", false, "sit_in"),
    ("sit_in", true, "take_away"),
    ("phone", true, "phone"),
    ("kiosk_sit_in", false, "kiosk_sit_in"),
    ("kiosk_take_away", true, "kiosk_take_away"),
];

async fn compare(admin: &Client<'_>, random: &mut Random) -> usize {
    let (channel, pickup, platform) = WAYS[usize::try_from(random.below(7)).unwrap()];
    let at =
        format!("2031-05-{:02}T{:02}:{:02}:00Z", 9 + random.below(6), random.below(24), random.below(60));
    let query = format!("/menu/preview?channel={channel}&pickup={pickup}&at={at}");
    let preview = admin.get(&query).send().await.assert(200).json();
    let mut found = Vec::new();
    sizes(&preview["categories"], &mut found);
    for size in &found {
        let item = json!({"subproduct_id": size["id"], "quantity": 1, "item_options": size["item_options"]});
        let cart = json!({"platform": platform, "pickup": pickup, "items": [item]});
        let trial = json!({"cart": cart, "ordered_at": at});
        let quote = admin.post("/discounts/try").json(trial).send().await.assert(200).json()["now"].clone();
        let mut told: Vec<String> =
            size["reasons"].as_array().unwrap().iter().map(|one| text(&one["reason"])).collect();
        told.sort();
        told.dedup();
        assert_eq!(told, against_item(&quote), "{query}: {size} {quote}");
        assert_eq!(size["on_sale"], told.is_empty(), "{query}: {size}");
        // What is against every order, whatever its cart and place.
        let whole: Vec<&Value> = quote["reasons"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["item_index"].is_null())
            .map(|one| &one["reason"])
            .filter(|reason| **reason != "minimum_not_reached" && **reason != "no_delivery_there")
            .collect();
        let of_order: Vec<&Value> =
            preview["reasons"].as_array().unwrap().iter().map(|one| &one["reason"]).collect();
        assert_eq!(whole, of_order, "{query}");
    }
    found.len()
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[testkit::test]
async fn a_preview_never_contradicts_the_quote() {
    let seed = setting("PULT_PREVIEWS_SEED", u64::from(std::process::id()) + 1);
    eprintln!("PULT_PREVIEWS_SEED={seed}");
    let number = usize::try_from(setting("PULT_PREVIEWS", 150)).unwrap();
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let dishes = menu(&admin).await;
    let products = format!("/product-categories/{}/products", dishes.category);
    let groups = json!([dishes.toppings, dishes.side]);
    for at in 0..4 {
        let sizes = json!([{"name": "Kicsi", "price": 900, "option_group_ids": groups}, {"name": "Nagy", "price": 1500}]);
        let body = json!({"name": format!("Étel {at}"), "subproducts": sizes});
        admin.post(&products).json(body).send().await.assert(201);
    }
    let lunch = json!({"name": "Ebéd", "subproducts": [{"name": "Menü", "price": 2500, "option_group_ids": groups,
        "components": [{"subproduct_id": dishes.soup, "pieces": 2}]}]});
    admin.post(&products).json(lunch).send().await.assert(201);
    // An option stands for a size.
    let rice = format!("/option-groups/{}/options/{}", dishes.side, dishes.rice);
    let stands = json!({"subproduct_id": dishes.large_pizza, "subproduct_pieces": 1});
    admin.put(&rice).json(stands).send().await.assert(200);
    let mut random = Random(seed);
    let (mut compared, mut round) = (0, 0);
    while compared < number {
        shake(&place, random.below(u64::MAX)).await;
        round += 1;
        for _ in 0..3 {
            compared += compare(&admin, &mut random).await;
        }
    }
    eprintln!("{compared} sizes on {round} menus");
}
