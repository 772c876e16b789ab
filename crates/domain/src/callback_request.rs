//! The HTTP request of an operator's callback.

/// A callback as it arrived, at the secret path of an operator.
#[derive(Clone, Debug)]
pub struct CallbackRequest {
    /// The method in capitals: `POST` or `PUT`.
    pub method: String,
    /// The host that the caller addressed, with its port if there is one; what RFC 9421 calls
    /// `@authority`.
    pub authority: String,
    /// The path, with the secret.
    pub path: String,
    /// The headers, names in lower case, in the order of arrival.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The exact bytes of the body.
    pub body: Vec<u8>,
}

impl CallbackRequest {
    /// The first header of this lower-case name, if it is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(found, _)| found == name)?;
        std::str::from_utf8(value).ok()
    }
}
