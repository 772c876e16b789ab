//! The logo of an account: any picture that a person has, decoded within limits and written again
//! as a small PNG.

use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageFormat, ImageReader, Limits,
    codecs::png::{CompressionType, FilterType as PngFilter, PngEncoder},
    imageops::FilterType,
};
use sha2::{Digest, Sha256};
use std::{fmt, io::Cursor, sync::Arc};

/// The largest file that is read, in bytes.
pub const LOGO_MAX_BYTES: usize = 1 << 20;
/// The longest side of a stored logo, in pixels.
pub const LOGO_MAX_SIDE: u32 = 256;
/// The longest side of a picture that is decoded, in pixels.
const DECODED_MAX_SIDE: u32 = 2048;
/// The most memory that a decoded picture may take, in bytes: 2048 × 2048 pixels of 8 bytes, which
/// is what a PNG of 16 bits per channel has. So the number of pixels alone decides.
const DECODED_MAX_BYTES: u64 = 32 << 20;
/// How many digits of its hash name a logo: 128 bits.
const NAME_DIGITS: usize = 32;
/// How far into a file to look for `<svg`, in bytes.
const SVG_SEARCH_BYTES: usize = 1024;

/// Names a logo by a SHA-256 of its bytes, so that browsers cache it for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogoName(String);

/// A logo as it is served: a PNG of at most [`LOGO_MAX_SIDE`] pixels in width and height.
#[derive(Clone, PartialEq, Eq)]
pub struct Logo {
    /// The start of the SHA-256 of `png` in hexadecimal digits, as the logo's path has it.
    pub name: LogoName,
    /// The bytes of the PNG file, as the store keeps them and browsers get them.
    pub png: Arc<[u8]>,
}

/// Why a file is no logo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LogoFault {
    /// It has no bytes.
    #[error("the file is empty")]
    Empty,
    /// It has more than [`LOGO_MAX_BYTES`].
    #[error("the file is larger than 1 MiB; save the picture smaller")]
    TooLarge,
    /// It is a vector graphic, which can contain script and references to other servers.
    #[error("an SVG can contain script and load files of other servers; save the picture as PNG")]
    Svg,
    /// It is in another format.
    #[error("must be a PNG, JPEG or WebP picture")]
    UnknownFormat,
    /// It has too many pixels.
    #[error("the picture has more than 2048 × 2048 pixels; save it smaller")]
    TooManyPixels,
    /// It cannot be decoded.
    #[error("the picture is damaged, or incomplete")]
    Damaged,
}

impl LogoFault {
    /// The written form, for texts in other languages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLarge => "too-large",
            Self::Svg => "svg",
            Self::UnknownFormat => "format",
            Self::TooManyPixels => "pixels",
            Self::Damaged => "damaged",
        }
    }
}

impl LogoName {
    /// Reads a name: 32 hexadecimal digits in lower case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_name = text.len() == NAME_DIGITS
            && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_name.then(|| Self(text.to_owned()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Logo {
    /// Decodes a picture and writes it again. This takes up to a second of processor time.
    ///
    /// What a PNG, JPEG or WebP carries besides its pixels (positions, comments, appended files) is
    /// gone afterwards.
    ///
    /// # Errors
    /// Every variant of [`LogoFault`].
    pub fn read(file: &[u8]) -> Result<Self, LogoFault> {
        if file.is_empty() {
            return Err(LogoFault::Empty);
        }
        if file.len() > LOGO_MAX_BYTES {
            return Err(LogoFault::TooLarge);
        }
        let png: Arc<[u8]> = encoded(&decoded(file)?).ok_or(LogoFault::Damaged)?.into();
        let mut name = hex::encode(Sha256::digest(&png));
        name.truncate(NAME_DIGITS);
        Ok(Self { name: LogoName(name), png })
    }
}

fn decoded(file: &[u8]) -> Result<DynamicImage, LogoFault> {
    let format = match image::guess_format(file) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) => format,
        _ if is_svg(file) => return Err(LogoFault::Svg),
        _ => return Err(LogoFault::UnknownFormat),
    };
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(DECODED_MAX_SIDE);
    limits.max_image_height = Some(DECODED_MAX_SIDE);
    limits.max_alloc = Some(DECODED_MAX_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(fault)?;
    let (width, height) = decoder.dimensions();
    // Not every decoder reads the limits.
    if width > DECODED_MAX_SIDE
        || height > DECODED_MAX_SIDE
        || decoder.total_bytes() > DECODED_MAX_BYTES
    {
        return Err(LogoFault::TooManyPixels);
    }
    // A telephone's camera stores how the picture was held.
    let orientation = decoder.orientation().map_err(fault)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(fault)?;
    image.apply_orientation(orientation);
    Ok(image)
}

fn fault(error: image::ImageError) -> LogoFault {
    match error {
        image::ImageError::Limits(_) => LogoFault::TooManyPixels,
        _ => LogoFault::Damaged,
    }
}

/// Whether a file is an SVG, also after a byte order mark, an XML declaration and comments.
fn is_svg(file: &[u8]) -> bool {
    let start = &file[..file.len().min(SVG_SEARCH_BYTES)];
    start.windows(4).any(|bytes| bytes.eq_ignore_ascii_case(b"<svg"))
}

fn encoded(image: &DynamicImage) -> Option<Vec<u8>> {
    let is_large = image.width() > LOGO_MAX_SIDE || image.height() > LOGO_MAX_SIDE;
    let small = is_large.then(|| image.resize(LOGO_MAX_SIDE, LOGO_MAX_SIDE, FilterType::Triangle));
    let pixels = small.as_ref().unwrap_or(image).to_rgba8();
    let mut png = Vec::new();
    PngEncoder::new_with_quality(&mut png, CompressionType::Best, PngFilter::Adaptive)
        .write_image(&pixels, pixels.width(), pixels.height(), ExtendedColorType::Rgba8)
        .ok()?;
    Some(png)
}

impl fmt::Debug for Logo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Logo({}, {} bytes)", self.name.0, self.png.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage};

    fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let image = RgbImage::from_pixel(width, height, Rgb([10, 106, 80]));
        let mut file = Cursor::new(Vec::new());
        DynamicImage::from(image).write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    fn size(logo: &Logo) -> (u32, u32) {
        let image = image::load_from_memory_with_format(&logo.png, ImageFormat::Png).unwrap();
        (image.width(), image.height())
    }

    #[test]
    fn every_accepted_format_becomes_a_small_png_with_its_proportions() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
            assert_eq!(
                size(&Logo::read(&picture(600, 300, format)).unwrap()),
                (256, 128),
                "{format:?}"
            );
        }
        assert_eq!(
            size(&Logo::read(&picture(40, 30, ImageFormat::Png)).unwrap()),
            (40, 30),
            "a small one keeps its size"
        );
    }

    #[test]
    fn the_same_picture_has_the_same_name_and_another_one_has_not() {
        let one = Logo::read(&picture(20, 20, ImageFormat::Png)).unwrap();
        assert_eq!(Logo::read(&picture(20, 20, ImageFormat::Png)).unwrap(), one);
        assert_ne!(Logo::read(&picture(20, 21, ImageFormat::Png)).unwrap().name, one.name);
        assert_eq!(LogoName::parse(one.name.as_str()), Some(one.name));
        for text in
            ["", "..", "ABCDEF0123456789abcdef0123456789", "abcdef0123456789abcdef012345678g"]
        {
            assert_eq!(LogoName::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_picture_is_refused_with_its_reason() {
        let svg = br#"<?xml version="1.0"?><!-- x --><SVG xmlns="http://www.w3.org/2000/svg"><script/></SVG>"#;
        assert_eq!(Logo::read(svg), Err(LogoFault::Svg));
        assert_eq!(Logo::read(b""), Err(LogoFault::Empty));
        assert_eq!(Logo::read(b"GIF89a\x01\x00\x01\x00"), Err(LogoFault::UnknownFormat));
        assert_eq!(Logo::read(&vec![0; LOGO_MAX_BYTES + 1]), Err(LogoFault::TooLarge));
        let whole = picture(64, 64, ImageFormat::Png);
        assert_eq!(Logo::read(&whole[..whole.len() / 2]), Err(LogoFault::Damaged));
    }

    #[test]
    fn a_small_file_with_many_pixels_is_not_decoded() {
        let bomb = picture(DECODED_MAX_SIDE + 1, 8, ImageFormat::Png);
        assert_eq!(Logo::read(&bomb), Err(LogoFault::TooManyPixels));
        // A header that claims 65,535 × 65,535 pixels, and nothing behind it.
        let mut claimed = picture(8, 8, ImageFormat::Png);
        claimed[16..24].copy_from_slice(&[0, 0, 255, 255, 0, 0, 255, 255]);
        let crc = crc32(&claimed[12..29]);
        claimed[29..33].copy_from_slice(&crc.to_be_bytes());
        assert_eq!(Logo::read(&claimed), Err(LogoFault::TooManyPixels));
    }

    #[test]
    fn the_largest_picture_is_read_in_every_depth_of_colour() {
        let deep = image::ImageBuffer::from_pixel(
            DECODED_MAX_SIDE,
            DECODED_MAX_SIDE,
            image::Rgba([9_u16, 99, 999, 9999]),
        );
        let mut file = Cursor::new(Vec::new());
        DynamicImage::ImageRgba16(deep).write_to(&mut file, ImageFormat::Png).unwrap();
        assert_eq!(size(&Logo::read(file.get_ref()).unwrap()), (LOGO_MAX_SIDE, LOGO_MAX_SIDE));
    }

    /// The checksum of a PNG chunk (PNG specification, annex D).
    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 }
            })
        })
    }

    #[test]
    fn a_file_appended_to_a_picture_is_not_stored() {
        let mut file = picture(20, 20, ImageFormat::Png);
        file.extend_from_slice(b"<script>alert(1)</script>");
        let logo = Logo::read(&file).unwrap();
        assert!(!logo.png.windows(7).any(|bytes| bytes == b"<script"));
    }
}
