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
    for (name, first, second) in [
        ("page.css", "src/style/checkout.css", "www/hosted/pay.css"),
        ("docs.css", "www/colours.css", "www/docs/docs.css"),
        ("dashboard.css", "www/colours.css", "www/dashboard/dashboard.css"),
    ] {
        files.insert(name, [fs::read(root.join(first))?, fs::read(root.join(second))?].concat());
    }
    // Of one page, besides its own.
    files.insert("poster.css", fs::read(root.join("www/dashboard/poster.css"))?);
    Ok(files)
}

/// Removes the files of earlier builds first.
fn write(folder: &Path, files: &FileSet) -> Result<(), Box<dyn Error>> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    Ok(files.write(folder)?)
}
