//! In which of its forms a file is sent (RFC 9110, section 12.5.3).

use super::weighed::weighed;
use axum::http::{HeaderMap, HeaderValue, header};
use std::cmp::Reverse;
use tua_packing::{BROTLI_SUFFIX, GZIP_SUFFIX};

/// A form that a file may have been packed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coding {
    Brotli,
    Gzip,
    Identity,
}

impl Coding {
    /// What the browser takes: what it likes best comes first, of those that it likes as much the smallest. As it is
    /// is how a file is sent where nothing else will do, even to one who refuses that.
    pub(super) fn accepted(headers: &HeaderMap) -> Vec<Self> {
        let asked: Vec<(&str, u32)> = weighed(headers, header::ACCEPT_ENCODING).collect();
        let weight = |names: &[&str]| {
            let named = asked.iter().find(|(name, _)| names.iter().any(|known| name.eq_ignore_ascii_case(known)));
            named.or_else(|| asked.iter().find(|(name, _)| *name == "*")).map_or(0, |(_, weight)| *weight)
        };
        let mut accepted: Vec<(Self, u32)> =
            [(Self::Brotli, weight(&["br"])), (Self::Gzip, weight(&["gzip", "x-gzip"]))]
                .into_iter()
                .filter(|(_, weight)| *weight > 0)
                .chain([(Self::Identity, weight(&["identity"]))])
                .collect();
        accepted.sort_by_key(|(_, weight)| Reverse(*weight));
        accepted.into_iter().map(|(coding, _)| coding).collect()
    }

    /// What the name of a file in this form ends in.
    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => BROTLI_SUFFIX,
            Self::Gzip => GZIP_SUFFIX,
            Self::Identity => "",
        }
    }

    /// As `Content-Encoding` names it.
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
        Coding::accepted(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(list))]))
    }

    #[test]
    fn of_what_is_liked_as_much_the_smallest_is_sent() {
        use Coding::{Brotli, Gzip, Identity};
        assert_eq!(accepted("gzip, deflate, br, zstd"), [Brotli, Gzip, Identity]);
        assert_eq!(accepted("BR;q=0.1"), [Brotli, Identity]);
        assert_eq!(accepted("x-gzip"), [Gzip, Identity]);
        assert_eq!(accepted("*"), [Brotli, Gzip, Identity]);
    }

    #[test]
    fn what_is_liked_best_goes_before_what_is_smallest() {
        use Coding::{Brotli, Gzip, Identity};
        assert_eq!(accepted("br;q=0.5, gzip"), [Gzip, Brotli, Identity]);
        assert_eq!(accepted("br;q=0.5, identity;q=0.8"), [Identity, Brotli]);
        assert_eq!(accepted("br;q=0.5, *;q=0.8"), [Gzip, Identity, Brotli]);
    }

    #[test]
    fn what_is_refused_is_not_sent_while_there_is_anything_else() {
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
