//! The connectors over the emulator, through the port.

mod callback_matrix;
mod documented;
mod documented_codes;
mod faults;
mod hubtel;
mod matrix;
mod mtn_momo;
mod pawapay;
mod paystack;
mod rig;
