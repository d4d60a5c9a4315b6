//! Files that are refused before anything is decoded, because they are also something else. See
//! `docs/decisions/security.md#uploads`.

use image::ImageFormat;

/// The kinds of pictures that are taken, by what their first bytes say. Names and declared types count for
/// nothing.
pub(crate) fn kind(bytes: &[u8]) -> Option<ImageFormat> {
    let format = image::guess_format(bytes).ok()?;
    matches!(format, ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP | ImageFormat::Gif)
        .then_some(format)
}

/// How far readers of other formats look for their own beginning.
const HEAD: usize = 1024;

/// The second format of the file. Pictures are encoded again, so nothing of it would remain; but such a file
/// was made to deceive, so it is refused.
pub(crate) fn also(bytes: &[u8]) -> Option<&'static str> {
    let head = bytes[..bytes.len().min(HEAD)].to_ascii_lowercase();
    if holds(&head, b"%pdf-") {
        return Some("the file is a PDF too");
    }
    if [&b"<html"[..], b"<svg", b"<!doctype", b"<body", b"<iframe"].iter().any(|mark| holds(&head, mark)) {
        return Some("the file is a web page too");
    }
    if is_archive(bytes) {
        return Some("the file is an archive too");
    }
    bytes.iter().enumerate().filter(|(_, byte)| **byte == b'<').find_map(|(at, _)| program(&bytes[at..]))
}

/// Whether a JPEG goes on to its end mark. Its decoder fills what is missing with grey, and nobody would see it before
/// guests do. What follows the end does not count: cameras put more pictures there.
pub(crate) fn is_whole_jpeg(bytes: &[u8]) -> bool {
    const END: u8 = 0xd9;
    const SCAN: u8 = 0xda;
    let mut at = 2;
    loop {
        // To the next mark: what stands before it is picture, or fills the room between two segments.
        let Some(found) = bytes.get(at..).and_then(|rest| rest.windows(2).position(is_mark)) else {
            return false;
        };
        let Some(mark) = bytes.get(at + found + 1).copied() else { return false };
        at += found + 2;
        if mark == END {
            return true;
        }
        let Some(length) = bytes.get(at..at + 2).map(|two| usize::from(u16::from_be_bytes([two[0], two[1]])))
        else {
            return false;
        };
        if length < 2 || mark != SCAN && at + length > bytes.len() {
            return false;
        }
        at += length;
    }
}

/// A mark of a segment: no filling, no stuffed byte of the picture, no restart within it, no mark without a length.
fn is_mark(two: &[u8]) -> bool {
    matches!(two, [0xff, mark] if !matches!(mark, 0x00 | 0x01 | 0xff | 0xd0..=0xd8))
}

fn holds(text: &[u8], mark: &[u8]) -> bool {
    text.windows(mark.len()).any(|window| window == mark)
}

/// Marks so long that the noise of a picture does not hold them by chance.
fn program(rest: &[u8]) -> Option<&'static str> {
    let begins = |mark: &[u8]| rest.len() >= mark.len() && rest[..mark.len()].eq_ignore_ascii_case(mark);
    if begins(b"<script") || begins(b"<?php ") || begins(b"<?php\n") || begins(b"<?php\r") {
        return Some("the file holds a program");
    }
    None
}

/// A zip ends with its directory, whatever stands before it; a comment of at most 64 kB may follow.
fn is_archive(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(66_000)..];
    let ends = tail.windows(22).enumerate().filter(|(_, window)| window.starts_with(b"PK\x05\x06"));
    ends.into_iter()
        .any(|(at, window)| at + 22 + usize::from(u16::from_le_bytes([window[20], window[21]])) <= tail.len())
}
