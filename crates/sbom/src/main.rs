//! Writes the list of parts (SBOM) of a package of this workspace in the CycloneDX format 1.5.
//!
//! `tua-sbom PACKAGE TARGET FILE` lists every crate that is compiled for the package on this
//! target, with version, licence, checksum and dependencies. It may also list optional crates that
//! cargo resolves and no feature enables. A crate that only runs while the package is built has the
//! scope `excluded`. Two runs on one commit write the same bytes: there is no time and no random
//! serial number.

mod graph;

use anyhow::{Context, Result, bail};
use cargo_lock::{Checksum, Lockfile};
use cargo_metadata::{MetadataCommand, Package};
use cyclonedx_bom::{
    external_models::{normalized_string::NormalizedString, spdx::SpdxExpression, uri::Purl},
    models::{
        bom::{Bom, SpecVersion},
        component::{Classification, Component, Components, Scope},
        dependency::{Dependencies, Dependency},
        hash::{Hash, HashAlgorithm, HashValue, Hashes},
        license::{LicenseChoice, Licenses},
        metadata::Metadata,
    },
    validation::Validate,
};
use graph::Part;
use std::{env, fs};

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [package, target, file] = &arguments[..] else {
        bail!("usage: tua-sbom PACKAGE TARGET FILE")
    };
    let metadata = MetadataCommand::new()
        .other_options(["--locked".to_owned(), "--filter-platform".to_owned(), target.clone()])
        .exec()
        .context("cargo metadata")?;
    let lock = Lockfile::load(metadata.workspace_root.join("Cargo.lock")).context("Cargo.lock")?;
    let root = metadata.workspace_packages().into_iter().find(|found| found.name == *package);
    let root = root.with_context(|| format!("{package} is not a package of this workspace"))?;
    let parts = graph::parts(&metadata, &root.id)?;
    let bom = bom(root, &parts, &lock)?;
    let mut written = Vec::new();
    bom.output_as_json_v1_5(&mut written).context("the list cannot be written as JSON")?;
    written.push(b'\n');
    fs::write(file, written).with_context(|| file.clone())
}

/// The list of these parts.
fn bom(root: &Package, parts: &[Part<'_>], lock: &Lockfile) -> Result<Bom> {
    let others = parts.iter().filter(|part| part.package.id != root.id);
    let components = others.map(|part| component(part, lock)).collect::<Result<_>>()?;
    let dependency = |part: &Part<'_>| Dependency {
        dependency_ref: reference(part.package),
        dependencies: part.dependencies.iter().map(|package| reference(package)).collect(),
    };
    let mut application = Component::new(
        Classification::Application,
        &root.name,
        &root.version.to_string(),
        Some(reference(root)),
    );
    application.licenses = licences(root);
    let bom = Bom {
        serial_number: None,
        metadata: Some(Metadata { component: Some(application), ..Metadata::default() }),
        components: Some(Components(components)),
        dependencies: Some(Dependencies(parts.iter().map(dependency).collect())),
        spec_version: SpecVersion::V1_5,
        ..Bom::default()
    };
    let result = bom.validate();
    if !result.passed() {
        bail!("the list is not valid CycloneDX: {:?}", result.errors().collect::<Vec<_>>());
    }
    Ok(bom)
}

fn component(part: &Part<'_>, lock: &Lockfile) -> Result<Component> {
    let name = part.package.name.as_str();
    let version = part.package.version.to_string();
    let mut component =
        Component::new(Classification::Library, name, &version, Some(reference(part.package)));
    component.description =
        part.package.description.as_deref().map(|text| NormalizedString::new(text.trim()));
    component.scope = Some(if part.is_linked { Scope::Required } else { Scope::Excluded });
    component.licenses = licences(part.package);
    component.purl = Some(Purl::new("cargo", name, &version)?);
    // A package of this workspace has no checksum.
    let locked = lock
        .packages
        .iter()
        .find(|one| one.name.as_str() == name && one.version == part.package.version);
    let hash = |checksum: &Checksum| Hash {
        alg: HashAlgorithm::SHA_256,
        content: HashValue(checksum.to_string()),
    };
    component.hashes = locked
        .and_then(|locked| locked.checksum.as_ref())
        .map(|checksum| Hashes(vec![hash(checksum)]));
    Ok(component)
}

/// A crate whose own licence is not that of the fonts in it.
const FONTS: &str = "dejavu";

/// Crates of before 2021 separate licences with a slash, which SPDX does not know.
fn licences(package: &Package) -> Option<Licenses> {
    let mut expression = package.license.as_ref()?.replace('/', " OR ");
    if package.name == FONTS {
        expression = format!("({expression}) AND Bitstream-Vera");
    }
    Some(Licenses(vec![LicenseChoice::Expression(SpdxExpression::new(&expression))]))
}

/// What identifies a part in the list.
fn reference(package: &Package) -> String {
    format!("{}@{}", package.name, package.version)
}
