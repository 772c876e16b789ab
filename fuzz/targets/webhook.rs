//! `tua_service::fuzzing`: webhook.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("webhook", bytes));
