//! `tua-bindgen IN.wasm OUT_DIR NAME`: writes the JavaScript half of a wasm module.

mod shorten;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use wasm_bindgen_cli_support::{Bindgen, Output};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, out_dir, name] = args.as_slice() else {
        eprintln!("tua-bindgen: wants three arguments: IN.wasm OUT_DIR NAME");
        return ExitCode::from(2);
    };
    match generate(input, Path::new(out_dir), name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tua-bindgen: {input}: {error}");
            ExitCode::from(2)
        }
    }
}

fn generate(input: &str, out_dir: &Path, name: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        .web(true)?
        .out_name(name)
        .typescript(true)
        // The browser needs neither; both are bytes on a costly link.
        .remove_name_section(true)
        .remove_producers_section(true);
    let mut output = bindgen.generate_output()?;
    empty_float_formatting(&mut output);

    let mut glue = shorten::Glue::new(output.js());
    let module = format!("./{name}_bg.js");
    for import in output.wasm_mut().imports.iter_mut().filter(|import| import.module == module) {
        if let Some(short) = glue.rename(&import.name) {
            import.name = short;
        }
    }
    output.emit(out_dir)?;
    // `emit` wrote the glue with the long names, and adds comments of its own that we do not need.
    fs::write(out_dir.join(format!("{name}.js")), glue.text())?;
    Ok(())
}

/// Empties the formatting of floats, which is 3.5 KB of the download. Only serde's words for a number
/// in a wrong place use it, and the component never comes to them: `src/api/wire.rs` hands serde
/// objects only and takes each field as JavaScript has it. The function is reached through a table,
/// which is why no optimiser takes it away.
fn empty_float_formatting(output: &mut Output) {
    let is_formatting = |name: &str| name.starts_with("<f64 as core") && name.ends_with("::fmt::Display>::fmt");
    let functions = &mut output.wasm_mut().funcs;
    let named = functions.iter().filter(|function| function.name.as_deref().is_some_and(is_formatting));
    let ids: Vec<_> = named.map(|function| function.id()).collect();
    for (_, function) in functions.iter_local_mut().filter(|(id, _)| ids.contains(id)) {
        let mut body = function.builder_mut().func_body();
        body.instrs_mut().clear();
        body.unreachable();
    }
}
