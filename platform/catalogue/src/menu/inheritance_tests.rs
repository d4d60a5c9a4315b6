//! Inheritance in random menus, compared with a reference of a few lines.

use std::collections::BTreeMap;

use kernel::{Id, ids::Vats, money::Percent};
use proptest::{array::uniform5, collection::vec, option, prelude::*, sample::select};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    build::menu,
    builder::View,
    store::Rows,
    tests::{base, category, facts, id, product, rows, subproduct},
    types::MenuChannel,
};

const CHANNELS: [MenuChannel; 5] = [
    MenuChannel::Online,
    MenuChannel::SitIn,
    MenuChannel::Phone,
    MenuChannel::KioskSitIn,
    MenuChannel::KioskTakeAway,
];

/// What a row says itself: where it is shown, its rates here and to take away in percent, its switch.
#[derive(Debug, Clone)]
struct Own {
    visible: [Option<bool>; 5],
    vat: Option<u128>,
    here: Option<u128>,
    active: bool,
}

fn own() -> impl Strategy<Value = Own> {
    let rate = || option::of(select(vec![5_u128, 18, 27]));
    (uniform5(option::of(any::<bool>())), rate(), rate(), prop::bool::weighted(0.9))
        .prop_map(|(visible, vat, here, active)| Own { visible, vat, here, active })
}

type Product = (Own, Vec<Own>);
type Leaf = (Own, Vec<Product>);

/// Categories at the top, each with categories below it or products of its own.
#[derive(Debug, Clone)]
enum Top {
    Opens(Own, Vec<Leaf>),
    Holds(Leaf),
}

fn tree() -> impl Strategy<Value = Vec<Top>> {
    let leaf = || (own(), vec((own(), vec(own(), 1..3)), 0..3));
    vec(
        prop_oneof![
            (own(), vec(leaf(), 1..3)).prop_map(|(own, below)| Top::Opens(own, below)),
            leaf().prop_map(Top::Holds)
        ],
        1..4,
    )
}

macro_rules! give {
    ($row:expr, $own:expr) => {{
        let (mut row, own) = ($row, $own);
        [
            row.visible_online,
            row.visible_sit_in,
            row.visible_phone,
            row.visible_kiosk_sit_in,
            row.visible_kiosk_take_away,
        ] = own.visible;
        (row.vat_id, row.sit_in_vat_id) = (own.vat.map(id::<Vats>), own.here.map(id::<Vats>));
        row.active = own.active;
        row
    }};
}

/// The rows of a tree, and of each size what it and the levels above it say, from the inside out.
struct Grown<'t> {
    rows: Rows,
    chains: Vec<(Uuid, Vec<&'t Own>)>,
    next: u128,
}

impl<'t> Grown<'t> {
    fn of(tree: &'t [Top]) -> Self {
        let mut rows = rows(facts(vec![], vec![]), vec![], vec![], None);
        rows.defaults.vats =
            [5_u128, 18, 27].map(|rate| (Uuid::from_u128(rate), Percent(Decimal::from(rate)))).into();
        let mut grown = Self { rows, chains: vec![], next: 1000 };
        for top in tree {
            match top {
                Top::Holds(leaf) => grown.leaf(None, leaf),
                Top::Opens(own, below) => {
                    let parent = grown.number();
                    grown.rows.categories.push(give!(category(parent, None, vec![], [None; 3]), own));
                    below.iter().for_each(|leaf| grown.leaf(Some((parent, own)), leaf));
                }
            }
        }
        grown
    }

    fn number(&mut self) -> u128 {
        self.next += 1;
        self.next
    }

    fn leaf(&mut self, above: Option<(u128, &'t Own)>, (own, products): &'t Leaf) {
        let here = self.number();
        let parent = above.map(|(number, _)| number);
        self.rows.categories.push(give!(category(here, parent, vec![], [None; 3]), own));
        for (of_product, sizes) in products {
            let number = self.number();
            self.rows.products.push(give!(product(number, here, [None; 3]), of_product));
            for size in sizes {
                let row = give!(subproduct(self.number(), number, None), size);
                let levels = [size, of_product, own].into_iter().chain(above.map(|(_, own)| own));
                self.chains.push((Id::uuid(row.id), levels.collect()));
                self.rows.subproducts.push(row);
            }
        }
    }
}

proptest! {
    #[test]
    fn the_nearest_level_with_a_value_wins(tree in tree(), channel in 0_usize..5, pickup in any::<bool>()) {
        let grown = Grown::of(&tree);
        let view = View::new(CHANNELS[channel], pickup);
        let mut shown = menu(&grown.rows, view, base());
        let shown: BTreeMap<Uuid, Option<Percent>> =
            shown.subproducts_mut().map(|size| (size.id.uuid(), size.vat_percent)).collect();
        let expected: BTreeMap<Uuid, Option<Percent>> = grown
            .chains
            .iter()
            .filter(|(_, levels)| {
                levels.iter().all(|own| own.active)
                    && levels.iter().find_map(|own| own.visible[channel]).unwrap_or(true)
            })
            .map(|(id, levels)| {
                let rate = levels.iter().find_map(|own| if view.here { own.here } else { own.vat });
                (*id, Some(Percent(Decimal::from(rate.unwrap_or(27)))))
            })
            .collect();
        prop_assert_eq!(shown, expected);
    }
}
