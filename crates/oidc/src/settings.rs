//! The settings of the sign-in provider: `[oidc]` of the settings file.

use secrecy::SecretString;
use std::sync::Arc;
use toml::Table;
use tua_domain::{
    AccountId,
    people::{Role, RoleMapping},
};
use tua_operators::settings::{SettingsReader, is_loopback};
use url::Url;

/// The claim with the groups, unless the settings name another one.
const DEFAULT_GROUPS_CLAIM: &str = "groups";

/// The scopes that have the e-mail address and the name as claims (OpenID Connect Core 1.0, section
/// 5.4).
const DEFAULT_SCOPES: [&str; 2] = ["email", "profile"];

/// The longest name of the provider on a button, in characters.
const NAME_MAX_CHARS: usize = 40;

/// The validated settings of the sign-in provider.
#[derive(Clone, Debug)]
pub struct OidcSettings {
    /// The provider's issuer identifier, character for character as in its ID tokens.
    pub issuer: String,
    /// Our identifier at the provider.
    pub client_id: String,
    /// Our secret at the provider.
    pub client_secret: SecretString,
    /// The name of the provider, for people.
    pub name: String,
    /// The scopes besides `openid`.
    pub scopes: Vec<String>,
    /// The claim of the ID token with the groups.
    pub groups_claim: String,
    /// The roles of the groups.
    pub roles: Arc<[RoleMapping]>,
}

impl OidcSettings {
    /// Reads the table `[oidc]`.
    ///
    /// # Errors
    /// Every fault, each as a sentence that names the setting and repeats no secret.
    pub fn read(table: Table) -> Result<Self, Vec<String>> {
        let mut reader = SettingsReader::new("oidc".to_owned(), table);
        let issuer = issuer(&mut reader);
        let client_id = reader.required_text("client-id");
        let client_secret = reader.secret("client-secret");
        let name = name(&mut reader, issuer.as_ref().map(|(_, url)| url));
        let scopes = scopes(&mut reader);
        let groups_claim =
            reader.text("groups-claim").unwrap_or_else(|| DEFAULT_GROUPS_CLAIM.to_owned());
        let roles = roles(&mut reader);
        let faults = reader.finish();
        match (issuer, client_id, client_secret) {
            (Some((issuer, _)), Some(client_id), Some(client_secret)) if faults.is_empty() => {
                Ok(Self { issuer, client_id, client_secret, name, scopes, groups_claim, roles })
            }
            _ => Err(faults),
        }
    }
}

impl OidcSettings {
    /// Whether a group of the provider has the role of an owner. Then nobody needs a link for the
    /// first set-up.
    #[must_use]
    pub fn makes_owners(&self) -> bool {
        self.roles.iter().any(|mapping| mapping.role == Role::Owner)
    }
}

/// The text is kept, because a URL gets a slash at its end, and another issuer than that of the
/// tokens is refused.
fn issuer(reader: &mut SettingsReader) -> Option<(String, Url)> {
    let text = reader.required_text("issuer")?;
    let is_right = |url: &Url| {
        let is_safe = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url));
        is_safe && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
    };
    let url = Url::parse(&text).ok().filter(is_right);
    if url.is_none() {
        reader.fault(
            "issuer",
            &format!(
                "{text:?} is not an https:// URL without query, nor http:// on a loopback address"
            ),
        );
    }
    url.map(|url| (text, url))
}

fn name(reader: &mut SettingsReader, issuer: Option<&Url>) -> String {
    let name = reader.text("name").map(|name| name.trim().to_owned());
    if name.as_ref().is_some_and(|name| name.chars().count() > NAME_MAX_CHARS) {
        reader.fault("name", &format!("must have at most {NAME_MAX_CHARS} characters"));
    }
    name.unwrap_or_else(|| issuer.and_then(Url::host_str).unwrap_or_default().to_owned())
}

fn scopes(reader: &mut SettingsReader) -> Vec<String> {
    let Some(scopes) = reader.list("scopes") else {
        return DEFAULT_SCOPES.map(str::to_owned).to_vec();
    };
    if scopes.iter().any(|scope| scope.is_empty() || scope.contains(char::is_whitespace)) {
        reader.fault("scopes", "must be a list of scopes, such as [\"email\", \"groups\"]");
    }
    // It is always sent.
    scopes.into_iter().filter(|scope| scope != "openid").collect()
}

fn roles(reader: &mut SettingsReader) -> Arc<[RoleMapping]> {
    let choices: Vec<(&str, Role)> = Role::ALL.iter().map(|role| (role.as_str(), *role)).collect();
    let mut roles = Vec::new();
    for mut table in reader.tables("roles") {
        let group = table.required_text("group");
        let account = table.required_text("account").map(AccountId::new);
        let role = table.choice("role", &choices);
        if let (Some(group), Some(account), Some(role)) = (group, account, role) {
            roles.push(RoleMapping { group, account, role });
        }
        reader.close(table);
    }
    roles.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<OidcSettings, Vec<String>> {
        OidcSettings::read(text.parse().unwrap())
    }

    #[test]
    fn what_is_missing_has_a_default_and_the_issuer_stays_as_it_is() {
        let settings = read(
            "issuer = \"https://id.example/realms/shop\"\nclient-id = \"tua\"\n\
             client-secret = \"hunter2\"\n\
             [[roles]]\ngroup = \"heads\"\naccount = \"acc_1\"\nrole = \"owner\"",
        )
        .unwrap();
        assert_eq!(
            (&*settings.issuer, &*settings.name),
            ("https://id.example/realms/shop", "id.example")
        );
        assert_eq!((&*settings.groups_claim, settings.scopes.len()), ("groups", 2));
        let [mapping] = &*settings.roles else { panic!("{settings:?}") };
        assert_eq!(
            (&*mapping.group, mapping.account.as_str(), mapping.role),
            ("heads", "acc_1", Role::Owner)
        );
        let settings = read(
            "issuer = \"https://accounts.google.com\"\nclient-id = \"tua\"\n\
             client-secret = \"hunter2\"\n\
             name = \"Google\"\nscopes = [\"openid\", \"email\"]\ngroups-claim = \"hd\"",
        )
        .unwrap();
        assert_eq!((&*settings.issuer, &*settings.name), ("https://accounts.google.com", "Google"));
        assert_eq!((settings.scopes, &*settings.groups_claim), (vec!["email".to_owned()], "hd"));
    }

    #[test]
    fn every_fault_is_reported_and_no_secret_is_repeated() {
        let faults = read(
            "issuer = \"http://id.example\"\nclient-secret = { hunter2 = \"hunter2\" }\n\
             scopes = [\"a b\"]\n\
             name = \"A name that is much too long for any button\"\nlabel = \"x\"\n\
             [[roles]]\ngroup = \"\"\nrole = \"king\"\nmore = 1",
        )
        .unwrap_err();
        assert_eq!(faults.len(), 10, "{faults:#?}");
        assert!(
            faults.iter().all(|fault| fault.starts_with("oidc.") && !fault.contains("hunter2")),
            "{faults:#?}"
        );
        assert_eq!(read("").unwrap_err().len(), 3);
    }
}
