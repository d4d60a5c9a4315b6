//! Comparing names: accents, case and invisible characters are ignored.

use kernel::text::is_unseen;

/// Lower case without accents, with single blanks: names of which this is equal are the same name. Accents may be
/// characters of their own, as some systems write them, and what was copied from a page may hold characters of no
/// width.
#[must_use]
pub fn fold(text: &str) -> String {
    // The small letter of some capitals (İ) is two characters.
    let small = text.chars().flat_map(char::to_lowercase);
    let seen = small.filter(|c| !is_unseen(*c) && !matches!(c, '\u{300}'..='\u{36f}'));
    let plain = seen.map(|c| match c {
        'á' | 'à' | 'â' | 'ä' | 'ă' | 'ą' | 'å' | 'ã' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'ě' | 'ę' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'ő' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' | 'ű' | 'ů' => 'u',
        'ç' | 'č' | 'ć' => 'c',
        'ñ' | 'ň' | 'ń' => 'n',
        'š' | 'ś' | 'ş' | 'ș' => 's',
        'ž' | 'ź' | 'ż' => 'z',
        'ř' => 'r',
        'ť' | 'ţ' | 'ț' => 't',
        'ď' => 'd',
        'ľ' | 'ł' => 'l',
        'ý' => 'y',
        '’' | '‘' | '`' => '\'',
        '„' | '”' | '“' => '"',
        '–' | '—' => '-',
        other => other,
    });
    plain.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_are_alike() {
        for name in
            ["Gulyás", " GULYAS ", "Gulya\u{301}s", "Gu\u{200b}lyás", "\u{feff}Gulyás\u{ad}", "Gulyás\u{a0}"]
        {
            assert_eq!(fold(name), "gulyas", "{name:?}");
        }
        assert_eq!(fold("İzgara"), "izgara");
        assert_eq!(fold("Sör\u{a0} 0,5  l"), "sor 0,5 l");
        assert_ne!(fold("פיצה"), fold("פיתה"));
    }
}
