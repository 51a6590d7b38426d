//! What is recorded when things go wrong, and that the checked program does not notice.

mod harness;

use farside_events::{Call, EventKind, Shortfall, ThreadId};
use harness::{Library, compile, preload, read, scratch};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// Runs `ends.c` on one process of MPICH, or two when `processes` says so, recording to `spool`.
fn run(how: &str, processes: &str, spool: &Path) -> Output {
    let binary = compile(Library::Mpich, "ends.c");
    Command::new("timeout")
        .args(["60", "mpirun.mpich", "-n", processes, "env"])
        .arg(format!("FARSIDE_SPOOL={}", spool.display()))
        .arg(format!("LD_PRELOAD={}", preload().display()))
        .arg(binary.path())
        .arg(how)
        .output()
        .expect("mpirun runs")
}

fn calls(events: &[farside_events::Event], wanted: impl Fn(&Call) -> bool) -> usize {
    events
        .iter()
        .filter(|event| matches!(&event.kind, EventKind::Enter { call, .. } if wanted(call)))
        .count()
}

#[test]
fn many_events_go_on_in_further_chunks() {
    let spool = scratch("many");
    assert!(run("many", "1", &spool).status.success());
    assert!(
        std::fs::read_dir(&*spool).expect("spool").count() > 1,
        "more than one chunk"
    );
    let processes = read(&spool);
    assert_eq!(
        calls(&processes[&0].events, |call| matches!(call, Call::Sync { .. })),
        30_000
    );
    assert!(processes[&0].ended);
}

#[test]
fn threads_share_one_stream() {
    let spool = scratch("threads");
    assert!(run("threads", "1", &spool).status.success());
    let processes = read(&spool);
    let mut by_thread: BTreeMap<ThreadId, usize> = BTreeMap::new();
    for event in &processes[&0].events {
        if let EventKind::Enter {
            call: Call::Sync { .. },
            ..
        } = event.kind
        {
            *by_thread.entry(event.thread).or_default() += 1;
        }
    }
    assert_eq!(by_thread.into_values().collect::<Vec<_>>(), [1000; 4]);
}

#[test]
fn a_forked_child_records_nothing() {
    let spool = scratch("fork");
    let output = run("fork", "1", &spool);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "child 3\n");
    let processes = read(&spool);
    assert_eq!(processes.len(), 1);
    assert_eq!(
        calls(&processes[&0].events, |call| matches!(call, Call::Sync { .. })),
        0
    );
}

#[test]
fn an_aborted_program_leaves_what_it_did() {
    let spool = scratch("abort");
    let output = run("abort", "2", &spool);
    assert_eq!(output.status.code(), Some(9));
    let processes = read(&spool);
    assert_eq!(processes.len(), 2);
    assert!(!processes[&0].ended);
    assert_eq!(
        calls(&processes[&0].events, |call| matches!(call, Call::LockAll { .. })),
        1
    );
}

#[test]
fn a_killed_process_leaves_what_it_did() {
    let spool = scratch("kill");
    let output = run("kill", "2", &spool);
    assert!(!output.status.success());
    let processes = read(&spool);
    assert!(!processes[&0].ended);
    assert_eq!(
        calls(&processes[&0].events, |call| matches!(call, Call::LockAll { .. })),
        1
    );
}

#[test]
fn a_folder_that_cannot_be_written_changes_nothing() {
    let missing = scratch("missing").join("not-there");
    let output = run("many", "1", &missing);
    assert!(output.status.success());
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(!missing.exists());
}

/// A file system of 512 KiB, mounted by this test (which needs root; without it the test fails and says so).
#[test]
fn a_full_disk_is_said_and_changes_nothing() {
    let spool = scratch("full");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=512k", "farside-test"])
        .arg(&*spool)
        .status()
        .expect("mount runs");
    assert!(
        mounted.success(),
        "this test mounts a small file system and needs root"
    );
    let output = run("many", "1", &spool);
    let processes = read(&spool);
    let unmounted = Command::new("umount").arg(&*spool).status().expect("umount runs");
    assert!(unmounted.success());
    assert!(output.status.success());
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let last = &processes[&0].events.last().expect("events").kind;
    assert!(
        matches!(last, EventKind::Shortfall(Shortfall::SpoolFull(_))),
        "{last:?}"
    );
    assert!(!processes[&0].ended);
}

#[test]
fn without_a_spool_folder_nothing_is_recorded() {
    let binary = compile(Library::Mpich, "ends.c");
    let output = Command::new("timeout")
        .args(["60", "mpirun.mpich", "-n", "1", "env"])
        .arg(format!("LD_PRELOAD={}", preload().display()))
        .arg(binary.path())
        .arg("many")
        .output()
        .expect("mpirun runs");
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

/// Runs `agreement.c` on two processes, each started through what `starts` says: `env` and its arguments.
fn agree(library: Library, starts: [&[&str]; 2], how: &str, spool: &Path) -> Output {
    let binary = compile(library, "agreement.c");
    let mut command = Command::new("timeout");
    command.args(["60", &format!("mpirun.{}", library.suffix())]);
    if library == Library::OpenMpi {
        command.args(["--allow-run-as-root", "--oversubscribe", "--mca", "osc", "^rdma"]);
    }
    for (index, start) in starts.into_iter().enumerate() {
        if index > 0 {
            command.arg(":");
        }
        command
            .args(["-n", "1", "env"])
            .args(start)
            .arg(binary.path())
            .arg(how);
    }
    command.env("FARSIDE_SPOOL", spool).output().expect("mpirun runs")
}

fn assert_unharmed(output: &Output, answers: usize) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "it hung or failed: {output:?}");
    assert_eq!(text.matches("sum right").count(), answers, "{text}");
}

fn with_library() -> String {
    format!("LD_PRELOAD={}", preload().display())
}

/// A process without the library, and one that cannot make its spool: the others make no call that waits for it.
#[test]
fn who_cannot_record_holds_nobody_up() {
    let library = with_library();
    let with: &[&str] = &[&library];
    let elsewhere: &[&str] = &["FARSIDE_SPOOL=/nowhere", &library];
    let others = [
        &["-u", "LD_PRELOAD"][..],
        &["-u", "FARSIDE_SPOOL", &library],
        elsewhere,
    ];
    for (number, mpi) in Library::ALL.into_iter().enumerate() {
        for (nth, other) in others.into_iter().enumerate() {
            // Each is rank 0 with one of the libraries, and rank 1 with the other one.
            let starts = match (number + nth) % 2 {
                0 => [with, other],
                _ => [other, with],
            };
            let spool = scratch("not-all");
            assert_unharmed(&agree(mpi, starts, "", &spool), 2);
            let processes = read(&spool);
            assert_eq!(processes.len(), 1, "{mpi:?} {starts:?}");
            let only = processes.values().next().expect("a recording");
            let kinds: Vec<_> = only.events.iter().map(|event| &event.kind).collect();
            assert!(
                matches!(
                    kinds[..],
                    [
                        EventKind::Init { .. },
                        EventKind::Shortfall(Shortfall::NotAll { .. })
                    ]
                ),
                "{kinds:?}"
            );
        }
    }
}

#[test]
fn all_that_can_record_do() {
    let library = with_library();
    for mpi in Library::ALL {
        let spool = scratch("all");
        assert_unharmed(&agree(mpi, [&[&library], &[&library]], "", &spool), 2);
        let processes = read(&spool);
        assert_eq!(processes.len(), 2);
        for process in processes.values() {
            let windows = process.events.iter();
            let windows = windows.filter(|event| matches!(event.kind, EventKind::Window(_)));
            assert_eq!((windows.count(), process.ended), (8, true));
        }
    }
}

/// Rank 0 stops when its spool is full, and still makes the added calls. (Mounts a file system, and so needs root.)
#[test]
fn who_stops_recording_still_meets_the_others() {
    let library = with_library();
    for mpi in Library::ALL {
        let spool = scratch("stops");
        let mount = |arguments: &[&str]| {
            let status = Command::new(arguments[0])
                .args(&arguments[1..])
                .arg(&*spool)
                .status();
            assert!(status.expect("mount runs").success(), "this test needs root");
        };
        mount(&["mount", "-t", "tmpfs", "-o", "size=1200k", "farside-test"]);
        let output = agree(mpi, [&[&library], &[&library]], "fill", &spool);
        let processes = read(&spool);
        mount(&["umount"]);
        assert_unharmed(&output, 2);
        let last = &processes[&0].events.last().expect("events").kind;
        assert!(
            matches!(last, EventKind::Shortfall(Shortfall::SpoolFull(_))),
            "{last:?}"
        );
        assert!(processes[&1].ended);
    }
}

/// Parents and children that they spawn are two jobs. Windows over both have no added calls, whether or not the
/// children record. (MPICH 4.0.2 as Debian has it cannot spawn.)
#[test]
fn windows_together_with_spawned_children() {
    let library = with_library();
    for how in ["spawn", "spawn-bare"] {
        let spool = scratch(how);
        assert_unharmed(
            &agree(Library::OpenMpi, [&[&library], &[&library]], how, &spool),
            4,
        );
        assert_eq!(read(&spool).len(), 2, "of the parents");
    }
}

/// Processes with one id in two namespaces, as in containers and on hosts, into one spool.
#[test]
fn equal_process_ids_do_not_replace_each_other() {
    let binary = compile(Library::Mpich, "ends.c");
    let spool = scratch("namespaces");
    for _ in 0..2 {
        let status = Command::new("timeout")
            .args(["60", "unshare", "--pid", "--fork", "--mount-proc", "env"])
            .arg(format!("FARSIDE_SPOOL={}", spool.display()))
            .arg(with_library())
            .arg(binary.path())
            .arg("many")
            .status()
            .expect("unshare runs");
        assert!(status.success(), "this test needs root");
    }
    let mut pids = Vec::new();
    for entry in std::fs::read_dir(&*spool).expect("spool") {
        let name = entry.expect("an entry").file_name();
        let first = name
            .to_str()
            .and_then(farside_spool::format::Recording::parse_chunk_name);
        pids.extend(
            first
                .filter(|(_, number)| *number == 0)
                .map(|(recording, _)| recording.pid),
        );
    }
    assert_eq!(pids, [1, 1]);
}
