//! Sends messages with the mail servers of accounts.

use super::{
    settings::{Encryption, MailSettings},
    smtp::{AddressRule, SmtpMailer},
};
use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::STANDARD};
use lettre::message::Mailbox;
use secrecy::SecretString;
use tua_domain::{
    mail::{MailFault, Message},
    mail_server::{MailEncryption, MailServer, MailSignIn},
    mail_server_fault::{MailServerFault, MailServerProblem},
    people::LinkDelivery,
    ports,
    public_url::PublicUrl,
};

/// Sends each message over a new connection, to an address that the rule allows.
#[derive(Clone, Debug)]
pub struct AccountMailer {
    /// The host of this URL is the name that the client gives to servers.
    pub public_url: PublicUrl,
    /// The addresses that may be connected to: an owner chooses the server, so it must not be a
    /// host that only our own network can reach.
    pub rule: AddressRule,
}

#[async_trait]
impl ports::AccountMailer for AccountMailer {
    async fn send(&self, server: &MailServer, message: &Message) -> Result<(), MailServerFault> {
        let settings = settings_of(server)?;
        let mailer = SmtpMailer::new(&settings, &self.public_url)
            .map_err(|fault| MailServerFault::not_taken(MailServerProblem::NotEncrypted, fault))?;
        let sent = mailer.with_rule(self.rule).try_send(message).await;
        sent.map_err(|fault| without_password(fault, server))
    }
}

/// The fault without its text where that has a part of the password, which a server could repeat
/// in its reply, as it was typed or as it was sent.
fn without_password(fault: MailServerFault, server: &MailServer) -> MailServerFault {
    let Some(MailSignIn { user, password }) = &server.sign_in else { return fault };
    // PLAIN (RFC 4616) and LOGIN.
    let sent = [STANDARD.encode(format!("\0{user}\0{password}")), STANDARD.encode(password)];
    let is_secret = |text: &str| {
        // White space in replies is joined, and addresses in them are replaced.
        password.split_whitespace().any(|part| text.contains(part))
            || sent.iter().any(|sent| text.contains(sent))
    };
    let shown = |text: String| {
        if is_secret(&text) {
            "its text is not shown, because it repeats the password".to_owned()
        } else {
            text
        }
    };
    let fault_without = match fault.fault {
        MailFault::Refused(text) => MailFault::Refused(shown(text)),
        MailFault::SignInRefused(text) => MailFault::SignInRefused(shown(text)),
        MailFault::NotTaken(text) => MailFault::NotTaken(shown(text)),
    };
    MailServerFault { problem: fault.problem, fault: fault_without }
}

/// The settings as those of the settings file are read.
fn settings_of(server: &MailServer) -> Result<MailSettings, MailServerFault> {
    let address = server.from_address.parse().map_err(|_| {
        let reason = "the sender's address is not valid";
        MailServerFault::not_taken(MailServerProblem::MessageRefused, reason)
    })?;
    let name = Some(server.from_name.clone()).filter(|name| !name.is_empty());
    let credentials = server.sign_in.as_ref();
    Ok(MailSettings {
        host: server.host.clone(),
        port: server.port,
        encryption: match server.encryption {
            MailEncryption::StartTls => Encryption::StartTls,
            MailEncryption::Tls => Encryption::Implicit,
            MailEncryption::None => Encryption::StartTlsIfOffered,
        },
        credentials: credentials
            .map(|one| (one.user.clone(), SecretString::from(one.password.clone()))),
        from: Mailbox::new(name, address),
        root: None,
        hello_name: None,
        invitation_links: LinkDelivery::Shown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(sign_in: Option<MailSignIn>) -> MailServer {
        MailServer {
            host: "smtp.example.com".to_owned(),
            port: 587,
            encryption: MailEncryption::StartTls,
            sign_in,
            from_address: "pay@shop.example".to_owned(),
            from_name: String::new(),
        }
    }

    fn shown(reply: &str, password: &str) -> String {
        let sign_in = MailSignIn { user: "shop".to_owned(), password: password.to_owned() };
        let problem = MailServerProblem::SignInRefused;
        let texts =
            [MailFault::Refused, MailFault::SignInRefused, MailFault::NotTaken].map(|kind| {
                let fault = MailServerFault { problem, fault: kind(reply.to_owned()) };
                without_password(fault, &server(Some(sign_in.clone()))).to_string()
            });
        texts.join("\n")
    }

    #[test]
    fn a_reply_that_repeats_a_part_of_the_password_is_not_shown() {
        for (reply, password) in [
            ("535 hunter2 is wrong", "hunter2"),
            // As the text is after white space was joined, and addresses were replaced.
            ("535 is wrong: blue sky", "blue   sky"),
            ("535 blue the recipient", "blue p@ss"),
            ("535 aHVudGVyMg== is wrong", "hunter2"),
            ("535 AHNob3AAaHVudGVyMg== is wrong", "hunter2"),
        ] {
            let shown = shown(reply, password);
            assert!(!shown.contains("535") && shown.contains("not shown"), "{shown}");
        }
        assert_eq!(shown("535 unknown user", "hunter2").matches("535 unknown user").count(), 3);
        let without = without_password(
            MailServerFault::not_taken(MailServerProblem::TimedOut, "535 hunter2"),
            &server(None),
        );
        assert!(without.to_string().contains("535 hunter2"), "there is none to hide");
    }
}
