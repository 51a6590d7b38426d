//! `farside-llvm-front FILE...`: reads LLVM bitcode or text IR, and writes the lint's modules to stdout.
//!
//! Exit status: 0, or 2 with a message on stderr. The output is one module for each file, in postcard's encoding.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut modules = Vec::new();
    for file in std::env::args_os().skip(1) {
        let path = Path::new(&file);
        match farside_llvm_front::read(path) {
            Ok(module) => modules.push(module),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    let written = postcard::to_stdvec(&modules)
        .map_err(|error| error.to_string())
        .and_then(|bytes| {
            std::io::stdout()
                .write_all(&bytes)
                .map_err(|error| error.to_string())
        });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write the module: {error}");
            ExitCode::from(2)
        }
    }
}
