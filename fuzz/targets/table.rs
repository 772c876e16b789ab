//! `tua_service::fuzzing`: table.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("table", bytes));
