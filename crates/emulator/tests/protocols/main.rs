//! Each operator's protocol over a socket, as an unmodified client uses it.

mod mtn_momo;
mod support;
