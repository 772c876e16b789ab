//! The real service for tests that run in a browser: prints where it is, and is steered over HTTP.
fn main() {}
