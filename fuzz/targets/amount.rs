//! `tua_service::fuzzing`: amount.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("amount", bytes));
