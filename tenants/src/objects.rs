//! The objects that a partner stores outside the database: its pictures. Rows of `media` name them; the object store
//! has their bytes.

use kernel::{Id, Partner};
use object_storage::public_prefix;
use sea_orm::DbErr;

use crate::{
    archive::{ArchiveFault, ManifestFile},
    tx::TenantTx,
};

/// The objects of each picture, below its token.
pub const OF_A_PICTURE: [&str; 3] = ["medium.webp", "original.webp", "small.webp"];

/// The columns of `media` by which a picture's objects are known: a row that is archived has none any more.
pub(crate) const TABLE: (&str, &str, &str) = ("media", "token", "archived_at");

/// The kind of job that removes the objects of the `token` in its arguments, unless a row names them.
pub const SWEEP: &str = "media_sweep";

/// Where an object of this name lies.
pub(crate) fn key(partner: Id<Partner>, name: &str) -> String {
    format!("{}{name}", public_prefix(partner))
}

/// The names of the objects of these pictures, in their own order when the tokens are in theirs.
pub(crate) fn names(tokens: impl IntoIterator<Item = u128>) -> impl Iterator<Item = String> {
    tokens.into_iter().flat_map(|token| OF_A_PICTURE.iter().map(move |size| format!("{token:032x}/{size}")))
}

/// A token as the number whose digits it has: thousands of them are kept at once.
pub(crate) fn token(text: &str) -> Option<u128> {
    let plain = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    plain.then(|| u128::from_str_radix(text, 16).ok()).flatten()
}

/// Whether this can be an object's name. Nothing with another root, `..` or another depth can.
pub(crate) fn is_name(name: &str) -> bool {
    name.split_once('/').is_some_and(|(name, size)| token(name).is_some() && OF_A_PICTURE.contains(&size))
}

/// Whether an object that begins so is a picture; only such travel.
pub(crate) fn is_picture(beginning: &[u8]) -> bool {
    beginning.len() >= BEGINNING && beginning.starts_with(b"RIFF") && beginning[8..BEGINNING] == *b"WEBP"
}

/// As many bytes say whether something is a picture.
pub(crate) const BEGINNING: usize = 12;

/// A line of the table is never longer.
const LONGEST_LINE: usize = 64 * 1024;

/// The tokens of the pictures whose rows are in the archive, read while their table passes by.
#[derive(Default)]
pub(crate) struct Tokens {
    /// The places of the columns in a line: the token, and when the row was archived.
    places: (usize, usize),
    line: Vec<u8>,
    found: Vec<u128>,
    most: usize,
}

impl Tokens {
    /// More are not taken.
    pub(crate) fn at_most(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// The names of their objects, in order. Copies of a picture share its objects.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> + use<> {
        let mut found = self.found.clone();
        found.sort_unstable();
        found.dedup();
        names(found)
    }

    pub(crate) fn begin(&mut self, file: &ManifestFile) -> bool {
        let (table, token, archived) = TABLE;
        let place = |name: &str| file.columns.iter().position(|column| column == name);
        let (Some(token), Some(archived)) = (place(token), place(archived)) else { return false };
        self.places = (token, archived);
        file.path == format!("tables/{table}.copy")
    }

    /// Takes some of its text.
    pub(crate) fn pass(&mut self, piece: &[u8]) -> Result<(), ArchiveFault> {
        let mut lines = piece.split(|byte| *byte == b'\n').peekable();
        while let Some(part) = lines.next() {
            self.line.extend_from_slice(part);
            if self.line.len() > LONGEST_LINE || self.found.len() > self.most {
                return Err(ArchiveFault::TooLarge);
            }
            if lines.peek().is_some() {
                let column = |place: usize| self.line.split(|byte| *byte == b'\t').nth(place);
                if column(self.places.1) == Some(b"\\N") {
                    let token = column(self.places.0).and_then(|text| token(std::str::from_utf8(text).ok()?));
                    self.found.push(
                        token.ok_or_else(|| ArchiveFault::Broken("a picture has no token".to_owned()))?,
                    );
                }
                self.line.clear();
            }
        }
        Ok(())
    }
}

impl TenantTx {
    /// Whether objects of this partner may be removed until this unit of work ends: they may not while its
    /// archive is written, which has them from a state in which they were still needed. Ask before looking
    /// whether a row names them.
    pub async fn may_remove_objects(&self) -> Result<bool, DbErr> {
        Ok(self.value(MAY_REMOVE, [lock(self.partner()).into()]).await?.unwrap_or(false))
    }
}

/// Removals beside each other, but not beside [`KEEP`].
const MAY_REMOVE: &str = "select pg_try_advisory_xact_lock_shared(hashtextextended($1, 0)) may";
/// Waits for the removals that have begun, and lets none begin until the transaction ends.
pub(crate) const KEEP: &str = "select pg_advisory_xact_lock(hashtextextended($1, 0))";

/// The key of the lock on a partner's objects.
pub(crate) fn lock(partner: Id<Partner>) -> String {
    format!("objects of {partner}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_however_the_text_is_cut() {
        let columns = ["id", "token", "name", "archived_at"].map(str::to_owned).to_vec();
        let file = ManifestFile {
            path: "tables/media.copy".into(),
            columns,
            rows: 4,
            bytes: 0,
            sha256: String::new(),
        };
        let line = |id: u128, token: u128, rest: &str| format!("{id}\t{token:032x}\t{rest}\n");
        let live = [line(1, 0xcc, "G\\tulyas\t\\N"), line(3, 0xaa, "\\N\t\\N"), line(4, 0xcc, "x\t\\N")];
        let text = [&live[0], &line(2, 0xbb, "x\t2026-01-01 00:00:00+00"), &live[1], &live[2]]
            .map(String::as_bytes)
            .concat();
        for size in [1, 2, 7, 1000] {
            let mut tokens = Tokens::at_most(10);
            assert!(tokens.begin(&file));
            assert!(text.chunks(size).all(|piece| tokens.pass(piece).is_ok()));
            assert_eq!(
                tokens.names().collect::<Vec<_>>(),
                names([0xaa, 0xcc]).collect::<Vec<_>>(),
                "pieces of {size}"
            );
        }
        let few = || Tokens { most: 1, places: (1, 3), ..Tokens::default() };
        assert_eq!(few().pass(&text), Err(ArchiveFault::TooLarge));
        assert_eq!(few().pass(&vec![b'x'; LONGEST_LINE + 1]), Err(ArchiveFault::TooLarge));
        assert!(matches!(few().pass(b"1\t+a\tx\t\\N\n"), Err(ArchiveFault::Broken(_))));
    }

    #[test]
    fn names_are_in_order_and_nothing_else_is_a_name() {
        let names: Vec<String> = names([0, 1, u128::MAX]).collect();
        assert!(names.is_sorted() && names.iter().all(|name| is_name(name)), "{names:?}");
        for name in [
            "0123456789abcdef0123456789abcdef/other.webp",
            "0123456789ABCDEF0123456789abcdef/small.webp",
            "+123456789abcdef0123456789abcdef/small.webp",
            "0123456789abcdef0123456789abcde/small.webp",
            "../0123456789abcdef0123456789abc/small.webp",
            "0123456789abcdef0123456789abcdef/../small.webp",
            "0123456789abcdef0123456789abcdef/",
            "0123456789abcdef0123456789abcdef",
            "",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
