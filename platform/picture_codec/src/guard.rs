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
