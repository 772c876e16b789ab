//! The pages and the component are built into the binary, so a change of theirs builds it again;
//! cargo by itself does not see files that are new.

fn main() {
    for folder in ["pkg", "www", "index.html", "src/style"] {
        println!("cargo::rerun-if-changed=../../{folder}");
    }
}
