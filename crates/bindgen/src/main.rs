//! `tua-bindgen IN.wasm OUT_DIR NAME [--no-snip]`: runs wasm-bindgen on a module, at the version in the lock file.
//! Before that, it replaces functions that the component never calls by traps; see [`snip`].

mod snip;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use walrus::Module;
use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (input, out_dir, name, snips) = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [input, out_dir, name] => (input, out_dir, name, true),
        [input, out_dir, name, "--no-snip"] => (input, out_dir, name, false),
        _ => {
            eprintln!("usage: tua-bindgen IN.wasm OUT_DIR NAME [--no-snip]");
            return ExitCode::from(2);
        }
    };
    match generate(input, Path::new(out_dir), name, snips) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tua-bindgen: {input}: {error}");
            ExitCode::from(2)
        }
    }
}

fn generate(input: &str, out_dir: &Path, name: &str, snips: bool) -> Result<(), Box<dyn Error>> {
    let mut module = Module::from_buffer(&fs::read(input)?)?;
    if snips {
        snip::replace(&mut module)?;
    }
    Bindgen::new()
        .input_bytes(name, module.emit_wasm())
        .web(true)?
        .out_name(name)
        .typescript(false)
        // Every browser with reference types, which this build requires, has `TextEncoder.encodeInto`.
        .encode_into(EncodeInto::Always)
        // The loader always passes the module's address.
        .omit_default_module_path(true)
        // Browsers do not use these two sections.
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(out_dir)?;
    Ok(())
}
