//! C programs read as the command line reads them.

use farside_extract::{Detail, Extract, Question, SourceFile, extract};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of the header, as its compiler says.
fn headers() -> Vec<String> {
    let output = Command::new("oshcc").arg("--showme:compile").output().unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    words.split_whitespace().map(str::to_owned).collect()
}

/// What the command asks of the header that a program includes.
const CONSTANTS: &str = "#include <shmem.h>
const int farside_shmem_constants[] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE,
                                       SHMEM_CMP_LT, SHMEM_CMP_LE, SHMEM_SIGNAL_SET};
";

/// Stands between two sources.
const SEPARATOR: &str = "\n\u{1c}\n";

/// What is followed of a C program of these sources that is started with these words.
pub(crate) fn followed(sources: &[PathBuf], ranks: u32, bias: u32, arguments: &[String]) -> Extract {
    let folder = tempfile::tempdir().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = here.join("../shmem/include");
    let compiled = |file: &Path, own_header: bool| {
        let ir = folder.path().join("program.bc");
        let mut clang = Command::new("clang-19");
        clang.args(["-O0", "-emit-llvm", "-c", "-w", "-gline-tables-only"]);
        if own_header {
            clang.arg("-I").arg(&own);
        }
        let clang = clang.args(headers()).arg("-I").arg(here.join("../gaspi/include"));
        let done = clang.arg("-o").args([&ir, file]).output().unwrap();
        done.status
            .success()
            .then(|| farside_llvm_front::read(&ir).unwrap())
    };
    // As the command does it: what the header at hand does not have, that of our library has, with other constants.
    let mut modules = Vec::new();
    let mut own_header = false;
    let (mut files, mut text) = (Vec::new(), String::new());
    for path in sources {
        let module = compiled(path, false).or_else(|| {
            own_header = true;
            compiled(path, true)
        });
        modules.push(module.unwrap_or_else(|| panic!("{}", path.display())));
        if !files.is_empty() {
            text.push_str(SEPARATOR);
        }
        files.push(SourceFile {
            path: path.clone(),
            start: text.len(),
        });
        text.push_str(&std::fs::read_to_string(path).unwrap());
    }
    if own_header {
        let constants = folder.path().join("constants.c");
        std::fs::write(&constants, CONSTANTS).unwrap();
        modules.extend(compiled(&constants, true));
    }
    let module = farside_lint::link(modules);
    extract(&Question {
        module: &module,
        files: &files,
        text: &text,
        ranks,
        arguments,
        bias,
        detail: Detail::default(),
    })
}
