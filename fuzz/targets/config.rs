//! `tua_service::fuzzing`: config.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("config", bytes));
