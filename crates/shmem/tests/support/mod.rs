//! Builds C programs against the library, and runs them as jobs of processes that meet in a folder.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longest that a job may take.
const LIMIT: Duration = Duration::from_secs(100);

/// A program that was built.
#[derive(Clone)]
pub(crate) struct Built(PathBuf);

impl Built {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

/// The folder with `libfarside_shmem.so`: cargo builds it beside the tests.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.parent().expect("a folder");
    let found = folder
        .ancestors()
        .take(2)
        .find(|folder| folder.join("libfarside_shmem.so").exists());
    found.expect("libfarside_shmem.so beside the tests").to_owned()
}

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Builds a program once in this process, in cargo's folder for tests.
fn once(program: &str, kind: &str, command: impl FnOnce() -> Command) -> Built {
    static BUILT: Mutex<BTreeMap<String, Built>> = Mutex::new(BTreeMap::new());
    let test = std::env::current_exe().expect("the path of this test");
    let test = test.file_stem().expect("a name").to_string_lossy().into_owned();
    let name = format!("shmem-{test}-{kind}-{program}");
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let build = || {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
        // Other processes build it, too, and may be about to run it: each puts a file of its own in its place.
        let own = path.with_extension(std::process::id().to_string());
        let output = command()
            .arg("-o")
            .arg(&own)
            .output()
            .expect("the compiler starts");
        assert!(
            output.status.success(),
            "{program}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        std::fs::rename(&own, &path).expect("a place for the program");
        Built(path)
    };
    built.entry(name.clone()).or_insert_with(build).clone()
}

fn source(program: &str) -> PathBuf {
    let folder = crate_folder().join("tests/programs");
    let c = folder.join(format!("{program}.c"));
    if c.exists() {
        c
    } else {
        folder.join(format!("{program}.cpp"))
    }
}

/// Compiles a program of `tests/programs`, with all warnings as errors.
pub(crate) fn build(program: &str) -> Built {
    once(program, "farside", || compiler(&source(program)))
}

/// The compiler of a source file.
fn compiler(source: &Path) -> Command {
    let is_c = source.extension().is_some_and(|end| end == "c");
    let mut command = Command::new(if is_c { "gcc" } else { "g++" });
    let library = library();
    command
        .args(["-Wall", "-Wextra", "-Werror", "-pthread"])
        .arg(if is_c { "-std=gnu11" } else { "-std=c++14" })
        .arg(source)
        .arg("-I")
        .arg(crate_folder().join("include"))
        .arg("-L")
        .arg(&library)
        .arg("-lfarside_shmem")
        .arg(format!("-Wl,-rpath,{}", library.display()));
    command
}

/// Compiles a program of `tests/programs` with the wrapper of Open MPI.
pub(crate) fn build_with_oshcc(program: &str) -> Built {
    once(program, "oshmem", || {
        let mut command = Command::new("oshcc");
        command
            .args(["-w", "-std=gnu11", "-pthread"])
            .arg(source(program));
        command
    })
}

fn names(arguments: &[&str], file: &Path) -> BTreeSet<String> {
    let output = Command::new("nm")
        .args(arguments)
        .arg(file)
        .output()
        .expect("nm starts");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .filter_map(|line| line.split_whitespace().last())
        .map(str::to_owned)
        .collect()
}

/// What a program imports.
pub(crate) fn undefined_names(built: &Built) -> BTreeSet<String> {
    names(&["-D", "--undefined-only"], built.path())
}

/// What the library exports.
pub(crate) fn exported_names() -> BTreeSet<String> {
    names(&["-D", "--defined-only"], &library().join("libfarside_shmem.so"))
}

/// Whether libfabric can be loaded: `ldconfig` knows it.
pub(crate) fn has_libfabric() -> bool {
    let known = Command::new("/sbin/ldconfig").arg("-p").output();
    known.is_ok_and(|known| String::from_utf8_lossy(&known.stdout).contains("libfabric.so.1"))
}

/// How a process ended.
pub(crate) struct End {
    /// The exit status, if no signal ended it.
    pub(crate) status: Option<i32>,
    /// What it wrote to stderr.
    pub(crate) output: String,
}

/// Processes of one job.
pub(crate) struct Job {
    children: Vec<Child>,
    folder: TempDir,
}

impl Job {
    /// Starts a program `size` times, as PEs of a job that meet in a folder.
    pub(crate) fn start(built: &Built, arguments: &[&str], size: u32, transport: &str) -> Self {
        static JOBS: AtomicU32 = AtomicU32::new(0);
        let folder = TempDir::new().expect("a folder");
        let job = format!(
            "shmem-{}-{}",
            std::process::id(),
            JOBS.fetch_add(1, Ordering::Relaxed)
        );
        let start = |rank: u32| {
            Command::new(built.path())
                .args(arguments)
                .env("FARSIDE_RENDEZVOUS", folder.path())
                .env("FARSIDE_JOB", &job)
                .env("FARSIDE_RANK", rank.to_string())
                .env("FARSIDE_SIZE", size.to_string())
                .env("FARSIDE_TRANSPORT", transport)
                .env("FARSIDE_PIN", "none")
                .env("SHMEM_SYMMETRIC_SIZE", "32M")
                .env_remove("FARSIDE_BOOT")
                // Cargo names folders there that may hold an older library.
                .env_remove("LD_LIBRARY_PATH")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::from(file(&folder, rank, true)))
                .spawn()
                .expect("the program starts")
        };
        Self {
            children: (0..size).map(start).collect(),
            folder,
        }
    }

    /// Waits for all, and kills them at the limit.
    pub(crate) fn wait(mut self) -> Vec<End> {
        let began = Instant::now();
        let mut statuses = vec![None; self.children.len()];
        while statuses.iter().any(Option::is_none) {
            for (child, status) in self.children.iter_mut().zip(&mut statuses) {
                if status.is_none() {
                    *status = child.try_wait().expect("a child");
                }
            }
            if began.elapsed() > LIMIT {
                self.children.iter_mut().for_each(|child| drop(child.kill()));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let end = |(rank, status): (u32, Option<std::process::ExitStatus>)| End {
            status: status.and_then(|status| status.code()),
            output: std::io::read_to_string(file(&self.folder, rank, false)).unwrap_or_default(),
        };
        (0..).zip(statuses).map(end).collect()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        for child in &mut self.children {
            // It has ended, unless the test failed.
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// Where a PE writes its messages.
fn file(folder: &TempDir, rank: u32, create: bool) -> std::fs::File {
    let path = folder.path().join(format!("stderr-{rank}"));
    let opened = if create {
        std::fs::File::create(path)
    } else {
        std::fs::File::open(path)
    };
    opened.expect("a file")
}
