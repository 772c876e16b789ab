//! The component in a browser, against the service that really runs.
//!
//! `cargo xtask test` starts the service and says where it is by `TUA_TEST_API`, `TUA_TEST_KEY` and
//! `TUA_TEST_CONTROL`, at compile time. Each test has an element and a session of its own.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, reason = "a test stops where it is wrong")]

mod journeys;
mod page;
mod service;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
