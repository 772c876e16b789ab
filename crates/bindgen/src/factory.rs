//! Turns wasm-bindgen's module into a function that makes an instance of it.
//!
//! After a panic, the memory of a WebAssembly instance is not consistent, and nothing in it may run
//! again. wasm-bindgen keeps one instance for each JavaScript module, so a page could not start the
//! component again. Its own `--experimental-reset-state-function` option checks in every call which
//! instance is meant, which is more to download.

/// What wasm-bindgen writes, and what it becomes. Each text must occur exactly once.
const REPLACEMENTS: [(&str, &str); 4] = [
    ("\nexport class Handle {", "\nclass Handle {"),
    ("\nexport function start(", "\nfunction start("),
    ("wasm = instance.exports;", "wasm = protect(instance.exports);"),
    // Unused: the loader calls `destroy`.
    ("if (Symbol.dispose) Handle.prototype[Symbol.dispose] = Handle.prototype.free;\n", ""),
];
/// What is left out: from the first text to the next occurrence of the second one.
const REMOVED: [(&str, &str); 2] = [
    // Unused: the loader calls `destroy`.
    ("    free() {", "    /**\n"),
    // Every call passes `realloc`.
    ("    if (realloc === undefined) {", "    let len = arg.length;"),
];
/// Where the functions begin that fetch, compile and instantiate a module. The loader does this
/// itself (`crates/embed/js/resources.js`), with less code and without their texts for developers.
const LOADING: &str = "async function __wbg_load(";
const END: &str = "return { start, imports: __wbg_get_imports, finish: __wbg_finalize_init };\n}\n";

/// A module whose default export makes an instance: `(protect) => { start, imports, finish }`. The
/// caller instantiates the WebAssembly with the value of `imports()`, and passes the instance to
/// `finish`. `protect` gets the exports of the WebAssembly, and returns those that the JavaScript
/// calls.
///
/// # Errors
/// A text that is to be replaced does not occur exactly once: wasm-bindgen has changed.
pub fn wrap(module: &str) -> Result<String, String> {
    let (module, _) = split_at_only(module, LOADING)?;
    let mut module = module.to_owned();
    for (first, next) in REMOVED {
        let (before, removed) = split_at_only(&module, first)?;
        let kept = removed.find(next).ok_or_else(|| changed(next, 0))?;
        module = [before, &removed[kept..]].concat();
    }
    for (from, to) in REPLACEMENTS {
        let (before, found) = split_at_only(&module, from)?;
        module = [before, to, &found[from.len()..]].concat();
    }
    let (imports, body): (Vec<&str>, Vec<&str>) =
        module.lines().partition(|line| line.starts_with("import "));
    Ok([
        &imports.join("\n"),
        "\nexport default function instantiate(protect) {\n",
        &body.join("\n"),
        "\n",
        END,
    ]
    .concat())
}

/// What is before the only occurrence of a text, and the rest, which begins with it.
fn split_at_only<'a>(module: &'a str, text: &str) -> Result<(&'a str, &'a str), String> {
    match module.match_indices(text).collect::<Vec<_>>()[..] {
        [(place, _)] => Ok(module.split_at(place)),
        ref places => Err(changed(text, places.len())),
    }
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

    const MODULE: &str = "import { money } from './browser.js';\n\nexport class Handle {\n\
        \x20   free() {\n        wasm.free();\n    }\n    /**\n     * Removes it.\n     */\n\
        \x20   destroy() {}\n}\n\
        if (Symbol.dispose) Handle.prototype[Symbol.dispose] = Handle.prototype.free;\n\
        \nexport function start(root) {\n}\n    wasm = instance.exports;\n\
        function passString(arg, realloc) {\n    if (realloc === undefined) {\n    }\n\
        \n    let len = arg.length;\n}\n\
        async function __wbg_load(module, imports) {\n}\n\
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
        assert!(wrapped.trim_end().ends_with("finish: __wbg_finalize_init };\n}"), "{wrapped}");
        assert_eq!(wrapped.matches("export ").count(), 1, "{wrapped}");
    }

    #[test]
    fn what_the_loader_does_not_call_is_left_out() {
        let wrapped = wrap(MODULE).expect("the module as wasm-bindgen writes it");
        for left_out in ["free", "Symbol.dispose", "realloc ===", "__wbg_load", "__wbg_init"] {
            assert!(!wrapped.contains(left_out), "{left_out}: {wrapped}");
        }
        for kept in ["    /**\n     * Removes it.\n", "destroy() {}", "let len = arg.length;"] {
            assert!(wrapped.contains(kept), "{kept}: {wrapped}");
        }
    }

    #[test]
    fn another_module_is_an_error() {
        let error =
            wrap(&MODULE.replace("instance.exports", "exports")).expect_err("a line is missing");
        assert!(error.contains("0 times"), "{error}");
    }
}
