//! Tests of the rules for granting rights.

use std::collections::HashSet;

use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use rust_decimal::Decimal;
use serde_json::Value;

use super::*;
use access::{Policy, perm};

fn tree() -> Tree {
    Tree::new(perm::TREE.iter().map(|one| (one.key.to_owned(), one.parent.map(str::to_owned))))
}

fn keys(keys: &[&str]) -> PermissionKeys {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

#[test]
fn parents_follow_children_and_take_them_along() {
    let tree = tree();
    let table: &[(&[&str], &[&str], &[&str])] = &[
        (&[], &["order_accept"], &["order", "order_accept"]),
        (&["order", "order_accept"], &["order_accept"], &[]),
        (&["order", "order_accept", "tv"], &["order", "tv"], &["order", "tv"]),
        // A newly wanted child keeps its parent and the other children below it.
        (&["order", "order_accept"], &["order_accept", "all_order"], &["all_order", "order", "order_accept"]),
        (&["order", "order_accept"], &["all_order"], &["all_order", "order"]),
        (&["order"], &[], &[]),
    ];
    for (before, wanted, expected) in table {
        assert_eq!(tree.settle(&keys(before), &keys(wanted)), keys(expected), "{before:?} → {wanted:?}");
    }
}

/// The permissions of every operation that people may call, as published.
fn operations() -> HashSet<Vec<String>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi/openapi.json");
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let items =
        document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    items
        .map(|one| {
            one["x-permission"]
                .as_array()
                .unwrap()
                .iter()
                .map(|key| key.as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        })
        .filter(|keys| *keys != ["device"])
        .collect()
}

#[tokio::test]
async fn a_thousand_sequences_of_grants_decide_as_the_reference() {
    let (tree, policy, operations) = (tree(), Policy::load().await.unwrap(), operations());
    assert!(operations.len() > 10, "only {} kinds of operations", operations.len());
    let children = |key: &str| {
        perm::ALL
            .iter()
            .filter(|child| tree.parent(child) == Some(key))
            .map(|child| (*child).to_owned())
            .collect::<Vec<_>>()
    };
    let mut random = StdRng::seed_from_u64(7);
    for sequence in 0..1_000 {
        let (mut held, mut full) = (PermissionKeys::new(), false);
        let (mut reference, mut everything) = (HashSet::<String>::new(), false);
        for _ in 0..random.random_range(1..=12) {
            let key = (*perm::ALL.choose(&mut random).unwrap()).to_owned();
            match random.random_range(0..10) {
                0 => (full, everything) = (true, true),
                1 => (full, everything) = (false, false),
                2..7 => {
                    let wanted = held.iter().cloned().chain([key.clone()]).collect();
                    held = tree.settle(&held, &wanted);
                    reference.extend(tree.parent(&key).map(str::to_owned));
                    reference.insert(key);
                }
                _ => {
                    let wanted = held.iter().filter(|one| **one != key).cloned().collect();
                    held = tree.settle(&held, &wanted);
                    reference.remove(&key);
                    for child in children(&key) {
                        reference.remove(&child);
                    }
                }
            }
        }
        let whole = full.then_some("full_target_access");
        let grants = policy.evaluate(held.iter().map(String::as_str).chain(whole));
        for operation in &operations {
            let decided =
                operation.iter().any(|key| key == "public" || key == "no_perm_required" || grants.has(key));
            let expected = operation.iter().any(|key| {
                matches!(key.as_str(), "public" | "no_perm_required")
                    || reference.contains(key)
                    || everything && key != "super_admin"
            });
            assert_eq!(
                decided, expected,
                "sequence {sequence}: {operation:?} with {held:?}, everything: {full}"
            );
        }
    }
}

fn rights(random: &mut StdRng, places: &[Uuid], most: usize) -> Rights {
    let whole_partner = random.random_bool(0.25);
    let restaurants = if whole_partner {
        vec![]
    } else {
        places.choose_multiple(random, random.clone().random_range(1..=3)).copied().collect()
    };
    let count = random.random_range(0..=most);
    let keys = ["order", "user", "tv", "pos_admin_perms", DISCOUNT]
        .choose_multiple(random, count)
        .map(|key| (*key).to_owned())
        .collect();
    let max_discount = random.random_bool(0.5).then(|| Percent(Decimal::from(random.random_range(0..=100))));
    Rights {
        whole_partner,
        restaurants: restaurants.into_iter().collect(),
        keys: tree().settle(&PermissionKeys::new(), &keys),
        full: random.random_bool(0.2),
        max_discount,
    }
    .tidy()
}

#[test]
fn random_edits_never_grant_keys_that_the_editor_lacks() {
    let places: Vec<Uuid> = (1..=4).map(Uuid::from_u128).collect();
    let mut random = StdRng::seed_from_u64(3);
    let (mut allowed, mut refused) = (0, 0);
    for _ in 0..2_000 {
        let editor = Editor {
            admin: Some(Uuid::from_u128(9)),
            super_admin: random.random_bool(0.05),
            rights: rights(&mut random, &places, 5),
        };
        let before = rights(&mut random, &places, 3);
        // Half of the wishes are small steps, as a form makes them.
        let after = if random.random_bool(0.5) {
            rights(&mut random, &places, 5)
        } else {
            let mut after = before.clone();
            after.keys =
                tree().settle(&before.keys, &before.keys.iter().cloned().chain(["tv".to_owned()]).collect());
            after.tidy()
        };
        let (own, bound) = (&editor.rights, !editor.super_admin && !editor.rights.whole_partner);
        match may_change(&editor, &before, &after) {
            Err(Code::USER_PERMISSION_REQUIRED | Code::USER_TYPE_NOT_EDITABLE) => refused += 1,
            Err(other) => panic!("{other:?}"),
            Ok(()) => {
                allowed += 1;
                if !editor.super_admin {
                    assert!(
                        before.full == after.full || own.full,
                        "full access came or went: {editor:?} {before:?} {after:?}"
                    );
                }
                if bound {
                    assert!(!before.whole_partner && !after.whole_partner);
                    assert!(
                        before
                            .restaurants
                            .union(&after.restaurants)
                            .all(|place| own.restaurants.contains(place))
                    );
                    for key in perm::ALL {
                        let (had, has, can) = (
                            before.keys.contains(*key),
                            after.keys.contains(*key),
                            own.full || own.keys.contains(*key),
                        );
                        assert!(had == has || can, "{key}: {editor:?} {before:?} {after:?}");
                    }
                }
            }
        }
        if may_impersonate(&editor, &before).is_ok() && bound {
            assert!(own.full || !before.full && before.keys.is_subset(&own.keys), "{editor:?} {before:?}");
        }
        assert_eq!(may_touch(&editor, Uuid::from_u128(9), false), Err(Code::USER_TYPE_NOT_EDITABLE));
        assert_eq!(may_touch(&editor, Uuid::from_u128(8), true), Err(Code::USER_TYPE_NOT_EDITABLE));
    }
    assert!(allowed > 200 && refused > 200, "{allowed} allowed, {refused} refused: the sample says nothing");
}

#[test]
fn a_discount_cap_goes_with_its_permission_and_is_not_exceeded() {
    let place = Uuid::from_u128(1);
    let with = |keys_of: &[&str], cap: Option<i64>| Rights {
        restaurants: [place].into(),
        keys: keys(keys_of),
        max_discount: cap.map(|cap| Percent(cap.into())),
        ..Rights::default()
    };
    assert_eq!(with(&["order"], Some(10)).tidy().max_discount, None);
    assert_eq!(with(&[DISCOUNT], Some(10)).tidy().max_discount, Some(Percent(10.into())));
    let editor = |cap| Editor {
        admin: None,
        super_admin: false,
        rights: with(&["pos_admin_perms", DISCOUNT, "user"], cap),
    };
    let (none, ten, all) = (
        with(&[], None),
        with(&["pos_admin_perms", DISCOUNT], Some(10)),
        with(&["pos_admin_perms", DISCOUNT], None),
    );
    assert!(may_add(&editor(Some(10)), &ten).is_ok() && may_change(&editor(Some(10)), &none, &ten).is_ok());
    assert_eq!(may_add(&editor(Some(5)), &ten), Err(Code::USER_PERMISSION_REQUIRED));
    assert_eq!(may_add(&editor(Some(5)), &all), Err(Code::USER_PERMISSION_REQUIRED));
    assert!(may_add(&editor(None), &all).is_ok());
}

#[test]
fn names_in_hungarian_order() {
    assert_eq!(split_name(" Kovács  Éva Mária "), ("Éva Mária".to_owned(), "Kovács".to_owned()));
    assert_eq!(split_name("Kovács"), (String::new(), "Kovács".to_owned()));
}
