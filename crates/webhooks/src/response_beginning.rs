//! The beginning of the body with which an endpoint responds: it usually says why a webhook was
//! refused, such as a wrong secret.

use std::time::Duration;
use tokio::time::timeout;
use tua_contract::plain_text::visible;

/// How many bytes of a response body are read: enough to reuse the connection, too few to do harm.
const MAX_READ_BYTES: usize = 16 << 10;

/// How many bytes of it are kept.
const MAX_KEPT_BYTES: usize = 512;

/// How long a response body may take. The status has decided the outcome before.
const BODY_TIMEOUT: Duration = Duration::from_secs(1);

/// Reads the body. `None` if it has no visible text. A body that breaks off, or that never ends,
/// changes nothing.
pub async fn read(mut response: reqwest::Response) -> Option<String> {
    let mut beginning = Vec::new();
    let reading = async {
        let mut remaining = MAX_READ_BYTES;
        while let Ok(Some(chunk)) = response.chunk().await {
            let kept = MAX_KEPT_BYTES.saturating_sub(beginning.len()).min(chunk.len());
            beginning.extend_from_slice(&chunk[..kept]);
            match remaining.checked_sub(chunk.len()) {
                Some(rest) => remaining = rest,
                None => return,
            }
        }
    };
    // What came before the timeout is kept.
    let _ = timeout(BODY_TIMEOUT, reading).await;
    visible_text(&beginning)
}

/// The text of these bytes on one line. Bytes that are not UTF-8 become U+FFFD, and characters that
/// a terminal or browser would not show, such as escape sequences and marks of direction, are
/// left out.
fn visible_text(bytes: &[u8]) -> Option<String> {
    let text = visible(&String::from_utf8_lossy(bytes));
    let words = text.split_whitespace().map(|word| word.replace(char::is_control, ""));
    let mut line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    // One byte that is not UTF-8 has become three.
    line.truncate(line.floor_char_boundary(MAX_KEPT_BYTES));
    Some(line).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_kept_as_one_line_of_visible_text() {
        let kept = |bytes: &[u8]| visible_text(bytes);
        assert_eq!(
            kept(b"  no matching\r\n\tsignature "),
            Some("no matching signature".to_owned())
        );
        assert_eq!(kept(b"\x1b[31mred\x00\x07"), Some("[31mred".to_owned()));
        assert_eq!(kept(b"caf\xc3"), Some("caf\u{fffd}".to_owned()));
        let garbled = kept(&[0xff; MAX_KEPT_BYTES]).unwrap();
        assert_eq!(garbled.len(), MAX_KEPT_BYTES / 3 * 3);
        for empty in [&b""[..], b" \r\n", b"\0"] {
            assert_eq!(kept(empty), None);
        }
    }
}
