//! A stage for `farside check`: a folder with a stand-in for the preloaded library, and programs that are shell
//! scripts which put prepared recordings into the spool.

use farside_events::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// No living process has ids from here on: Linux stops at 2^22.
pub(crate) const GONE: u32 = 5_000_000;

/// How a recording ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seal {
    /// The process died.
    None = 0,
    /// Properly.
    End = 2,
}

/// A folder of its own for one test.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    /// An empty stage.
    pub(crate) fn new() -> Self {
        let stage = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for name in ["prepared", "spool", "libraries"] {
            fs::create_dir(stage.path(name)).unwrap();
        }
        let library = stage.path("libraries/libfarside_interpose.so");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-x", "c", "/dev/null", "-o"])
            .arg(library)
            .status()
            .unwrap();
        assert!(built.success());
        stage
    }

    /// A path on the stage.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Prepares the recording of one process.
    pub(crate) fn recording(&self, pid: u32, events: &[Event], seal: Seal) {
        let mut records = Vec::new();
        events
            .iter()
            .for_each(|e| farside_spool::format::encode(e, &mut records).unwrap());
        let bytes = farside_spool::format::image(&records, records.len() as u64, seal as u32);
        fs::write(
            self.path("prepared")
                .join(farside_spool::processes::recording(pid, 0).chunk_name(0)),
            bytes,
        )
        .unwrap();
    }

    /// A program: moves the prepared recordings into the spool, then runs `rest`.
    pub(crate) fn program(&self, rest: &str) -> PathBuf {
        let path = self.path("program");
        let prepared = self.path("prepared");
        // A move within one file system is atomic: no half-written chunk is seen.
        let script = format!(
            "#!/bin/sh\nrm -rf '{0}.copy'\ncp -r '{0}' '{0}.copy'\nmv '{0}.copy'/* \"$FARSIDE_SPOOL\"/ \
             2>/dev/null\ntrue\n{rest}\n",
            prepared.display()
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// `farside check` with this stage's library and spool.
    pub(crate) fn check(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farside"));
        command
            .env("FARSIDE_LIBRARIES", self.path("libraries"))
            .env("TMPDIR", self.path("spool"))
            .env_remove("NO_COLOR")
            .current_dir(self.folder.path())
            .arg("check");
        command
    }

    /// The spool folders that are left.
    pub(crate) fn spools(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path("spool")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

/// Waits until `condition` holds.
pub(crate) fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "waited in vain: {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Checks the exit status, and shows everything if it is wrong.
#[track_caller]
pub(crate) fn expect_status(output: &Output, status: i32) {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(
        output.status.code(),
        Some(status),
        "stdout:\n{}\nstderr:\n{}",
        shown(&output.stdout),
        shown(&output.stderr)
    );
}

/// Text of a stream.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Whether nothing is in a folder.
pub(crate) fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

/// An event of the first thread.
pub(crate) fn event(time: u64, kind: EventKind) -> Event {
    Event {
        time,
        thread: ThreadId(0),
        kind,
    }
}

/// The first event of a process.
pub(crate) fn init(rank: u32, size: u32, pid: u32) -> Event {
    let kind = EventKind::Init {
        rank: Rank(rank),
        size,
        pid,
        library: "Test MPI 1.0".into(),
    };
    event(10 + u64::from(rank), kind)
}

/// A window of 64 bytes over the world, made by every process.
pub(crate) fn window(time: u64) -> Event {
    event(
        time,
        EventKind::Window(Window {
            id: WinId(7),
            interface: Interface::Mpi,
            comm: CommId(0),
            flavor: WindowFlavor::Allocate,
            base: 0x10_000,
            size: 64,
            disp_unit: 1,
            accumulates: AccumulateHints::default(),
            shared: Vec::new(),
            stack: StackId(1),
            handle: None,
        }),
    )
}

/// `MPI_Put` of 4 bytes to `target`, without any epoch.
pub(crate) fn put(time: u64, target: u32) -> Vec<Event> {
    let buffer = Buffer {
        address: 0x20_000,
        datatype: TypeId(1),
        count: 1,
    };
    let operation = Operation {
        id: OperationId(1),
        kind: OperationKind::Put,
        win: WinId(7),
        target: Some(Rank(target)),
        origin: Some(buffer),
        result: None,
        compare: None,
        displacement: 0,
        target_type: TypeId(1),
        target_count: 1,
        operator: None,
        operand: None,
        expected: None,
        request: None,
        channel: ChannelId::DEFAULT,
        notice: None,
        stack: StackId(2),
    };
    vec![
        event(
            time,
            EventKind::Type {
                id: TypeId(1),
                map: TypeMap::basic("MPI_INT", 4),
            },
        ),
        event(time, EventKind::Operation(operation)),
    ]
}

/// A process that made a window and an operation outside any epoch.
pub(crate) fn misuse(pid: u32) -> Vec<Event> {
    let world = event(
        11,
        EventKind::Comm {
            id: CommId(0),
            members: vec![Rank(0)],
        },
    );
    let mut events = vec![init(0, 1, pid), world, window(20)];
    events.extend(put(30, 0));
    events.push(event(40, EventKind::Exit));
    events
}

/// A process that made a window and did nothing with it.
pub(crate) fn harmless(rank: u32, size: u32, pid: u32) -> Vec<Event> {
    let members = (0..size).map(Rank).collect();
    let world = event(
        15,
        EventKind::Comm {
            id: CommId(0),
            members,
        },
    );
    vec![
        init(rank, size, pid),
        world,
        window(20),
        event(40, EventKind::Exit),
    ]
}
