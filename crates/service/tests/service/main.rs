//! The service over a real socket, on a real database, by the contract.

mod smoke;
mod support;
