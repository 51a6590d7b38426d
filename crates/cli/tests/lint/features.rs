//! Features of three languages: what a program's own code computes, lint computes likewise, or says that it does not
//! know it.
//!
//! `features/` has a table a language: after a line `//// NAME` a function `count` (in Fortran: `answer`), with what it
//! needs. Each is
//! compiled and executed natively, and its value is the label. Of each, lint is given two functions, which race if
//! `count()` is not that value, and if it is not the next one. So the first race is a wrong value; without the second,
//! the value is not known, which the test names.

use super::{MPI, folder};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// One feature: its name, what stands at the top of a file, and the rest.
struct Feature<'t> {
    name: &'t str,
    includes: String,
    code: String,
}

fn features(table: &str) -> Vec<Feature<'_>> {
    let blocks = table.split("//// ").skip(1);
    blocks
        .map(|block| {
            let (name, text) = block.split_once('\n').expect("a name in a line of its own");
            let is_include = |line: &&str| line.trim_start().starts_with("#include");
            let lines = |wanted: bool| -> String {
                let lines = text.lines().filter(|line| is_include(line) == wanted);
                lines.map(|line| format!("{line}\n")).collect()
            };
            Feature {
                name,
                includes: lines(true),
                code: lines(false),
            }
        })
        .collect()
}

/// Sources as they are built: which lines belong to which function of which feature.
#[derive(Default)]
struct Sources {
    files: Vec<(String, String)>,
    /// File, first line, name, and whether the value is the right one.
    functions: Vec<(String, usize, String, bool)>,
}

impl Sources {
    fn begin(&mut self, name: &str, text: &str) {
        self.files.push((name.to_owned(), text.to_owned()));
    }

    fn add(&mut self, text: &str) {
        let (_, file) = self.files.last_mut().expect("a file");
        file.push_str(text);
    }

    /// What follows is a function of a feature.
    fn mark(&mut self, name: &str, right: bool) {
        let (file, text) = self.files.last().expect("a file");
        let line = text.lines().count() + 1;
        self.functions.push((file.clone(), line, name.to_owned(), right));
    }

    /// The function at a line of a file.
    fn at(&self, file: &str, line: usize) -> Option<(&str, bool)> {
        let before = self.functions.iter().rev();
        let mut before = before.filter(|(of, first, ..)| of == file && *first <= line);
        before.next().map(|(_, _, name, right)| (name.as_str(), *right))
    }
}

/// Runs a command in a folder; what it says.
#[track_caller]
fn run(folder: &Path, command: &[&str]) -> String {
    let output = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        .output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", command[0]));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {said}", command[0]);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The values that native code prints, a line `NAME VALUE` each.
fn values(printed: &str) -> BTreeMap<String, i64> {
    let words = printed.lines().filter_map(|line| line.trim().split_once(' '));
    words
        .map(|(name, value)| (name.to_owned(), value.trim().parse().expect("a number")))
        .collect()
}

/// Compares what lint knows with the values: of `unknown`, and of no others, it says that it does not know them.
#[track_caller]
fn compare(sources: &Sources, options: &[&str], values: &BTreeMap<String, i64>, unknown: &[&str]) {
    let files: Vec<(&str, &str)> = sources
        .files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let folder = folder(&files);
    let mut arguments = vec![
        "--format",
        "json",
        "-n",
        "2",
        "--paths",
        "1",
        "--partial",
        "--time",
        "300",
    ];
    arguments.extend(files.iter().map(|(name, _)| *name));
    arguments.push("--");
    arguments.extend(options);
    let output = super::lint_in(folder.path(), &arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    let mut found = Vec::new();
    for finding in report["findings"].as_array().expect("findings") {
        let place = &finding["parties"][0]["stack"][0]["place"];
        let file = Path::new(place["file"].as_str().unwrap_or_default());
        let file = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let line = place["line"].as_u64().unwrap_or_default() as usize;
        found.push(
            sources
                .at(file, line)
                .unwrap_or_else(|| panic!("no feature at {file}:{line}")),
        );
    }
    let wrong: Vec<&str> = values
        .keys()
        .map(String::as_str)
        .filter(|name| found.contains(&(*name, true)))
        .collect();
    assert!(wrong.is_empty(), "wrong values: {wrong:?}\n{said}");
    let missing: Vec<&str> = values
        .keys()
        .map(String::as_str)
        .filter(|name| !found.contains(&(*name, false)))
        .collect();
    let mut expected = unknown.to_vec();
    expected.sort_unstable();
    assert_eq!(missing, expected, "values that are not known");
}

/// A function of C or C++ that races unless a condition holds.
fn racing(function: &str, condition: &str) -> String {
    format!(
        "void {function}(void) {{
int rank; static int buffer[4]; int *base; MPI_Win win; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
MPI_Win_lock_all(0, win);
long holds = {condition};
if (rank == 0) {{
MPI_Put(buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
if (holds) MPI_Win_flush_local(1, win);
buffer[0] = 1;
}}
MPI_Win_unlock_all(win);
MPI_Win_free(&win);
}}
"
    )
}

#[test]
fn c_is_computed_as_a_machine_does() {
    let table = features(include_str!("features/c.txt"));
    let mut native = Vec::new();
    let (mut main, mut calls) = (String::from("#include <stdio.h>\n"), String::new());
    for feature in &table {
        let name = feature.name;
        let text = format!(
            "{}{}long value_{name}(void) {{ return count(); }}\n",
            feature.includes, feature.code
        );
        native.push((format!("{name}.c"), text));
        let _ = writeln!(main, "long value_{name}(void);");
        let _ = writeln!(calls, "printf(\"{name} %ld\\n\", value_{name}());");
    }
    native.push((
        "main.c".into(),
        format!("{main}int main(void) {{\n{calls}return 0; }}\n"),
    ));
    let of: Vec<(&str, &str)> = native
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let built = folder(&of);
    let mut command = vec!["gcc", "-w", "-O1", "-pthread", "-o", "native"];
    command.extend(of.iter().map(|(name, _)| *name));
    command.push("-lm");
    run(built.path(), &command);
    let values = values(&run(built.path(), &["./native"]));
    assert_eq!(values.len(), table.len());
    let mut sources = Sources::default();
    for feature in &table {
        let name = feature.name;
        sources.begin(
            &format!("{name}.c"),
            &format!("{}{MPI}{}", feature.includes, feature.code),
        );
        for right in [true, false] {
            sources.mark(name, right);
            let value = values[name] + i64::from(!right);
            sources.add(&racing(
                &format!("{name}_{right}"),
                &format!("count() == {value}"),
            ));
        }
    }
    compare(&sources, &[], &values, &UNKNOWN_OF_C);
}

#[test]
fn cxx_is_computed_as_a_machine_does() {
    let table = features(include_str!("features/cxx.txt"));
    let includes: String = table.iter().map(|feature| feature.includes.as_str()).collect();
    let (mut native, mut calls) = (format!("{includes}#include <cstdio>\n"), String::new());
    for Feature { name, code, .. } in &table {
        let _ = writeln!(native, "namespace of_{name} {{\n{code}}}");
        let _ = writeln!(calls, "std::printf(\"{name} %ld\\n\", of_{name}::count());");
    }
    let native = format!("{native}int main() {{\n{calls}}}\n");
    let built = folder(&[("main.cpp", &native)]);
    run(
        built.path(),
        &[
            "g++",
            "-w",
            "-O0",
            "-std=c++17",
            "-pthread",
            "-o",
            "native",
            "main.cpp",
        ],
    );
    let values = values(&run(built.path(), &["./native"]));
    assert_eq!(values.len(), table.len());
    let mut sources = Sources::default();
    sources.begin("features.cpp", &format!("{includes}extern \"C\" {{{MPI}}}\n"));
    for Feature { name, code, .. } in &table {
        sources.add(&format!("namespace of_{name} {{\n{code}"));
        for right in [true, false] {
            sources.mark(name, right);
            let value = values[*name] + i64::from(!right);
            sources.add(&racing(
                &format!("{name}_{right}"),
                &format!("count() == {value}"),
            ));
        }
        sources.add("}\n");
    }
    compare(&sources, &["-std=c++17"], &values, &UNKNOWN_OF_CXX);
}

#[test]
fn fortran_is_computed_as_a_machine_does() {
    let table = features(include_str!("features/fortran.txt"));
    let named = |feature: &Feature<'_>| {
        feature
            .code
            .replace("answer", &format!("answer_{}", feature.name))
    };
    let (mut native, mut externals, mut calls) = (String::new(), String::new(), String::new());
    for feature in &table {
        let name = feature.name;
        native.push_str(&named(feature));
        let _ = writeln!(externals, " integer, external :: answer_{name}");
        let _ = writeln!(calls, " print '(a, 1x, i0)', '{name}', answer_{name}()");
    }
    let native = format!("{native}program main\n implicit none\n{externals}{calls}end program\n");
    let built = folder(&[("main.f90", &native)]);
    run(
        built.path(),
        &[
            "gfortran",
            "-w",
            "-O0",
            "-ffree-line-length-none",
            "-o",
            "native",
            "main.f90",
        ],
    );
    let values = values(&run(built.path(), &["./native"]));
    assert_eq!(values.len(), table.len());
    let mut sources = Sources::default();
    sources.begin("features.f90", "");
    for feature in &table {
        let name = feature.name;
        sources.add(&named(feature));
        for right in [true, false] {
            sources.mark(name, right);
            let value = values[name] + i64::from(!right);
            sources.add(&format!(
                "subroutine {name}_{right}()
 use mpi_f08
 use, intrinsic :: iso_c_binding
 implicit none
 integer :: rank, n
 integer, external :: answer_{name}
 integer, save :: buffer(4)
 type(MPI_Win) :: win
 type(c_ptr) :: base
 integer(MPI_ADDRESS_KIND) :: disp
 call MPI_Comm_rank(MPI_COMM_WORLD, rank)
 call MPI_Win_allocate(64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
 call MPI_Win_lock_all(0, win)
 n = answer_{name}()
 if (rank == 0) then
  disp = 0
  call MPI_Put(buffer, 4, MPI_INTEGER, 1, disp, 4, MPI_INTEGER, win)
  if (n == {value}) call MPI_Win_flush_local(1, win)
  buffer(1) = 1
 end if
 call MPI_Win_unlock_all(win)
 call MPI_Win_free(win)
end subroutine
"
            ));
        }
    }
    compare(&sources, &[], &values, &UNKNOWN_OF_FORTRAN);
}

/// What is not computed, and is said to be not known: `longjmp`.
const UNKNOWN_OF_C: [&str; 1] = ["longjmp"];
const UNKNOWN_OF_CXX: [&str; 0] = [];
const UNKNOWN_OF_FORTRAN: [&str; 0] = [];
