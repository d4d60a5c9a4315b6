//! The name of a copy.

pub(crate) const NAME_LENGTH: usize = 100;

/// The name of a copy: with a suffix in its language, and a number when that name is taken too. A long name
/// is cut so that the suffix fits.
pub(crate) fn copy_name(name: &str, hungarian: bool, taken: impl Fn(&str) -> bool) -> String {
    let word = if hungarian { "másolat" } else { "copy" };
    // A copy of a copy is a copy of the first.
    let base = name
        .rsplit_once(" (")
        .filter(|(_, rest)| rest.starts_with(word) && rest.ends_with(')'))
        .map_or(name, |(base, _)| base);
    let with = |suffix: String| {
        let room = NAME_LENGTH - suffix.chars().count();
        let cut: String = base.chars().take(room).collect();
        format!("{}{suffix}", cut.trim_end())
    };
    let first = with(format!(" ({word})"));
    if !taken(&first) {
        return first;
    }
    // There are at most a few thousand names, so one of these is free.
    (2..10_000).map(|number| with(format!(" ({word} {number})"))).find(|name| !taken(name)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn copies_are_named_apart() {
        let none = |_: &str| false;
        assert_eq!(copy_name("Köret", true, none), "Köret (másolat)");
        assert_eq!(copy_name("Side dish", false, none), "Side dish (copy)");
        assert_eq!(copy_name("Köret (másolat)", true, |name| name == "Köret (másolat)"), "Köret (másolat 2)");
        assert_eq!(copy_name("Köret (másolat 2)", true, |name| name.len() < 20), "Köret (másolat 10)");
        assert_eq!(copy_name("Szósz (csípős)", true, none), "Szósz (csípős) (másolat)");
    }

    proptest! {
        #[test]
        fn a_copy_fits_and_is_free(name in "\\PC{1,100}", taken in proptest::collection::vec("\\PC{1,20}", 0..5)) {
            let copy = copy_name(&name, true, |name| taken.iter().any(|other| other == name));
            prop_assert!(copy.chars().count() <= NAME_LENGTH);
            prop_assert!(!taken.contains(&copy));
            prop_assert!(copy.ends_with(')'));
        }
    }
}
