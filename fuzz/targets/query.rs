//! `tua_service::fuzzing`: query.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("query", bytes));
