//! The place of a category: two levels, and a category contains either sub-categories or products. See
//! `docs/decisions/catalogue.md#categories`.

use kernel::{Fault, time::Timestamp};

/// Facts about a new parent and the category below it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Placement {
    /// The parent is the category itself.
    pub itself: bool,
    /// The parent stands below another category.
    pub parent_is_child: bool,
    pub parent_has_products: bool,
    /// The category has sub-categories.
    pub has_children: bool,
}

impl Placement {
    /// Why the category may not stand there, in words for developers.
    pub(crate) fn refusal(self) -> Option<&'static str> {
        match self {
            Self { itself: true, .. } => Some("a category cannot be its own parent"),
            Self { parent_is_child: true, .. } => {
                Some("categories have two levels: the parent must be a top-level one")
            }
            Self { has_children: true, .. } => Some("a category with sub-categories cannot become one"),
            Self { parent_has_products: true, .. } => {
                Some("a category opens either sub-categories or products: the parent has products")
            }
            _ => None,
        }
    }
}

/// What is wrong with an availability window: it must not end before it begins.
pub(crate) fn window_fault(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<(String, Fault)> {
    from.zip(to).is_some_and(|(from, to)| to < from).then(|| ("available_to".to_owned(), Fault::Invalid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_levels_and_no_mixing() {
        let free = Placement::default();
        let cases = [
            (free, true),
            (Placement { itself: true, ..free }, false),
            (Placement { parent_is_child: true, ..free }, false),
            (Placement { parent_has_products: true, ..free }, false),
            (Placement { has_children: true, ..free }, false),
        ];
        for (placement, allowed) in cases {
            assert_eq!(placement.refusal().is_none(), allowed, "{placement:?}");
        }
    }

    #[test]
    fn a_window_ends_after_it_begins() {
        let at = |text: &str| Some(text.parse().unwrap());
        let (early, late) = (at("2026-05-01T10:00:00Z"), at("2026-05-02T10:00:00Z"));
        for (from, to, right) in [
            (None, None, true),
            (early, None, true),
            (None, early, true),
            (early, late, true),
            (early, early, true),
            (late, early, false),
        ] {
            assert_eq!(window_fault(from, to).is_none(), right);
        }
    }
}
