//! `cargo xtask size`: the bytes that an embedding page downloads.

use crate::fault::{Result, fault};
use crate::tools::capture;
use crate::{dist, paths, wasm};

/// Adyen's Core + MBWay, JavaScript and CSS, minified, brotli 11: the lightest comparable checkout that was found.
const ADYEN_CORE_AND_MBWAY: u64 = 66_814;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Measure what is in pkg/ now instead of building it first
    #[arg(long)]
    no_build: bool,
}

pub fn run(args: &Args) -> Result<()> {
    if !args.no_build {
        dist::build(false, &[])?;
    }
    let parts = [("script", wasm::LOADER), ("wasm", wasm::WASM), ("texts", "locales/en.js")];
    let mut total = 0;
    println!("{:<8} {:>9} {:>9}  brotli 11, bytes", "part", "raw", "brotli");
    for (part, file) in parts {
        let (raw, small) = weigh(file)?;
        total += small;
        println!("{part:<8} {raw:>9} {small:>9}  pkg/{file}");
    }
    println!("{:<8} {:>9} {total:>9}", "total", "");
    let percent = total * 100 / ADYEN_CORE_AND_MBWAY;
    println!("Adyen Core + MBWay (JS + CSS): {ADYEN_CORE_AND_MBWAY}; ours is {percent} % of it");
    Ok(())
}

/// Raw and brotli-11 bytes, by Node's own zlib.
fn weigh(file: &str) -> Result<(u64, u64)> {
    const SCRIPT: &str = "const fs = require('fs'), z = require('zlib'), raw = fs.readFileSync(process.argv[1]); \
        const params = { [z.constants.BROTLI_PARAM_QUALITY]: 11, [z.constants.BROTLI_PARAM_SIZE_HINT]: raw.length }; \
        console.log(raw.length, z.brotliCompressSync(raw, { params }).length)";
    let path = paths::pkg().join(file).display().to_string();
    let printed = capture("node", &["-e", SCRIPT, &path]).map_err(|_| fault!("pkg/{file}: cannot be read"))?;
    let mut numbers = printed.split_whitespace().filter_map(|number| number.parse().ok());
    numbers.next().zip(numbers.next()).ok_or_else(|| fault!("pkg/{file}: cannot be weighed"))
}
