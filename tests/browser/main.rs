//! The component in headless Chrome against the real service.
//!
//! The service's address, key and control address are the environment variables `TUA_TEST_API`,
//! `TUA_TEST_KEY` and `TUA_TEST_CONTROL` at compile time; `cargo xtask test` sets them. Each test
//! has its own element and session.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, reason = "a test panics on failure")]

mod journeys;
mod page;
mod service;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
