//! The component, as pages load it from the service.

use crate::FileSet;
use std::{io, path::Path};

/// What a page names.
pub const LOADER: &str = "tua-checkout.js";
/// What it is there for.
pub const WASM: &str = "tua_embed_bg.wasm";
/// The modules that a page may name; what they load stands beside them.
const ENTRIES: [&str; 2] = [LOADER, "element.js"];

/// How an entry refers to what it loads, before its folder's name is put in: the text, and the place.
const REFERENCES: [(&str, usize); 2] = [("\"./locales/", 3), ("\"tua_embed_bg.wasm\"", 1)];

/// The npm package's files, and the entries as they stand at addresses that stay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sdk {
    /// The package's own files, which find each other in one folder.
    pub files: FileSet,
    /// The entries for the folder above the one that is named by the contents: they load from there at once.
    pub entries: FileSet,
}

impl Sdk {
    /// From the folder of the npm package; empty where the component has not been built.
    ///
    /// # Errors
    /// Where a file cannot be read, or an entry does not refer to what it loads in the way that is known here.
    pub fn read(pkg: &Path) -> io::Result<Self> {
        let mut files = FileSet::default();
        files.insert_folder("", pkg, &["js", "wasm"])?;
        files.insert_folder("locales/", &pkg.join("locales"), &["js"])?;
        let name = files.name();
        let mut entries = FileSet::default();
        for entry in ENTRIES {
            if let Some(module) = files.get(entry) {
                let above = lifted(module, &name).map_err(|what| unknown(&pkg.join(entry), what))?;
                entries.insert(entry, above);
            }
        }
        Ok(Self { files, entries })
    }
}

/// A module that loads from the folder of this name beside it, not from its own.
fn lifted(module: &[u8], folder: &str) -> Result<Vec<u8>, &'static str> {
    let mut text = str::from_utf8(module).map_err(|_| "it is not UTF-8")?.to_owned();
    for (reference, place) in REFERENCES {
        if !text.contains(reference) {
            return Err(reference);
        }
        let (before, after) = reference.split_at(place);
        text = text.replace(reference, &format!("{before}{folder}/{after}"));
    }
    Ok(text.into_bytes())
}

fn unknown(path: &Path, what: &str) -> io::Error {
    io::Error::other(format!("{}: does not refer to {what}; `cargo xtask dist` builds it anew", path.display()))
}
