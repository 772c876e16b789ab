//! Short names for what the wasm imports from its JavaScript and exports to it.
//!
//! wasm-bindgen gives each import a name with a hash of 16 digits, in the wasm and in the
//! JavaScript. Hashes do not compress: with these names the two files are 3.5 KB larger (brotli).
//! wasm-opt shortens the names in the wasm and prints them, and esbuild gives the properties in the
//! JavaScript the same names. Emscripten uses this pass too.

use crate::fault::{Result, fault};
use crate::paths;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The pass of wasm-opt.
pub const PASS: &str = "--minify-imports-and-exports-and-modules";
/// The name that the pass gives to the module of the imports.
const MODULE: &str = "a";

/// The new name of each old name.
#[derive(Debug)]
pub struct ShortNames(BTreeMap<String, String>);

impl ShortNames {
    /// Parses the output of wasm-opt: `imports`, each with its module, its old and its new name,
    /// and `exports`, each with its old and its new name.
    ///
    /// # Errors
    /// The output does not contain these lists, or the wasm imports from several modules.
    pub fn parse(output: &str) -> Result<Self> {
        let lists = output
            .find('{')
            .zip(output.rfind('}'))
            .and_then(|(first, last)| output.get(first..=last));
        let lists: BTreeMap<String, Vec<Vec<String>>> =
            serde_json::from_str(lists.unwrap_or_default())
                .map_err(|e| fault!("wasm-opt {PASS}: its output contains no names: {e}"))?;
        let mut names = BTreeMap::new();
        for entry in lists.into_values().flatten() {
            match <[String; 3]>::try_from(entry) {
                Ok([module, old, new]) => names.extend([(module, MODULE.to_owned()), (old, new)]),
                Err(entry) => {
                    names.extend(<[String; 2]>::try_from(entry).map(|[old, new]| (old, new)))
                }
            }
        }
        match names.values().filter(|new| *new == MODULE).count() {
            // The module and the first export, whose names are in different scopes.
            1 | 2 => Ok(Self(names)),
            _ => Err(fault!("wasm-opt {PASS}: the wasm imports from no module or from several")),
        }
    }

    /// Writes the names to `file`, and returns the arguments that make esbuild use them.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn esbuild_args(&self, file: &Path) -> Result<[String; 3]> {
        let names =
            serde_json::to_string(&self.0).map_err(|e| fault!("{}: {e}", paths::shown(file)))?;
        fs::write(file, names).map_err(|e| fault!("{}: {e}", paths::shown(file)))?;
        // The module is a property in quotes.
        Ok([
            self.mangle_props(),
            "--mangle-quoted".to_owned(),
            format!("--mangle-cache={}", file.display()),
        ])
    }

    /// A regular expression that matches exactly the old names.
    fn mangle_props(&self) -> String {
        let names: Vec<String> =
            self.0.keys().map(|name| name.replace(['.', '/', '$'], ".")).collect();
        format!("--mangle-props=^({})$", names.join("|"))
    }
}

#[cfg(test)]
mod tests {
    use super::ShortNames;

    const OUTPUT: &str = r#"{
 "imports": [
  ["./tua_embed_bg.js", "__wbg_abort_f8d1589eb0c65ee2", "A"],
  ["./tua_embed_bg.js", "__wbg_now_463ac581d2fc7ea3", "Aa"]
 ],
"exports": [
  ["memory", "a"]
 ]
}
"#;

    #[test]
    fn imports_exports_and_their_module_get_the_names_that_wasm_opt_printed() {
        let names = ShortNames::parse(OUTPUT).expect("valid output");
        assert_eq!(names.0["__wbg_now_463ac581d2fc7ea3"], "Aa");
        assert_eq!((names.0["./tua_embed_bg.js"].as_str(), names.0["memory"].as_str()), ("a", "a"));
        let exact =
            "^(..tua_embed_bg.js|__wbg_abort_f8d1589eb0c65ee2|__wbg_now_463ac581d2fc7ea3|memory)$";
        assert_eq!(names.mangle_props(), format!("--mangle-props={exact}"));
    }

    #[test]
    fn output_without_names_is_an_error() {
        for output in ["", "{}", "warning: no passes specified"] {
            assert!(ShortNames::parse(output).is_err(), "{output}");
        }
    }
}
