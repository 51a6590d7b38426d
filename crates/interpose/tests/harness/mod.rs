//! Runs MPI programs under the preloaded library, and reads what it recorded.
//!
//! Needs Open MPI and MPICH with their compiler wrappers (`make test` installs them); a missing one is a failure, not a
//! skipped test.

#![allow(dead_code, unreachable_pub)] // Each test program uses its part.

pub mod brief;

use farside_events::{Event, EventKind};
use farside_spool::format::{
    CHUNK_HEADER, COMMITTED_OFFSET, Recording as Chunks, Records, SEALED_OFFSET, check_header,
};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// An MPI library under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    OpenMpi,
    Mpich,
}

impl Library {
    pub const ALL: [Self; 2] = [Self::OpenMpi, Self::Mpich];

    pub fn suffix(self) -> &'static str {
        match self {
            Self::OpenMpi => "openmpi",
            Self::Mpich => "mpich",
        }
    }
}

/// What one process recorded.
pub struct Recording {
    pub events: Vec<Event>,
    /// Whether it ended properly.
    pub ended: bool,
}

/// A finished run.
pub struct Run {
    pub output: Output,
    /// By rank in `MPI_COMM_WORLD`.
    pub processes: BTreeMap<u32, Recording>,
}

/// Builds and runs `program` (a file of `tests/programs`) with and without the library, requires that both give the
/// same output and status, and gives what was recorded.
pub fn observe(library: Library, program: &str, processes: u32) -> Run {
    let binary = compile(library, program);
    observe_command(library, &[&binary.path()], processes)
}

/// The same for a program that is there already, with arguments.
pub fn observe_command(library: Library, command: &[&Path], processes: u32) -> Run {
    let program = command[0].display();
    let plain = start(library, command, processes, None);
    let folder = scratch(&format!("spool-{}", library.suffix()));
    let output = start(library, command, processes, Some(&folder));
    assert_eq!(
        sorted_lines(&plain.stdout),
        sorted_lines(&output.stdout),
        "{program} on {library:?}: output, stderr {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        plain.status.code(),
        output.status.code(),
        "{program} on {library:?}: status"
    );
    Run {
        output,
        processes: read(&folder),
    }
}

/// The recordings in a spool folder, by rank.
pub fn read(folder: &Path) -> BTreeMap<u32, Recording> {
    let mut chunks = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the spool folder can be read") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if farside_spool::agreement::is_of_agreement(&name) {
            continue;
        }
        let place = Chunks::parse_chunk_name(&name).unwrap_or_else(|| panic!("{name} is left in the spool"));
        chunks.insert(place, path);
    }
    let mut by_pid: BTreeMap<u32, Recording> = BTreeMap::new();
    for ((recording, number), path) in chunks {
        let pid = recording.pid;
        let bytes = std::fs::read(&path).expect("a chunk can be read");
        check_header(&bytes).expect("a chunk has a header");
        let word: [u8; 8] = bytes[COMMITTED_OFFSET..COMMITTED_OFFSET + 8]
            .try_into()
            .expect("8 bytes");
        let end = CHUNK_HEADER + usize::try_from(u64::from_le_bytes(word)).expect("a length");
        let recording = by_pid.entry(pid).or_insert(Recording {
            events: Vec::new(),
            ended: false,
        });
        assert!(!recording.ended, "chunk {number} of {pid} follows the last one");
        let mut records = Records::new(&bytes[CHUNK_HEADER..end]);
        recording
            .events
            .extend(records.by_ref().map(|event| event.expect("a record decodes")));
        assert_eq!(
            records.consumed(),
            end - CHUNK_HEADER,
            "whole records are committed"
        );
        recording.ended = bytes[SEALED_OFFSET] == 2;
    }
    let mut by_rank = BTreeMap::new();
    for recording in by_pid.into_values() {
        let times: Vec<u64> = recording.events.iter().map(|event| event.time).collect();
        assert!(times.is_sorted(), "times never decrease");
        let Some(EventKind::Init { rank, .. }) = recording.events.first().map(|event| &event.kind) else {
            panic!("Init comes first");
        };
        by_rank.insert(rank.0, recording);
    }
    by_rank
}

/// The library to preload.
pub fn preload() -> PathBuf {
    let built = farside_built::libraries(&["farside-interpose"]).join("libfarside_interpose.so");
    assert!(built.exists(), "{} exists", built.display());
    built
}

/// Compiles a program of `tests/programs` with the library's wrapper.
pub fn compile(library: Library, program: &str) -> Program {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let compiled = Program {
        folder: scratch(&format!("build-{program}-{}", library.suffix())),
    };
    let compiler = match program.rsplit('.').next() {
        Some("c") => "mpicc",
        Some("cpp") => "mpicxx",
        _ => "mpif90",
    };
    let output = Command::new(format!("{compiler}.{}", library.suffix()))
        .args(["-g", "-w", "-I"])
        .arg(&sources)
        .arg(sources.join(program))
        .arg("-o")
        .arg(compiled.path())
        .output()
        .expect("the MPI compiler wrapper runs");
    assert!(
        output.status.success(),
        "{program} compiles: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    compiled
}

/// Runs a program; `spool` turns recording on.
pub fn start(library: Library, program: &[&Path], processes: u32, spool: Option<&Path>) -> Output {
    let preload = preload();
    let mut command = Command::new("timeout");
    command.args(["60", &format!("mpirun.{}", library.suffix())]);
    match library {
        // The default component for windows crashes in MPI_Compare_and_swap of 8 bytes.
        Library::OpenMpi => {
            command.args(["--allow-run-as-root", "--oversubscribe", "--mca", "osc", "^rdma"]);
        }
        Library::Mpich => {}
    }
    command.args(["-n", &processes.to_string()]);
    if let Some(folder) = spool {
        command
            .arg("env")
            .arg(format!("FARSIDE_SPOOL={}", folder.display()))
            .arg(format!("LD_PRELOAD={}", preload.display()));
    }
    command.args(program).output().expect("mpirun runs")
}

/// A fresh folder, removed when it is dropped.
pub struct Scratch(PathBuf);

impl Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A compiled program.
pub struct Program {
    folder: Scratch,
}

impl Program {
    pub fn path(&self) -> PathBuf {
        self.folder.join("program")
    }
}

/// Makes a fresh folder.
pub fn scratch(name: &str) -> Scratch {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("farside-{}-{count}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a scratch folder can be made");
    Scratch(folder)
}

fn sorted_lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}
