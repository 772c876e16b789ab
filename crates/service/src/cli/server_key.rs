//! `tua server-key`: makes the next version of the server key (docs/reference/credentials.md,
//! "Server key").

use super::{
    context::{Common, database},
    fault::Fault,
    output,
    use_cases::UseCases,
};
use clap::Subcommand;
use serde::Serialize;
use tua_config::{
    Config,
    key_file::{self, LockedKeyFile},
};
use tua_domain::secret::{ServerKey, random_bytes};
use tua_use_cases::RegisterKeyError;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make the next version of the server key; what was made with earlier ones stays valid
    Rotate,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rotated {
    version: u32,
    /// The file that has the keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The new value of `TUA_SERVER_KEY`, if the keys are not in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    server_key: Option<String>,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        let Self::Rotate = self;
        rotate(&UseCases::open(&common).await?, &common).await
    }
}

async fn rotate(use_cases: &UseCases, common: &Common) -> Result<(), Fault> {
    let server_keys = tua_config::server_keys_of_environment()?;
    let file = Config { server_keys, ..Config::new(database(common)?) }.key_file();
    // Before the keys are read, so that no other rotation comes between.
    let locked = file.as_deref().map(LockedKeyFile::lock).transpose()?;
    let ring = use_cases.key_ring(common).await?;
    let new = ServerKey::from_bytes(random_bytes());
    let keys: Vec<ServerKey> = std::iter::once(new.clone()).chain(ring.all()).collect();
    locked.as_ref().map(|file| file.write_draft(&keys)).transpose()?;
    // The database first: it refuses a key file with a key that it does not have. A version without
    // a key does no harm.
    let by = use_cases.audit_context(common).await?;
    let registered = use_cases.server_keys.register_next(&new, &by).await;
    let version = registered.map_err(|error| match error {
        RegisterKeyError::VersionTaken(_) => format!("server key: {error}"),
        RegisterKeyError::Store(error) => error.to_string(),
    })?;
    let Some(locked) = locked else {
        let list = key_file::to_text(&keys);
        let text = format!(
            "Version {version} of the server key is made. It is shown this once.\n\
             First start every node with the new key at the end of TUA_SERVER_KEY, then with this \
             value:\n{list}"
        );
        return output::print(
            common,
            &Rotated { version, file: None, server_key: Some(list) },
            &text,
        );
    };
    locked.commit_draft()?;
    let file = file.map(|path| path.display().to_string());
    let text = format!(
        "Version {version} of the server key is in {}, before the earlier ones. Keep a copy of the \
         file, in another place than the backups of the database. A running service uses it within \
         a second.",
        file.as_deref().unwrap_or_default()
    );
    output::print(common, &Rotated { version, file, server_key: None }, &text)
}
