//! Builds the component for browsers: cargo, then wasm-bindgen, then wasm-opt and esbuild.

use crate::fault::{Result, fault};
use crate::short_names::{self, ShortNames};
use crate::step::Step;
use crate::{paths, tools};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

const PACKAGE: &str = "tua-embed";
/// The name of the files that wasm-bindgen writes and the loader imports.
const NAME: &str = "tua_embed";
/// The loader and wasm-bindgen's JavaScript in one module, which a page loads.
pub const LOADER: &str = "tua-checkout.js";
/// The same module without the registration of the element, for pages that register it themselves.
pub const ELEMENT: &str = "element.js";
pub const WASM: &str = "tua_embed_bg.wasm";
/// The files in the repository that determine the result, besides the wasm and the tools' versions.
const INPUTS: [&str; 11] = [
    "crates/embed/js/loader.js",
    "crates/embed/js/register.js",
    "crates/embed/js/resources.js",
    "crates/embed/js/draw.js",
    BROWSER,
    "crates/bindgen/src/factory.rs",
    "crates/bindgen/src/main.rs",
    "crates/bindgen/src/snip.rs",
    "crates/xtask/src/short_names.rs",
    "crates/xtask/src/wasm.rs",
    CSS,
];
/// The script that the component and the loader share.
const BROWSER: &str = "src/browser.js";
const CSS: &str = "src/style/checkout.css";
/// The features that rustc 1.95 uses by default. wasm-opt's own default is smaller.
const WASM_FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Compiles the component. It takes minutes, so other builds run concurrently.
///
/// `stable` uses the toolchain's own std, and the wasm is a third larger. Otherwise std is compiled
/// with the component, for size and with a panic that is one instruction. This requires
/// `RUSTC_BOOTSTRAP`, which is set for this build only, and for nothing that is published as
/// source.
pub fn compile(stable: bool) -> Step {
    let step = Step::cargo("compiling the component to wasm", "rustc")
        .args([
            "--package",
            PACKAGE,
            "--profile",
            "wasm",
            "--target",
            tools::WASM_TARGET,
            "--target-dir",
        ])
        .args([target_dir(stable)])
        .without_env("CARGO_ENCODED_RUSTFLAGS")
        .about(150);
    if stable {
        return step.without_env("RUSTFLAGS");
    }
    step.args(["-Z", "build-std=std,panic_abort", "-Z", "build-std-features=optimize_for_size"])
        // For the last step only, which optimizes all crates together. LLVM's own limit for small
        // code is 5: a little more lets wasm-opt merge what the functions have in common.
        .args(["--", "-Cllvm-args=-inline-threshold=10"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zunstable-options -Cpanic=immediate-abort -Zfmt-debug=none")
}

/// Compiles the programs that `finish` runs, and other packages. One cargo builds all, because two
/// would lock each other out.
pub fn compile_for_host(title: &str, packages: &[&str]) -> Step {
    Step::cargo(title, "build")
        .args(["--package", "tua-bindgen", "--package", "tua-prerender"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .about(if packages.is_empty() { 40 } else { 580 })
}

/// Creates the files of pkg/ from the wasm, unless nothing has changed since the last time.
pub fn finish(stable: bool) -> Result<()> {
    let built =
        target_dir(stable).join(tools::WASM_TARGET).join("wasm").join(format!("{NAME}.wasm"));
    let stamp_path = paths::wasm_target().join("pkg.stamp");
    let pkg = paths::pkg();
    let out = paths::wasm_target().join("out");
    Step::new(
        "drawing the form and writing the texts",
        paths::target().join("debug").join("tua-prerender"),
    )
    .args([&out])
    .about(1)
    .run()?;
    let stamp = stamp(&read(&built)?, &out)?;
    let is_there =
        [LOADER, ELEMENT, WASM, "locales/en.js"].iter().all(|name| pkg.join(name).is_file());
    let is_fresh = is_there && fs::read_to_string(&stamp_path).is_ok_and(|old| old == stamp);
    if is_fresh {
        return Ok(());
    }

    Step::new("writing the JavaScript half", paths::target().join("debug").join("tua-bindgen"))
        .args([built.as_path(), &out, Path::new(NAME), Path::new("--factory")])
        // The snips were tested with the flags of the small build only.
        .args((!stable).then_some("--snip"))
        .about(3)
        .run()?;
    let wasm_opt = |title| {
        tools::npm_tool(title, tools::WASM_OPT)
            // Without common subexpression elimination, which saves instructions but compresses
            // worse. The lowest kilobyte of memory is the far end of the stack, to which no pointer
            // refers. Browsers ignore the list of features.
            .args([
                "-Oz",
                "--low-memory-unused",
                "--skip-pass=local-cse",
                "--strip-target-features",
            ])
            .args(WASM_FEATURES)
            .about(15)
    };
    wasm_opt("shrinking the wasm")
        // Flattening and rebuilding the control flow lets -Oz find more (Binaryen's Optimizer
        // Cookbook).
        .args(["--flatten", "--rereloop", "-Oz", "--converge"])
        .args([&out.join(WASM), Path::new("-o"), &out.join("small.wasm")])
        .run()?;
    // A run of its own, because --converge would rename the names again.
    let renamed = wasm_opt("shortening the names in the wasm")
        .args([short_names::PASS])
        .args([&out.join("small.wasm"), Path::new("-o"), &out.join("named.wasm")])
        .run()?;
    let renaming = ShortNames::parse(&renamed.log)?.esbuild_args(&out.join("short-names.json"))?;
    for script in INPUTS.iter().filter(|input| input.starts_with("crates/embed/js/")) {
        let script = paths::root().join(script);
        place(&script, &out.join(script.file_name().unwrap_or_default()))?;
    }
    share_browser_script(&out)?;
    tools::npm_tool("shrinking the styles", tools::ESBUILD)
        // Browsers that run the component support these targets. Newer CSS is inside @supports.
        .args(["--minify", "--log-level=warning", "--target=chrome80,safari14,firefox80"])
        .args([
            paths::root().join(CSS).display().to_string(),
            format!("--outfile={}", out.join("checkout.css").display()),
        ])
        .run()?;
    for (from, to) in [("register.js", LOADER), ("loader.js", ELEMENT)] {
        tools::npm_tool("joining and shrinking the JavaScript", tools::ESBUILD)
            .args([
                "--bundle",
                // Scripts that are modules are always read as UTF-8.
                "--charset=utf8",
                "--external:./locales/*",
                "--loader:.css=text",
                "--minify",
                "--format=esm",
            ])
            .args(["--target=es2022", "--log-level=warning", "--legal-comments=none"])
            .args(&renaming)
            .args([
                out.join(from).display().to_string(),
                format!("--outfile={}", out.join("built").join(to).display()),
            ])
            .run()?;
    }

    let locales = pkg.join("locales");
    fs::create_dir_all(&locales).map_err(|e| fault!("{}: {e}", paths::shown(&locales)))?;
    for texts in texts(&out)? {
        place(&texts, &locales.join(texts.file_name().unwrap_or_default()))?;
    }
    for (from, to) in
        [("built/tua-checkout.js", LOADER), ("built/element.js", ELEMENT), ("named.wasm", WASM)]
    {
        place(&out.join(from), &pkg.join(to))?;
    }
    fs::write(&stamp_path, stamp).map_err(|e| fault!("{}: {e}", paths::shown(&stamp_path)))?;
    Ok(())
}

/// Builds the Yew example with the toolchain's own std, and copies its page.
pub fn build_yew_example(into: &Path) -> Result<()> {
    const EXAMPLE: &str = "tua-example-yew";
    let target = target_dir(true);
    Step::cargo("compiling the Yew example to wasm", "build")
        .args(["--package", EXAMPLE, "--profile", "wasm", "--target", tools::WASM_TARGET])
        .args([Path::new("--target-dir"), &target])
        .without_env("RUSTFLAGS")
        .about(150)
        .run()?;
    compile_for_host("compiling wasm-bindgen", &[]).run()?;
    let built = target.join(tools::WASM_TARGET).join("wasm").join(format!("{EXAMPLE}.wasm"));
    let args = [built.as_path(), into, Path::new(EXAMPLE)];
    Step::new("writing the JavaScript half", paths::target().join("debug").join("tua-bindgen"))
        .args(args)
        .run()?;
    for name in ["index.html", "start.js"] {
        place(&paths::root().join("examples/yew").join(name), &into.join(name))?;
    }
    Ok(())
}

/// Lets the loader import wasm-bindgen's copy of the script that both use, so that pages download
/// it once.
fn share_browser_script(out: &Path) -> Result<()> {
    let script = read(&out.join(format!("{NAME}.js")))?;
    let script = String::from_utf8_lossy(&script);
    let imported = script.lines().find_map(|line| line.split_once("from '")?.1.strip_suffix("';"));
    let copy =
        imported.ok_or_else(|| fault!("{NAME}.js: wasm-bindgen imports no copy of {BROWSER}"))?;
    let path = out.join(Path::new(BROWSER).file_name().unwrap_or_default());
    fs::write(&path, format!("export * from {copy:?};\n"))
        .map_err(|e| fault!("{}: {e}", paths::shown(&path)))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|e| fault!("{}: {e}", paths::shown(path)))
}

/// Copies a file under another name, then renames it, so that a server never reads an incomplete
/// file.
fn place(from: &Path, to: &Path) -> Result<()> {
    let partial = to.with_extension("partial");
    fs::copy(from, &partial)
        .and_then(|_| fs::rename(&partial, to))
        .map_err(|e| fault!("{}: {e}", paths::shown(to)))
}

fn target_dir(stable: bool) -> PathBuf {
    paths::wasm_target().join(if stable { "stable" } else { "small" })
}

/// A hash of everything from which `finish` creates its files.
fn stamp(wasm: &[u8], out: &Path) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    wasm.hash(&mut hasher);
    tools::npm_versions().hash(&mut hasher);
    for input in INPUTS {
        read(&paths::root().join(input))?.hash(&mut hasher);
    }
    for text in texts(out)?.into_iter().chain([out.join("form.js")]) {
        read(&text)?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// The modules of texts, sorted by name.
fn texts(out: &Path) -> Result<Vec<PathBuf>> {
    let dir = out.join("locales");
    let entries = fs::read_dir(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    Ok(files)
}
