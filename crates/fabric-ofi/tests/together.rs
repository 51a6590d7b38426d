//! Short puts and messages to one rank leave in one message of libfabric over a stream (`engine/held.rs`): counted.

mod job;

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::conformance::{Extent, Rig};
use farside_fabric::{Fabric, Result};
use farside_fabric_ofi::Ofi;
use job::{Ended, Folder};
use std::sync::Arc;
use std::time::Duration;

/// Rounds of each pattern. The thread of the endpoint may send what is held back if a rank does not run for some
/// milliseconds, so not every round takes the fewest messages.
const ROUNDS: u32 = 50;

/// What is done, how, with how few messages, and how many of the user are among it.
type Pattern<'p> = (&'p str, &'p dyn Fn() -> Result<()>, u64, u32);

#[test]
fn what_goes_to_one_rank_leaves_together() {
    if job::has_libfabric() {
        let provider = [("JOB_PROVIDER", "net")];
        let ended = job::run("rank_that_counts", 2, &provider, Duration::from_secs(120));
        assert_eq!(ended, [Ended::Status(0); 2]);
    }
}

#[test]
#[ignore = "a rank, started by the test above"]
fn rank_that_counts() {
    let bootstrap: Arc<dyn Bootstrap> = Arc::new(Folder::of_environment());
    let provider = std::env::var("JOB_PROVIDER").expect("a provider");
    let fabric = Ofi::open(bootstrap, Some(&provider)).unwrap_or_else(|error| panic!("{provider}: {error}"));
    let rig = Rig::new(&fabric, Extent::default());
    let shared = rig.share(4096).expect("a region");
    let put = |bytes: usize| rig.put(&shared, 1, 0, &vec![1; bytes]).map(drop);
    let send = |bytes: usize| fabric.send(1, 1, &vec![2; bytes]);
    let along = |bytes: usize| fabric.send_along(1, 1, &vec![3; bytes]);
    let flag = || {
        let done = fabric.flush_before_flag(shared.scope, 1)?;
        assert!(!done, "the put is acknowledged, though it was not sent");
        put(8).map(|()| fabric.send_held())
    };
    let patterns: [Pattern<'_>; 6] = [
        ("a message alone", &|| send(8), 1, 1),
        ("puts and a message", &|| put(16).and(put(8)).and(send(8)), 1, 1),
        (
            "messages, the last of which may not wait",
            &|| along(100).and(along(8)).and(send(8)),
            1,
            3,
        ),
        (
            "a message and a flag",
            &|| along(8).and(put(8)).map(|()| fabric.send_held()),
            1,
            1,
        ),
        (
            "a put and a flag after it",
            &|| put(16).and_then(|()| flag()),
            1,
            0,
        ),
        (
            "what does not fit",
            &|| put(16).and(along(4000)).and(send(100)),
            2,
            2,
        ),
    ];
    for (what, pattern, fewest, messages) in patterns {
        let counts: Vec<u64> = (0..ROUNDS)
            .map(|_| {
                rig.barrier().expect("both are there");
                let before = fabric.messages();
                if rig.rank() == 0 {
                    pattern().unwrap_or_else(|error| panic!("{what}: {error}"));
                }
                let sent = fabric.messages() - before;
                if rig.rank() == 1 {
                    for _ in 0..messages {
                        rig.message(0, 1).expect("a message");
                    }
                }
                rig.flush(&shared).expect("all arrive");
                sent
            })
            .collect();
        let expected = if rig.rank() == 0 { fewest } else { 0 };
        assert_eq!(counts.iter().min(), Some(&expected), "{what}: {counts:?}");
    }
    rig.unshare(shared).expect("nobody uses it");
    fabric.finish().expect("both end");
}
