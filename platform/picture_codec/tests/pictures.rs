//! Pictures and files that are no pictures.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;

use image::{
    DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, Rgb, RgbImage, RgbaImage,
    codecs::jpeg::JpegEncoder, codecs::png::PngEncoder,
};
use jpeg_encoder::{ColorType, Encoder as CmykEncoder};
use media::Refusal;
use picture_codec::encode;

/// Left half red, right half blue, so that turning and colours can be seen.
fn halves(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(
        width,
        height,
        |x, _| if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) },
    )
}

fn jpeg(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 90).encode_image(picture).unwrap();
    bytes
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG with a segment after its first two bytes.
fn with_segment(jpeg: &[u8], marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, marker], &length, content, &jpeg[2..]].concat()
}

/// Camera data that say how the picture is to be turned, and where it was taken.
fn exif(orientation: u16) -> Vec<u8> {
    let mut data = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x02".to_vec();
    data.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1]);
    data.extend(orientation.to_be_bytes());
    data.extend([0, 0]);
    data.extend([0x01, 0x0e, 0, 2, 0, 0, 0, 16, 0, 0, 0, 38]);
    data.extend([0, 0, 0, 0]);
    data.extend(b"GPS47.4979N19.04\0");
    data
}

fn decoded(bytes: &[u8]) -> RgbImage {
    image::load_from_memory_with_format(bytes, ImageFormat::WebP).unwrap().into_rgb8()
}

fn near(pixel: Rgb<u8>, wanted: [u8; 3]) -> bool {
    pixel.0.iter().zip(wanted).all(|(is, wanted)| is.abs_diff(wanted) < 45)
}

const RED: [u8; 3] = [220, 20, 20];
const BLUE: [u8; 3] = [20, 20, 220];

#[test]
fn three_sizes_of_webp() {
    let made = encode(&jpeg(&halves(3000, 2000))).unwrap();
    assert_eq!((made.width, made.height), (2048, 1365));
    let sizes: Vec<_> = made.sizes.iter().map(|(name, bytes)| (*name, decoded(bytes).dimensions())).collect();
    assert_eq!(sizes, [("original", (2048, 1365)), ("medium", (960, 639)), ("small", (320, 213))]);
    for (name, bytes) in &made.sizes {
        let picture = decoded(bytes);
        let (width, height) = picture.dimensions();
        assert!(
            near(*picture.get_pixel(width / 8, height / 2), RED)
                && near(*picture.get_pixel(width * 7 / 8, height / 2), BLUE),
            "{name}"
        );
    }
    let small = encode(&jpeg(&halves(100, 40))).unwrap();
    assert!(
        small.sizes.iter().all(|(_, bytes)| decoded(bytes).dimensions() == (100, 40)),
        "nothing is enlarged"
    );
    assert_ne!(small.hash, made.hash);
}

#[test]
fn pictures_stand_upright_and_say_nothing_of_the_camera() {
    let plain = jpeg(&halves(300, 200));
    // What stands where the red half is to be seen.
    for (orientation, size, red) in [
        (1, (300, 200), (40, 100)),
        (3, (300, 200), (260, 100)),
        (6, (200, 300), (100, 40)),
        (8, (200, 300), (100, 260)),
        (99, (300, 200), (40, 100)),
    ] {
        let turned = with_segment(&plain, 0xe1, &exif(orientation));
        let made = encode(&turned).unwrap();
        for (_, bytes) in &made.sizes {
            let picture = decoded(bytes);
            assert_eq!(picture.dimensions(), size, "orientation {orientation}");
            assert!(near(*picture.get_pixel(red.0, red.1), RED), "orientation {orientation}");
            assert!(
                !bytes.windows(5).any(|window| window == b"GPS47")
                    && !bytes.windows(4).any(|window| window == b"EXIF")
            );
        }
    }
}

#[test]
fn every_kind_of_picture() {
    let picture = DynamicImage::ImageRgb8(halves(300, 200));
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let made = encode(&encoded(&picture, format)).unwrap();
        let out = decoded(&made.sizes[0].1);
        assert!(near(*out.get_pixel(40, 100), RED) && near(*out.get_pixel(260, 100), BLUE), "{format:?}");
    }
    let deep = encoded(&DynamicImage::ImageRgb16(picture.to_rgb16()), ImageFormat::Png);
    assert!(near(*decoded(&encode(&deep).unwrap().sizes[0].1).get_pixel(40, 100), RED), "16 bits");
    let grey = encoded(&DynamicImage::ImageLuma8(picture.to_luma8()), ImageFormat::Jpeg);
    assert_eq!(encode(&grey).unwrap().width, 300);
}

#[test]
fn colours_for_printing_become_colours_for_screens() {
    let pixels: Vec<u8> = (0..200 * 300)
        .flat_map(|at| if at % 300 < 150 { [0_u8, 235, 235, 20] } else { [235, 235, 0, 20] })
        .collect();
    for kind in [ColorType::Cmyk, ColorType::CmykAsYcck] {
        let mut bytes = Vec::new();
        CmykEncoder::new(&mut bytes, 95).encode(&pixels, 300, 200, kind).unwrap();
        let out = decoded(&encode(&bytes).unwrap().sizes[0].1);
        let (left, right) = (*out.get_pixel(40, 100), *out.get_pixel(260, 100));
        assert!(left[0] > 150 && left[1] < 90 && left[2] < 90, "{kind:?}: {left:?} is not red");
        assert!(right[2] > 150 && right[0] < 90 && right[1] < 90, "{kind:?}: {right:?} is not blue");
    }
}

#[test]
fn glass_stays_glass() {
    let glass = RgbaImage::from_fn(500, 400, |x, _| {
        image::Rgba(if x < 250 { [0, 200, 0, 0] } else { [200, 0, 0, 255] })
    });
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes).write_image(&glass, 500, 400, ExtendedColorType::Rgba8).unwrap();
    let made = encode(&bytes).unwrap();
    for (_, bytes) in &made.sizes {
        let out = image::load_from_memory(bytes).unwrap().into_rgba8();
        let (width, height) = out.dimensions();
        assert_eq!(out.get_pixel(width / 5, height / 2)[3], 0);
        assert_eq!(out.get_pixel(width * 4 / 5, height / 2)[3], 255);
    }
}

#[test]
fn an_animation_is_its_first_picture() {
    let mut bytes = Vec::new();
    {
        let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
        for colour in [[220, 20, 20, 255], [20, 20, 220, 255]] {
            encoder
                .encode_frame(image::Frame::new(RgbaImage::from_pixel(60, 40, image::Rgba(colour))))
                .unwrap();
        }
    }
    assert!(near(*decoded(&encode(&bytes).unwrap().sizes[0].1).get_pixel(30, 20), RED));
}

/// What begins like a picture of these dimensions and holds nothing.
fn giants() -> Vec<(&'static str, Vec<u8>)> {
    let png = encoded(&DynamicImage::ImageRgb8(halves(8, 8)), ImageFormat::Png);
    let mut giant_png = png.clone();
    giant_png[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
    let crc = crc(&giant_png[12..29]);
    giant_png[29..33].copy_from_slice(&crc.to_be_bytes());
    let mut wide_png = giant_png.clone();
    wide_png[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1]);
    let crc_wide = self::crc(&wide_png[12..29]);
    wide_png[29..33].copy_from_slice(&crc_wide.to_be_bytes());
    let mut gif = encoded(&DynamicImage::ImageRgb8(halves(8, 8)), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    let mut jpeg = jpeg(&halves(8, 8));
    let frame = jpeg.windows(2).position(|window| window == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xff, 0xdc, 0xff, 0xdc]);
    let mut webp = b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".to_vec();
    webp.extend([0xff, 0x3f, 0, 0xff, 0x3f, 0]);
    vec![("png", giant_png), ("wide png", wide_png), ("gif", gif), ("jpeg", jpeg), ("webp", webp)]
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: u8| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    };
    !bytes.iter().fold(!0, |crc, byte| step(crc, *byte))
}

/// Milliseconds of the processor that this thread has had: what others do on a busy machine is not in them.
fn cpu() -> u64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse::<u64>()
        .unwrap()
        / 1_000_000
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    for (what, bytes) in giants() {
        let begun = cpu();
        assert!(matches!(encode(&bytes), Err(Refusal::Picture(_))), "{what}");
        assert!(cpu() - begun < 500, "{what} took {} ms", cpu() - begun);
    }
    // 41 megapixels of one colour are less than a megabyte.
    let flat = encoded(&DynamicImage::ImageLuma8(image::GrayImage::new(8200, 5001)), ImageFormat::Png);
    assert!(flat.len() < 1_000_000, "{} bytes", flat.len());
    assert!(matches!(encode(&flat), Err(Refusal::Picture(what)) if what.contains("8200 × 5001")));
}

#[test]
fn a_file_that_is_no_picture_is_refused_by_its_content() {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
    for other in [
        &svg[..],
        b"<?xml version=\"1.0\"?><svg/>",
        b"<html>",
        b"%PDF-1.7",
        b"PK\x03\x04",
        b"BM\0\0\0\0",
        b"II*\0",
        b"\0\0\x01\0",
        b"#!/bin/sh",
        b"",
        b"\xff\xd8",
        b"GIF8",
        b"\x89PNG",
        b"RIFF\0\0\0\0WAVE",
        b"8BPS",
        b"MZ\x90\0",
        b"\x7fELF",
        b"{}",
        b"\0\0\0\x20ftypheic",
    ] {
        assert_eq!(encode(other).unwrap_err(), Refusal::Format, "{:?}", String::from_utf8_lossy(other));
    }
    let whole = encoded(&DynamicImage::ImageRgb8(halves(300, 200)), ImageFormat::Png);
    assert!(matches!(encode(&whole[..whole.len() / 2]), Err(Refusal::Picture(_))), "half a picture");
}

#[test]
fn polyglot_files_are_refused() {
    let (photo, png) =
        (jpeg(&halves(300, 200)), encoded(&DynamicImage::ImageRgb8(halves(64, 64)), ImageFormat::Png));
    let gif = encoded(&DynamicImage::ImageRgb8(halves(64, 64)), ImageFormat::Gif);
    let zip = [&b"PK\x03\x04"[..], &[0; 40], b"PK\x05\x06", &[0; 18]].concat();
    let commented = [&zip[..zip.len() - 2], &[5, 0], b"hello"].concat();
    let after = |picture: &[u8], rest: &[u8]| [picture, rest].concat();
    let polyglots = [
        after(&photo, &zip),
        after(&png, &zip),
        after(&gif, &zip),
        after(&photo, &commented),
        after(&photo, b"<script>alert(1)</script>"),
        after(&gif, b"<SCRIPT src=//x>"),
        after(&png, b"<?php system($_GET[0]); ?>"),
        with_segment(&photo, 0xfe, b"<script>alert(1)</script>"),
        with_segment(&photo, 0xfe, b"<?php echo 1;"),
        with_segment(&photo, 0xfe, b"%PDF-1.4"),
        with_segment(&photo, 0xfe, b"<!DOCTYPE html>"),
        with_segment(&photo, 0xe1, b"<html><body onload=x>"),
        with_segment(&photo, 0xed, b"<svg onload=alert(1)>"),
        with_segment(&photo, 0xfe, b"<ScRiPt>"),
        with_segment(&photo, 0xfe, b"<?PHP\nphpinfo();"),
    ];
    for (at, polyglot) in polyglots.iter().enumerate() {
        assert!(
            matches!(encode(polyglot), Err(Refusal::Picture(what)) if what.contains("the file")),
            "polyglot {at}"
        );
    }
    // Cameras put a second picture behind the first, and notes in XML: those are pictures.
    assert!(encode(&after(&photo, &photo)).is_ok());
    assert!(
        encode(&with_segment(
            &photo,
            0xe1,
            b"http://ns.adobe.com/xap/1.0/\0<?xpacket begin=''?><x:xmpmeta xmlns:x='adobe:ns:meta/'/>"
        ))
        .is_ok()
    );
}

#[test]
fn pictures_that_end_in_the_middle_are_refused() {
    let cut = include_bytes!("truncated.jpg");
    assert!(matches!(encode(cut), Err(Refusal::Picture(_))), "cut while it was sent");
    let picture = DynamicImage::ImageRgb8(halves(300, 200));
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let whole = encoded(&picture, format);
        assert!(encode(&whole).is_ok(), "{format:?}");
        for part in [whole.len() / 3, whole.len() / 2, whole.len() * 9 / 10] {
            assert!(encode(&whole[..part]).is_err(), "{format:?}: {part} of {} bytes", whole.len());
        }
    }
    let photo = jpeg(&halves(300, 200));
    assert!(encode(&photo[..photo.len() - 2]).is_err(), "without its end");
    // A small picture of the camera within its notes has an end of its own.
    let noted = with_segment(&photo, 0xe1, &jpeg(&halves(8, 8)));
    assert!(encode(&noted).is_ok());
    assert!(
        encode(&noted[..noted.len() / 2]).is_err(),
        "the end of the small picture is not that of the large one"
    );
    let mut progressive = Vec::new();
    let mut encoder = CmykEncoder::new(&mut progressive, 90);
    encoder.set_progressive(true);
    encoder.encode(&halves(300, 200), 300, 200, ColorType::Rgb).unwrap();
    assert!(encode(&progressive).is_ok());
    assert!(encode(&progressive[..progressive.len() * 2 / 3]).is_err(), "progressive");
    let mut restarts = Vec::new();
    let mut encoder = CmykEncoder::new(&mut restarts, 90);
    encoder.set_restart_interval(4);
    encoder.encode(&halves(300, 200), 300, 200, ColorType::Rgb).unwrap();
    assert!(encode(&restarts).is_ok());
    assert!(encode(&restarts[..restarts.len() / 2]).is_err(), "with restarts");
    assert!(encode(&[&photo[..], &[0; 100]].concat()).is_ok(), "what follows the end does not count");
}
