//! `farside-llvm-front [--memory MIB] FILE...`: reads LLVM bitcode or text IR, and writes the lint's modules to stdout.
//!
//! Exit status: 0, or 2 with a message on stderr. The output is one module for each file, in postcard's encoding. LLVM
//! ends the process by a signal where the memory does not suffice.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut modules = Vec::new();
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--memory" {
            let mebibytes = arguments.next().and_then(|value| value.to_str()?.parse().ok());
            limit_memory(mebibytes.ok_or("--memory takes a number of MiB")?)?;
            continue;
        }
        let path = Path::new(&argument);
        modules.push(farside_llvm_front::read(path).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    let bytes = postcard::to_stdvec(&modules).map_err(|error| error.to_string())?;
    std::io::stdout()
        .write_all(&bytes)
        .map_err(|error| format!("cannot write the module: {error}"))
}

/// Address space beyond this is refused to this process.
fn limit_memory(mebibytes: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let wanted = mebibytes.saturating_mul(1 << 20);
    let maximum = getrlimit(Resource::As).maximum;
    let limit = Rlimit {
        current: Some(maximum.map_or(wanted, |maximum| wanted.min(maximum))),
        maximum,
    };
    setrlimit(Resource::As, limit).map_err(|error| format!("cannot limit the memory: {error}"))
}
