//! The component's files, as pages load them from the service.

use crate::FileSet;
use std::{io, path::Path};

/// The module that a page loads.
pub const LOADER: &str = "tua-checkout.js";
/// The WebAssembly that the module loads.
pub const WASM: &str = "tua_embed_bg.wasm";
/// The modules that a page may load. The files that they load are in the same folder.
const ENTRIES: [&str; 2] = [LOADER, "element.js"];

/// How a module refers to the files that it loads: the text, and the position where the folder's
/// name is inserted.
const REFERENCES: [(&str, usize); 2] = [("\"./locales/", 3), ("\"tua_embed_bg.wasm\"", 1)];

/// The npm package's files, and the modules at the fixed addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sdk {
    /// The package's files, for the folder that is named by their hash.
    pub files: FileSet,
    /// The modules for the folder above. They load the other files from the folder that is named by
    /// the hash.
    pub entries: FileSet,
}

impl Sdk {
    /// Reads the folder of the npm package. The sets are empty if the component has not been built.
    ///
    /// # Errors
    /// A file cannot be read, or a module does not contain the expected references to the files
    /// that it loads.
    pub fn read(pkg: &Path) -> io::Result<Self> {
        let mut files = FileSet::default();
        files.insert_folder("", pkg, &["js", "wasm"])?;
        files.insert_folder("locales/", &pkg.join("locales"), &["js"])?;
        let name = files.name();
        let mut entries = FileSet::default();
        for entry in ENTRIES {
            if let Some(module) = files.get(entry) {
                let module = load_from(module, &name)
                    .map_err(|reference| missing(&pkg.join(entry), reference))?;
                entries.insert(entry, module);
            }
        }
        Ok(Self { files, entries })
    }
}

/// The module, changed so that it loads its files from this folder next to it.
fn load_from(module: &[u8], folder: &str) -> Result<Vec<u8>, &'static str> {
    let mut text = str::from_utf8(module).map_err(|_| "it is not UTF-8")?.to_owned();
    for (reference, position) in REFERENCES {
        if !text.contains(reference) {
            return Err(reference);
        }
        let (before, after) = reference.split_at(position);
        text = text.replace(reference, &format!("{before}{folder}/{after}"));
    }
    Ok(text.into_bytes())
}

fn missing(path: &Path, reference: &str) -> io::Error {
    io::Error::other(format!(
        "{}: does not contain {reference}; build it with `cargo xtask dist`",
        path.display()
    ))
}
