//! Ranks that go on for a while after another one was killed: none crashes within libfabric, whatever was under way.

mod job;

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error, Fabric, Get, Put, Rank, Signal};
use farside_fabric_ofi::Ofi;
use job::{Ended, Folder};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest a job may take.
const LIMIT: Duration = Duration::from_secs(120);

/// Bytes of each rank that others write and read.
const BYTES: usize = 1 << 20;

/// Jobs of a provider: `FARSIDE_OFI_LOSSES` says another number.
fn jobs() -> u32 {
    let number = std::env::var("FARSIDE_OFI_LOSSES").ok();
    number.map_or(12, |text| text.parse().expect("a number of jobs"))
}

fn survivors_live_on(provider: &str) {
    if !job::has_libfabric() {
        return;
    }
    for number in 0..jobs() {
        let (size, what) = (
            2 + number % 3,
            ["puts", "gets", "messages", "nothing"][number as usize / 3 % 4],
        );
        let victim = (number / 2) % size;
        let delay = 20 + 37 * number % 300;
        let environment = [
            ("JOB_PROVIDER", provider),
            ("JOB_WHAT", what),
            ("JOB_VICTIM", &victim.to_string()),
            ("JOB_DELAY", &delay.to_string()),
        ];
        let ended = job::run("rank_that_lives_on", size, &environment, LIMIT);
        for (rank, ended) in (0..).zip(ended) {
            let expected = if rank == victim {
                Ended::Signal
            } else {
                Ended::Status(0)
            };
            assert_eq!(
                ended, expected,
                "{provider}, job {number}: {what}, rank {rank} of {size}, victim {victim}"
            );
        }
    }
}

#[test]
fn over_tcp_with_rxm() {
    survivors_live_on("tcp;ofi_rxm");
}

#[test]
fn over_net() {
    survivors_live_on("net");
}

#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_that_lives_on() {
    let bootstrap = Arc::new(Folder::of_environment());
    let read = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let (provider, what) = (read("JOB_PROVIDER"), read("JOB_WHAT"));
    let victim: Rank = read("JOB_VICTIM").parse().expect("a rank");
    let delay = Duration::from_millis(read("JOB_DELAY").parse().expect("milliseconds"));
    let fabric = Ofi::open(Arc::clone(&bootstrap) as Arc<dyn Bootstrap>, Some(&provider)).expect("a fabric");
    let (me, size) = (fabric.rank(), fabric.size());
    let exposed = fabric.expose(BYTES).expect("memory");
    bootstrap
        .publish("region", exposed.descriptor.bytes())
        .expect("published");
    bootstrap.fence().expect("all are here");
    let connect = |rank| {
        let bytes = bootstrap.lookup(rank, "region").expect("a region");
        let descriptor = farside_fabric::Descriptor::new(&bytes).expect("a descriptor");
        fabric.connect(rank, &descriptor).expect("a connection")
    };
    let remotes: Vec<_> = (0..size).map(connect).collect();
    let scope = fabric.open_scope().expect("a scope");
    if me == victim {
        std::thread::spawn(move || {
            std::thread::sleep(delay);
            // SAFETY: this process ends.
            unsafe { libc::raise(libc::SIGKILL) };
        });
    }
    let mut buffer = vec![me as u8; BYTES];
    let began = Instant::now();
    let mut turn = 0;
    let mut lost = None;
    while lost.is_none() && began.elapsed() < LIMIT / 2 {
        turn += 1;
        let bytes = if turn % 3 == 0 { BYTES } else { 8 << (turn % 12) };
        for rank in (0..size).filter(|&rank| rank != me) {
            let result = match &*what {
                "puts" => {
                    let put = Put {
                        scope,
                        origin: buffer.as_ptr(),
                        bytes,
                        remote: remotes[rank as usize],
                        displacement: 0,
                        signal: Signal::None,
                    };
                    // SAFETY: the buffer lives until the end of this function, and is completed or given up before.
                    unsafe { fabric.put(&put) }.map(drop)
                }
                "gets" => {
                    let get = Get {
                        scope,
                        origin: buffer.as_mut_ptr(),
                        bytes,
                        remote: remotes[rank as usize],
                        displacement: 0,
                    };
                    // SAFETY: the buffer lives until the end of this function, and is completed or given up before.
                    unsafe { fabric.get(&get) }.map(drop)
                }
                "messages" => fabric.send(rank, 1, &buffer[..bytes.min(4096)]),
                _ => fabric.wait(Some(Duration::from_millis(5)), &mut || Ok(false)),
            };
            lost = lost.or(result.and_then(|()| fabric.receive().map(drop)).err());
        }
        if turn % 4 == 0 {
            lost = lost.or(fabric.flush(scope, None).err());
        }
        lost = lost.filter(|error| !matches!(error, Error::TimeOut(_)));
    }
    assert!(
        matches!(lost, Some(Error::PeerLost { .. })),
        "rank {me} lives on: {lost:?}"
    );
    // The program goes on: it calls, computes, and ends.
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(300) {
        let _ = fabric.receive();
        let _ = fabric.notification();
        let _ = fabric.flush(scope, None);
        let _ = fabric.send((me + 1) % size, 1, &[1]);
        let _ = fabric.is_flushed(scope);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(fabric.finish().is_err());
    // SAFETY: nobody uses the memory any more: operations on it were given up.
    let _ = unsafe { fabric.withdraw(exposed.region) };
    drop(fabric);
}
