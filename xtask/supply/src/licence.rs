//! Licence expressions as packages write them: SPDX, and the slash of older crates for OR.

use std::collections::BTreeSet;

/// Whether somebody who accepts these licences may use what has this expression.
pub fn accepted(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    // An expression that cannot be parsed is refused.
    matches!(either(&mut rest, allowed), Some(true)) && rest.is_empty()
}

fn either(words: &mut &[&str], allowed: &BTreeSet<&str>) -> Option<bool> {
    let mut good = both(words, allowed)?;
    while let Some((&"OR", rest)) = words.split_first() {
        *words = rest;
        good |= both(words, allowed)?;
    }
    Some(good)
}

fn both(words: &mut &[&str], allowed: &BTreeSet<&str>) -> Option<bool> {
    let mut good = one(words, allowed)?;
    while let Some((&"AND", rest)) = words.split_first() {
        *words = rest;
        good &= one(words, allowed)?;
    }
    Some(good)
}

fn one(words: &mut &[&str], allowed: &BTreeSet<&str>) -> Option<bool> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    if *first == "(" {
        let good = either(words, allowed)?;
        let (&")", rest) = words.split_first()? else { return None };
        *words = rest;
        return Some(good);
    }
    if matches!(*first, ")" | "OR" | "AND" | "WITH") {
        return None;
    }
    if let Some((&"WITH", rest)) = words.split_first() {
        let (exception, rest) = rest.split_first()?;
        *words = rest;
        return Some(allowed.contains(format!("{first} WITH {exception}").as_str()));
    }
    // "or any later version": this one will do.
    Some(allowed.contains(first) || first.strip_suffix('+').is_some_and(|first| allowed.contains(first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        let allowed = ["MIT", "Apache-2.0", "MPL-2.0", "Apache-2.0 WITH LLVM-exception"].into();
        for (expression, wanted) in [
            ("MIT", true),
            ("GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT", true),
            ("GPL-3.0-only AND MIT", false),
            ("MIT/Apache-2.0", true),
            ("GPL-2.0 / AGPL-3.0", false),
            ("(MIT OR GPL-3.0) AND (Apache-2.0 OR X)", true),
            ("MIT AND (GPL-3.0 OR X)", false),
            ("MIT OR GPL-3.0 AND X", true),
            ("MPL-2.0+", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("MIT WITH LLVM-exception", false),
            ("SEE LICENSE IN x", false),
            ("MIT OR", false),
            ("(MIT", false),
            ("MIT)", false),
            ("MIT MIT", false),
            ("", false),
        ] {
            assert_eq!(accepted(expression, &allowed), wanted, "{expression}");
        }
    }
}
