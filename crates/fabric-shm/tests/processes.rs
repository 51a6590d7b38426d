//! The conformance suite with ranks as processes: this program starts itself again, once for each rank.

mod support;

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::conformance::{Extent, checks, lose, run};
use farside_fabric::{Error, Fabric};
use farside_fabric_shm::ShmFabric;
use std::os::unix::process::CommandExt;
use std::sync::Arc;
use std::time::Duration;
use support::{Folder, Job};

/// Says to a rank what it is to do.
const PART: &str = "FARSIDE_TEST_PART";

fn extent() -> Extent {
    Extent {
        limit: Duration::from_secs(60),
        rounds: 42,
        large: 3 << 20,
    }
}

/// The endpoint of this process, which is a rank.
fn endpoint() -> ShmFabric {
    let folder = Folder::here().expect("started as a rank");
    ShmFabric::start(Arc::new(folder)).expect("an endpoint")
}

/// All that a rank does, by name. Not a test when it is not a rank.
#[test]
fn rank() {
    let Ok(part) = std::env::var(PART) else {
        return;
    };
    match part.as_str() {
        "conform" => conform(),
        "die" => die(),
        "die-while-sending" => die_while_sending(),
        "large" => large(),
        "hang" => hang(),
        other => panic!("no part {other}"),
    }
}

fn conform() {
    let fabric = endpoint();
    let wanted = checks()
        .iter()
        .filter(|check| check.ranks <= fabric.size())
        .count();
    let number = run(&fabric, extent(), "", &mut |_| {}).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(number, wanted);
    fabric.finish().expect("all are there");
}

fn kill_oneself() {
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).expect("killed");
}

fn die() {
    lose(&endpoint(), extent(), &mut kill_oneself).unwrap_or_else(|failure| panic!("{failure}"));
}

/// The last rank dies with a full ring; all others wait in `send`.
fn die_while_sending() {
    let fabric = endpoint();
    let victim = fabric.size() - 1;
    if fabric.rank() == victim {
        while fabric.receive().expect("no failure").is_none() {
            std::hint::spin_loop();
        }
        std::thread::sleep(Duration::from_millis(50));
        kill_oneself();
    }
    let bytes = vec![7; fabric.capabilities().message_bytes];
    let error = loop {
        if let Err(error) = fabric.send(victim, 0, &bytes) {
            break error;
        }
    };
    assert_eq!(error, Error::PeerLost { rank: victim });
    assert_eq!(fabric.finish(), Err(Error::PeerLost { rank: victim }));
}

/// Takes part, and waits for what never comes, until rank 1 is lost.
fn hang() {
    let folder = Arc::new(Folder::here().expect("started as a rank"));
    let fabric = ShmFabric::start(folder.clone()).expect("an endpoint");
    let exposed = fabric.expose(1 << 20).expect("memory");
    folder.publish("ready", &[]).expect("published");
    let ended = fabric.wait(Some(Duration::from_secs(60)), &mut || Ok(false));
    assert_eq!(ended, Err(Error::PeerLost { rank: 1 }));
    assert_eq!(fabric.arrivals(&exposed.region), Ok(0));
}

/// 2 GiB and a bit, in one put and one get.
fn large() {
    let fabric = endpoint();
    let extent = Extent {
        large: (2 << 30) + 4096,
        limit: Duration::from_secs(400),
        ..extent()
    };
    let number = run(&fabric, extent, "large", &mut |_| {}).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(number, 1);
    fabric.finish().expect("all are there");
}

fn job(size: u32, part: &str, pin: &str) -> Job {
    Job::start(size, |program| {
        program
            .args(["--exact", "rank", "--nocapture", "--test-threads=1"])
            .env(PART, part)
            .env("FARSIDE_PIN", pin);
        // A group of their own: what the terminal sends goes to the test, which ends them.
        program.process_group(0);
    })
    .expect("started")
}

#[test]
fn two_ranks() {
    assert_eq!(job(2, "conform", "none").wait().expect("waited"), [true; 2]);
}

#[test]
fn two_ranks_on_processors_of_their_own() {
    assert_eq!(job(2, "conform", "").wait().expect("waited"), [true; 2]);
}

#[test]
fn four_ranks() {
    assert_eq!(job(4, "conform", "").wait().expect("waited"), [true; 4]);
}

#[test]
fn a_killed_rank_is_lost_to_all_others() {
    for size in [2, 4] {
        let mut ended = job(size, "die", "none").wait().expect("waited");
        assert_eq!(ended.pop(), Some(false), "the victim");
        assert!(ended.iter().all(|passed| *passed), "{ended:?}");
    }
}

#[test]
fn a_killed_rank_is_lost_to_those_who_send_to_it() {
    let mut ended = job(3, "die-while-sending", "none").wait().expect("waited");
    assert_eq!(ended.pop(), Some(false), "the victim");
    assert!(ended.iter().all(|passed| *passed), "{ended:?}");
}

/// Names that are visible in the file system of shared memory, and are ours.
fn names() -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/dev/shm") else {
        return Vec::new();
    };
    entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("farside"))
        .collect()
}

/// The victim is not reaped: its number stays taken, and its process a zombie.
#[test]
fn a_rank_killed_from_outside_is_lost_even_if_it_is_not_reaped() {
    let mut job = job(3, "hang", "none");
    assert!(job.reached("ready"));
    job.ranks[1].kill().expect("killed");
    for rank in [0, 2] {
        assert!(job.ranks[rank].wait().expect("waited").success(), "rank {rank}");
    }
}

#[test]
fn a_rank_that_the_launcher_says_is_lost_is_lost() {
    let mut job = job(2, "hang", "none");
    assert!(job.reached("ready"));
    job.tell_lost(1).expect("told");
    assert_eq!(job.wait().expect("waited"), [true, true]);
}

#[test]
fn nothing_is_left_when_all_ranks_are_killed() {
    let mut job = job(3, "hang", "none");
    assert!(job.reached("ready"));
    assert_eq!(names(), Vec::<String>::new());
    for rank in &mut job.ranks {
        rank.kill().expect("killed");
    }
    assert_eq!(job.wait().expect("waited"), [false; 3]);
    assert_eq!(names(), Vec::<String>::new());
}

/// Takes 4 GiB of memory for some seconds: `cargo test -- --ignored`.
#[test]
#[ignore = "takes 4 GiB of memory"]
fn two_gibibytes_in_one_transfer() {
    assert_eq!(job(2, "large", "none").wait().expect("waited"), [true; 2]);
}
