//! `tua_service::fuzzing`: catalogue.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("catalogue", bytes));
