//! The command `tua`.

mod accounts_and_keys;
mod arguments;
mod copy;
mod damaged_files;
mod doctor;
mod key_options;
mod key_rotation;
mod payout;
mod postgres_errors;
mod review;
