//! Glyphs and widths of the embedded fonts. Lengths are hundredths of a point.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::{
    FontRef, MetadataProvider,
    charmap::Charmap,
    raw::{TableProvider, tables::hmtx::Hmtx},
};

/// Stands for a character that the fonts lack. A file with a missing glyph is no PDF/A.
const REPLACEMENT: char = '\u{fffd}';

/// How bold a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// The two fonts of a report.
pub(super) struct Fonts {
    regular: Face,
    bold: Face,
}

/// A font, for drawing and for measuring.
pub(super) struct Face {
    font: Font,
    charmap: Charmap<'static>,
    advances: Hmtx<'static>,
    units_per_em: u16,
}

impl Fonts {
    /// The fonts that are compiled in; `None` if one cannot be read.
    pub(super) fn load() -> Option<Self> {
        Some(Self {
            regular: Face::of(dejavu::sans_condensed::regular())?,
            bold: Face::of(dejavu::sans_condensed::bold())?,
        })
    }

    pub(super) const fn face(&self, weight: Weight) -> &Face {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }
}

impl Face {
    fn of(bytes: &'static [u8]) -> Option<Self> {
        let read = FontRef::new(bytes).ok()?;
        Some(Self {
            font: Font::new(bytes.into(), 0)?,
            charmap: read.charmap(),
            advances: read.hmtx().ok()?,
            units_per_em: read.head().ok()?.units_per_em(),
        })
    }

    /// The font as the file embeds it.
    pub(super) fn font(&self) -> Font {
        self.font.clone()
    }

    /// The text with those characters only that the font has, and spaces for line breaks and the
    /// like. Characters without a glyph of their own are left out: PDF/A refuses U+FEFF, and the
    /// others reorder or hide text. PDF/A-2a refuses the private use area too.
    pub(super) fn drawable(&self, text: &str) -> String {
        let known = |one: char| match one {
            one if one.is_control() => ' ',
            '\u{e000}'..='\u{f8ff}' => REPLACEMENT,
            one if self.charmap.map(one).is_some() => one,
            _ => REPLACEMENT,
        };
        text.chars().filter(|one| !is_invisible(*one)).map(known).collect()
    }

    /// The width of a text at a font size.
    pub(super) fn width(&self, text: &str, size: i32) -> i32 {
        let units: i32 = text.chars().map(|one| i32::from(self.advance(one).1)).sum();
        units.saturating_mul(size) / i32::from(self.units_per_em.max(1))
    }

    /// The glyphs of a text, one for each character.
    #[expect(clippy::float_arithmetic, reason = "krilla wants widths as parts of the font size")]
    pub(super) fn glyphs(&self, text: &str) -> Vec<KrillaGlyph> {
        let glyph = |(start, one): (usize, char)| {
            let (id, advance) = self.advance(one);
            let width = f32::from(advance) / f32::from(self.units_per_em.max(1));
            let range = start..start + one.len_utf8();
            KrillaGlyph::new(GlyphId::new(id), width, 0.0, 0.0, 0.0, range, None)
        };
        text.char_indices().map(glyph).collect()
    }

    /// The glyph of a character, and its width in units of the font.
    fn advance(&self, one: char) -> (u32, u16) {
        let glyph = self.charmap.map(one).unwrap_or_default();
        (glyph.to_u32(), self.advances.advance(glyph).unwrap_or_default())
    }
}

/// Whether a character is a mark of direction, a joiner or the mark of byte order.
const fn is_invisible(one: char) -> bool {
    matches!(
        one,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}
