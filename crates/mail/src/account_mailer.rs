//! Sends messages with the mail servers of accounts.

use super::{
    settings::{Encryption, MailSettings},
    smtp::{AddressRule, SmtpMailer},
};
use async_trait::async_trait;
use lettre::message::Mailbox;
use secrecy::SecretString;
use tua_domain::{
    mail::{MailFault, Message},
    mail_server::{MailEncryption, MailServer},
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

/// The fault without the password, which a server could repeat in its reply.
fn without_password(fault: MailServerFault, server: &MailServer) -> MailServerFault {
    let Some(sign_in) = &server.sign_in else { return fault };
    let hide = |reason: &str| reason.replace(&sign_in.password, "(password)");
    let hidden = match &fault.fault {
        MailFault::Refused(reason) => MailFault::Refused(hide(reason)),
        MailFault::SignInRefused(reason) => MailFault::SignInRefused(hide(reason)),
        MailFault::NotTaken(reason) => MailFault::NotTaken(hide(reason)),
    };
    MailServerFault { problem: fault.problem, fault: hidden }
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
    use tua_domain::mail_server::MailSignIn;

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

    #[test]
    fn a_password_that_the_server_repeats_is_in_no_fault() {
        let sign_in = MailSignIn { user: "shop".to_owned(), password: "hunter2".to_owned() };
        let with_sign_in = server(Some(sign_in));
        let reply = || "535 shop hunter2: unknown, hunter2".to_owned();
        let hidden = || "535 shop (password): unknown, (password)".to_owned();
        let problem = MailServerProblem::SignInRefused;
        for (fault, expected) in [
            (MailFault::Refused(reply()), MailFault::Refused(hidden())),
            (MailFault::SignInRefused(reply()), MailFault::SignInRefused(hidden())),
            (MailFault::NotTaken(reply()), MailFault::NotTaken(hidden())),
        ] {
            let found = without_password(MailServerFault { problem, fault }, &with_sign_in);
            assert_eq!(found, MailServerFault { problem, fault: expected });
        }
        let fault = MailServerFault { problem, fault: MailFault::Refused(reply()) };
        assert_eq!(without_password(fault.clone(), &server(None)), fault, "there is none to hide");
    }
}
