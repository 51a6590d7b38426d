//! Real transports under `farside run`, ranks as processes: the conformance suite, the litmus library, many ranks, and
//! ranks that die.

use crate::stage::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Those that processes of this machine can use. libfabric may not be there.
pub(crate) fn transports() -> Vec<&'static str> {
    let mut found = vec!["shm"];
    // SAFETY: libfabric's initialisers are safe to run, and the library is closed by nobody.
    if unsafe { libc::dlopen(c"libfabric.so.1".as_ptr(), libc::RTLD_NOW) }.is_null() {
        eprintln!("skipped in part: libfabric.so.1 is not there");
    } else {
        found.extend(["ofi:net", "ofi:tcp;ofi_rxm", "ofi:shm", "hybrid:tcp;ofi_rxm"]);
    }
    found
}

/// With `hybrid`, ranks believe that they are on two nodes: the first ones share one.
pub(crate) fn options_of(transport: &'static str) -> Vec<&'static str> {
    let mut options = vec!["--transport", transport];
    if transport.starts_with("hybrid") {
        options.extend(["--nodes", "2"]);
    }
    options
}

/// Where the ranks are decides, if nobody names a transport.
#[test]
fn the_transport_follows_from_the_nodes() {
    if transports().len() == 1 {
        return;
    }
    let cases: [(u32, &[&str], &str); 4] = [
        (2, &[], "over shm, 2 ranks"),
        (2, &["--nodes", "1"], "over shm, 2 ranks"),
        (2, &["--nodes", "2"], "over ofi:"),
        (3, &["--nodes", "2"], "over hybrid:"),
    ];
    for (ranks, options, end) in cases {
        let stage = Stage::new();
        let mut command = stage.run(ranks);
        command.env_remove("FARSIDE_TRANSPORT").args(options).arg("--");
        command.arg(suite()).args(["1", "1", "puts to oneself"]);
        let (stdout, stderr) = expect(&stage.output(command), 0);
        assert!(stdout.contains(end), "{ranks} {options:?}: {stdout}");
        assert_eq!(stderr, "");
    }
}

#[test]
fn the_conformance_suite_on_each_transport() {
    for transport in transports() {
        let stage = Stage::new();
        let mut command = stage.run(3);
        command
            .args(options_of(transport))
            .arg("--")
            .arg(suite())
            .args(["6", "2"]);
        let (stdout, _) = expect(&stage.output(command), 0);
        let last = stdout.lines().last().expect("what passed");
        assert!(
            last.ends_with(&format!("checks passed over {transport}, 3 ranks")),
            "{last}"
        );
        let number: u32 = last
            .split(' ')
            .next()
            .and_then(|word| word.parse().ok())
            .expect("a number");
        assert!(number >= 37, "{last}");
    }
}

/// All designs that a transport has what they need for; the others are refused, and leave the window as it was.
#[test]
fn the_suite_of_the_fences_on_each_transport() {
    for transport in transports() {
        for ranks in [2, 3] {
            let stage = Stage::new();
            let mut command = stage.run(ranks);
            command
                .args(["--time-limit", "120"])
                .args(options_of(transport))
                .arg("--")
                .arg(fences());
            let (stdout, _) = expect(&stage.output(command), 0);
            assert_eq!(stdout.lines().count(), 10, "{transport}: {stdout}");
            let ran = stdout.matches(": as all others").count();
            assert!(ran >= 4, "{transport}, {ranks} ranks: {stdout}");
        }
    }
}

/// Each gives what one process computes.
#[test]
fn collective_calls_on_each_transport() {
    for transport in transports() {
        for ranks in [2, 5] {
            let stage = Stage::new();
            let mut command = stage.run(ranks);
            command
                .args(["--time-limit", "120"])
                .args(options_of(transport))
                .arg("--")
                .arg(collectives())
                .arg("6");
            let (stdout, _) = expect(&stage.output(command), 0);
            assert!(stdout.starts_with("verified "), "{transport}: {stdout}");
        }
    }
}

/// Each is an error at all ranks, which names both calls: by day over memory, on three ranks too, and over libfabric;
/// over all transports at night.
#[test]
fn collective_calls_that_do_not_match_on_each_transport() {
    let is_night = farside_built::is_night();
    let by_day = if is_night { usize::MAX } else { 2 };
    for (number, transport) in (0..).zip(transports().into_iter().take(by_day)) {
        let ranks = if is_night || number == 0 { 2..=3 } else { 2..=2 };
        for ranks in ranks {
            let stage = Stage::new();
            let mut command = stage.run(ranks);
            command
                .args(["--time-limit", "300"])
                .args(options_of(transport))
                .arg("--")
                .arg(mismatches());
            let (stdout, _) = expect(&stage.output(command), 0);
            let number = stdout
                .trim()
                .strip_prefix("verified ")
                .and_then(|word| word.parse().ok());
            assert!(
                number.is_some_and(|number: u32| number > 150),
                "{transport}: {stdout}"
            );
        }
    }
}

/// A few runs of each test; 10,000 at night (scripts/litmus-runs).
#[test]
fn the_litmus_library_on_each_transport() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus-tests");
    for transport in transports() {
        let stage = Stage::new();
        let mut command = stage.run(2);
        command
            .args(options_of(transport))
            .arg("--")
            .arg(litmus())
            .arg("40")
            .arg(&tests);
        let (stdout, stderr) = expect(&stage.output(command), 0);
        assert_eq!(stderr, "");
        assert!(stdout.lines().count() >= 50, "{transport}: {stdout}");
        assert!(
            stdout
                .lines()
                .all(|line| line.ends_with("| 0 |") || line.ends_with("| any | - | - |"))
        );
    }
}

#[test]
fn sixty_four_ranks_on_a_few_cores() {
    let stage = Stage::new();
    let begin = Instant::now();
    let mut command = stage.run(64);
    command
        .args(["--transport", "shm", "--"])
        .arg(suite())
        .args(["3", "1", "add up"]);
    let (stdout, _) = expect(&stage.output(command), 0);
    assert!(
        stdout.ends_with("1 checks passed over shm, 64 ranks\n"),
        "{stdout}"
    );
    // 0.7 s beside a load of 20 on two cores; a spinning wait takes minutes.
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[test]
fn a_rank_that_dies_ends_the_job_within_two_seconds() {
    let stage = Stage::new();
    let steps = ["connect", "fence", "@1:print:dies", "@1:signal:9", "sleep"];
    let mut child = stage.conduct(4, &[], &steps).spawn().unwrap();
    let mut line = [0; "dies\n".len()];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
    let begin = Instant::now();
    let output = child.wait_with_output().unwrap();
    let took = begin.elapsed();
    let (_, stderr) = expect(&output, 3);
    assert!(
        stderr.contains("rank 1 (pid ") && stderr.contains("killed by signal 9"),
        "{stderr}"
    );
    assert!(took < Duration::from_secs(2), "{took:?}");
    stage.expect_nothing_left();
}

/// Names of segments of shared memory on this machine.
fn shared_memory() -> BTreeSet<String> {
    std::fs::read_dir("/dev/shm")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Nothing is left in the places that transports could use beside the folder for temporary files.
#[test]
fn an_interrupted_job_leaves_nothing() {
    for transport in transports() {
        let stage = Stage::new();
        // What an earlier process with the same number left.
        let before = shared_memory();
        let mut command = stage.run(2);
        command
            .args(["--verbose", "--transport", transport, "--"])
            .arg(suite())
            .args(["1000000", "1", "add up"]);
        let mut child = command.spawn().unwrap();
        // The check runs: its name was printed.
        let mut first = [0; 1];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
        kill(child.id(), "-INT");
        let (_, stderr) = expect(&child.wait_with_output().unwrap(), 3);
        assert!(
            stderr.contains("got SIGINT; the job is ended"),
            "{transport}: {stderr}"
        );
        stage.expect_nothing_left();
        // Other tests run at the same time: only names with a process of this job are ours.
        let pids: Vec<&str> = stderr
            .lines()
            .filter_map(|line| line.split_once(" is process ")?.1.split(',').next())
            .collect();
        assert_eq!(pids.len(), 2, "{stderr}");
        let left: Vec<_> = shared_memory()
            .into_iter()
            .filter(|name| !before.contains(name) && pids.iter().any(|pid| name.contains(pid)))
            .collect();
        assert!(left.is_empty(), "{transport}: {left:?}");
    }
}
