//! From where a person tries to sign in.

use std::net::IpAddr;
use tua_domain::people::Device;

/// From where an attempt comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin<'a> {
    /// The client's address; `None` where a proxy does not forward it.
    pub(super) address: Option<IpAddr>,
    /// Browser and system, such as `Firefox, Android`.
    pub(super) device: &'a str,
}

impl<'a> Origin<'a> {
    /// That of a browser.
    pub(super) fn of(device: &'a Device) -> Self {
        Self { address: device.address, device: &device.name }
    }
}
