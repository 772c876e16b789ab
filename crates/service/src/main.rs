//! The `tua` binary.
fn main() {}
