//! The encoding of files of text.

use super::TableFault;
use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Old workbooks, and those with a password (MS-CFB, section 2.2).
const OLE_HEADER: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// The text of a file in UTF-8 or UTF-16 with a byte order mark, in UTF-8 without one, or in
/// Windows-1252.
///
/// # Errors
/// [`TableFault::Empty`], [`TableFault::OldWorkbook`], [`TableFault::NotText`].
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, TableFault> {
    let text = match &bytes[..] {
        [] => return Err(TableFault::Empty),
        bytes if bytes.starts_with(&OLE_HEADER) => return Err(TableFault::OldWorkbook),
        [0xef, 0xbb, 0xbf, rest @ ..] => {
            String::from_utf8(rest.to_vec()).map_err(|_| TableFault::NotText)?
        }
        [0xff, 0xfe, rest @ ..] => whole(UTF_16LE.decode_without_bom_handling(rest))?,
        [0xfe, 0xff, rest @ ..] => whole(UTF_16BE.decode_without_bom_handling(rest))?,
        _ => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => whole(WINDOWS_1252.decode_without_bom_handling(error.as_bytes()))?,
        },
    };
    // The five bytes that Windows-1252 does not define are decoded as control characters, and no
    // other text has these.
    let is_binary = |one: char| one == '\0' || ('\u{80}'..='\u{9f}').contains(&one);
    if text.contains(is_binary) { Err(TableFault::NotText) } else { Ok(text) }
}

fn whole((text, is_damaged): (std::borrow::Cow<'_, str>, bool)) -> Result<String, TableFault> {
    if is_damaged { Err(TableFault::NotText) } else { Ok(text.into_owned()) }
}
