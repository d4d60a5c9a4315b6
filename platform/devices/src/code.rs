//! The pairing code: read on one screen and typed at another. See `docs/decisions/devices.md#pairing`.

use access::App;
use rand::Rng;

/// Digits and letters without those that look like others (I, L, O) or make words (U).
const SIGNS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 8;

/// Eight signs: 10^12 codes, of which ten a quarter of an hour can be tried from one address, each good for
/// ten minutes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShortCode(String);

impl ShortCode {
    pub(crate) fn new() -> Self {
        let mut random = rand::rng();
        Self((0..LENGTH).map(|_| char::from(SIGNS[random.random_range(0..SIGNS.len())])).collect())
    }

    /// Reads what somebody typed: in any case, with blanks and dashes anywhere, and with what looks alike.
    pub(crate) fn parse(typed: &str) -> Option<Self> {
        let sign = |typed: char| match typed.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        };
        let between = |typed: &char| {
            typed.is_whitespace() || matches!(typed, '-' | '\u{2010}'..='\u{2015}' | '_' | '.')
        };
        let code: String = typed.chars().filter(|typed| !between(typed)).map(sign).collect();
        (code.len() == LENGTH && code.bytes().all(|sign| SIGNS.contains(&sign))).then_some(Self(code))
    }

    /// As people read it: in two groups.
    pub(crate) fn shown(&self) -> String {
        let (first, second) = self.0.split_at(LENGTH / 2);
        format!("{first}-{second}")
    }

    /// The keyed digest by which it is found.
    pub(crate) fn digest(&self, app: &App) -> Vec<u8> {
        app.settings.secrets.keyed("pairing code 2", &self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let code = ShortCode("AB0DEF1H".into());
        assert_eq!(code.shown(), "AB0D-EF1H");
        for typed in [
            "AB0D-EF1H", "ab0def1h", " ab0d ef1h\n", "a-b-0-d-e-f-1-h", "ABOD EFIH", "abodeflh", "AB0D–EF1H",
            "AB0D.EF1H",
        ] {
            assert_eq!(ShortCode::parse(typed), Some(code.clone()), "{typed}");
        }
        for wrong in ["", "AB0DEF1", "AB0DEF1HH", "AB0DEF1U", "ÁB0DEF1H", "483920", "AB0D/EF1H"] {
            assert_eq!(ShortCode::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn codes_use_every_sign_and_nothing_else() {
        let made: Vec<ShortCode> = (0..1_000).map(|_| ShortCode::new()).collect();
        assert!(made.iter().all(|code| ShortCode::parse(&code.shown()).as_ref() == Some(code)));
        let all: String = made.into_iter().map(|code| code.0).collect();
        assert!(SIGNS.iter().all(|sign| all.contains(char::from(*sign))));
    }
}
