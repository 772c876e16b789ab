//! Tests of names, compression and the modules at fixed addresses.

use crate::{FileSet, Sdk, brotli, gzip, integrity};
use std::{fs, io::Read};

const LOADER: &str = concat!(
    r#"import("./locales/en.js");import("./locales/fr.js");"#,
    r#"new URL("tua_embed_bg.wasm",import.meta.url)"#
);

fn set(files: &[(&str, &str)]) -> FileSet {
    let mut set = FileSet::default();
    for (path, text) in files {
        set.insert(path, text.as_bytes().to_vec());
    }
    set
}

#[test]
fn different_contents_have_different_names() {
    let name = |files: &[(&str, &str)]| set(files).name();
    let ours = name(&[("a.js", "1"), ("b.js", "2")]);
    assert_eq!(ours, name(&[("b.js", "2"), ("a.js", "1")]), "the order does not matter");
    assert!(ours.len() == 12 && ours.bytes().all(|digit| digit.is_ascii_hexdigit()), "{ours}");
    for other in [
        &[("a.js", "1")][..],
        &[("a.js", "2"), ("b.js", "1")],
        &[("a.js", "1b.js2"), ("", "")],
        &[],
    ] {
        assert_ne!(ours, name(other));
    }
}

#[test]
fn compressed_bytes_decompress_to_the_original() {
    let text = "mobile money ".repeat(1_000);
    let mut unpacked = Vec::new();
    ::brotli::BrotliDecompress(&mut &*brotli(text.as_bytes()).unwrap(), &mut unpacked).unwrap();
    assert_eq!(unpacked, text.as_bytes());
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(&*gzip(text.as_bytes()).unwrap())
        .read_to_string(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, text);
}

#[test]
fn a_compressed_form_is_written_only_if_it_is_smaller() {
    let folder = tempfile::tempdir().unwrap();
    set(&[("deep/long.js", &"a".repeat(500)), ("short.js", "a")]).write(folder.path()).unwrap();
    let is_there = |path: &str| folder.path().join(path).is_file();
    assert!(
        ["deep/long.js", "deep/long.js.br", "deep/long.js.gz", "short.js"]
            .into_iter()
            .all(is_there)
    );
    assert!(!is_there("short.js.br") && !is_there("short.js.gz"));
}

#[test]
fn a_module_at_a_fixed_address_loads_from_the_named_folder() {
    let pkg = tempfile::tempdir().unwrap();
    fs::write(pkg.path().join("tua-checkout.js"), LOADER).unwrap();
    fs::write(pkg.path().join("tua_embed_bg.wasm"), "wasm").unwrap();
    fs::write(pkg.path().join("package.json"), "{}").unwrap();
    let sdk = Sdk::read(pkg.path()).unwrap();
    let name = sdk.files.name();
    let module = String::from_utf8(sdk.entries.get("tua-checkout.js").unwrap().to_vec()).unwrap();
    assert_eq!(
        module,
        LOADER
            .replace("./locales/", &format!("./{name}/locales/"))
            .replace("tua_", &format!("{name}/tua_"))
    );
    assert_eq!(sdk.files.get("tua-checkout.js"), Some(LOADER.as_bytes()));
    assert_eq!(sdk.files.get("package.json"), None);
}

#[test]
fn a_module_without_the_expected_references_is_an_error_and_a_missing_one_is_not() {
    let pkg = tempfile::tempdir().unwrap();
    assert_eq!(Sdk::read(&pkg.path().join("nowhere")).unwrap(), Sdk::read(pkg.path()).unwrap());
    fs::write(pkg.path().join("element.js"), LOADER.replace("tua_embed_bg", "other")).unwrap();
    let fault = Sdk::read(pkg.path()).unwrap_err().to_string();
    assert!(fault.contains("element.js") && fault.contains("tua_embed_bg.wasm"), "{fault}");
}

#[test]
fn integrity_has_the_form_of_the_html_attribute() {
    let empty = "sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb";
    assert_eq!(integrity(b""), empty);
}
