//! The `tua` binary: parse, run, and say in one line what went wrong.

fn main() -> std::process::ExitCode {
    tua_service::cli::main()
}
