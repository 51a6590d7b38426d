//! Prints one C program of litmus tests:
//! `emit mpi3|mpi3-accumulate|openshmem|libfabric|ibverbs|portals4|dmapp FILE...`.

use farside_emit::{Target, emit};
use std::process::ExitCode;

fn main() -> ExitCode {
    match text() {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn text() -> Result<String, String> {
    let mut arguments = std::env::args().skip(1);
    let target = match arguments.next().as_deref() {
        Some("mpi3") => Target::Mpi3,
        Some("mpi3-accumulate") => Target::Mpi3Accumulate,
        Some("libfabric") => Target::Libfabric,
        Some("ibverbs") => Target::Ibverbs,
        Some("portals4") => Target::Portals4,
        Some("dmapp") => Target::Dmapp,
        Some("openshmem") => Target::OpenShmem,
        _ => {
            return Err(
                "usage: emit mpi3|mpi3-accumulate|openshmem|libfabric|ibverbs|portals4|dmapp FILE..."
                    .to_owned(),
            );
        }
    };
    let mut programs = Vec::new();
    for path in arguments {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        programs.push(farside_litmus::parse(&text).map_err(|errors| format!("{path}: {errors:?}"))?);
    }
    emit(&programs.iter().collect::<Vec<_>>(), target).map_err(|error| error.to_string())
}
