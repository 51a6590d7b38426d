//! The C programs of robust-tests/c: the verdict in the head of each file, against what is followed of it.

use farside_extract::{Extract, Question, extract};
use farside_pgas::ast::Program;
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::{Options, Verdict, decide};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robust-tests/c")
}

/// The folders of the header, as its compiler says.
fn headers() -> Vec<String> {
    let output = Command::new("oshcc").arg("--showme:compile").output().unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    words.split_whitespace().map(str::to_owned).collect()
}

fn followed(file: &Path, ranks: u32) -> Extract {
    let folder = tempfile::tempdir().unwrap();
    let ir = folder.path().join("program.bc");
    let status = Command::new("clang-19")
        .args(["-O0", "-emit-llvm", "-c", "-w", "-gline-tables-only"])
        .args(headers())
        .arg("-o")
        .args([&ir, file])
        .status()
        .unwrap();
    assert!(status.success(), "{}", file.display());
    let module = farside_lint::link(vec![farside_llvm_front::read(&ir).unwrap()]);
    let text = std::fs::read_to_string(file).unwrap();
    // A value of a program that must be followed may be negative.
    extract(&Question {
        module: &module,
        file,
        text: &text,
        ranks,
        bias: 1,
    })
}

/// Whether a program is robust, in the smallest domain that has its values.
fn is_robust(program: &Program) -> Option<bool> {
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
fn verdict(extract: &Extract) -> &'static str {
    match (is_robust(extract.certain_ways()), is_robust(extract.all_ways())) {
        (Some(false), _) => "no",
        (_, Some(true)) if extract.is_whole() => "yes",
        _ => "not known",
    }
}

#[test]
fn verdicts_are_as_reasoned() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 20, "{}", files.len());
    let mut wrong = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let said = |of: &str| text.lines().take(4).find_map(|line| line.strip_prefix(of));
        let expected = said("// robust: ").unwrap();
        let ranks = said("// ranks: ").map_or(2, |ranks| ranks.parse().unwrap());
        let extract = followed(file, ranks);
        let found = verdict(&extract);
        if found != expected {
            wrong.push(format!(
                "{}: {found}\n{:#?}\n{}",
                file.display(),
                extract.notes(),
                extract.all_ways()
            ));
        }
        // What is printed is the program again.
        let printed = extract.all_ways().to_string();
        match parse(&printed) {
            Ok(again) if again == *extract.all_ways() => {}
            Ok(_) => wrong.push(format!(
                "{}: another program when it is read:\n{printed}",
                file.display()
            )),
            Err(errors) => wrong.push(format!("{}: {errors:?}\n{printed}", file.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
