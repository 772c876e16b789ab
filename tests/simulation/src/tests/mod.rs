//! Tests of the simulation itself, and some seeds.

mod seeds;
mod sqlite;
