//! Real programs, built by every installed compiler with `-fsanitize=thread` and linked with `libfarside_callbacks.so`
//! instead of the sanitizer's runtime, give the right results; so they do when the checker's library is preloaded, as
//! outside `farside check` it records nothing.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");

/// The folder of the two libraries.
fn libraries() -> &'static Path {
    farside_built::libraries(&["farside-callbacks", "farside-interpose"])
}

fn installed(compiler: &str) -> bool {
    Command::new(compiler)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

fn succeeded(output: &Output, what: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {}\n{text}", output.status);
}

fn run(program: &Path, preload: Option<&Path>) -> String {
    let mut command = Command::new("timeout");
    command.arg("60").arg(program);
    if let Some(library) = preload {
        command.env("LD_PRELOAD", library);
    }
    let output = command.output().unwrap();
    succeeded(&output, &format!("{} with {preload:?}", program.display()));
    String::from_utf8(output.stdout).unwrap()
}

/// Builds `source` in several ways, and runs it alone and with the checker's library.
fn gives(source: &str, compilers: &[&str], options: &[&str], wanted: &str) {
    let libraries = libraries();
    let folder = tempfile::tempdir().unwrap();
    let checker = libraries.join("libfarside_interpose.so");
    for compiler in compilers.iter().filter(|compiler| installed(compiler)) {
        for level in ["-O0", "-O2", "-O3"] {
            let object = folder.path().join("program.o");
            let program = folder.path().join("program");
            let compiled = Command::new(compiler)
                .args([level, "-g", "-fsanitize=thread", "-pthread", "-c", "-o"])
                .arg(&object)
                .args(options)
                .arg(Path::new(PROGRAMS).join(source))
                .current_dir(folder.path())
                .output()
                .unwrap();
            succeeded(&compiled, &format!("{compiler} {level} {source}"));
            let linked = Command::new(compiler)
                .arg(&object)
                .args(["-pthread", "-lfarside_callbacks", "-o"])
                .arg(&program)
                .arg(format!("-L{0}", libraries.display()))
                .arg(format!("-Wl,-rpath,{0}", libraries.display()))
                .output()
                .unwrap();
            succeeded(&linked, &format!("{compiler} {level} {source}, linked"));
            assert_eq!(run(&program, None), wanted, "{compiler} {level} {source}");
            assert_eq!(
                run(&program, Some(&checker)),
                wanted,
                "{compiler} {level} {source}, preloaded"
            );
        }
    }
}

#[test]
fn atomic_operations_are_performed() {
    gives("atomics.c", &["gcc", "clang"], &["-mcx16", "-w"], "all right\n");
}

#[test]
fn threads_exceptions_and_virtual_calls() {
    gives("threads.cpp", &["g++", "clang++"], &["-std=c++17"], "4000 10 5\n");
}

#[test]
fn jumps_out_of_functions() {
    gives("jumps.c", &["gcc", "clang"], &[], "10550\n");
}

#[test]
fn sections_temporaries_and_strings_of_fortran() {
    gives("arrays.f90", &["gfortran"], &[], "sum:         985.0    2367.0\n");
}
