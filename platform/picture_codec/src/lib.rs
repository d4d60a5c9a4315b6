//! From an upload to three upright WebP pictures without metadata. Only the server depends on this crate, so
//! no domain crate waits for its libraries to compile. See `docs/decisions/media.md#sizes`.

mod guard;

use std::io::Cursor;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{PixelTrait, ResizeOptions, Resizer};
use image::{DynamicImage, ImageDecoder, ImageReader, Limits, RgbImage, RgbaImage};
use media::{EncodedPicture, Refusal, SIZES};
use sha2::{Digest, Sha256};
use webp::{Encoder, WebPConfig};

/// More is not decoded.
const PIXELS: u64 = 40_000_000;
/// Bytes that a decoder may ask for: 40 megapixels with four channels of 16 bits.
const MEMORY: u64 = 8 * PIXELS + 20_000_000;
/// Where food still looks good; the difference to more is bytes.
const QUALITY: f32 = 80.0;

fn broken(error: impl std::fmt::Display) -> Refusal {
    let text: String = error.to_string().chars().take(200).collect();
    Refusal::Picture(format!("the picture cannot be read: {text}"))
}

/// Makes the three sizes. It occupies the thread for up to seconds.
pub fn encode(bytes: &[u8]) -> Result<EncodedPicture, Refusal> {
    let format = guard::kind(bytes).ok_or(Refusal::Format)?;
    if let Some(what) = guard::also(bytes) {
        return Err(Refusal::Picture(what.to_owned()));
    }
    if format == image::ImageFormat::Jpeg && !guard::is_whole_jpeg(bytes) {
        return Err(Refusal::Picture("the picture ends in the middle".to_owned()));
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS {
        return Err(Refusal::Picture(format!("{width} × {height} pixels are too many: at most 40 million")));
    }
    decoder.set_limits(limits).map_err(broken)?;
    let orientation = decoder.orientation().unwrap_or(image::metadata::Orientation::NoTransforms);
    let decoded = DynamicImage::from_decoder(decoder).map_err(broken)?;
    let mut picture = if decoded.color().has_alpha() {
        DynamicImage::ImageRgba8(decoded.into_rgba8())
    } else {
        DynamicImage::ImageRgb8(decoded.into_rgb8())
    };

    // From the largest to the smallest, each made of the one before; turning is cheaper on fewer pixels.
    let mut made = Vec::with_capacity(SIZES.len());
    for (at, (name, side)) in SIZES.iter().rev().enumerate() {
        picture = smaller(picture, *side)?;
        if at == 0 {
            picture.apply_orientation(orientation);
        }
        made.push((*name, picture.width(), picture.height(), webp(&picture)?));
    }
    let (width, height) = made.first().map_or((0, 0), |(_, width, height, _)| (*width, *height));
    let sizes = made.into_iter().map(|(name, _, _, bytes)| (name, bytes)).collect();
    Ok(EncodedPicture { hash: Sha256::digest(bytes).to_vec(), width, height, sizes })
}

/// The picture with sides of at most `side` pixels; never enlarged.
fn smaller(picture: DynamicImage, side: u32) -> Result<DynamicImage, Refusal> {
    let (width, height) = (picture.width(), picture.height());
    let longest = width.max(height);
    if longest <= side {
        return Ok(picture);
    }
    let scaled = |length: u32| {
        u32::try_from((u64::from(length) * u64::from(side) / u64::from(longest)).max(1)).unwrap_or(side)
    };
    let (new_width, new_height) = (scaled(width), scaled(height));
    let picture = if picture.color().has_alpha() {
        let bytes = resized::<U8x4>(&picture, new_width, new_height)?;
        RgbaImage::from_raw(new_width, new_height, bytes).map(DynamicImage::ImageRgba8)
    } else {
        let bytes = resized::<U8x3>(&picture, new_width, new_height)?;
        RgbImage::from_raw(new_width, new_height, bytes).map(DynamicImage::ImageRgb8)
    };
    picture.ok_or_else(|| broken("its pixels do not fit"))
}

/// The bytes of the picture's pixels, which are of the kind `P`, in another size. The kind is said here and not
/// found at run time: LLVM compiles the kinds of 32-bit floats, which no picture has here, otherwise from run
/// to run, and an image could not be built twice.
fn resized<P: PixelTrait>(picture: &DynamicImage, width: u32, height: u32) -> Result<Vec<u8>, Refusal> {
    let from = TypedImageRef::<P>::from_buffer(picture.width(), picture.height(), picture.as_bytes());
    let from = from.map_err(broken)?;
    let mut bytes = vec![0; width as usize * height as usize * P::size()];
    let mut to = TypedImage::<P>::from_buffer(width, height, &mut bytes).map_err(broken)?;
    Resizer::new().resize_typed(&from, &mut to, &ResizeOptions::new()).map_err(broken)?;
    Ok(bytes)
}

fn webp(picture: &DynamicImage) -> Result<Vec<u8>, Refusal> {
    let (width, height) = (picture.width(), picture.height());
    let encoder = match picture {
        DynamicImage::ImageRgba8(pixels) => Encoder::from_rgba(pixels.as_raw(), width, height),
        DynamicImage::ImageRgb8(pixels) => Encoder::from_rgb(pixels.as_raw(), width, height),
        _ => return Err(broken("its pixels are of another kind")),
    };
    let mut config = WebPConfig::new().map_err(|()| broken("the encoder cannot be set up"))?;
    config.quality = QUALITY;
    let encoded = encoder.encode_advanced(&config).map_err(|error| broken(format!("{error:?}")))?;
    Ok(encoded.to_vec())
}
