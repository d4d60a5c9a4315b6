//! Which passwords are accepted: none that is common, repeats itself, or is made of known words about its
//! owner. See `docs/decisions/accounts.md#passwords`.

use std::collections::HashSet;

use kernel::{Account, Code, Fault, Id, Partner, Problem, Result};
use sea_orm::FromQueryResult;
use unicode_normalization::UnicodeNormalization;
use uuid::Uuid;

use access::{
    app::App,
    passwords::{hash, hashing},
};

/// A password that is found within this many guesses is as good as public.
const GUESSES: u64 = 10_000;
/// The minimum length of a password where no partner has a longer one, and of its rest without repetitions
/// and known words.
const SHORTEST: usize = 6;
pub(crate) const SHORTEST_OF_SUPER_ADMINS: usize = 12;
const LONGEST: usize = 128;
/// Guessing is estimated over so many characters: it costs more than the length.
const ESTIMATED: usize = 64;
/// Shorter words stand in too many others to say anything.
const WORD: usize = 3;

/// The known words about the owner of a password.
#[derive(Debug, Clone)]
pub struct Owner {
    words: Vec<String>,
    super_admin: bool,
    /// The largest minimum of the partners concerned.
    min_length: usize,
}

#[derive(FromQueryResult)]
struct KnownOwner {
    words: Vec<String>,
    min_length: i32,
}

impl Owner {
    /// Somebody of whom these words are known: addresses, names.
    #[must_use]
    pub fn known_by(words: Vec<String>, super_admin: bool) -> Self {
        Self { words, super_admin, min_length: SHORTEST }
    }

    /// The owner of an account, by whom it is changed.
    pub async fn of_account(app: &App, account: Id<Account>, super_admin: bool) -> Result<Self> {
        Self::load(app, [Some(account.uuid()), None, None], super_admin).await
    }

    /// For a password that a partner's admin sets: uses only what that partner knows, so a refusal reveals
    /// nothing of other partners.
    pub async fn at_partner(app: &App, partner: Id<Partner>, admin: Option<Uuid>) -> Result<Self> {
        Self::load(app, [None, admin, Some(partner.uuid())], false).await
    }

    async fn load(app: &App, owner: [Option<Uuid>; 3], super_admin: bool) -> Result<Self> {
        let sql = "select control.password_words($1, $2, $3) words, control.password_min_length($1, $3) \
            min_length";
        let known: Option<KnownOwner> = app.door.one(sql, owner.map(Into::into)).await?;
        let KnownOwner { words, min_length } = known.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
        Ok(Self::known_by(words, super_admin).at_least(min_length))
    }

    /// Raises the minimum length of the password.
    #[must_use]
    pub fn at_least(mut self, length: i32) -> Self {
        self.min_length = self.min_length.max(usize::try_from(length).unwrap_or(SHORTEST));
        self
    }

    /// These are known as well: what the same call says.
    #[must_use]
    pub fn and<'a>(mut self, words: impl IntoIterator<Item = &'a str>) -> Self {
        self.words.extend(words.into_iter().map(str::to_owned));
        self
    }

    /// Every word as it is compared, the longest first.
    fn folded(&self) -> Vec<Vec<char>> {
        let whole = self.words.iter().map(String::as_str).chain(["pult"]);
        let parts = self.words.iter().flat_map(|word| word.split(|sign: char| !sign.is_alphanumeric()));
        let words: HashSet<Vec<char>> =
            whole.chain(parts).map(|word| fold(word).map(|(_, letter)| letter).collect()).collect();
        let mut words: Vec<_> = words.into_iter().filter(|word: &Vec<char>| word.len() >= WORD).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        words
    }
}

/// Letters and digits without case and accents, each with where it stood.
fn fold(text: &str) -> impl Iterator<Item = (usize, char)> {
    let plain = |(at, sign): (usize, char)| {
        sign.nfd()
            .flat_map(char::to_lowercase)
            .filter(|letter| letter.is_alphanumeric())
            .map(move |letter| (at, letter))
    };
    text.chars().enumerate().flat_map(plain)
}

/// The rest without these words in any spelling, and without signs in and around them.
fn without(password: &str, words: &[Vec<char>]) -> Vec<char> {
    let signs: Vec<char> = password.chars().collect();
    let letters: Vec<(usize, char)> = fold(password).collect();
    let (mut known, mut gone) = (vec![false; letters.len()], vec![false; signs.len()]);
    for word in words {
        for at in 0..(letters.len() + 1).saturating_sub(word.len()) {
            let here = at..at + word.len();
            if letters[here.clone()].iter().map(|(_, letter)| letter).eq(word)
                && !known[here.clone()].contains(&true)
            {
                known[here.clone()].fill(true);
                let (mut first, mut last) = (letters[here.start].0, letters[here.end - 1].0);
                while first > 0 && !signs[first - 1].is_alphanumeric() {
                    first -= 1;
                }
                while last + 1 < signs.len() && !signs[last + 1].is_alphanumeric() {
                    last += 1;
                }
                gone[first..=last].fill(true);
            }
        }
    }
    signs.into_iter().zip(gone).filter(|(_, gone)| !gone).map(|(sign, _)| sign).collect()
}

/// Without what only lengthens: a sign that stands three times or more in a row, each group but the first
/// that follows itself.
fn without_repetitions(signs: &[char]) -> Vec<char> {
    let (mut left, mut at) = (vec![], 0);
    while at < signs.len() {
        let rest = &signs[at..];
        let times = |length: usize| rest.chunks(length).take_while(|group| *group == &rest[..length]).count();
        let repeated = (1..=rest.len() / 2).find(|&length| times(length) >= if length == 1 { 3 } else { 2 });
        let length = repeated.unwrap_or(1);
        if repeated != Some(1) {
            left.extend(&rest[..length]);
        }
        at += length * repeated.map_or(1, times);
    }
    left
}

fn is_weak(password: &str, owner: &Owner) -> bool {
    let words = owner.folded();
    let left = without_repetitions(&without(password, &words));
    if left.len() < SHORTEST {
        return true;
    }
    let known: Vec<String> = words.iter().map(|word| word.iter().collect()).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let guessed = |signs: &mut dyn Iterator<Item = char>| {
        zxcvbn::zxcvbn(&signs.take(ESTIMATED).collect::<String>(), &known).guesses() < GUESSES
    };
    guessed(&mut left.iter().copied()) || guessed(&mut password.chars())
}

/// Refuses a password that is too short, too long, common, or made of what everybody knows about its owner.
/// Guesses are computed on a blocking thread.
/// Errors: `USER_PASSWORD_CANNOT_BE_EMPTY`, `VALIDATION_FAILED`, `USER_PASSWORD_WEAK`.
pub async fn check(password: &str, owner: &Owner) -> Result<()> {
    let length = password.chars().count();
    let shortest = owner.min_length.max(if owner.super_admin { SHORTEST_OF_SUPER_ADMINS } else { SHORTEST });
    if password.is_empty() {
        return Err(Problem::new(Code::USER_PASSWORD_CANNOT_BE_EMPTY).key("password", Fault::Required));
    }
    if length < shortest {
        return Err(Problem::new(Code::VALIDATION_FAILED).key("password", Fault::TooShort(shortest)));
    }
    if length > LONGEST {
        return Err(Problem::new(Code::VALIDATION_FAILED).key("password", Fault::TooLong(LONGEST)));
    }
    let (password, owner) = (password.to_owned(), owner.clone());
    match hashing(move || Some(is_weak(&password, &owner))).await? {
        true => Err(Problem::new(Code::USER_PASSWORD_WEAK).key("password", Fault::Invalid)),
        false => Ok(()),
    }
}

/// The hash of a new password that was typed twice and is good enough.
/// Errors: `USER_PASSWORD_NOT_MATCH`, and those of [`check`].
pub async fn taken(password: String, again: &str, owner: &Owner) -> Result<String> {
    if password != again {
        return Err(Problem::new(Code::USER_PASSWORD_NOT_MATCH).key("password_again", Fault::Invalid));
    }
    check(&password, owner).await?;
    hash(password).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(super_admin: bool) -> Owner {
        let words = [
            "kovacs.bela@nagyon-hosszu-nevu-vendeglo.example.com",
            "Béla",
            "Kovács",
            "Szegedi Halászcsárda Kft.",
        ];
        Owner::known_by(words.map(str::to_owned).into(), super_admin)
    }

    #[tokio::test]
    async fn which_passwords_are_taken() {
        const WEAK: Option<Code> = Some(Code::USER_PASSWORD_WEAK);
        let letters = |letter: &str, times| letter.repeat(times);
        let table: &[(&str, bool, Option<Code>)] = &[
            ("", false, Some(Code::USER_PASSWORD_CANNOT_BE_EMPTY)),
            ("abc12", false, Some(Code::VALIDATION_FAILED)),
            ("tizenegy111", true, Some(Code::VALIDATION_FAILED)),
            (&letters("hosszú", 22), false, Some(Code::VALIDATION_FAILED)),
            // Common ones.
            ("123456", false, WEAK),
            ("Password1", false, WEAK),
            // The own address, whole and in parts, over any length.
            ("kovacs.bela@nagyon-hosszu-nevu-vendeglo.example.com", false, WEAK),
            ("KOVACS.BELA@NAGYON-HOSSZU-NEVU-VENDEGLO.EXAMPLE.COM", false, WEAK),
            ("kovacs.bela@nagyon-hosszu-nevu-vendeglo.example.com1", false, WEAK),
            ("nagyon-hosszu-nevu-vendeglo", false, WEAK),
            ("Kovacs", false, WEAK),
            // Names, however they are spelled.
            ("Kovács Béla", false, WEAK),
            ("k.o.v.á.c.s.b.é.l.a", false, WEAK),
            ("Kovács1982", false, WEAK),
            ("Kovács... Béla: 1982!", false, WEAK),
            ("kovacs123456", false, WEAK),
            ("KovácsKovácsKovácsKovácsKovácsKovácsKovács", false, WEAK),
            // The partner and the product.
            ("SzegediHalaszcsarda", false, WEAK),
            ("Szegedi Halászcsárda Kft.", false, WEAK),
            ("halászcsárda2026!", false, WEAK),
            ("PultPult", false, WEAK),
            ("Pult2026", false, WEAK),
            ("pultpultpultpultpultpultpultpultpult", false, WEAK),
            // One sign or group again and again.
            (&letters("x", 33), false, WEAK),
            (&letters("x", 128), false, WEAK),
            (&format!("{}y", letters("x", 40)), false, WEAK),
            (&letters("ab", 20), false, WEAK),
            (&letters("1234", 16), false, WEAK),
            (&format!("{}ab", letters("abc", 12)), false, WEAK),
            (&letters("♥", 12), true, WEAK),
            // Common, and so long that only its beginning is estimated.
            (&format!("password{}", letters(" ", 60)), false, WEAK),
            // What is taken.
            ("abc12é", false, None),
            ("tizenketto12", true, None),
            ("Béla-mákosrétes", false, None),
            ("szilvásgombócszilvásgombóc", false, None),
            ("catapult-hinta", false, None),
            ("négy ló húzza a szekeret a falu végéig, ahol a kocsma előtt megáll, és vár", false, None),
            ("6Fq#", false, Some(Code::VALIDATION_FAILED)),
        ];
        for (password, super_admin, expected) in table {
            assert_eq!(
                check(password, &owner(*super_admin)).await.err().map(|problem| problem.code()),
                *expected,
                "{password}"
            );
        }
        assert!(
            check("nagyon-hosszu-nevu-vendeglo", &Owner::known_by(vec![], false)).await.is_ok(),
            "somebody else's"
        );
    }

    #[test]
    fn repetitions_are_left_out() {
        for (signs, expected) in [
            ("", ""),
            ("aa", "aa"),
            ("aaab", "b"),
            ("aaabbb", ""),
            ("abab", "ab"),
            ("hello", "hello"),
            ("aabaab", "aab"),
            ("xyxyxz", "xyxz"),
        ] {
            assert_eq!(
                without_repetitions(&signs.chars().collect::<Vec<_>>()).iter().collect::<String>(),
                expected,
                "{signs}"
            );
        }
    }

    #[tokio::test]
    async fn the_longest_password_costs_little() {
        let nasty: String = "p4$$w0rd1!qazQAZ2wsx".chars().cycle().take(LONGEST).collect();
        let words = (0..50).map(|n| format!("partner number {n} of many")).collect();
        let begun = std::time::Instant::now();
        let _ = check(&nasty, &Owner::known_by(words, false)).await;
        assert!(begun.elapsed() < std::time::Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}
