//! Turns wasm-bindgen's module into a function that makes an instance of it.
//!
//! After a panic, the memory of a WebAssembly is not consistent, and nothing in it may run again.
//! wasm-bindgen keeps one instance for each JavaScript module, so a page could not start the
//! component again. Its own `--reset-state` option checks in every call which instance is meant,
//! which is more to download.

/// What wasm-bindgen writes, and what it becomes. Each text must occur exactly once.
const REPLACEMENTS: [(&str, &str); 4] = [
    ("\nexport class Handle {", "\nclass Handle {"),
    ("\nexport function start(", "\nfunction start("),
    ("wasm = instance.exports;", "wasm = protect(instance.exports);"),
    (EXPORTS, "return { start, init: __wbg_init, module: () => wasmModule };\n}\n"),
];
const EXPORTS: &str = "export { initSync, __wbg_init as default };\n";
/// Where the function begins that compiles a module while the page waits: nothing calls it.
const SYNCHRONOUS: &str = "function initSync(module) {";
/// The first line after it.
const ASYNCHRONOUS: &str = "let __wbg_init_promise;";

/// A module whose default export makes an instance: `(protect) => { start, init, module }`.
/// `protect` gets the exports of the WebAssembly, and returns those that the JavaScript calls.
///
/// # Errors
/// A text that is to be replaced does not occur exactly once: wasm-bindgen has changed.
pub fn wrap(module: &str) -> Result<String, String> {
    let mut module = without(module, SYNCHRONOUS, ASYNCHRONOUS)?;
    for (from, to) in REPLACEMENTS {
        match module.matches(from).count() {
            1 => module = module.replace(from, to),
            count => return Err(changed(from, count)),
        }
    }
    let (imports, body): (Vec<&str>, Vec<&str>) =
        module.lines().partition(|line| line.starts_with("import "));
    Ok([
        &imports.join("\n"),
        "\nexport default function instantiate(protect) {\n",
        &body.join("\n"),
        "\n",
    ]
    .concat())
}

/// The text without what is between the first occurrences of two texts.
fn without(text: &str, first: &str, last: &str) -> Result<String, String> {
    let (before, rest) = text.split_once(first).ok_or_else(|| changed(first, 0))?;
    let (_, after) = rest.split_once(last).ok_or_else(|| changed(last, 0))?;
    Ok([before, last, after].concat())
}

fn changed(text: &str, count: usize) -> String {
    format!(
        "wasm-bindgen's JavaScript has {count} times {text:?}, not once: correct \
         crates/bindgen/src/factory.rs"
    )
}

#[cfg(test)]
mod tests {
    use super::wrap;

    const MODULE: &str = "import { money } from './browser.js';\n\nexport class Handle {\n}\n\
        \nexport function start(root) {\n}\n    wasm = instance.exports;\n\
        function initSync(module) {\n}\n\
        let __wbg_init_promise;\nexport { initSync, __wbg_init as default };\n";

    #[test]
    fn an_instance_is_made_by_a_function() {
        let wrapped = wrap(MODULE).expect("the module as wasm-bindgen writes it");
        assert!(wrapped.starts_with(
            "import { money } from './browser.js';\nexport default function instantiate(protect) {"
        ));
        assert!(
            wrapped.contains("wasm = protect(instance.exports);") && !wrapped.contains("initSync"),
            "{wrapped}"
        );
        assert!(wrapped.trim_end().ends_with("module: () => wasmModule };\n}"), "{wrapped}");
        assert_eq!(wrapped.matches("export ").count(), 1, "{wrapped}");
    }

    #[test]
    fn another_module_is_an_error() {
        let error =
            wrap(&MODULE.replace("instance.exports", "exports")).expect_err("a line is missing");
        assert!(error.contains("0 times"), "{error}");
    }
}
