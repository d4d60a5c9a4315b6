//! Replaces ids in a file of an archive while it is read.

use std::collections::BTreeMap;

use uuid::Uuid;

/// The text form of a UUID.
const UUID: usize = 36;

/// Replaces ids in a stream of text wherever they stand: in columns, arrays and JSON. An id may lie across
/// two pieces.
pub(crate) struct IdReplacer {
    ids: BTreeMap<[u8; UUID], [u8; UUID]>,
    tail: Vec<u8>,
}

impl IdReplacer {
    pub(crate) fn new(ids: &BTreeMap<Uuid, Uuid>) -> Self {
        let text = |id: &Uuid| {
            let mut text = [0_u8; UUID];
            id.hyphenated().encode_lower(&mut text);
            text
        };
        Self { ids: ids.iter().map(|(old, new)| (text(old), text(new))).collect(), tail: Vec::new() }
    }

    /// Answers the bytes that are complete.
    pub(crate) fn pass(&mut self, piece: &[u8]) -> Vec<u8> {
        if self.ids.is_empty() {
            return piece.to_vec();
        }
        let mut text = std::mem::take(&mut self.tail);
        text.extend_from_slice(piece);
        let mut at = 0;
        while at + UUID <= text.len() {
            let window = &text[at..at + UUID];
            let shaped = window[8] == b'-' && window[13] == b'-' && window[18] == b'-' && window[23] == b'-';
            match shaped.then(|| self.ids.get(window)).flatten() {
                Some(new) => {
                    text[at..at + UUID].copy_from_slice(new);
                    at += UUID;
                }
                None => at += 1,
            }
        }
        self.tail = text.split_off(at.min(text.len()));
        text
    }

    /// The last bytes.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_exchanged_wherever_they_stand_and_however_the_text_is_cut() {
        let (old, new, other) = (Uuid::from_u128(0xabc), Uuid::from_u128(0xdef), Uuid::from_u128(0x123));
        let ids = BTreeMap::from([(old, new)]);
        let text = format!("{old}\t{{{other},{old}}}\t{{\"id\": \"{old}\"}}\tx-{old}{old}\n\\N\t-\n");
        let wanted = text.replace(&old.to_string(), &new.to_string());
        for size in [1, 2, 7, 35, 36, 37, 1000] {
            let mut replacer = IdReplacer::new(&ids);
            let mut found: Vec<u8> =
                text.as_bytes().chunks(size).flat_map(|piece| replacer.pass(piece)).collect();
            found.extend(replacer.rest());
            assert_eq!(String::from_utf8(found).unwrap(), wanted, "pieces of {size}");
        }
    }
}
