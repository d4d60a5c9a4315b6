//! What a partner keeps outside the database: its pictures. Rows of `media` name them, the object store (`content`) has
//! their bytes; here stand their names, and what exporting and restoring ask of the store.

use std::{collections::BTreeSet, pin::Pin};

use async_trait::async_trait;
use kernel::{Id, Partner};
use tokio::io::AsyncRead;

use crate::archive::{ArchiveFault, ManifestFile};

/// The objects of each picture, below its token.
pub const OF_A_PICTURE: [&str; 3] = ["medium.webp", "original.webp", "small.webp"];

/// The columns of `media` by which a picture's objects are known: a row that is archived has none any more.
pub(crate) const TABLE: (&str, &str, &str) = ("media", "token", "archived_at");

/// The bytes of an object as they come.
pub type Reading = Pin<Box<dyn AsyncRead + Send>>;

/// The store in which the objects of partners lie. An object is called `<token>/<size>.webp`; where it lies is the
/// store's affair. Errors say what is wrong with the store.
#[async_trait]
pub trait Objects: Send + Sync {
    /// The bytes of an object; none when there is none.
    ///
    /// # Errors
    /// The store does not answer, or refuses.
    async fn reading(&self, partner: Id<Partner>, name: &str) -> Result<Option<Reading>, String>;

    /// Keeps an object. Doing it twice changes nothing.
    ///
    /// # Errors
    /// The store does not answer, or refuses.
    async fn write(&self, partner: Id<Partner>, name: &str, bytes: Vec<u8>) -> Result<(), String>;

    /// The kind of job that removes the objects of the `token` in its arguments, unless a row names them.
    fn sweep(&self) -> &'static str;
}

/// The names of a picture's objects.
pub(crate) fn names(token: &str) -> impl Iterator<Item = String> + use<'_> {
    OF_A_PICTURE.iter().map(move |size| format!("{token}/{size}"))
}

/// Whether this can be an object's name. Nothing with another root, `..` or another depth can.
pub(crate) fn is_name(name: &str) -> bool {
    let Some((token, size)) = name.split_once('/') else { return false };
    token.len() == 32 && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) && OF_A_PICTURE.contains(&size)
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
    pub(crate) found: BTreeSet<String>,
    most: usize,
}

impl Tokens {
    /// More are not taken.
    pub(crate) fn at_most(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Whether this is the table.
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
                    let token = column(self.places.0).unwrap_or_default();
                    self.found.insert(String::from_utf8_lossy(token).into_owned());
                }
                self.line.clear();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_however_the_text_is_cut() {
        let columns = ["id", "token", "name", "archived_at"].map(str::to_owned).to_vec();
        let file = ManifestFile { path: "tables/media.copy".into(), columns, rows: 3, bytes: 0, sha256: String::new() };
        let text = b"1\taa\tG\\tulyas\t\\N\n2\tbb\tx\t2026-01-01 00:00:00+00\n3\tcc\t\\N\t\\N\n";
        for size in [1, 2, 7, 1000] {
            let mut tokens = Tokens::at_most(10);
            assert!(tokens.begin(&file));
            assert!(text.chunks(size).all(|piece| tokens.pass(piece).is_ok()));
            assert_eq!(tokens.found.iter().collect::<Vec<_>>(), ["aa", "cc"], "pieces of {size}");
        }
        let mut few = Tokens { most: 1, places: (1, 3), ..Tokens::default() };
        assert_eq!(few.pass(&text.repeat(2)), Err(ArchiveFault::TooLarge));
        assert_eq!(Tokens::default().pass(&vec![b'x'; LONGEST_LINE + 1]), Err(ArchiveFault::TooLarge));
    }
}
