//! The demo, as `tua demo` starts it.
