//! `tua_service::fuzzing`: body.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("body", bytes));
