//! Each operator's protocol over a socket, as an unmodified client uses it.

mod mtn_momo;
mod pawapay;
mod pawapay_signatures;
mod paystack;
mod support;
