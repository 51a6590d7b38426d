//! A job of C programs: compiled once, started by a launcher in this process, and watched.

use farside_launch::{Address, Server, fresh_name};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Longest a job may take; these machines are shared.
const LIMIT: Duration = Duration::from_secs(60);

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
const HEADERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include");

/// The folder of the library, which Cargo builds beside the tests.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    test.parent().expect("a file is in a folder").to_owned()
}

/// Where programs look for libraries: Cargo names its folder of libraries that were built before, which come after.
fn search() -> std::ffi::OsString {
    let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = std::iter::once(library()).chain(std::env::split_paths(&before));
    std::env::join_paths(folders).expect("no folder has a colon in its name")
}

/// The program of a source, of C unless it says that it is of C++; compiled once in a run of the tests.
fn compiled(source: &str) -> PathBuf {
    let folder = Path::new(PROGRAMS);
    match source.strip_suffix(".cpp") {
        Some(name) => built(&folder.join(source), name, "g++", &["-std=c++17"]),
        None => built(
            &folder.join(format!("{source}.c")),
            source,
            "gcc",
            &["-std=gnu11"],
        ),
    }
}

/// A library to be preloaded.
fn tool(source: &str) -> PathBuf {
    let options = ["-std=gnu11", "-shared", "-fPIC"];
    let path = Path::new(PROGRAMS).join(format!("{source}.c"));
    built(&path, &format!("{source}.so"), "gcc", &options)
}

fn built(source: &Path, name: &str, compiler: &str, options: &[&str]) -> PathBuf {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    static DONE: Mutex<BTreeMap<PathBuf, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(program) = done.get(source) {
        return program.clone();
    }
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder"));
    let (program, library) = (folder.path().join(name), library());
    let output = Command::new(compiler)
        .args(options)
        .args([
            "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", HEADERS,
        ])
        .arg("-o")
        .arg(&program)
        .arg(source)
        .arg(format!("-L{}", library.display()))
        .arg(format!("-Wl,-rpath,{}", library.display()))
        .args(["-lfarside_gaspi", "-ldl"])
        .output()
        .expect("the compiler runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {text}", source.display());
    done.insert(source.to_owned(), program.clone());
    program
}

/// Whether libfabric is there; says so if it is not.
pub(crate) fn has_libfabric() -> bool {
    let name = std::env::var("FARSIDE_LIBFABRIC").unwrap_or_else(|_| "libfabric.so.1".into());
    // SAFETY: loading libfabric runs its initialisers only.
    let found = unsafe { libloading::Library::new(name) };
    if found.is_err() {
        eprintln!("skipped: libfabric is not installed (Debian: libfabric1)");
    }
    found.is_ok()
}

/// What is to be run.
pub(crate) struct Job {
    program: PathBuf,
    ranks: u32,
    transport: &'static str,
    arguments: Vec<String>,
    preloaded: Option<PathBuf>,
    nodes: Option<u32>,
}

impl Job {
    /// Of a program of `tests/programs`.
    pub(crate) fn new(source: &str, ranks: u32, transport: &'static str) -> Self {
        Self::of(compiled(source), ranks, transport)
    }

    /// Of an example, over memory.
    pub(crate) fn example(source: &str, ranks: u32) -> Self {
        let path = Path::new(EXAMPLES).join(format!("{source}.c"));
        Self::of(built(&path, source, "gcc", &["-std=gnu11"]), ranks, "shm")
    }

    fn of(program: PathBuf, ranks: u32, transport: &'static str) -> Self {
        Self {
            program,
            ranks,
            transport,
            arguments: Vec::new(),
            preloaded: None,
            nodes: None,
        }
    }

    pub(crate) fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Tells the ranks, in blocks, that they are on so many nodes.
    pub(crate) fn on_nodes(mut self, nodes: u32) -> Self {
        self.nodes = Some(nodes);
        self
    }

    pub(crate) fn preloaded(mut self, source: &str) -> Self {
        self.preloaded = Some(tool(source));
        self
    }

    fn start(&self, rank: u32, job: &str, server: &Server) -> Child {
        let mut command = Command::new(&self.program);
        if let Some(library) = &self.preloaded {
            command.env("LD_PRELOAD", library);
        }
        if let Some(nodes) = self.nodes {
            let node = rank * nodes / self.ranks;
            command.env("FARSIDE_NODE", format!("node-{node}"));
        }
        command
            .args(&self.arguments)
            .env("LD_LIBRARY_PATH", search())
            .env("FARSIDE_BOOT", server.address().to_string())
            .env("FARSIDE_JOB", job)
            .env("FARSIDE_RANK", rank.to_string())
            .env("FARSIDE_SIZE", self.ranks.to_string())
            .env("FARSIDE_TRANSPORT", self.transport)
            // Tests run beside one another, on few processors.
            .env("FARSIDE_BOOT_LIMIT", "50")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts")
    }

    /// How each rank ended.
    fn run(&self) -> Vec<ExitStatus> {
        let job = fresh_name().expect("a name");
        let address = Address::Abstract(format!("farside-gaspi-{job}"));
        let server = Server::start(&address, &job, self.ranks, |_| ()).expect("a rendezvous");
        let mut children: Vec<Child> = (0..self.ranks)
            .map(|rank| self.start(rank, &job, &server))
            .collect();
        let mut ended: Vec<Option<ExitStatus>> = vec![None; children.len()];
        let began = Instant::now();
        while ended.iter().any(Option::is_none) {
            for (rank, child) in (0..).zip(&mut children) {
                if ended[rank as usize].is_some() {
                    continue;
                }
                if began.elapsed() > LIMIT {
                    eprintln!("{}: rank {rank} was too late", self.name());
                    child.kill().expect("it is ours");
                }
                if let Some(status) = child.try_wait().expect("it is ours") {
                    ended[rank as usize] = Some(status);
                    server.ended(rank, !status.success());
                }
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        ended.into_iter().flatten().collect()
    }

    fn name(&self) -> String {
        let program = self.program.file_name().unwrap_or_default().to_string_lossy();
        let Self {
            ranks,
            transport,
            arguments,
            ..
        } = self;
        format!("{program} {arguments:?} with {ranks} ranks over {transport}")
    }

    /// All ranks end with 0.
    pub(crate) fn succeeds(&self) {
        for (rank, status) in self.run().iter().enumerate() {
            assert!(status.success(), "{}: rank {rank}: {status}", self.name());
        }
    }

    /// Ends well under the launcher of an MPI, if that is installed.
    pub(crate) fn succeeds_under(&self, launcher: &str, options: &[&str]) {
        let mut command = Command::new("timeout");
        command
            .args(["60", launcher])
            .args(options)
            .args(["-n", &self.ranks.to_string()])
            .arg(&self.program)
            .args(&self.arguments)
            .env("LD_LIBRARY_PATH", search())
            .env("FARSIDE_TRANSPORT", self.transport)
            .stdin(Stdio::null());
        let output = command.output().expect("timeout is there");
        // timeout(1): there is no such program.
        if output.status.code() == Some(127) {
            eprintln!("skipped: {launcher} is not installed");
            return;
        }
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{} under {launcher}: {}\n{text}",
            self.name(),
            output.status
        );
    }

    /// The last rank is killed, and the others end with 0.
    pub(crate) fn loses_the_last(&self) {
        let ended = self.run();
        let (last, others) = ended.split_last().expect("there are ranks");
        assert_eq!(last.signal(), Some(9), "{}", self.name());
        for (rank, status) in others.iter().enumerate() {
            assert!(status.success(), "{}: rank {rank}: {status}", self.name());
        }
    }
}
