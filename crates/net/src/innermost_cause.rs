//! Why a request failed.

use std::error::Error;

/// The innermost cause of an error, which is the most specific: "connection refused", "certificate
/// has expired". An HTTP client's own text names neither.
pub fn innermost_cause(error: &dyn Error) -> String {
    let mut innermost = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[derive(Debug, thiserror::Error)]
    #[error("the request failed")]
    struct Outer(#[source] io::Error);

    #[test]
    fn the_last_cause_is_named_and_an_error_without_one_names_itself() {
        let inner = io::Error::other("certificate has expired");
        assert_eq!(innermost_cause(&inner), "certificate has expired");
        assert_eq!(innermost_cause(&Outer(inner)), "certificate has expired");
    }
}
