//! Faults of the SMTP connection: what a person must correct, and whether a message may be tried
//! again.

use super::smtp_stream::is_too_long;
use lettre::transport::smtp::Error;
use std::error::Error as StdError;
use tua_domain::{
    mail::MailFault,
    mail_server_fault::{MailServerFault, MailServerProblem},
};

/// Permanent replies to a sign-in (RFC 4954 section 6).
const SIGN_IN_REFUSED: [u16; 4] = [530, 534, 535, 538];

/// A fault after which the message is tried again. `problem` is that of the step, unless the server
/// sent too much.
pub(super) fn not_taken(problem: MailServerProblem, error: &Error) -> MailServerFault {
    let problem = if is_too_long(error) { MailServerProblem::NotSmtp } else { problem };
    MailServerFault::not_taken(problem, without_addresses(&reason(error)))
}

fn sign_in_refused(error: &Error) -> MailServerFault {
    MailServerFault {
        problem: MailServerProblem::SignInRefused,
        fault: MailFault::SignInRefused(without_addresses(&reason(error))),
    }
}

/// A fault of the greeting.
pub(super) fn of_greeting(error: &Error) -> MailServerFault {
    let problem = if error.is_permanent() || error.is_transient() {
        MailServerProblem::ClientRefused
    } else if error.is_response() {
        MailServerProblem::NotSmtp
    } else {
        MailServerProblem::NotReached
    };
    not_taken(problem, error)
}

/// A fault of the sign-in. A permanent one is a wrong password; the client's own is a server that
/// offers no way to sign in.
pub(super) fn of_sign_in(error: &Error) -> MailServerFault {
    if error.is_permanent() {
        return sign_in_refused(error);
    }
    let problem = if error.is_client() {
        MailServerProblem::SignInRefused
    } else {
        MailServerProblem::NotNow
    };
    not_taken(problem, error)
}

/// A fault of a command or of the message, after the sign-in.
pub(super) fn of_message(error: &Error) -> MailServerFault {
    match error.status() {
        Some(code) if SIGN_IN_REFUSED.contains(&u16::from(code)) => sign_in_refused(error),
        _ if error.is_permanent() => refused(&reason(error)),
        _ => not_taken(MailServerProblem::NotNow, error),
    }
}

/// The message is refused for good. A server repeats the address in its reply, which is logged.
pub(super) fn refused(reason: &str) -> MailServerFault {
    MailServerFault {
        problem: MailServerProblem::MessageRefused,
        fault: MailFault::Refused(without_addresses(reason)),
    }
}

/// The text without addresses, which a server may spell in another way than we did.
fn without_addresses(reason: &str) -> String {
    let words =
        reason.split(' ').map(|word| if word.contains('@') { "the recipient" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// The number of characters of a reason that are stored and shown. A server may reply with far
/// more.
const MAX_REASON_CHARS: usize = 500;

/// The beginning of the error with its causes, in one line.
fn reason(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_REASON_CHARS).collect()
}
