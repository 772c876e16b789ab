//! `tua-bindgen IN.wasm OUT_DIR NAME [--snip] [--factory]`: runs wasm-bindgen on a module, at the
//! version in the lock file. `--snip` first replaces functions that the component never calls by
//! traps; see [`snip`]. `--factory` turns the JavaScript into a function that makes an instance;
//! see [`factory`].

mod factory;
mod snip;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use walrus::Module;
use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

const SNIP: &str = "--snip";
const FACTORY: &str = "--factory";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (flags, paths): (Vec<&str>, Vec<&str>) =
        args.iter().map(String::as_str).partition(|arg| arg.starts_with("--"));
    let ([input, out_dir, name], true) =
        (&paths[..], flags.iter().all(|flag| [SNIP, FACTORY].contains(flag)))
    else {
        eprintln!("usage: tua-bindgen IN.wasm OUT_DIR NAME [{SNIP}] [{FACTORY}]");
        return ExitCode::from(2);
    };
    match generate(input, Path::new(out_dir), name, &flags) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tua-bindgen: {input}: {error}");
            ExitCode::from(2)
        }
    }
}

fn generate(input: &str, out_dir: &Path, name: &str, flags: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut module = Module::from_buffer(&fs::read(input)?)?;
    if flags.contains(&SNIP) {
        snip::snip(&mut module)?;
    }
    Bindgen::new()
        .input_bytes(name, module.emit_wasm())
        .web(true)?
        .out_name(name)
        .typescript(false)
        // Every browser with reference types, which this build requires, has
        // `TextEncoder.encodeInto`.
        .encode_into(EncodeInto::Always)
        // The loader always passes the module's address.
        .omit_default_module_path(true)
        // Browsers do not use these two sections.
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(out_dir)?;
    if flags.contains(&FACTORY) {
        let script = out_dir.join(format!("{name}.js"));
        fs::write(&script, factory::wrap(&fs::read_to_string(&script)?)?)?;
    }
    Ok(())
}
