//! Which code page a text of single bytes was written in: Hungarian programs save tables in several of them, and
//! none says which.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_8859_2, WINDOWS_1250, WINDOWS_1252};

/// The upper half of code page 852, in which programs of DOS and their exports write Hungarian.
const CP852: &str = "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤\
    đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘\u{a7}÷¸°¨˙űŘř■\u{a0}";

/// The upper half of Central European of the Macintosh, in which Excel saves text there.
const MAC: &str = "ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£\u{a7}•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅņŃ¬√ńŇ∆«»…\u{a0}\
    ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ";

/// A code page that is tried.
#[derive(Clone, Copy)]
enum Page {
    Known(&'static Encoding),
    Half(&'static str),
}

/// The first of equals is taken.
const PAGES: [Page; 5] = [
    Page::Known(WINDOWS_1250),
    Page::Half(CP852),
    Page::Known(ISO_8859_2),
    Page::Known(WINDOWS_1252),
    Page::Half(MAC),
];

impl Page {
    fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Known(encoding) => encoding.decode_without_bom_handling(bytes).0,
            Self::Half(upper) => {
                let upper: Vec<char> = upper.chars().collect();
                let letter = |byte: &u8| match byte.checked_sub(128) {
                    Some(at) => upper.get(usize::from(at)).copied().unwrap_or('\u{fffd}'),
                    None => char::from(*byte),
                };
                bytes.iter().map(letter).collect::<String>().into()
            }
        }
    }
}

/// How many bytes are looked at.
const LOOKED_AT: usize = 200_000;

/// The text in the code page that makes most Hungarian words of it.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let part = &bytes[..bytes.len().min(LOOKED_AT)];
    // The last of equals would be taken: from the last one to the first.
    let best = PAGES.into_iter().rev().max_by_key(|page| score(&page.decode(part)));
    best.unwrap_or(Page::Known(WINDOWS_1250)).decode(bytes)
}

fn is_hungarian(letter: char) -> bool {
    letter.is_ascii_alphabetic() || "áéíóöőúüűÁÉÍÓÖŐÚÜŰ".contains(letter)
}

/// Marks that stand in menus and lists beside letters.
fn is_mark(sign: char) -> bool {
    sign.is_ascii() || "„”“’‘‚–—…€£$\u{a7}°½¼¾×•·®™©«»\u{a0}´ØøÅåÆæßñÑ".contains(sign)
}

/// How much of a text is Hungarian: its letters count, where their case fits; others count against it.
fn score(text: &str) -> i64 {
    let mut before = ' ';
    let mut signs = text.chars().peekable();
    let mut score = 0;
    while let Some(sign) = signs.next() {
        if !sign.is_ascii() {
            // A capital within a word, a letter behind a digit or a mark between two letters was another sign.
            let after = signs.peek().copied().unwrap_or(' ');
            let within = before.is_alphabetic() && after.is_alphabetic();
            let odd_case = sign.is_uppercase() && (before.is_lowercase() || within && after.is_lowercase())
                || sign.is_lowercase() && before.is_uppercase() && after.is_uppercase();
            score += match sign {
                _ if sign.is_alphabetic() && (odd_case || before.is_ascii_digit()) => -3,
                _ if is_hungarian(sign) => 2,
                '’' | '–' | '\u{a0}' => 0,
                _ if sign.is_alphabetic() => -1,
                _ if is_mark(sign) && !within => 0,
                _ if sign.is_control() || sign == '\u{fffd}' => -5,
                _ => -3,
            };
        }
        before = sign;
    }
    // Quotes come in pairs.
    let quotes =
        text.chars().fold(0_i64, |open, sign| open + i64::from(sign == '«') - i64::from(sign == '»'));
    score - 3 * quotes.abs()
}

/// Whether a text of an unknown code page has letters that no Hungarian word has: then another page may have been
/// meant.
pub(crate) fn is_uncertain(text: &str) -> bool {
    text.chars().any(|sign| !is_hungarian(sign) && !is_mark(sign))
}

/// Whether letters were lost, or were read in another code page, before this text was written: `HÃºsleves`.
pub(crate) fn is_garbled(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|sign| {
        let read_twice = "ÃĂÅĹÂ".contains(before)
            && !sign.is_ascii()
            && (!sign.is_alphabetic() || "ˇşłĽºªŒœŸžŽŠš".contains(sign));
        before = sign;
        read_twice || sign == '\u{fffd}'
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(page: &str, text: &str) -> Vec<u8> {
        let byte = |sign: char| match page.chars().position(|one| one == sign) {
            Some(at) => u8::try_from(at + 128).unwrap(),
            None => u8::try_from(sign).unwrap(),
        };
        text.chars().map(byte).collect()
    }

    #[test]
    fn hungarian_in_every_code_page() {
        assert_eq!((CP852.chars().count(), MAC.chars().count()), (128, 128));
        for text in [
            "Húsleves gyöngytyúkból;1990",
            "Főétel;Töltött káposzta",
            "Tészta;990",
            "Őszibaracklé",
            "Étel;ára",
            "ÁRVÍZTŰRŐ TÜKÖRFÚRÓGÉP",
            "árvíztűrő tükörfúrógép",
            "Kávé;450\nTeák;390\nÜdítő;590",
            "Sör;1\u{a0}990",
            "TÚRA",
            "Pizza 1\u{a0}990",
        ] {
            let known = |encoding: &'static Encoding| encoding.encode(text).0.into_owned();
            for bytes in [half(CP852, text), half(MAC, text), known(WINDOWS_1250), known(ISO_8859_2)] {
                assert_eq!(decode(&bytes), text, "{bytes:x?}");
                assert!(!is_uncertain(&decode(&bytes)), "{text}");
            }
        }
        let quoted = "„Klasszikus” gulyás – 1990 €";
        assert_eq!(decode(&WINDOWS_1250.encode(quoted).0), quoted);
    }

    #[test]
    fn letters_that_were_lost_before() {
        for text in ["H\u{fffd}sleves", "HÃºsleves", "GulyÃ¡s", "TĂ©szta", "FĹ‘Ă©tel", "1Â\u{a0}990"]
        {
            assert!(is_garbled(text), "{text}");
        }
        for text in ["Húsleves", "Århus", "São", "PÃO", "Ångström", "Łódź", "Żurek"] {
            assert!(!is_garbled(text), "{text}");
        }
    }

    #[test]
    fn letters_of_other_languages_are_uncertain() {
        for text in ["Crème brûlée", "Pâté", "Plzeňský", "Żurek"] {
            let page = if text == "Żurek" || text == "Plzeňský" { WINDOWS_1250 } else { WINDOWS_1252 };
            assert!(is_uncertain(&decode(&page.encode(text).0)), "{text}");
        }
    }
}
