//! Tests of the simulation itself, and some seeds.

mod oracles;
mod seeds;
mod session_oracles;
mod sqlite;
