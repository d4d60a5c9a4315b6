//! Moves are permutations: whatever is sorted, moved, made and archived in whatever order, each list has the same
//! rows as a list in memory, in the same order, and none is lost or twice.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{category, product, text};

/// A generator whose numbers a seed repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }

    fn shuffle(&mut self, list: &mut [String]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

async fn ids(admin: &Client<'_>, path: &str) -> Vec<String> {
    let rows = admin.get(path).send().await.assert(200).json();
    rows.as_array().unwrap().iter().map(|row: &Value| text(&row["id"])).collect()
}

#[testkit::test]
async fn every_list_is_a_permutation_of_what_it_was() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let seed = u64::from(std::process::id()) + 1;
    eprintln!("seed {seed}");
    let mut random = Random(seed);
    let mut tops = Vec::new();
    for name in ["A", "B", "C"] {
        tops.push(category(&admin, name, None).await);
    }
    let mut lists: Vec<(String, Vec<String>)> = tops.iter().map(|id| (id.clone(), vec![])).collect();
    for step in 0..60 {
        let at = random.below(lists.len());
        let here = lists[at].0.clone();
        let products = format!("/product-categories/{here}/products");
        match random.below(6) {
            0 | 1 => {
                let made = product(&admin, &here, &format!("T{step}"), 1000).await;
                lists[at].1.push(text(&made["id"]));
            }
            2 if !lists[at].1.is_empty() => {
                random.shuffle(&mut lists[at].1);
                let body = json!({"product_ids": lists[at].1});
                admin.put(&format!("{products}/ranking")).json(body).send().await.assert(204);
            }
            3 if !lists[at].1.is_empty() => {
                // To the end of another category; into its own it stays where it is.
                let from = random.below(lists[at].1.len());
                let to = random.below(lists.len());
                let id = lists[at].1[from].clone();
                let body = json!({"new_product_category_id": lists[to].0});
                admin.put(&format!("{products}/{id}/move")).json(body).send().await.assert(200);
                if to != at {
                    lists[at].1.remove(from);
                    lists[to].1.push(id);
                }
            }
            4 if !lists[at].1.is_empty() => {
                let gone = random.below(lists[at].1.len());
                let id = lists[at].1.remove(gone);
                admin.delete(&format!("{products}/{id}")).send().await.assert(204);
                // An order that names it is refused whole.
                let mut stale = lists[at].1.clone();
                stale.insert(random.below(stale.len() + 1), id);
                let body = json!({"product_ids": stale});
                let key =
                    format!("product_ids.{}", stale.iter().position(|id| !lists[at].1.contains(id)).unwrap());
                admin.put(&format!("{products}/ranking")).json(body).send().await.assert_keys(&[&key]);
            }
            _ => {
                random.shuffle(&mut tops);
                let body = json!({"product_category_ids": tops});
                admin.put("/product-categories/ranking").json(body).send().await.assert(204);
            }
        }
        for (category, expected) in &lists {
            let found = ids(&admin, &format!("/product-categories/{category}/products")).await;
            assert_eq!(&found, expected, "step {step}");
        }
        assert_eq!(ids(&admin, "/product-categories").await, tops, "step {step}");
    }
}
