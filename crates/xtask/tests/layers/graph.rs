//! Which module depends on which, and where that is written.

use crate::source::{Import, Module, ModulePath};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A reference from one module to what another one defines.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: ModulePath,
    pub to: ModulePath,
    pub file: PathBuf,
    pub line: usize,
}

/// A crate's modules by their path.
#[derive(Debug)]
pub struct Crate(pub BTreeMap<ModulePath, Module>);

impl Crate {
    /// All edges between different modules. A folder's own file re-exports what the files in it
    /// define: a reference to such a name is one to the file that defines it, and the re-export
    /// itself is no dependency. The crate's root, which names every module, has none either.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (from, module) in self.0.iter().filter(|(path, _)| !path.is_empty()) {
            for reference in &module.references {
                let Some(to) =
                    self.absolute(from, &reference.path).and_then(|path| self.owner(&path))
                else {
                    continue;
                };
                if to == *from || to.is_empty() || reference.is_reexport && to.starts_with(from) {
                    continue;
                }
                edges.push(Edge {
                    from: from.clone(),
                    to,
                    file: module.file.clone(),
                    line: reference.line,
                });
            }
        }
        edges
    }

    /// A path as it is written in a module, from the crate's root; `None` for what another crate
    /// defines.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let parent = &module[..module.len().checked_sub(1)?];
                match rest.first().map(String::as_str) {
                    Some("super") => self.absolute(parent, rest),
                    _ => Some([parent, rest].concat()),
                }
            }
            _ if self.0.contains_key(&[module, &path[..1]].concat()) => {
                Some([module, path].concat())
            }
            _ => {
                let imports = &self.0[module].imports;
                let import = imports
                    .iter()
                    .find(|import| import.name == *first && import.path[0] != *first)?;
                self.absolute(module, &[&import.path, rest].concat())
            }
        }
    }

    /// The module that defines what a path from the root names; the nearest one where a macro
    /// defines it.
    fn owner(&self, path: &[String]) -> Option<ModulePath> {
        let mut depth = 0;
        while depth < path.len() && self.0.contains_key(&path[..=depth]) {
            depth += 1;
        }
        let (module, rest) = path.split_at(depth);
        Some(self.definer(module, rest, 8).unwrap_or_else(|| module.to_vec()))
    }

    fn definer(&self, module: &[String], rest: &[String], steps: usize) -> Option<ModulePath> {
        let Some(name) = rest.first() else { return Some(module.to_vec()) };
        let source = self.0.get(module)?;
        if source.items.contains(name) || steps == 0 {
            return Some(module.to_vec());
        }
        let follow = |import: &Import, rest: &[String]| {
            let path = [&self.absolute(module, &import.path)?, rest].concat();
            let depth =
                (0..=path.len()).rev().find(|depth| self.0.contains_key(&path[..*depth]))?;
            self.definer(&path[..depth], &path[depth..], steps - 1)
        };
        let named = source.imports.iter().find(|import| import.name == *name);
        let globs = || source.imports.iter().filter(|import| import.name == "*");
        match named {
            Some(import) => follow(import, &rest[1..]),
            None => globs().find_map(|import| follow(import, rest)),
        }
    }

    /// The modules that contain others, and the crate's root.
    pub fn folders(&self) -> BTreeSet<ModulePath> {
        self.0
            .keys()
            .filter(|path| !path.is_empty())
            .map(|path| path[..path.len() - 1].to_vec())
            .collect()
    }
}

/// The edges inside a folder, each between two of its members; the folder's own file is the member
/// `mod`.
pub fn within(folder: &[String], edges: &[Edge]) -> BTreeMap<(String, String), Edge> {
    let member =
        |path: &[String]| path.get(folder.len()).cloned().unwrap_or_else(|| "mod".to_owned());
    let inside =
        edges.iter().filter(|edge| edge.from.starts_with(folder) && edge.to.starts_with(folder));
    inside
        .map(|edge| ((member(&edge.from), member(&edge.to)), edge.clone()))
        .filter(|((from, to), _)| from != to)
        .collect()
}

/// The groups of nodes that can all be reached from one another.
pub fn circles<'a>(edges: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<BTreeSet<&'a str>> {
    let mut reachable: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in edges {
        reachable.entry(from).or_default().insert(to);
    }
    loop {
        let mut has_grown = false;
        for node in reachable.keys().copied().collect::<Vec<_>>() {
            let further: BTreeSet<&str> = reachable[node]
                .iter()
                .filter_map(|next| reachable.get(next))
                .flatten()
                .copied()
                .collect();
            let known = reachable.get_mut(node).unwrap();
            let before = known.len();
            known.extend(further);
            has_grown |= known.len() > before;
        }
        if !has_grown {
            break;
        }
    }
    let mut found: Vec<BTreeSet<&str>> = Vec::new();
    for (node, reached) in reachable.iter().filter(|(node, reached)| reached.contains(*node)) {
        let circle = reached
            .iter()
            .copied()
            .filter(|other| reachable.get(other).is_some_and(|back| back.contains(node)));
        let circle: BTreeSet<&str> = circle.collect();
        if !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}
