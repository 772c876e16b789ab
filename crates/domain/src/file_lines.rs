//! What became of the lines of a file: each was read, left out or refused
//! (docs/reference/files.md).

use super::string_enum;
use std::fmt;

string_enum! {
    /// Why a line of a file was left out.
    pub enum LeftOut {
        /// It is before the header: a title, or `sep=;`.
        BeforeHeader = "before the header",
        /// It is the header.
        Header = "header",
        /// It has no text.
        Empty = "empty",
        /// It is below the table, and begins with a text of the settings.
        Footer = "footer",
        /// It is about something else than money that moved, by its status or type.
        NotMoved = "about no money that moved",
    }
}

/// A fault of a file or of one of its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFault {
    /// Its name, for the texts of the dashboard.
    pub code: &'static str,
    /// The values in these texts, by name.
    pub values: Vec<(&'static str, String)>,
    /// What is wrong, in the words of the command line.
    sentence: String,
}

impl FileFault {
    /// A fault with this code, these values and this sentence.
    #[must_use]
    pub fn new<const N: usize>(
        code: &'static str,
        values: [(&'static str, String); N],
        sentence: impl Into<String>,
    ) -> Self {
        Self { code, values: values.into(), sentence: sentence.into() }
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// How many lines of a file were read, left out and refused. Together they are all lines of the
/// file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LineCounts {
    /// Lines with an entry.
    pub read: u64,
    /// Lines without one, in the order of [`LeftOut::ALL`].
    pub left_out: [u64; LeftOut::ALL.len()],
    /// Lines with a fault.
    pub refused: u64,
}

impl LineCounts {
    /// Counts a line that is left out.
    pub const fn leave_out(&mut self, reason: LeftOut) {
        self.left_out[reason as usize] += 1;
    }

    /// How many lines are left out.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out.iter().sum()
    }

    /// How many lines the file has.
    #[must_use]
    pub fn in_file(&self) -> u64 {
        self.read + self.left_out() + self.refused
    }

    /// The reasons for which lines were left out, each with its number of lines.
    pub fn reasons(&self) -> impl Iterator<Item = (LeftOut, u64)> + '_ {
        LeftOut::ALL.iter().copied().zip(self.left_out).filter(|(_, count)| *count > 0)
    }
}

/// `12 lines in the file: 9 read, 3 left out (1 header, 2 empty), 0 refused`.
impl fmt::Display for LineCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> =
            self.reasons().map(|(reason, count)| format!("{count} {}", reason.as_str())).collect();
        let reasons =
            if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
        let total = self.in_file();
        let left_out = self.left_out();
        write!(
            f,
            "{total} lines in the file: {} read, {left_out} left out{reasons}, {} refused",
            self.read, self.refused
        )
    }
}
