//! Problem documents (RFC 9457).

use crate::Fault;
use serde::Serialize;

/// The media type of a problem document.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// The members that every problem document has (RFC 9457).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProblemDocument<'a> {
    /// The page that explains the code: what happened, whether money moved, what to do.
    #[cfg_attr(feature = "openapi", schema(format = "uri"))]
    pub r#type: &'a str,
    /// A short text that is the same for every occurrence of the code.
    pub title: &'a str,
    /// The HTTP status code.
    #[cfg_attr(feature = "openapi", schema(minimum = 400, maximum = 599))]
    pub status: u16,
    /// A sentence about this occurrence, for people.
    pub detail: &'a str,
    /// The stable code, for programs.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::ProblemCode))]
    pub code: &'a str,
    /// The value of the `x-request-id` header. Quote it when you ask for help.
    #[serde(rename = "requestId", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required))]
    pub request_id: Option<&'a str>,
    /// Every fault of the body or the query, where there are any.
    #[serde(skip_serializing_if = "<[Fault]>::is_empty")]
    pub errors: &'a [Fault],
}
