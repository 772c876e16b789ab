//! The command `tua`.

mod accounts_and_keys;
mod arguments;
mod audit;
mod backup;
mod branding;
mod copy;
mod damaged_files;
mod doctor;
mod emulate;
mod key_options;
mod key_rotation;
mod link;
mod mail;
mod operators;
mod payout;
mod postgres_errors;
mod privacy;
mod review;
mod server_key;
mod webhook;
