//! `tua_service::fuzzing`: cursor.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("cursor", bytes));
