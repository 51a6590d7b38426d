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
