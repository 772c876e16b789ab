//! The commands of this repository: cargo xtask demo, test, dist
fn main() {}
