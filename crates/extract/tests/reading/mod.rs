//! C programs read as the command line reads them, and decided.

use farside_extract::{Extract, Question, extract};
use farside_pgas::ast::Program;
use farside_pgas::lower::{Settings, lower};
use farside_robust::{Options, Verdict, decide};
use std::path::Path;
use std::process::Command;

/// The folders of the header, as its compiler says.
fn headers() -> Vec<String> {
    let output = Command::new("oshcc").arg("--showme:compile").output().unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    words.split_whitespace().map(str::to_owned).collect()
}

/// What is followed of a C program.
pub(crate) fn followed(file: &Path, ranks: u32, bias: u32) -> Extract {
    let folder = tempfile::tempdir().unwrap();
    let ir = folder.path().join("program.bc");
    let status = Command::new("clang-19")
        .args(["-O0", "-emit-llvm", "-c", "-w", "-gline-tables-only"])
        .args(headers())
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../gaspi/include"))
        .arg("-o")
        .args([&ir, file])
        .status()
        .unwrap();
    assert!(status.success(), "{}", file.display());
    let module = farside_lint::link(vec![farside_llvm_front::read(&ir).unwrap()]);
    let text = std::fs::read_to_string(file).unwrap();
    extract(&Question {
        module: &module,
        file,
        text: &text,
        ranks,
        bias,
    })
}

/// Whether a program is robust, in the smallest domain that has its values.
pub(crate) fn is_robust(program: &Program) -> Option<bool> {
    let mut domain = 2;
    loop {
        let settings = Settings {
            domain: Some(domain),
            ..Settings::default()
        };
        let verdict = match lower(program, settings) {
            Ok(program) => decide(&program, &Options::default(), &mut || false).verdict,
            Err(errors) if domain >= 64 => panic!("{errors:?}\n{program}"),
            Err(_) => {
                domain *= 2;
                continue;
            }
        };
        match verdict {
            Verdict::Robust => return Some(true),
            Verdict::NotRobust(_) => return Some(false),
            Verdict::OutsideDomain(_) if domain < 64 => domain *= 2,
            _ => return None,
        }
    }
}

/// What is known of the C program.
pub(crate) fn verdict(extract: &Extract) -> &'static str {
    match (is_robust(extract.certain_ways()), is_robust(extract.all_ways())) {
        (Some(false), _) => "no",
        (_, Some(true)) if extract.is_whole() => "yes",
        _ => "not known",
    }
}
