//! What ends a command early: one line that says what, where and what to do.

use std::process::ExitCode;

#[derive(Debug)]
pub enum Fault {
    /// Something the person at the keyboard can put right.
    Said(String),
    /// The tests ran and some failed; all has been printed already.
    Failed,
    /// Ctrl-C; every process that was started has ended.
    Interrupted,
}

pub type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    pub fn report(self) -> ExitCode {
        match self {
            Fault::Said(line) => {
                eprintln!("cargo xtask: {line}");
                ExitCode::from(2)
            }
            Fault::Failed => ExitCode::from(1),
            Fault::Interrupted => {
                eprintln!("cargo xtask: stopped; nothing is left running or half-installed");
                ExitCode::from(130)
            }
        }
    }
}

/// `fault!("{path}: not found")`
macro_rules! fault {
    ($($arg:tt)*) => { $crate::fault::Fault::Said(format!($($arg)*)) };
}
pub(crate) use fault;
