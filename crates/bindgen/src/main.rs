//! `tua-bindgen IN.wasm OUT_DIR NAME [whole]`: writes the JavaScript half of a wasm module. `whole` leaves in
//! what the component never comes to.

mod shorten;
mod unreached;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use walrus::Module;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (input, out_dir, name, is_whole) = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [input, out_dir, name] => (input, out_dir, name, false),
        [input, out_dir, name, "whole"] => (input, out_dir, name, true),
        _ => {
            eprintln!("tua-bindgen: wants three arguments or four: IN.wasm OUT_DIR NAME [whole]");
            return ExitCode::from(2);
        }
    };
    match generate(input, Path::new(out_dir), name, is_whole) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tua-bindgen: {input}: {error}");
            ExitCode::from(2)
        }
    }
}

fn generate(input: &str, out_dir: &Path, name: &str, is_whole: bool) -> Result<(), Box<dyn std::error::Error>> {
    let mut module = Module::from_buffer(&fs::read(input)?)?;
    if !is_whole {
        unreached::replace(&mut module);
    }
    let mut bindgen = Bindgen::new();
    bindgen
        .input_bytes(name, module.emit_wasm())
        .web(true)?
        .out_name(name)
        .typescript(false)
        // The browser needs neither; both are bytes on a costly link.
        .remove_name_section(true)
        .remove_producers_section(true);
    let mut output = bindgen.generate_output()?;

    if !is_whole {
        unreached::trap_unheard(output.wasm_mut());
    }
    let mut glue = shorten::Glue::new(output.js());
    let module = format!("./{name}_bg.js");
    let short_module = glue.rename_module(&module);
    for import in output.wasm_mut().imports.iter_mut().filter(|import| import.module == module) {
        if let Some(short) = glue.rename_import(&import.name) {
            import.name = short;
        }
        if let Some(short) = &short_module {
            import.module.clone_from(short);
        }
    }
    // The longest first, for some names begin like others.
    let mut exports: Vec<_> = output.wasm_mut().exports.iter_mut().collect();
    exports.sort_by_key(|export| std::cmp::Reverse(export.name.len()));
    for export in exports {
        if let Some(short) = glue.rename_export(&export.name) {
            export.name = short;
        }
    }
    output.emit(out_dir)?;
    // `emit` wrote the glue with the long names, and adds comments of its own that we do not need.
    fs::write(out_dir.join(format!("{name}.js")), own_start(glue.text())?)?;
    Ok(())
}

/// The glue with a beginning of ours: wasm-bindgen's takes eight kinds of arguments, and warns about some.
fn own_start(glue: &str) -> Result<String, String> {
    let (rest, _) = glue
        .split_once("async function __wbg_load(")
        .ok_or("wasm-bindgen's glue has no `__wbg_load` any more: see `own_start` in crates/bindgen")?;
    Ok([rest, include_str!("start.js")].concat())
}
