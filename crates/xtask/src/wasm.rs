//! The component as the browser gets it: cargo, then wasm-bindgen, then wasm-opt.

use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, tools};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

const PACKAGE: &str = "tua-embed";
/// What wasm-bindgen writes and the loader imports.
const NAME: &str = "tua_embed";
/// The loader and the glue in one: what a page names.
pub const LOADER: &str = "tua-checkout.js";
/// The same, for whoever registers the element at a time of their own.
pub const ELEMENT: &str = "element.js";
pub const WASM: &str = "tua_embed_bg.wasm";
/// The hand-written half, and what decides how it is put together.
const INPUTS: [&str; 9] = [
    "crates/embed/js/loader.js",
    "crates/embed/js/register.js",
    "crates/embed/js/resources.js",
    "crates/embed/js/draw.js",
    BROWSER,
    "crates/bindgen/src/main.rs",
    "crates/bindgen/src/snip.rs",
    "crates/xtask/src/wasm.rs",
    CSS,
];
/// What the component and the loader share.
const BROWSER: &str = "src/browser.js";
const CSS: &str = "src/style/checkout.css";
/// What rustc 1.95 may use by default; wasm-opt assumes less.
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

/// The first half: a long one, for running beside other builds.
///
/// `stable` takes the toolchain's own std, a third heavier. Otherwise std is compiled with the
/// component, for size and with a panic that is one instruction; cargo and rustc keep that behind
/// `RUSTC_BOOTSTRAP`, which here reaches this one build and nothing that is published as source.
pub fn compile(stable: bool) -> Step {
    let step = Step::cargo("compiling the component to wasm", "build")
        .args(["--package", PACKAGE, "--profile", "wasm", "--target", tools::WASM_TARGET, "--target-dir"])
        .args([target_dir(stable)])
        .without_env("CARGO_ENCODED_RUSTFLAGS")
        .about(150);
    if stable {
        return step.without_env("RUSTFLAGS");
    }
    step.args(["-Z", "build-std=std,panic_abort", "-Z", "build-std-features=optimize_for_size"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zunstable-options -Cpanic=immediate-abort -Zfmt-debug=none")
}

/// The program that `finish` runs, and whatever else is wanted: one cargo, since two would wait for each other.
pub fn compile_for_host(title: &str, packages: &[&str]) -> Step {
    Step::cargo(title, "build")
        .args(["--package", "tua-bindgen", "--package", "tua-prerender"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .about(if packages.is_empty() { 40 } else { 240 })
}

/// The second half, skipped where the wasm and the tools are those of the last time.
pub fn finish(stable: bool) -> Result<()> {
    let built = target_dir(stable).join(tools::WASM_TARGET).join("wasm").join(format!("{NAME}.wasm"));
    let stamp_path = paths::wasm_target().join("pkg.stamp");
    let pkg = paths::pkg();
    let out = paths::wasm_target().join("out");
    Step::new("drawing the form and writing the texts", paths::target().join("debug").join("tua-prerender"))
        .args([&out])
        .about(1)
        .run()?;
    let stamp = stamp(&read(&built)?, &out)?;
    let is_there = [LOADER, ELEMENT, WASM, "locales/en.js"].iter().all(|name| pkg.join(name).is_file());
    let is_fresh = is_there && fs::read_to_string(&stamp_path).is_ok_and(|old| old == stamp);
    if is_fresh {
        return Ok(());
    }

    Step::new("writing the JavaScript half", paths::target().join("debug").join("tua-bindgen"))
        .args([built.as_path(), &out, Path::new(NAME)])
        // What may be cut out was tried with the flags of the small one alone.
        .args(stable.then_some("--no-snip"))
        .about(3)
        .run()?;
    tools::npm_tool("shrinking the wasm", tools::WASM_OPT)
        // Sharing what is computed twice saves instructions, but compresses worse. The lowest kilobyte is the far end of the stack, which nothing points into. No browser reads the
        // list of features.
        .args(["-Oz", "--converge", "--low-memory-unused", "--skip-pass=local-cse", "--strip-target-features"])
        .args(WASM_FEATURES)
        .args([&out.join(WASM), Path::new("-o"), &out.join("small.wasm")])
        .about(10)
        .run()?;
    for script in INPUTS.iter().filter(|input| input.starts_with("crates/embed/js/")).chain([&BROWSER]) {
        let script = paths::root().join(script);
        place(&script, &out.join(script.file_name().unwrap_or_default()))?;
    }
    tools::npm_tool("shrinking the styles", tools::ESBUILD)
        // What all browsers with WebAssembly in a module can read; the rest stands behind @supports.
        .args(["--minify", "--log-level=warning", "--target=chrome80,safari14,firefox80"])
        .args([
            paths::root().join(CSS).display().to_string(),
            format!("--outfile={}", out.join("checkout.css").display()),
        ])
        .run()?;
    for (from, to) in [("register.js", LOADER), ("loader.js", ELEMENT)] {
        tools::npm_tool("joining and shrinking the JavaScript", tools::ESBUILD)
            .args(["--bundle", "--external:./locales/*", "--loader:.css=text", "--minify", "--format=esm"])
            .args(["--target=es2022", "--log-level=warning", "--legal-comments=none"])
            .args([out.join(from).display().to_string(), format!("--outfile={}", out.join("built").join(to).display())])
            .run()?;
    }

    let locales = pkg.join("locales");
    fs::create_dir_all(&locales).map_err(|e| fault!("{}: {e}", paths::shown(&locales)))?;
    for texts in texts(&out)? {
        place(&texts, &locales.join(texts.file_name().unwrap_or_default()))?;
    }
    for (from, to) in [("built/tua-checkout.js", LOADER), ("built/element.js", ELEMENT), ("small.wasm", WASM)] {
        place(&out.join(from), &pkg.join(to))?;
    }
    fs::write(&stamp_path, stamp).map_err(|e| fault!("{}: {e}", paths::shown(&stamp_path)))?;
    Ok(())
}

/// The Yew example as a page loads it, with the toolchain's own std, beside its markup.
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
    let args = [built.as_path(), into, Path::new(EXAMPLE), Path::new("--no-snip")];
    Step::new("writing the JavaScript half", paths::target().join("debug").join("tua-bindgen")).args(args).run()?;
    for name in ["index.html", "start.js"] {
        place(&paths::root().join("examples/yew").join(name), &into.join(name))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|e| fault!("{}: {e}", paths::shown(path)))
}

/// Copies beside and renames over: a server that reads the folder never sees half a file.
fn place(from: &Path, to: &Path) -> Result<()> {
    let partial = to.with_extension("partial");
    fs::copy(from, &partial).and_then(|_| fs::rename(&partial, to)).map_err(|e| fault!("{}: {e}", paths::shown(to)))
}

fn target_dir(stable: bool) -> PathBuf {
    paths::wasm_target().join(if stable { "stable" } else { "small" })
}

/// What the second half is made of.
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

/// The modules of texts, in the order of their names.
fn texts(out: &Path) -> Result<Vec<PathBuf>> {
    let dir = out.join("locales");
    let entries = fs::read_dir(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    Ok(files)
}
