//! `tua_service::fuzzing`: order.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tua_service::fuzzing::run("order", bytes));
