//! The modules of a crate as its files write them: what each defines, imports and refers to.

use proc_macro2::{Literal, TokenStream, TokenTree};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// A module's path from the crate's root: `store::sqlite` is `["store", "sqlite"]`.
pub type ModulePath = Vec<String>;

/// What the file of a module defines, imports and refers to.
#[derive(Debug, Default)]
pub struct Module {
    /// Relative to the repository.
    pub file: PathBuf,
    /// The names that it defines.
    pub items: HashSet<String>,
    /// The names that its `use` declarations bring in.
    pub imports: Vec<Import>,
    /// Every path that it contains, those of its `use` declarations among them.
    pub references: Vec<Reference>,
    /// The modules in it that only tests are compiled with.
    test_modules: HashSet<String>,
}

/// A name that a `use` declaration brings in; `*` for a glob import.
#[derive(Debug)]
pub struct Import {
    pub name: String,
    pub path: Vec<String>,
}

/// A path as it is written.
#[derive(Debug)]
pub struct Reference {
    pub path: Vec<String>,
    pub line: usize,
    /// Whether it is a `pub use`.
    pub is_reexport: bool,
}

/// Every module of the crate whose sources are in this folder, without its tests and its binary.
pub fn modules(root: &Path, sources: &Path) -> BTreeMap<ModulePath, Module> {
    let mut modules = BTreeMap::new();
    read_folder(root, sources, &[], &mut modules);
    let tests: Vec<ModulePath> = modules
        .iter()
        .flat_map(|(path, module)| {
            module
                .test_modules
                .iter()
                .map(|name| [path.as_slice(), std::slice::from_ref(name)].concat())
        })
        .collect();
    modules.retain(|path, _| !tests.iter().any(|test| path.starts_with(test)));
    modules
}

fn read_folder(
    root: &Path,
    folder: &Path,
    path: &[String],
    modules: &mut BTreeMap<ModulePath, Module>,
) {
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let child = [path, std::slice::from_ref(&name)].concat();
        if file.is_dir() {
            read_folder(root, &file, &child, modules);
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            match name.as_str() {
                "main" => {}
                "lib" | "mod" => drop(modules.insert(path.to_vec(), read_module(root, &file))),
                _ => drop(modules.insert(child, read_module(root, &file))),
            }
        }
    }
}

fn read_module(root: &Path, file: &Path) -> Module {
    let text = fs::read_to_string(file).unwrap();
    let syntax =
        syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut module =
        Module { file: file.strip_prefix(root).unwrap().to_path_buf(), ..Module::default() };
    module.items = syntax.items.iter().filter_map(name_of).collect();
    module.visit_file(&syntax);
    module
}

/// The name that an item defines; a module in a file of its own is a module, not an item.
fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Mod(ItemMod { content: Some(_), ident, .. }) => ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .meta
                .require_list()
                .is_ok_and(|list| list.tokens.to_string().contains("test"))
    })
}

fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

impl Module {
    fn import(&mut self, tree: &UseTree, prefix: &[String], is_reexport: bool) {
        let join = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        let (name, path) = match tree {
            UseTree::Path(tree) => return self.import(&tree.tree, &join(&tree.ident), is_reexport),
            UseTree::Group(group) => {
                return group.items.iter().for_each(|one| self.import(one, prefix, is_reexport));
            }
            UseTree::Glob(_) => ("*".to_owned(), prefix.to_vec()),
            UseTree::Name(one) if one.ident == "self" => {
                (prefix.last().unwrap().clone(), prefix.to_vec())
            }
            UseTree::Rename(one) if one.ident == "self" => {
                (one.rename.to_string(), prefix.to_vec())
            }
            UseTree::Name(one) => (one.ident.to_string(), join(&one.ident)),
            UseTree::Rename(one) => (one.rename.to_string(), join(&one.ident)),
        };
        self.references.push(Reference {
            path: path.clone(),
            line: tree.span().start().line,
            is_reexport,
        });
        self.imports.push(Import { name, path });
    }

    /// The paths in the arguments of a macro or an attribute, which are tokens and not syntax.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        let mut line = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if colons == 2 || path.is_empty() => {
                    line = ident.span().start().line;
                    path.push(ident.to_string());
                    colons = 0;
                    continue;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => self.path_in_text(&literal),
                TokenTree::Ident(ident) => {
                    self.refer(std::mem::take(&mut path), line);
                    line = ident.span().start().line;
                    path.push(ident.to_string());
                    colons = 0;
                    continue;
                }
                _ => {}
            }
            self.refer(std::mem::take(&mut path), line);
            colons = 0;
        }
        self.refer(path, line);
    }

    /// The path that a text is, such as in `#[serde(with = "…")]`.
    fn path_in_text(&mut self, literal: &Literal) {
        let text = syn::parse_str::<syn::LitStr>(&literal.to_string());
        if let Ok(path) = text.and_then(|text| text.parse::<syn::Path>()) {
            self.refer(segments(&path), literal.span().start().line);
        }
    }

    fn refer(&mut self, path: Vec<String>, line: usize) {
        if path.len() > 1 {
            self.references.push(Reference { path, line, is_reexport: false });
        }
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_test_only(&item.attrs) {
            self.import(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.refer(segments(path), path.span().start().line);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        self.visit_path(&invocation.path);
        self.tokens(invocation.tokens.clone());
    }

    fn visit_meta_list(&mut self, list: &'ast syn::MetaList) {
        self.visit_path(&list.path);
        self.tokens(list.tokens.clone());
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if is_test_only(&item.attrs) {
            self.test_modules.insert(item.ident.to_string());
        } else {
            visit::visit_item_mod(self, item);
        }
    }
}
