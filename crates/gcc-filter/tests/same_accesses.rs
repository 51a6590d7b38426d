//! What a program says of its accesses with the plugin is what it says without it.
//!
//! Programs are compiled by gcc, g++ and gfortran and linked with the recorder of `llvm-filter`'s tests, which prints
//! the bytes of watched memory that are accessed between two synchronisations. The oracle is the same program with
//! GCC's own thread sanitizer, a callback for each access: at `-O0` for programs written by hand, and at the same level
//! for random ones, of which an optimiser finds some loads to be in vain. `PROPTEST_CASES` asks for more random
//! programs than the usual one (one in 256 of it). Without the headers of GCC there is no plugin, and nothing to test.

#[path = "../../llvm-filter/tests/generate/mod.rs"]
mod generate;

use generate::Dice;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const RECORDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../llvm-filter/tests/recorder");
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
/// As in `recorder.h`.
const ARENA: i64 = 64 * 4096;

const LEVELS: [&[&str]; 6] = [
    &["-O0"],
    &["-Og"],
    &["-O1"],
    &["-O2", "-fno-pie"],
    &["-O3"],
    &["-O3", "-mavx2"],
];

/// Arguments: which pages are watched, how many of sixteen, and a number that the compiler shall not know.
type Way = [u32; 3];

const WAYS: [Way; 6] = [
    [1, 16, 100],
    [2, 8, 100],
    [3, 3, 63],
    [4, 0, 5],
    [5, 8, 1],
    [6, 4, 500],
];

/// Makes the recorder see what the plugin makes it see by itself: copies and fillings of memory.
const CALLS: [&str; 6] = [
    "-fno-builtin-memcpy",
    "-fno-builtin-memset",
    "-fno-builtin-memmove",
    "-Dmemcpy=__tsan_memcpy",
    "-Dmemset=__tsan_memset",
    "-Dmemmove=__tsan_memmove",
];

/// The plugin; none, where its library was built without the headers of GCC.
fn plugin() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let folder = farside_built::libraries(&["farside-gcc-filter"]);
        let library = folder.join("libfarside_gcc_filter.so");
        let bytes = fs::read(&library).unwrap();
        let has = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
        has(b"\0plugin_init\0").then_some(library)
    });
    built.as_deref()
}

fn compile(compiler: &str, folder: &Path, arguments: &[&str]) {
    let output = Command::new("timeout")
        .args(["300", compiler, "-w", "-g"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {arguments:?}: {errors}");
}

/// A language: its compiler and what makes the sanitizer see what `farside` makes it see.
#[derive(Clone, Copy)]
struct Language {
    compiler: &'static str,
    options: &'static [&'static str],
}

const C: Language = Language {
    compiler: "gcc",
    options: &["-fno-strict-aliasing", "-I", RECORDER],
};
const CXX: Language = Language {
    compiler: "g++",
    options: &["-fno-strict-aliasing", "-fpermissive", "-fopenmp", "-I", RECORDER],
};
const FORTRAN: Language = Language {
    compiler: "gfortran",
    options: &["-fno-tree-pta", "-fopenmp"],
};

/// A folder with the recorder in it, compiled; `fault` is one of `recorder.c`.
fn folder(fault: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let recorder = format!("{RECORDER}/recorder.c");
    let fault = format!("-DFAULT={fault}");
    compile(
        "gcc",
        folder.path(),
        &["-O1", &fault, "-c", &recorder, "-o", "recorder.o"],
    );
    folder
}

impl Language {
    /// The program as the oracle sees it, or with further `options`.
    fn build(self, folder: &Path, source: &str, level: &[&str], options: &[&str], program: &str) {
        let object = format!("{program}.o");
        let fixed = ["-fsanitize=thread", "-c", source, "-o", &object];
        compile(
            self.compiler,
            folder,
            &[level, self.options, options, &fixed].concat(),
        );
        let pie = if level.contains(&"-fno-pie") {
            "-no-pie"
        } else {
            "-pie"
        };
        let mut link = vec![pie, "-fopenmp", &object, "recorder.o", "-lm", "-o", program];
        if folder.join("driver.o").exists() {
            link.push("driver.o");
        }
        compile(self.compiler, folder, &link);
    }

    fn every_access(self, folder: &Path, source: &str, level: &[&str]) {
        // The options of `CALLS` are not Fortran's.
        let calls: &[&str] = if self.compiler == "gfortran" { &[] } else { &CALLS };
        self.build(folder, source, level, calls, "every");
    }

    fn filtered(self, folder: &Path, source: &str, level: &[&str], plugin: &Path) {
        let plugin = format!("-fplugin={}", plugin.display());
        self.build(folder, source, level, &[&plugin], "filtered");
    }
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
        assert_eq!(every.lines().count(), filtered.lines().count());
        let pair = every
            .lines()
            .zip(filtered.lines())
            .find(|(one, other)| one != other);
        let (one, other) = pair?;
        Some(format!("{way:?}\n every access: {one}\n     filtered: {other}"))
    })
}

/// A program written by hand, at all levels.
fn same(language: Language, folder: &Path, source: &str) {
    let Some(plugin) = plugin() else { return };
    language.every_access(folder, source, &["-O0"]);
    for level in LEVELS {
        language.filtered(folder, source, level, plugin);
        if let Some(difference) = difference(folder, &WAYS) {
            panic!("{} {level:?} {difference}", language.compiler);
        }
    }
}

#[test]
fn loops_that_are_easy_to_get_wrong() {
    let folder = folder(0);
    same(C, folder.path(), &format!("{RECORDER}/hand_written.c"));
}

#[test]
fn statements_of_every_kind() {
    let folder = folder(0);
    same(C, folder.path(), &format!("{PROGRAMS}/statements.c"));
}

#[test]
fn programs_of_cxx() {
    let folder = folder(0);
    same(CXX, folder.path(), &format!("{PROGRAMS}/objects.cpp"));
}

#[test]
fn programs_of_fortran() {
    let folder = folder(0);
    let driver = format!("{PROGRAMS}/driver.c");
    compile(
        "gcc",
        folder.path(),
        &["-O1", "-I", RECORDER, "-c", &driver, "-o", "driver.o"],
    );
    same(FORTRAN, folder.path(), &format!("{PROGRAMS}/kernels.f90"));
}

fn random(language: Language, name: &str, change: impl Fn(String) -> String) {
    let Some(plugin) = plugin() else { return };
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|word| word.parse::<u64>().ok());
    for seed in 0..cases.unwrap_or(256).div_ceil(256) {
        let folder = folder(0);
        let program = generate::program(&mut Dice::new(seed + 1), 16);
        fs::write(folder.path().join(name), change(program)).unwrap();
        for level in LEVELS {
            language.every_access(folder.path(), name, level);
            language.filtered(folder.path(), name, level, plugin);
            if let Some(difference) = difference(
                folder.path(),
                &[[1, 16, 0], [seed as u32, 7, 0], [seed as u32, 2, 0]],
            ) {
                panic!("seed {seed} {level:?} {difference}\n{}", folder.keep().display());
            }
        }
    }
}

#[test]
fn random_loop_nests() {
    random(C, "program.c", |program| program);
}

#[test]
fn random_loop_nests_in_cxx() {
    random(CXX, "program.cpp", |program| {
        let header = "#include \"recorder.h\"\n";
        program.replacen(header, &format!("extern \"C\" {{\n{header}}}\n"), 1)
    });
}

/// A filter that loses rounds, lines or pages, or that invents accesses, is found out by the programs above.
#[test]
fn a_wrong_filter_is_noticed() {
    const FAULTS: u32 = 6;
    let Some(plugin) = plugin() else { return };
    let source = format!("{RECORDER}/hand_written.c");
    let right = folder(0);
    C.every_access(right.path(), &source, &["-O0"]);
    for fault in 1..=FAULTS {
        let wrong = folder(fault);
        fs::copy(right.path().join("every"), wrong.path().join("every")).unwrap();
        C.filtered(wrong.path(), &source, &["-O2"], plugin);
        assert!(
            difference(wrong.path(), &[[1, 16, 100]]).is_some(),
            "fault {fault}"
        );
    }
}
