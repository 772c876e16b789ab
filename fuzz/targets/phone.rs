//! `tua_service::fuzzing`: phone.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("phone", bytes));
