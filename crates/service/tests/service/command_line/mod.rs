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
mod payout_batch_file;
mod payout_batch_float;
mod payout_create;
mod postgres_errors;
mod privacy;
mod quote;
mod refund;
mod review;
mod server_key;
mod user;
mod webhook;
