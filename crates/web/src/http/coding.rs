//! Content codings: in which compressed form a file is sent (RFC 9110 section 12.5.3).

use super::quality_values::quality_values;
use axum::http::{HeaderMap, HeaderValue, header};
use std::cmp::Reverse;
use tua_packing::{BROTLI_SUFFIX, GZIP_SUFFIX};

/// A content coding of the packed files, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coding {
    Brotli,
    Gzip,
    Identity,
}

impl Coding {
    /// The codings that a client accepts, in the order of its preference. Of equal ones the
    /// smallest comes first. Identity is always there, even where the client refuses it: there is
    /// nothing else to send.
    pub(super) fn accepted(headers: &HeaderMap) -> Vec<Self> {
        let asked: Vec<(&str, u32)> = quality_values(headers, header::ACCEPT_ENCODING).collect();
        let quality = |names: &[&str]| {
            let named = asked
                .iter()
                .find(|(name, _)| names.iter().any(|known| name.eq_ignore_ascii_case(known)));
            named
                .or_else(|| asked.iter().find(|(name, _)| *name == "*"))
                .map_or(0, |(_, quality)| *quality)
        };
        let mut accepted: Vec<(Self, u32)> =
            [(Self::Brotli, quality(&["br"])), (Self::Gzip, quality(&["gzip", "x-gzip"]))]
                .into_iter()
                .filter(|(_, quality)| *quality > 0)
                .chain([(Self::Identity, quality(&["identity"]))])
                .collect();
        accepted.sort_by_key(|(_, quality)| Reverse(*quality));
        accepted.into_iter().map(|(coding, _)| coding).collect()
    }

    /// The suffix of the names of files in this coding.
    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => BROTLI_SUFFIX,
            Self::Gzip => GZIP_SUFFIX,
            Self::Identity => "",
        }
    }

    /// The value of `Content-Encoding`; `None` for identity.
    pub(super) const fn header(self) -> Option<HeaderValue> {
        match self {
            Self::Brotli => Some(HeaderValue::from_static("br")),
            Self::Gzip => Some(HeaderValue::from_static("gzip")),
            Self::Identity => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(list: &'static str) -> Vec<Coding> {
        Coding::accepted(&HeaderMap::from_iter([(
            header::ACCEPT_ENCODING,
            HeaderValue::from_static(list),
        )]))
    }

    #[test]
    fn of_equal_quality_values_the_smallest_form_is_sent() {
        use Coding::{Brotli, Gzip, Identity};
        assert_eq!(accepted("gzip, deflate, br, zstd"), [Brotli, Gzip, Identity]);
        assert_eq!(accepted("BR;q=0.1"), [Brotli, Identity]);
        assert_eq!(accepted("x-gzip"), [Gzip, Identity]);
        assert_eq!(accepted("*"), [Brotli, Gzip, Identity]);
    }

    #[test]
    fn a_higher_quality_value_precedes_a_smaller_form() {
        use Coding::{Brotli, Gzip, Identity};
        assert_eq!(accepted("br;q=0.5, gzip"), [Gzip, Brotli, Identity]);
        assert_eq!(accepted("br;q=0.5, identity;q=0.8"), [Identity, Brotli]);
        assert_eq!(accepted("br;q=0.5, *;q=0.8"), [Gzip, Identity, Brotli]);
    }

    #[test]
    fn a_refused_coding_is_not_sent() {
        use Coding::{Brotli, Gzip, Identity};
        assert_eq!(accepted("br;q=0, gzip"), [Gzip, Identity]);
        assert_eq!(accepted("br;q=0.000, gzip; q=0"), [Identity]);
        assert_eq!(accepted("*, br;q=0"), [Gzip, Identity]);
        assert_eq!(accepted("identity;q=0, br"), [Brotli, Identity]);
        for list in ["", "identity", "deflate", "*;q=0", "br;q=x", ";;;", ","] {
            assert_eq!(accepted(list), [Identity], "{list}");
        }
        assert_eq!(Coding::accepted(&HeaderMap::new()), [Identity]);
    }
}
