//! The token server that a merchant runs.
fn main() {}
