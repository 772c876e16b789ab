//! Packs the files that browsers load: names each folder by a hash of its files, compresses the
//! files, and embeds them in the binary.

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};
use tua_packing::{FileSet, Sdk};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Cargo does not notice new files by itself.
    for folder in ["pkg", "www", "index.html", "src/style"] {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    let sdk = Sdk::read(&root.join("pkg"))?;
    let page = page_files(&root)?;
    println!("cargo::rustc-env=TUA_SDK={}", sdk.files.name());
    println!("cargo::rustc-env=TUA_PAGE={}", page.name());
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for (folder, files) in [("sdk", &sdk.files), ("entries", &sdk.entries), ("page", &page)] {
        write(&out.join(folder), files)?;
    }
    Ok(())
}

/// The files of all pages, without the `<tua-checkout>` component. The style sheets of a page are
/// one file, because each blocks rendering.
fn page_files(root: &Path) -> Result<FileSet, Box<dyn Error>> {
    let mut files = FileSet::default();
    files.insert_folder("", &root.join("www/hosted"), &["js", "png", "svg"])?;
    files.insert_folder("", &root.join("www/dashboard"), &["js", "svg"])?;
    files.insert_folder("", &root.join("www/docs"), &["js"])?;
    for (name, sheets) in [
        ("page.css", &["src/style/checkout.css", "www/hosted/pay.css"][..]),
        ("docs.css", &["www/colours.css", "www/docs/docs.css"]),
        ("dashboard.css", DASHBOARD_SHEETS),
    ] {
        files.insert(name, joined(root, sheets)?);
    }
    // Of one page, besides its own.
    files.insert("poster.css", fs::read(root.join("www/dashboard/poster.css"))?);
    Ok(files)
}

/// The style sheets of the dashboard by subject. Of rules that weigh the same, the last one counts.
const DASHBOARD_SHEETS: &[&str] = &[
    "www/colours.css",
    "www/dashboard/style/base.css",
    "www/dashboard/style/navigation.css",
    "www/dashboard/style/tables.css",
    "www/dashboard/style/cards.css",
    "www/dashboard/style/forms.css",
    "www/dashboard/style/lists.css",
    "www/dashboard/style/home.css",
    "www/dashboard/style/payment.css",
    "www/dashboard/style/money.css",
    "www/dashboard/style/print.css",
];

/// These files, one behind the other.
fn joined(root: &Path, sheets: &[&str]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut joined = Vec::new();
    for sheet in sheets {
        joined.extend(fs::read(root.join(sheet))?);
    }
    Ok(joined)
}

/// Removes the files of earlier builds first.
fn write(folder: &Path, files: &FileSet) -> Result<(), Box<dyn Error>> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    Ok(files.write(folder)?)
}
