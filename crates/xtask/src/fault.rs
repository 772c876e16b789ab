//! Why a command ends early: one line with what is wrong, where, and what to do.

use std::process::ExitCode;

/// Why a command ended early. Each variant has an exit code of its own.
#[derive(Debug)]
pub enum Fault {
    /// An error that the user can correct, in one line.
    Message(String),
    /// The checks ran and some failed. The details are printed already.
    Failed,
    /// Tools are missing and may not be installed, one line for each.
    Missing(Vec<String>),
    /// Ctrl-C. Every process that was started has ended.
    Interrupted,
}

pub type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    /// Prints it to standard error and returns the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Fault::Message(line) => {
                eprintln!("cargo xtask: {line}");
                ExitCode::from(2)
            }
            Fault::Missing(lines) => {
                for line in lines {
                    eprintln!("cargo xtask: {line}");
                }
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

/// A [`Fault::Message`] from the arguments of `format!`, such as `fault!("{path}: not found")`.
macro_rules! fault {
    ($($arg:tt)*) => { $crate::fault::Fault::Message(format!($($arg)*)) };
}
pub(crate) use fault;
