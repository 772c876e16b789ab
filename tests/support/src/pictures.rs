//! Pictures, as merchants upload them.

/// A PNG of 2 × 1 pixels with a comment that names its author.
pub const PNG: &[u8] =
    b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x02\x00\x00\x00\x01\x08\x02\x00\x00\
    \x00{@\xe8\xdd\x00\x00\x00\x0atEXtAuthor\x00AmaLW\xb0\xbd\x00\x00\x00\x0fIDATx\x9cc\xe0\xca\
    \x0a\xf8\xff\xff?\x00\x09\x8f\x03\xc22\xdeK!\x00\x00\x00\x00IEND\xaeB`\x82";

/// A picture that can contain script.
pub const SVG: &[u8] =
    br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
