//! What the operating system gives the service: the clock, the user that runs it, and the files of
//! the data folder.

pub mod actor;
pub mod clock;
pub mod files;
pub mod private_file;
