//! `tua_service::fuzzing`: event.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("event", bytes));
