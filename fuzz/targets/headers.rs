//! `tua_service::fuzzing`: headers.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("headers", bytes));
