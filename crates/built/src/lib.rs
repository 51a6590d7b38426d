//! What tests start that cargo does not build for them: libraries to preload, plugins of compilers, examples of other
//! crates. And what else the scripts tell tests: whether they have the time of a night.
//!
//! Promise: what is asked for is built from the sources as they are, in the profile of the test that asks, into its
//! target folder; or, where [`WHOLE`] is set, is there already. Not here: building what a test depends on, which cargo
//! does itself.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex};

/// The variable by which `scripts/unit` says that the whole workspace is built. Cargo is not asked then: once for each
/// of some hundred tests takes minutes, and for a package alone it chooses other features of its dependencies than for
/// all, and compiles them again.
pub const WHOLE: &str = "FARSIDE_BUILT_WHOLE";

/// Whether tests have the time of a night: by day, long ones look at a part of what they are for.
///
/// `scripts/nightly` says so, by the profile of nextest.
pub fn is_night() -> bool {
    std::env::var("NEXTEST_PROFILE").is_ok_and(|profile| profile == "nightly")
}

/// Cases of a property test: as many as `PROPTEST_CASES` says, else enough for every day.
pub fn cases(every_day: u32) -> u32 {
    let given = std::env::var("PROPTEST_CASES").ok();
    given.and_then(|cases| cases.parse().ok()).unwrap_or(every_day)
}

/// All of them at night, every so many-th by day.
pub fn by_day<T>(one_in: usize, all: Vec<T>) -> Vec<T> {
    let step = if is_night() { 1 } else { one_in };
    all.into_iter().step_by(step).collect()
}

/// The folder of the libraries of `packages`, TARGET/PROFILE, after they are built.
///
/// # Panics
///
/// If they cannot be built.
pub fn libraries(packages: &[&str]) -> &'static Path {
    for package in packages {
        build(&["--package", package, "--lib"]);
    }
    folder()
}

/// The file of an example of `package`, after it is built.
///
/// # Panics
///
/// If it cannot be built.
pub fn example(package: &str, name: &str) -> PathBuf {
    build(&["--package", package, "--example", name]);
    let file = folder().join("examples").join(name);
    assert!(file.is_file(), "{} is a file", file.display());
    file
}

/// TARGET/PROFILE: the test that runs is `deps/TEST` in it.
fn folder() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let test = std::env::current_exe().expect("a test has a file");
        let folder = test.ancestors().nth(2);
        folder.expect("a test is in a folder of cargo's").to_path_buf()
    });
    &FOLDER
}

/// Asks cargo, once in a process for the same.
fn build(what: &[&str]) {
    static ASKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if std::env::var_os(WHOLE).is_some() {
        return;
    }
    let mut asked = ASKED.lock().expect("no build has panicked before");
    if !asked.insert(what.join(" ")) {
        return;
    }
    let target = folder().parent().expect("a profile is in a target folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet"]).args(what);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.env("CARGO_TARGET_DIR", target);
    if folder().ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "cargo build {} succeeds", what.join(" "));
}
