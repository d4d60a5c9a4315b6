use proptest::prelude::*;
use uuid::Uuid;

use super::*;

fn region(id: u128, price: i64, minimum: i64) -> Candidate {
    let age = chrono::DateTime::from_timestamp(i64::try_from(id).unwrap(), 0).unwrap();
    Candidate {
        region: RegionFacts {
            id: Id::from_uuid(Uuid::from_u128(id)),
            name: id.to_string(),
            name_sec_lang: None,
            active: true,
            price: Money::from(price),
            min_order_price: Money::from(minimum),
            threshold_price: None,
            price_under_threshold: None,
            courier_price: None,
            created_at: Timestamp(age),
        },
        street: None,
        exactness: Exactness::Exact,
    }
}

fn off(mut one: Candidate) -> Candidate {
    one.region.active = false;
    one
}

fn street(mut one: Candidate, price: Option<i64>, active: bool, exactness: Exactness) -> Candidate {
    let id = Id::from_uuid(one.region.id.uuid());
    one.street = Some(StreetFacts { id, name: "Fő utca".into(), price: price.map(Money::from), active });
    one.exactness = exactness;
    one
}

fn told(found: Vec<Candidate>) -> Vec<(String, Why)> {
    choose(found).into_iter().map(|one| (one.candidate.region.name, one.why)).collect()
}

#[test]
fn the_lowest_price_delivers() {
    use Exactness::{Exact, OtherKind, Whole};
    use Why::{
        HigherMinimum, HigherPrice, Inactive, LessExact, LowerMinimum, LowestPrice, Older, Only,
        StreetInactive, Younger,
    };
    for (what, found, expected) in [
        ("none", vec![], vec![]),
        ("one", vec![region(1, 500, 0)], vec![(1, Only)]),
        ("price", vec![region(1, 900, 0), region(2, 500, 9_000)], vec![(2, LowestPrice), (1, HigherPrice)]),
        (
            "minimum",
            vec![region(1, 500, 3_000), region(2, 500, 2_000)],
            vec![(2, LowerMinimum), (1, HigherMinimum)],
        ),
        ("age", vec![region(2, 500, 0), region(1, 500, 0)], vec![(1, Older), (2, Younger)]),
        ("switched off", vec![off(region(1, 100, 0)), region(2, 500, 0)], vec![(2, Only), (1, Inactive)]),
        ("all off", vec![off(region(1, 100, 0))], vec![(1, Inactive)]),
        (
            "the street's price",
            vec![region(1, 500, 0), street(region(2, 900, 0), Some(400), true, Exact)],
            vec![(2, LowestPrice), (1, HigherPrice)],
        ),
        (
            "a free street",
            vec![
                street(region(1, 900, 0), Some(0), true, Exact),
                street(region(2, 100, 0), None, true, Exact),
            ],
            vec![(1, LowestPrice), (2, HigherPrice)],
        ),
        (
            "a named street goes first",
            vec![street(region(1, 100, 0), None, true, Whole), street(region(2, 900, 0), None, true, Exact)],
            vec![(2, Only), (1, LessExact)],
        ),
        (
            "the same kind goes first",
            vec![
                street(region(1, 100, 0), None, true, OtherKind),
                street(region(2, 900, 0), None, true, Exact),
            ],
            vec![(2, Only), (1, LessExact)],
        ),
        (
            "a street that is off",
            vec![street(region(1, 100, 0), None, false, Exact), street(region(2, 900, 0), None, true, Whole)],
            vec![(2, Only), (1, StreetInactive)],
        ),
    ] {
        let expected: Vec<_> =
            expected.into_iter().map(|(id, why): (u32, _)| (id.to_string(), why)).collect();
        assert_eq!(told(found), expected, "{what}");
    }
}

proptest! {
    /// One wins if any is switched on, nobody is cheaper, and the order of asking does not matter.
    #[test]
    fn winners(rows in proptest::collection::vec((0_i64..4, 0_i64..3, any::<bool>(), any::<bool>()), 0..8), turn in 0_usize..8) {
        let mut found: Vec<Candidate> = rows.iter().zip(1_u128..).map(|((price, minimum, active, whole), id)| {
            let one = region(id, *price, *minimum);
            let exactness = if *whole { Exactness::Whole } else { Exactness::Exact };
            let one = street(one, None, true, exactness);
            if *active { one } else { off(one) }
        }).collect();
        let first = told(found.clone());
        if !found.is_empty() {
            let turn = turn % found.len();
            found.rotate_left(turn);
        }
        let again = choose(found.clone());
        prop_assert_eq!(&first, &told(found.clone()));
        prop_assert_eq!(again.len(), found.len());
        let on: Vec<&Candidate> = found.iter().filter(|one| one.region.active).collect();
        prop_assert_eq!(again.iter().filter(|one| one.why.wins()).count(), usize::from(!on.is_empty()));
        if let Some(won) = again.first().filter(|one| one.why.wins()) {
            let best = on.iter().map(|one| one.exactness).min().unwrap();
            prop_assert_eq!(won.candidate.exactness, best);
            prop_assert!(on.iter().filter(|one| one.exactness == best).all(|one| one.price() >= won.candidate.price()));
        }
    }
}
