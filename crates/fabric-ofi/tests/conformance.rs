//! The conformance suite over the providers of libfabric that this machine has, 2 and 4 processes each.
//!
//! `FARSIDE_OFI_PROVIDERS`, a list with blanks between, names further ones (in the virtual machine: `verbs;ofi_rxm`,
//! see scripts/vm-conformance); `FARSIDE_OFI_CHECKS` is a part of the names of the checks to run, and
//! `FARSIDE_OFI_ROUNDS`, `FARSIDE_OFI_LARGE_MIB` and `FARSIDE_OFI_LIMIT` say how far they go.

mod job;

use farside_fabric::Fabric;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::conformance::{self, Extent, Rig};
use farside_fabric_ofi::Ofi;
use job::{Ended, Folder};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The variable that names providers.
const NAMED: &str = "FARSIDE_OFI_PROVIDERS";

/// Longest a job may take: the virtual machine is slow, and these machines are shared.
const LIMIT: Duration = Duration::from_secs(900);

/// The providers that the environment names, or the usual ones.
fn providers(usual: &str) -> Vec<String> {
    let text = std::env::var(NAMED).unwrap_or_else(|_| usual.into());
    text.split_whitespace().map(String::from).collect()
}

fn suite(provider: &str, size: u32) {
    if job::has_libfabric() {
        let ended = job::run("rank_of_the_suite", size, &[("JOB_PROVIDER", provider)], LIMIT);
        assert_eq!(
            ended,
            vec![Ended::Status(0); size as usize],
            "{provider}, {size} ranks"
        );
    }
}

fn named(size: u32) {
    let named = providers("");
    if named.is_empty() {
        eprintln!("skipped: {NAMED} is not set");
    }
    for provider in named {
        suite(&provider, size);
    }
}

#[test]
fn named_providers_2_ranks() {
    named(2);
}

#[test]
fn named_providers_4_ranks() {
    named(4);
}

#[test]
fn tcp_with_rxm_2_ranks() {
    suite("tcp;ofi_rxm", 2);
}

#[test]
fn tcp_with_rxm_4_ranks() {
    suite("tcp;ofi_rxm", 4);
}

#[test]
fn net_2_ranks() {
    suite("net", 2);
}

#[test]
fn net_4_ranks() {
    suite("net", 4);
}

#[test]
fn shm_2_ranks() {
    suite("shm", 2);
}

#[test]
fn shm_4_ranks() {
    suite("shm", 4);
}

#[test]
fn a_lost_rank_is_noticed() {
    if !job::has_libfabric() {
        return;
    }
    for provider in providers("tcp;ofi_rxm net shm") {
        let ended = job::run("rank_that_loses", 3, &[("JOB_PROVIDER", &provider)], LIMIT);
        assert_eq!(ended[..2], [Ended::Status(0); 2], "{provider}");
        assert_eq!(ended[2], Ended::Signal, "{provider}: the victim");
    }
}

#[test]
fn a_flush_waits_for_a_target_that_is_stopped() {
    if !job::has_libfabric() {
        return;
    }
    for provider in providers("tcp;ofi_rxm net shm") {
        let ended = job::run("rank_that_is_stopped", 2, &[("JOB_PROVIDER", &provider)], LIMIT);
        assert_eq!(ended, [Ended::Status(0); 2], "{provider}");
    }
}

#[test]
fn a_provider_that_is_not_there_is_refused_with_the_reason() {
    if !job::has_libfabric() {
        return;
    }
    let ended = job::run("rank_of_no_provider", 1, &[], LIMIT);
    assert_eq!(ended, [Ended::Status(0)]);
}

#[test]
fn a_provider_without_datagrams_is_refused_with_those_that_have_them() {
    if !job::has_libfabric() {
        return;
    }
    for provider in ["tcp", "udp"] {
        let ended = job::run("rank_without_datagrams", 1, &[("JOB_PROVIDER", provider)], LIMIT);
        assert_eq!(ended, [Ended::Status(0)], "{provider}");
    }
}

fn open() -> (Ofi, Arc<Folder>) {
    let bootstrap = Arc::new(Folder::of_environment());
    let provider = std::env::var("JOB_PROVIDER").expect("a provider");
    let fabric = Ofi::open(Arc::clone(&bootstrap) as Arc<dyn Bootstrap>, Some(&provider));
    (
        fabric.unwrap_or_else(|error| panic!("{provider}: {error}")),
        bootstrap,
    )
}

fn extent() -> Extent {
    let number = |name: &str, usual: u32| {
        std::env::var(name).map_or(usual, |text| {
            text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
        })
    };
    Extent {
        limit: Duration::from_secs(number("FARSIDE_OFI_LIMIT", 120).into()),
        rounds: number("FARSIDE_OFI_ROUNDS", 60),
        large: (number("FARSIDE_OFI_LARGE_MIB", 48) as usize) << 20,
    }
}

#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_of_the_suite() {
    let (fabric, _) = open();
    let rank = fabric.rank();
    if rank == 0 {
        println!("{}\n{:?}", fabric.describe(), fabric.capabilities());
    }
    let filter = std::env::var("FARSIDE_OFI_CHECKS").unwrap_or_default();
    let began = std::time::Instant::now();
    let result = conformance::run(&fabric, extent(), &filter, &mut |name| {
        if rank == 0 {
            println!("{:6.2} s: {name}", began.elapsed().as_secs_f64());
        }
    });
    let number = result.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(number > 0, "no check was run");
    fabric.finish().expect("the end");
    if rank == 0 {
        println!("{number} checks in {:.1} s", began.elapsed().as_secs_f64());
    }
}

#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_that_loses() {
    let (fabric, _) = open();
    let rank = fabric.rank();
    conformance::lose(&fabric, extent(), &mut || {
        // As a crash: no destructor runs. Not by `abort`: the psm provider catches that signal, and exits.
        // SAFETY: this process ends.
        unsafe { libc::raise(libc::SIGKILL) };
    })
    .unwrap_or_else(|failure| panic!("rank {rank}: {failure}"));
}

/// Rank 0 puts while rank 1 is stopped, so that nobody moves its bytes: the flush must not end before rank 1 goes on.
#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_that_is_stopped() {
    let (fabric, _) = open();
    let rig = Rig::new(&fabric, extent());
    let shared = rig.share(1 << 16).expect("memory");
    let pids = rig.exchange(&std::process::id().to_ne_bytes()).expect("pids");
    let target = i32::from_ne_bytes(pids[1][..].try_into().expect("a pid"));
    for bytes in [8, 64, 256, 4096, 1 << 16] {
        rig.barrier().expect("a barrier");
        if fabric.rank() == 1 {
            continue;
        }
        // The target takes part in nothing until it goes on; it may still be in the barrier.
        let data = vec![7; bytes];
        // SAFETY: the other rank, which waits for this one.
        assert_eq!(unsafe { libc::kill(target, libc::SIGSTOP) }, 0);
        while !stopped(target) {
            std::thread::yield_now();
        }
        let goes_on = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                goes_on.store(true, Ordering::SeqCst);
                // SAFETY: the other rank, which is stopped and waits to be continued.
                assert_eq!(unsafe { libc::kill(target, libc::SIGCONT) }, 0);
            });
            rig.put(&shared, 1, 0, &data).expect("a put");
            rig.flush(&shared).expect("a flush");
            assert!(
                goes_on.load(Ordering::SeqCst),
                "a flush of {bytes} bytes did not wait for the target"
            );
        });
    }
    rig.unshare(shared).expect("the end of the memory");
    fabric.finish().expect("the end");
}

fn stopped(pid: i32) -> bool {
    farside_processes::Stat::of(pid.unsigned_abs()).is_some_and(|process| process.state == 'T')
}

#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_of_no_provider() {
    let bootstrap = Arc::new(Folder::of_environment());
    let error = Ofi::open(bootstrap, Some("carrier-pigeon"))
        .err()
        .expect("no such provider");
    let text = error.to_string();
    assert!(
        text.contains("carrier-pigeon") && text.contains("fi_info"),
        "{text}"
    );
    assert!(
        text.contains("no such provider") && text.contains("'ofi:"),
        "{text}"
    );
}

#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_without_datagrams() {
    let provider = std::env::var("JOB_PROVIDER").expect("a provider");
    let bootstrap: Arc<dyn Bootstrap> = Arc::new(Folder::of_environment());
    let text = match Ofi::open(Arc::clone(&bootstrap), Some(&provider)) {
        Err(error) => error.to_string(),
        // `tcp` of libfabric 2 has them.
        Ok(fabric) => return fabric.finish().expect("the end"),
    };
    assert!(
        text.contains("FI_EP_MSG") || text.contains("FI_EP_DGRAM"),
        "{text}"
    );
    assert!(text.contains(&format!("provider `{provider}`")), "{text}");
    // Those that are named work.
    let named: Vec<&str> = text
        .split("'ofi:")
        .skip(1)
        .filter_map(|rest| rest.split('\'').next())
        .collect();
    assert!(named.contains(&"tcp;ofi_rxm"), "{text}");
    for name in named {
        let port = Ofi::open(Arc::clone(&bootstrap), Some(name));
        port.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
