//! The settings of the ACME client.

use instant_acme::LetsEncrypt;
use rustls::pki_types::DnsName;
use std::{path::PathBuf, str::FromStr};
use tua_domain::bare_address::is_bare_address;
use url::Url;

/// Which certificate to order, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcmeSettings {
    /// The DNS names of the certificate, in lower case; at least one.
    pub names: Vec<String>,
    /// The URL of the ACME server's directory (RFC 8555 section 7.1.1).
    pub directory: String,
    /// A file with root certificates of the ACME server, in PEM form, in addition to the system's.
    pub root: Option<PathBuf>,
    /// A file with the external account binding: the key identifier and the HMAC key, which the
    /// operator of the ACME server provides (RFC 8555 section 7.3.4).
    pub eab: Option<PathBuf>,
    /// The e-mail address that the ACME server may write to.
    pub contact: Option<String>,
    /// How the ACME server validates the names.
    pub challenge: Challenge,
}

/// How the ACME server validates a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Challenge {
    /// By a TLS connection to port 443 of the name (RFC 8737).
    #[default]
    TlsAlpn01,
    /// By an HTTP request to port 80 of the name (RFC 8555 section 8.3).
    Http01,
}

impl FromStr for Challenge {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "tls-alpn-01" => Ok(Self::TlsAlpn01),
            "http-01" => Ok(Self::Http01),
            _ => Err(format!("acme-challenge: {text:?} is neither tls-alpn-01 nor http-01")),
        }
    }
}

impl AcmeSettings {
    /// Settings for these names, separated by commas, with the defaults: Let's Encrypt,
    /// TLS-ALPN-01.
    ///
    /// # Errors
    /// A sentence that names the setting and the invalid name.
    pub fn new(names: &str) -> Result<Self, String> {
        Ok(Self {
            names: names.split(',').map(|name| dns_name(name.trim())).collect::<Result<_, _>>()?,
            directory: LetsEncrypt::Production.url().to_owned(),
            root: None,
            eab: None,
            contact: None,
            challenge: Challenge::default(),
        })
    }

    /// The public URL of a service whose certificate this is.
    #[must_use]
    pub fn public_url(&self) -> String {
        format!("https://{}", self.names.first().map_or("", String::as_str))
    }
}

/// A name that a public ACME server can certify: with a dot, and without a wildcard, which neither
/// challenge can validate.
fn dns_name(text: &str) -> Result<String, String> {
    let name = text.to_ascii_lowercase();
    let is_address = name.parse::<std::net::IpAddr>().is_ok();
    match DnsName::try_from(name.as_str()) {
        Ok(_) if name.contains('.') && !name.ends_with('.') && !is_address => Ok(name),
        _ => Err(format!("acme: {text:?} is not a DNS name such as pay.example")),
    }
}

/// The settings before validation.
#[derive(Clone, Debug, Default)]
pub struct RawAcme {
    /// The DNS names of the certificate, separated by commas (`--acme`).
    pub names: Option<String>,
    /// The URL of the ACME server's directory (`--acme-directory`).
    pub directory: Option<String>,
    /// A file with the root certificate of the ACME server, where it is a private one.
    pub root: Option<PathBuf>,
    /// A file with the external account binding, if the server requires one.
    pub eab: Option<PathBuf>,
    /// The e-mail address for the ACME account.
    pub contact: Option<String>,
    /// The kind of challenge: `tls-alpn-01` or `http-01`.
    pub challenge: Option<String>,
}

impl RawAcme {
    /// Validates the settings. `has_files` is whether a certificate in files is configured too;
    /// `has_http` is whether there is a listener for plain HTTP.
    ///
    /// # Errors
    /// Every fault, each as a sentence that names the setting.
    pub fn resolve(
        self,
        has_files: bool,
        has_http: bool,
    ) -> Result<Option<AcmeSettings>, Vec<String>> {
        let Some(names) = self.names else {
            let others = [
                (self.directory.is_some(), "acme-directory"),
                (self.root.is_some(), "acme-root"),
                (self.eab.is_some(), "acme-eab"),
                (self.contact.is_some(), "acme-contact"),
                (self.challenge.is_some(), "acme-challenge"),
            ];
            let mut faults: Vec<String> = others
                .iter()
                .filter(|(is_set, _)| *is_set)
                .map(|(_, name)| format!("{name}: --acme with the names is required too"))
                .collect();
            if has_http && !has_files {
                faults.push(
                    "http-listen: there is no HTTPS to redirect to; set --acme or --tls-cert"
                        .to_owned(),
                );
            }
            return if faults.is_empty() { Ok(None) } else { Err(faults) };
        };
        let mut faults = Vec::new();
        let mut keep = |fault: String| faults.push(fault);
        if has_files {
            keep("acme: --tls-cert is set too; choose one of them".to_owned());
        }
        let challenge = self.challenge.map_or(Ok(Challenge::default()), |text| text.parse());
        if challenge == Ok(Challenge::Http01) && !has_http {
            keep(
                "acme-challenge: http-01 requires --http-listen, which port 80 must reach"
                    .to_owned(),
            );
        }
        let directory = self.directory.map(directory).transpose();
        let contact = self.contact.map(contact).transpose();
        for fault in [directory.as_ref().err(), contact.as_ref().err(), challenge.as_ref().err()]
            .into_iter()
            .flatten()
        {
            keep(fault.clone());
        }
        let settings = match AcmeSettings::new(&names) {
            Ok(settings) => settings,
            Err(fault) => {
                keep(fault);
                return Err(faults);
            }
        };
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Some(AcmeSettings {
            directory: directory.ok().flatten().unwrap_or(settings.directory),
            root: self.root,
            eab: self.eab,
            contact: contact.ok().flatten(),
            challenge: challenge.unwrap_or_default(),
            names: settings.names,
        }))
    }
}

fn contact(text: String) -> Result<String, String> {
    if is_bare_address(&text) {
        Ok(text)
    } else {
        Err(format!("acme-contact: {text:?} is not an e-mail address"))
    }
}

fn directory(text: String) -> Result<String, String> {
    if Url::parse(&text).is_ok_and(|url| url.scheme() == "https" && url.has_host()) {
        Ok(text)
    } else {
        Err(format!("acme-directory: {text:?} is not a URL that begins with https://"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_dns_names_in_lower_case() {
        let settings = AcmeSettings::new("Pay.Example, www.pay.example").unwrap();
        assert_eq!(settings.names, ["pay.example", "www.pay.example"]);
        assert_eq!(settings.public_url(), "https://pay.example");
        for names in [
            "",
            "pay.example,",
            "localhost",
            "*.pay.example",
            "192.0.2.1",
            "[2001:db8::1]",
            "pay example.com",
        ] {
            assert!(AcmeSettings::new(names).unwrap_err().starts_with("acme: "), "{names}");
        }
    }

    #[test]
    fn a_directory_is_reached_over_https() {
        assert!(directory("https://ca.example/dir".to_owned()).is_ok());
        for url in ["http://ca.example/dir", "ca.example", ""] {
            assert!(directory(url.to_owned()).is_err(), "{url}");
        }
    }
}
