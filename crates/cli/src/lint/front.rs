//! Reads LLVM IR by `farside-llvm-front`, which is a program of its own: LLVM ends its process on some broken inputs,
//! and the other subcommands do not need LLVM.

use super::reading::Reading;
use crate::fault::Fault;
use farside_lint::ir::Module;
use farside_processes::limited::{self, Ended};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const PROGRAM: &str = "farside-llvm-front";

/// The module in a file of LLVM IR; `source` is named in errors.
///
/// # Errors
/// The file is no IR that LLVM 19 reads, or needs more time or memory than is allowed.
pub(super) fn read(source: &Path, ir: &Path, reading: &Reading) -> Result<Module, Fault> {
    let wrong = |why: String| Fault::NotLinted(source.to_path_buf(), why);
    let mut command = Command::new(program().unwrap_or_else(|| PROGRAM.into()));
    command.arg("--memory").arg(reading.memory().to_string()).arg(ir);
    let output = match limited::run(&mut command, Duration::from_secs(reading.seconds())) {
        Ended::Exited(output) => output,
        Ended::NotThere => {
            return Err(wrong(format!(
                "{PROGRAM} is not beside farside; `farside setup llvm-front` builds and installs it, with LLVM 19 (Debian: \
                 llvm-19-dev)"
            )));
        }
        Ended::TimedOut => {
            return Err(wrong(format!(
                "reading it took longer than {} s (--seconds allows more)",
                reading.seconds()
            )));
        }
        Ended::Failed(error) => return Err(Fault::NotStarted(PROGRAM.into(), error)),
    };
    // LLVM ends its process where it gets no memory; the reader has already said how it ended where it could.
    if output.status.code().is_none() {
        return Err(wrong(format!(
            "LLVM gave up on it: it is broken, or needs more than {} MiB (--memory allows more)",
            reading.memory()
        )));
    }
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = said.lines().take(5).collect();
        return Err(wrong(format!(
            "it is not LLVM IR that LLVM 19 can read; compile it with clang 19 or older:\n{}",
            crate::fault::plain_lines(&lines)
        )));
    }
    let mut modules: Vec<Module> = postcard::from_bytes(&output.stdout)
        .map_err(|error| wrong(format!("{PROGRAM} is of another build of farside: {error}")))?;
    modules
        .pop()
        .ok_or_else(|| wrong(format!("{PROGRAM} gave no module")))
}

/// Where the reader is: beside this program, or in the folder of its libraries.
pub(crate) fn program() -> Option<PathBuf> {
    let own = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let folder = own.as_deref().and_then(Path::parent);
    let beside = folder
        .map(|folder| folder.join(PROGRAM))
        .filter(|path| path.is_file());
    let library = folder
        .and_then(Path::parent)
        .map(|up| up.join("lib/farside").join(PROGRAM))
        .filter(|path| path.is_file());
    beside.or(library)
}
