//! What a program says of its accesses with the plugin is what it says without it and without optimisation.
//!
//! Programs are compiled by clang 19 and linked with `recorder/recorder.c`, which prints the bytes of watched memory
//! that are accessed between two synchronisations. The oracle is the same program with LLVM's own thread sanitizer, a
//! callback for each access: at `-O0` for programs written by hand, and at the same level, not vectorised, for random
//! ones, of which an optimiser finds some loads to be in vain. `PROPTEST_CASES` asks for more random programs than the
//! usual one (one in 256 of it).

mod generate;

use generate::Dice;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RECORDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorder");
/// As in `recorder.h`.
const ARENA: i64 = 64 * 4096;

const LEVELS: [&[&str]; 5] = [
    &["-O0"],
    &["-O1"],
    &["-O2", "-fno-pie"],
    &["-O3"],
    &["-O3", "-mavx2"],
];

/// Arguments: which pages are watched, how many of sixteen, and a number that the compiler shall not know.
type Way = [u32; 3];

/// The plugin.
fn plugin() -> PathBuf {
    farside_built::libraries(&["farside-llvm-filter"]).join("libfarside_filter.so")
}

fn clang(folder: &Path, arguments: &[&str]) {
    let output = Command::new("timeout")
        .args(["300", "clang-19", "-w", "-fno-strict-aliasing", "-I", RECORDER])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "clang-19 {arguments:?}: {errors}");
}

/// A folder with the recorder in it, compiled; `fault` is one of `recorder.c`.
fn folder(fault: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let recorder = format!("{RECORDER}/recorder.c");
    let fault = format!("-DFAULT={fault}");
    clang(
        folder.path(),
        &["-O1", &fault, "-c", &recorder, "-o", "recorder.o"],
    );
    folder
}

/// The program as the oracle sees it.
fn build_every_access(folder: &Path, source: &str, level: &[&str]) {
    let options = ["-fsanitize=thread", "-c", source, "-o", "every.o"];
    clang(folder, &[level, &options].concat());
    clang(folder, &[pie(level), "every.o", "recorder.o", "-o", "every"]);
}

fn pie(level: &[&str]) -> &'static str {
    if level.contains(&"-fno-pie") {
        "-no-pie"
    } else {
        "-pie"
    }
}

fn build_filtered(folder: &Path, source: &str, level: &[&str]) {
    let plugin = format!("-fpass-plugin={}", plugin().display());
    let options = ["-fsanitize=thread", &plugin, "-c", source, "-o", "filtered.o"];
    clang(folder, &[level, &options].concat());
    clang(
        folder,
        &[pie(level), "filtered.o", "recorder.o", "-o", "filtered"],
    );
}

fn run(folder: &Path, program: &str, way: Way) -> String {
    let output: Output = Command::new("timeout")
        .arg("60")
        .arg(folder.join(program))
        .args(way.map(|number| number.to_string()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{program} {way:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Where the two programs differ, in words; `None` if nowhere.
fn difference(folder: &Path, ways: &[Way]) -> Option<String> {
    ways.iter().find_map(|&way| {
        let (every, filtered) = (run(folder, "every", way), run(folder, "filtered", way));
        assert!(every.lines().count() > 2);
        let pair = every
            .lines()
            .zip(filtered.lines())
            .find(|(one, other)| one != other);
        let (one, other) = pair?;
        Some(format!("{way:?}\n every access: {one}\n     filtered: {other}"))
    })
}

#[test]
fn loops_that_are_easy_to_get_wrong() {
    let folder = folder(0);
    let source = format!("{RECORDER}/hand_written.c");
    build_every_access(folder.path(), &source, &["-O0"]);
    let ways = [
        [1, 16, 100],
        [2, 8, 100],
        [3, 3, 63],
        [4, 0, 5],
        [5, 8, 1],
        [6, 4, 500],
    ];
    for level in LEVELS {
        build_filtered(folder.path(), &source, level);
        if let Some(difference) = difference(folder.path(), &ways) {
            panic!("{level:?} {difference}");
        }
    }
}

#[test]
fn random_loop_nests() {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|word| word.parse::<u64>().ok());
    for seed in 0..cases.unwrap_or(256).div_ceil(256) {
        let folder = folder(0);
        let source = folder.path().join("program.c");
        std::fs::write(&source, generate::program(&mut Dice::new(seed + 1), 24)).unwrap();
        for level in LEVELS {
            let scalar = ["-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"];
            build_every_access(folder.path(), "program.c", &[level, &scalar].concat());
            build_filtered(folder.path(), "program.c", level);
            if let Some(difference) = difference(
                folder.path(),
                &[[1, 16, 0], [seed as u32, 7, 0], [seed as u32, 2, 0]],
            ) {
                panic!("seed {seed} {level:?} {difference}\n{}", folder.keep().display());
            }
        }
    }
}

/// A filter that loses rounds, lines or pages, or that invents accesses, is found out by the programs above.
#[test]
fn a_wrong_filter_is_noticed() {
    const FAULTS: u32 = 6;
    let source = format!("{RECORDER}/hand_written.c");
    let right = folder(0);
    build_every_access(right.path(), &source, &["-O0"]);
    for fault in 1..=FAULTS {
        let wrong = folder(fault);
        std::fs::copy(right.path().join("every"), wrong.path().join("every")).unwrap();
        build_filtered(wrong.path(), &source, &["-O2"]);
        assert!(
            difference(wrong.path(), &[[1, 16, 100]]).is_some(),
            "fault {fault}"
        );
    }
}

/// What a program says of the same accesses that it makes twice, without the numbers of its segments.
fn both_times(folder: &Path, source: &str, level: &[&str]) -> [Vec<String>; 2] {
    build_filtered(folder, &format!("{RECORDER}/{source}"), level);
    let text = run(folder, "filtered", [1, 16, 100]);
    let lines: Vec<String> = text
        .lines()
        .filter_map(|line| Some(line.split_once(':')?.1.to_owned()))
        .collect();
    assert!(!lines.is_empty() && lines.len().is_multiple_of(2), "{text}");
    let (first, second) = lines.split_at(lines.len() / 2);
    [first.to_vec(), second.to_vec()]
}

#[test]
fn vectors_are_announced_although_the_sanitizer_has_no_callback() {
    let folder = folder(0);
    for level in [["-O1"], ["-O3"], ["-mavx2"]] {
        let [vectors, numbers] = both_times(folder.path(), "vectors.c", &[&level[..], &["-O2"]].concat());
        assert!(vectors[0].starts_with(" 3232 bytes stored"), "{vectors:?}");
        assert_eq!(vectors, numbers);
    }
}

#[test]
fn parts_of_local_variables_are_announced_although_the_sanitizer_overlooks_them() {
    let folder = folder(0);
    for level in LEVELS {
        let [local, global] = both_times(folder.path(), "locals.c", level);
        assert!(local[1].starts_with(" 4 bytes stored"), "{level:?} {local:?}");
        assert_eq!(local, global, "{level:?}");
    }
}

#[test]
fn each_section_is_announced_where_it_begins() {
    let folder = folder(0);
    let source = format!("{RECORDER}/sections.c");
    for level in LEVELS {
        let plugin = format!("-fpass-plugin={}", plugin().display());
        let options = ["-fopenmp", "-g", "-fsanitize=thread", &plugin];
        let compile = ["-c", &source, "-o", "sections.o"];
        clang(folder.path(), &[level, &options, &compile].concat());
        clang(
            folder.path(),
            &[pie(level), "sections.o", "recorder.o", "-o", "sections"],
        );
        assert_eq!(
            run(folder.path(), "sections", [1, 0, 0]),
            " ( section 1 section 2 section 3 ) ( 4 5 ) ( section 6 ) ( section 7 section 8 ) 3\n",
            "{level:?}"
        );
    }
}
