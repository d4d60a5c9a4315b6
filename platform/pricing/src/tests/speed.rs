//! Measures the time that pricing takes. Run it optimised: `cargo test -p pricing --release -- --ignored --nocapture
//! speed`.

use std::time::Instant;

use super::*;

fn five_lines() -> Cart {
    let mut items = vec![line(PIZZA, 2, &[(CHEESE, 1), (HAM, 1)]); 3];
    items.extend([line(BEER, 3, &[]), line(BREAD, 1, &[])]);
    cart(&items)
}

/// 40 active promotions of all kinds, with hours and product lists; all of them apply.
fn forty(stackable: impl Fn(u128) -> bool) -> Vec<Promotion> {
    use kernel::time::{RangeDay, TimeRange};
    let days = [RangeDay::Mon, RangeDay::Tue, RangeDay::Wed, RangeDay::Thu, RangeDay::Fri];
    let all_day = |day| TimeRange { day, from: "10:00".parse().unwrap(), till: "22:00".parse().unwrap() };
    let kinds = [ValueKind::Percent, ValueKind::FixedValue, ValueKind::OverwrittenValue];
    (1..=40)
        .map(|id| {
            let at = usize::try_from(id).unwrap();
            let value = if at % 3 == 2 { 3000 } else { 1 + i64::try_from(id % 5).unwrap() };
            let apply_type = if at % 2 == 0 { ApplyType::ApplyPerItem } else { ApplyType::ApplyPerCart };
            let range = Range { apply_on_options: at % 4 == 0, ..range(kinds[at % 3], value) };
            Promotion {
                stackable: stackable(id),
                time_ranges: days.map(all_day).to_vec(),
                products: Restriction::Inclusion(products(&[PIZZA, BEER], &[FOOD, DRINKS])),
                ..taking(id, apply_type, range)
            }
        })
        .collect()
}

#[test]
#[ignore = "measures; only means something in an optimised build"]
fn a_quote_of_five_lines_with_forty_promotions_takes_less_than_a_millisecond() {
    let (catalogue, cart, config) = (catalogue(), five_lines(), config());
    for (name, promotions) in [
        ("none", Vec::new()),
        ("all stack", forty(|_| true)),
        ("half stack", forty(|id| id % 2 == 0)),
        ("none stacks", forty(|_| false)),
    ] {
        let mut micros: Vec<u128> = (0..500)
            .map(|_| {
                let start = Instant::now();
                let priced = price(&catalogue, &promotions, &cart, &config);
                let reasons = acceptable(&catalogue, &promotions, &cart, &config);
                let took = start.elapsed().as_micros();
                assert_eq!((priced.lines.len(), reasons.len()), (5, 0));
                took
            })
            .collect();
        micros.sort_unstable();
        println!("{name}: median {} µs, p99 {} µs", micros[250], micros[495]);
        assert!(micros[250] < 1000, "{name}");
    }
}
