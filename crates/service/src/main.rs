//! The `tua` binary: parse, run, and say in one line what went wrong.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    tua_service::cli::main()
}
