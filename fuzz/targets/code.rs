//! `tua_service::fuzzing`: code.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("code", bytes));
