//! The service over a real socket, on a real database, by the contract.

mod amounts;
mod credentials;
mod operators;
mod sleepers;
mod smoke;
mod status;
mod support;
