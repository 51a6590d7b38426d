//! The conformance suite with ranks as processes of this machine on pretended nodes: the launcher names them.

#[path = "../../fabric-ofi/tests/job/mod.rs"]
mod job;

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::conformance::{self, Extent, Rig};
use farside_fabric::{AtomicKind, AtomicOperation, Error, Fabric, Fetch, Rank};
use farside_fabric_hybrid::{Hybrid, Nodes};
use job::{Ended, Folder};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest a job may take.
const LIMIT: Duration = Duration::from_secs(600);

/// The names of the nodes of all ranks, one after the other.
const NODES: &str = "JOB_NODES";

/// Runs a rank for each letter of `nodes`, which names its node, over a provider.
fn on(provider: &str, nodes: &str, child: &str) -> Vec<Ended> {
    let environment = [("JOB_PROVIDER", provider), (NODES, nodes)];
    job::run(child, nodes.len() as u32, &environment, LIMIT)
}

fn suite(provider: &str, nodes: &str) {
    if job::has_libfabric() {
        let ended = on(provider, nodes, "rank_of_the_suite");
        assert_eq!(
            ended,
            vec![Ended::Status(0); nodes.len()],
            "{provider}, nodes {nodes}"
        );
    }
}

#[test]
fn two_nodes_of_two_over_tcp_with_rxm() {
    suite("tcp;ofi_rxm", "aabb");
}

#[test]
fn two_nodes_of_two_over_net() {
    suite("net", "abab");
}

#[test]
fn a_rank_alone_and_a_pair() {
    suite("tcp;ofi_rxm", "abb");
}

#[test]
fn a_node_of_all() {
    suite("tcp;ofi_rxm", "aaa");
}

#[test]
fn each_rank_a_node() {
    suite("net", "ab");
}

#[test]
fn both_ways_to_one_element_lose_nothing() {
    if job::has_libfabric() {
        let ended = on("tcp;ofi_rxm", "aabb", "rank_that_adds");
        assert_eq!(ended, [Ended::Status(0); 4]);
    }
}

#[test]
fn ranks_that_all_send_before_they_receive_go_on() {
    if job::has_libfabric() {
        let ended = on("tcp;ofi_rxm", "aabb", "rank_that_sends_first");
        assert_eq!(ended, [Ended::Status(0); 4]);
    }
}

#[test]
fn a_lost_rank_is_noticed_by_its_node_and_by_others() {
    if !job::has_libfabric() {
        return;
    }
    // The last rank dies: one of two on its node, or alone there.
    for nodes in ["aabb", "aab"] {
        let ended = on("tcp;ofi_rxm", nodes, "rank_that_loses");
        let (victim, others) = ended.split_last().expect("ranks");
        assert_eq!(others, vec![Ended::Status(0); others.len()], "{nodes}");
        assert_eq!(*victim, Ended::Signal, "{nodes}: the victim");
    }
}

fn open() -> Hybrid {
    let job: Arc<dyn Bootstrap> = Arc::new(Folder::of_environment());
    let names = std::env::var(NODES).expect("the nodes");
    let name = &names.as_bytes()[job.rank() as usize..][..1];
    let nodes = Nodes::meet_as(&*job, name).expect("where all are");
    let provider = std::env::var("JOB_PROVIDER").expect("a provider");
    let fabric = farside_fabric_hybrid::open(job, nodes, Some(&provider))
        .unwrap_or_else(|error| panic!("{provider}: {error}"));
    assert_eq!(fabric.remarks(), [""; 0]);
    let letters = names.as_bytes();
    for (rank, letter) in (0..).zip(letters) {
        let first = letters.iter().position(|other| other == letter).expect("itself");
        assert_eq!(fabric.node(rank), fabric.node(first as Rank));
    }
    let mut distinct = letters.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(fabric.nodes().number() as usize, distinct.len());
    fabric
}

fn extent() -> Extent {
    Extent {
        limit: Duration::from_secs(120),
        rounds: 42,
        large: 8 << 20,
    }
}

#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_of_the_suite() {
    let fabric = open();
    let rank = fabric.rank();
    let began = Instant::now();
    let result = conformance::run(&fabric, extent(), "", &mut |name| {
        if rank == 0 {
            println!("{:6.2} s: {name}", began.elapsed().as_secs_f64());
        }
    });
    let number = result.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(number > 30, "{number} checks");
    fabric.finish().expect("the end");
}

#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_that_loses() {
    let fabric = open();
    let rank = fabric.rank();
    conformance::lose(&fabric, extent(), &mut || {
        // SAFETY: this process ends.
        unsafe { libc::raise(libc::SIGKILL) };
    })
    .unwrap_or_else(|failure| panic!("rank {rank}: {failure}"));
}

/// All add to one element at the same time: those of its node by their processors, the others by messages. What each
/// got is what nobody else got.
#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_that_adds() {
    const ROUNDS: u64 = 2_000;
    let fabric = open();
    let rig = Rig::new(&fabric, extent());
    let shared = rig.share(64).expect("memory");
    let (one, mut found) = (1_u64, Vec::with_capacity(ROUNDS as usize));
    for _ in 0..ROUNDS {
        let mut before = 0_u64;
        let fetch = Fetch {
            scope: shared.scope,
            operation: AtomicOperation::Sum,
            kind: AtomicKind::U64,
            count: 1,
            operands: (&raw const one).cast(),
            results: (&raw mut before).cast(),
            remote: shared.remotes[0],
            displacement: 8,
        };
        rig.fetch(&fetch).expect("started");
        rig.flush(&shared).expect("complete");
        found.push(before);
    }
    assert!(found.is_sorted());
    let mut all: Vec<u64> = Vec::new();
    // As many as a message holds.
    for part in found.chunks(100) {
        let bytes: Vec<u8> = part.iter().flat_map(|value| value.to_ne_bytes()).collect();
        let parts = rig.exchange(&bytes).expect("what all found");
        let words = parts.iter().flat_map(|bytes| bytes.chunks_exact(8));
        all.extend(words.map(|word| u64::from_ne_bytes(word.try_into().expect("a word"))));
    }
    all.sort_unstable();
    assert!(all.into_iter().eq(0..ROUNDS * u64::from(fabric.size())));
    rig.unshare(shared).expect("the end of the memory");
    fabric.finish().expect("the end");
}

/// More than a ring and all credits hold, in a circle over both ways, before anybody receives.
#[test]
#[ignore = "a rank, started by the tests above"]
fn rank_that_sends_first() {
    const MESSAGES: u64 = 2_000;
    let fabric = open();
    let (rank, size) = (fabric.rank(), fabric.size());
    let bytes = [rank as u8; 512];
    for number in 0..MESSAGES {
        fabric
            .send((rank + 1) % size, number, &bytes)
            .expect("room at last");
    }
    let source = (rank + size - 1) % size;
    for number in 0..MESSAGES {
        let mut found = None;
        fabric
            .wait(Some(Duration::from_secs(60)), &mut || {
                found = fabric.receive()?;
                Ok::<_, Error>(found.is_some())
            })
            .expect("a message");
        let message = found.expect("a message");
        assert_eq!((message.source, message.tag), (source, number));
        assert_eq!(message.bytes, [source as u8; 512]);
    }
    fabric.finish().expect("the end");
}
