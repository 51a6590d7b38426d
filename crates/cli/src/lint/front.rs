//! Reads LLVM IR by `farside-llvm-front`, which is a program of its own: LLVM ends its process on some broken inputs,
//! and the other subcommands do not need LLVM.

use crate::fault::Fault;
use farside_lint::ir::Module;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "farside-llvm-front";

/// The module in a file of LLVM IR; `source` is named in errors.
pub(super) fn read(source: &Path, ir: &Path) -> Result<Module, Fault> {
    let wrong = |why: String| Fault::NotLinted(source.to_path_buf(), why);
    let output = Command::new(program())
        .arg(ir)
        .output()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => wrong(format!(
                "{PROGRAM} is not beside farside; build all of farside (it needs Debian's llvm-19-dev)"
            )),
            _ => Fault::NotStarted(PROGRAM.into(), error),
        })?;
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

fn program() -> PathBuf {
    let own = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let folder = own.as_deref().and_then(Path::parent);
    let beside = folder
        .map(|folder| folder.join(PROGRAM))
        .filter(|path| path.is_file());
    let library = folder
        .and_then(Path::parent)
        .map(|up| up.join("lib/farside").join(PROGRAM))
        .filter(|path| path.is_file());
    beside.or(library).unwrap_or_else(|| PROGRAM.into())
}
