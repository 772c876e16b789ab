//! `cargo xtask docs`: the documentation as a book of static files, with a search that works
//! without the service.

use crate::fault::{Result, fault};
use crate::paths;
use crate::step::Step;
use crate::tools::MDBOOK;
use std::ffi::OsString;

/// Builds the book into target/book.
pub fn build() -> Result<()> {
    let book = paths::target().join("book");
    Step::new("building the book", MDBOOK.program()?)
        .args([
            OsString::from("build"),
            "--dest-dir".into(),
            book.clone().into(),
            paths::root().into(),
        ])
        .run()?;
    // mdBook succeeds where the summary is empty.
    if !book.join("reference/errors.html").is_file() {
        return Err(fault!(
            "{} lacks reference/errors.html: look at docs/SUMMARY.md",
            book.display()
        ));
    }
    println!("the book is at {}", book.join("index.html").display());
    Ok(())
}
