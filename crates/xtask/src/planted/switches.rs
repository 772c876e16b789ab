//! Plants many faults in one build: the body of a function gets another one in front of it for each
//! fault, and an environment variable chooses.
//!
//! So all faults compile once. What is not in the body of a function, such as a macro, has to be
//! planted alone.

use super::list::PlantedFault;
use crate::fault::{Result, fault};
use proc_macro2::Span;
use std::collections::BTreeMap;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature};

/// The environment variable with the name of the fault that a program has.
pub const VARIABLE: &str = "TUA_PLANTED_FAULT";

/// A file with switches.
#[derive(Debug)]
pub struct SwitchedText {
    /// Its text. Without [`VARIABLE`] it does what the original does.
    pub text: String,
    /// The names of the faults that it has switches for.
    pub names: Vec<String>,
}

/// A function with a body.
struct Function {
    /// The word `const`. A function with a switch reads a variable, so it cannot be constant.
    constness: Option<Range<usize>>,
    /// The inner part of its body, without the braces.
    body: Range<usize>,
}

/// Adds a switch for each fault that is in a function of this file.
///
/// # Errors
/// The file is no Rust, or the text of a fault does not occur exactly once.
pub fn add(file: &str, text: &str, faults: &[&PlantedFault]) -> Result<SwitchedText> {
    let functions = functions(text).map_err(|e| fault!("{file}: {e}"))?;
    let by_body = faults_by_body(text, &functions, faults)?;
    let mut switched = SwitchedText { text: String::new(), names: Vec::new() };
    let mut copied = 0;
    for Function { constness, body } in &functions {
        let Some(faults) = by_body.get(&body.start) else { continue };
        if let Some(word) = constness {
            switched.text += &text[copied..word.start];
            copied = word.end;
        }
        switched.text += &text[copied..body.start];
        copied = body.start;
        for planted in faults {
            switched.text += &branch(&text[body.clone()], planted);
            switched.names.push(planted.name.clone());
        }
    }
    switched.text += &text[copied..];
    Ok(switched)
}

/// The faults that are in a function, by the start of its body. Of nested functions the inner one
/// counts.
fn faults_by_body<'a>(
    text: &str,
    functions: &[Function],
    faults: &[&'a PlantedFault],
) -> Result<BTreeMap<usize, Vec<&'a PlantedFault>>> {
    let mut by_body: BTreeMap<usize, Vec<&PlantedFault>> = BTreeMap::new();
    for planted in faults {
        let start = planted.position(text)?;
        let end = start + planted.from.len();
        let holds = |function: &&Function| function.body.start <= start && end <= function.body.end;
        if let Some(function) = functions.iter().filter(holds).min_by_key(|one| one.body.len()) {
            by_body.entry(function.body.start).or_default().push(planted);
        }
    }
    Ok(by_body)
}

/// The body with a fault, which is executed only where the variable names the fault.
fn branch(body: &str, PlantedFault { name, from, to, .. }: &PlantedFault) -> String {
    let faulty = body.replacen(from, to, 1);
    format!(
        "\nif ::std::env::var_os(\"{VARIABLE}\").is_some_and(|name| name == \"{name}\") {{ return \
         {{{faulty}}}; }}\n"
    )
}

/// The functions of a file, in the order of their bodies.
fn functions(text: &str) -> syn::Result<Vec<Function>> {
    let file = syn::parse_file(text)?;
    let mut found = Functions::default();
    found.visit_file(&file);
    found.0.sort_by_key(|function| function.body.start);
    Ok(found.0)
}

#[derive(Default)]
struct Functions(Vec<Function>);

impl Functions {
    fn add(&mut self, signature: &Signature, block: &Block) {
        let constness = signature.constness.as_ref().map(|word| word.span.byte_range());
        let braces = block.brace_token.span;
        let inner = |open: Span, close: Span| open.byte_range().end..close.byte_range().start;
        self.0.push(Function { constness, body: inner(braces.open(), braces.close()) });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(name: &str, from: &str, to: &str) -> PlantedFault {
        PlantedFault {
            name: name.to_owned(),
            file: "file.rs".to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
            effect: String::new(),
            tests: None,
            also_guarded_by: None,
        }
    }

    #[test]
    fn each_fault_in_a_function_is_a_body_of_its_own() {
        let text =
            "const LIMIT: u32 = 3;\nimpl A {\n    const fn is_more(a: u32) -> bool { a > 3 }\n}\n";
        let faults = [planted("less", "a > 3", "a < 3"), planted("none", "a > 3", "false")];
        let SwitchedText { text, names } =
            add("a.rs", text, &faults.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(names, ["less", "none"]);
        let function = &text[text.find("fn is_more").unwrap()..];
        assert!(!text.contains("const fn") && text.starts_with("const LIMIT"), "{text}");
        for part in ["== \"less\") { return { a < 3 }; }", "== \"none\") { return { false }; }"] {
            assert!(function.contains(part), "{text}");
        }
        assert!(function.ends_with("\n a > 3 }\n}\n"), "{text}");
        assert!(syn::parse_file(&text).is_ok(), "{text}");
    }

    #[test]
    fn what_is_in_no_function_gets_no_switch() {
        let text = "macro_rules! limit { () => { 3 } }\nfn other() {}\n";
        let fault = planted("more", "=> { 3 }", "=> { 4 }");
        let switched = add("a.rs", text, &[&fault]).unwrap();
        assert_eq!(switched.text, text);
        assert_eq!(switched.names, Vec::<String>::new());
    }

    #[test]
    fn a_text_that_occurs_twice_is_an_error() {
        let fault = planted("twice", "a", "b");
        assert!(add("a.rs", "fn a() { a() }", &[&fault]).is_err());
        assert!(add("a.rs", "no Rust", &[]).is_err());
    }
}
