//! The connectors over the emulator, through the port.

mod mtn_momo;
mod rig;
