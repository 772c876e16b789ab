//! `tua-bindgen IN.wasm OUT_DIR NAME`: writes the JavaScript half of a wasm module.

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, out_dir, name] = args.as_slice() else {
        eprintln!("tua-bindgen: wants three arguments: IN.wasm OUT_DIR NAME");
        return ExitCode::from(2);
    };
    match generate(input, out_dir, name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tua-bindgen: {input}: {error}");
            ExitCode::from(2)
        }
    }
}

fn generate(input: &str, out_dir: &str, name: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen
        .input_path(input)
        .web(true)?
        .out_name(name)
        .typescript(true)
        // The browser needs neither; both are bytes on a costly link.
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen.generate(out_dir)?;
    Ok(())
}
