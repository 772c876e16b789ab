//! The accent colour of an account.

#![expect(clippy::float_arithmetic, reason = "the formulas of WCAG; no amount of money is near")]

use std::{fmt, str::FromStr};

/// The least contrast of a button, a selection or a focus outline with its ground (WCAG 2.2,
/// success criterion 1.4.11).
const MARK_CONTRAST: f64 = 3.0;
/// In how many steps a colour becomes white or black.
const STEPS: u8 = 20;

/// A colour of the sRGB space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accent([u8; 3]);

/// The text is not written as a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("must be a colour as #rrggbb, such as #0a6a50")]
pub struct NotAColour;

/// The colour scheme of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}

impl Theme {
    /// The ground of the hosted page's card (www/hosted/pay.css).
    #[must_use]
    pub const fn ground(self) -> Accent {
        match self {
            Self::Light => Accent::WHITE,
            Self::Dark => Accent([0x1e, 0x1c, 0x18]),
        }
    }

    /// The colour that a shade moves towards.
    #[must_use]
    pub const fn ink(self) -> Accent {
        match self {
            Self::Light => Accent::BLACK,
            Self::Dark => Accent::WHITE,
        }
    }
}

impl Accent {
    const WHITE: Self = Self([255; 3]);
    const BLACK: Self = Self([0; 3]);

    /// White or black, whichever has more contrast with this colour.
    #[must_use]
    pub fn text(self) -> Self {
        if self.contrast(Self::WHITE) >= self.contrast(Self::BLACK) {
            Self::WHITE
        } else {
            Self::BLACK
        }
    }

    /// The colour on a page of this theme: itself, or the nearest shade that stands out from the
    /// ground.
    #[must_use]
    pub fn shade(self, theme: Theme) -> Self {
        let shades = (0..=STEPS).map(|step| self.mixed(theme.ink(), step));
        shades
            .into_iter()
            .find(|shade| shade.contrast(theme.ground()) >= MARK_CONTRAST)
            .unwrap_or(theme.ink())
    }

    /// Six hexadecimal digits, without `#`.
    #[must_use]
    pub fn digits(self) -> String {
        self.to_string().split_off(1)
    }

    /// `step` of [`STEPS`] towards another colour.
    fn mixed(self, other: Self, step: u8) -> Self {
        let mix = |from: u8, to: u8| {
            let step = u16::from(step);
            let steps = u16::from(STEPS);
            u8::try_from((u16::from(from) * (steps - step) + u16::from(to) * step) / steps)
                .unwrap_or(to)
        };
        Self([0, 1, 2].map(|channel| mix(self.0[channel], other.0[channel])))
    }

    /// The contrast ratio, 1 to 21 (WCAG 2.2).
    fn contrast(self, other: Self) -> f64 {
        let one = self.luminance();
        let other = other.luminance();
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The relative luminance, 0 to 1 (WCAG 2.2).
    fn luminance(self) -> f64 {
        let linear = |channel: u8| match f64::from(channel) / 255.0 {
            value if value <= 0.04045 => value / 12.92,
            value => ((value + 0.055) / 1.055).powf(2.4),
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl fmt::Display for Accent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl FromStr for Accent {
    type Err = NotAColour;

    fn from_str(text: &str) -> Result<Self, NotAColour> {
        let digits = text.trim().strip_prefix('#').ok_or(NotAColour)?;
        let mut channels = [0; 3];
        hex::decode_to_slice(digits, &mut channels).map_err(|_| NotAColour)?;
        Ok(Self(channels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{prelude::*, test_runner::Config};

    /// The least contrast of text with its ground (WCAG 2.2, success criterion 1.4.3).
    const TEXT_CONTRAST: f64 = 4.5;

    #[test]
    fn a_colour_is_written_as_rrggbb_only() {
        for (text, written) in [("#0A6A50", "#0a6a50"), (" #ffffff ", "#ffffff")] {
            assert_eq!(text.parse::<Accent>().unwrap().to_string(), written);
        }
        for text in [
            "",
            "#",
            "0a6a50",
            "#0a6",
            "#0a6a5",
            "#0a6a500",
            "#0a6a5g",
            "red",
            "#0a6a50;}",
            "#é6a50",
        ] {
            assert_eq!(text.parse::<Accent>(), Err(NotAColour), "{text:?}");
        }
    }

    #[test]
    fn the_text_on_a_colour_is_the_one_with_more_contrast() {
        for (accent, text) in
            [("#0a6a50", "#ffffff"), ("#f2b632", "#000000"), ("#000000", "#ffffff")]
        {
            assert_eq!(accent.parse::<Accent>().unwrap().text().to_string(), text, "{accent}");
        }
        assert!((Accent::BLACK.contrast(Accent::WHITE) - 21.0).abs() < 1e-9);
    }

    proptest! {
        #![proptest_config(Config { cases: 2_000, failure_persistence: None, ..Config::default() })]

        /// One of white and black reaches 4.58:1 with every colour, so that no colour is refused
        /// for its contrast.
        #[test]
        fn every_colour_and_every_shade_is_readable(channels: [u8; 3]) {
            let accent = Accent(channels);
            prop_assert_eq!(accent.to_string().parse(), Ok(accent));
            for theme in [Theme::Light, Theme::Dark] {
                let shade = accent.shade(theme);
                prop_assert!(
                    shade.contrast(theme.ground()) >= MARK_CONTRAST,
                    "{} {:?}",
                    shade,
                    theme
                );
                prop_assert!(
                    shade.contrast(shade.text()) >= TEXT_CONTRAST,
                    "{} {:?}",
                    shade,
                    theme
                );
            }
        }
    }
}
