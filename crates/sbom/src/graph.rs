//! The parts of a package: every crate that is linked into it, or runs while it is built.

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, Node, Package, PackageId};
use std::collections::{BTreeMap, HashMap};

/// A crate that the package contains, or that its build runs.
#[derive(Debug)]
pub struct Part<'a> {
    pub package: &'a Package,
    /// Whether its code is in the result. Otherwise it only runs while the result is built.
    pub is_linked: bool,
    /// The parts that it uses, in the order of their names.
    pub dependencies: Vec<&'a Package>,
}

/// The parts of this package, itself included, in the order of their names and versions.
///
/// # Errors
/// `cargo metadata` left out a package.
pub fn parts<'a>(metadata: &'a Metadata, root: &PackageId) -> Result<Vec<Part<'a>>> {
    let resolve =
        metadata.resolve.as_ref().context("cargo metadata contains no dependency graph")?;
    let nodes: HashMap<&PackageId, &Node> =
        resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let packages: HashMap<&PackageId, &Package> =
        metadata.packages.iter().map(|found| (&found.id, found)).collect();
    let package = |id: &PackageId| {
        packages.get(id).copied().with_context(|| format!("cargo metadata has no {id}"))
    };

    let mut found: BTreeMap<(String, String), Part<'a>> = BTreeMap::new();
    let mut waiting = vec![(root.clone(), true)];
    while let Some((id, is_linked)) = waiting.pop() {
        let this = package(&id)?;
        // A procedural macro and what it uses run in the compiler.
        let is_linked = is_linked && !this.targets.iter().any(|target| target.is_proc_macro());
        let key = (this.name.to_string(), this.version.to_string());
        if found.get(&key).is_some_and(|part| part.is_linked || !is_linked) {
            continue;
        }
        let node = nodes.get(&id).with_context(|| format!("the dependency graph has no {id}"))?;
        let mut dependencies = Vec::new();
        for dependency in &node.deps {
            let has = |kind| dependency.dep_kinds.iter().any(|found| found.kind == kind);
            let is_normal = has(DependencyKind::Normal);
            let is_build = has(DependencyKind::Build);
            if is_normal || is_build {
                dependencies.push(package(&dependency.pkg)?);
                waiting.push((dependency.pkg.clone(), is_linked && is_normal));
            }
        }
        dependencies
            .sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
        found.insert(key, Part { package: this, is_linked, dependencies });
    }
    Ok(found.into_values().collect())
}
