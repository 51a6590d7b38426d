//! What a load sees of an aligned word of 8 bytes while a put of it arrives (promise 5 of `Fabric`). libfabric promises
//! nothing; so this looks. `WORDS_ROUNDS` says how long.
//!
//! Over a stream, libfabric's writes of a word between other bytes are now and then seen half written, the first bytes
//! before the others. So short puts go by messages there (`engine/held.rs`), and are stored as words. Over `shm` they
//! are whole.

mod job;

use farside_fabric::Fabric;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::conformance::{Extent, Rig};
use farside_fabric_ofi::Ofi;
use job::{Ended, Folder};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Bytes of the puts between the words: no multiple of a word, so that words begin anywhere in the stream.
const BETWEEN: usize = 8999;

/// Puts that are under way at once.
const BATCH: usize = 200;

#[test]
fn a_word_is_whole_or_arrives_from_its_first_byte() {
    if !job::has_libfabric() {
        return;
    }
    for provider in ["tcp;ofi_rxm", "net", "shm"] {
        // A short buffer for what is read from the socket: most words then begin in one read and end in another.
        for prefetch in ["9000", "51"] {
            let environment = [
                ("JOB_PROVIDER", provider),
                ("FI_TCP_PREFETCH_RBUF_SIZE", prefetch),
                ("FI_NET_PREFETCH_RBUF_SIZE", prefetch),
            ];
            let ended = job::run(
                "rank_that_looks_for_halves",
                2,
                &environment,
                Duration::from_secs(600),
            );
            assert_eq!(
                ended,
                [Ended::Status(0); 2],
                "{provider}, buffer of {prefetch} bytes"
            );
        }
    }
}

#[test]
#[ignore = "a rank, started by the test above"]
fn rank_that_looks_for_halves() {
    let bootstrap: Arc<dyn Bootstrap> = Arc::new(Folder::of_environment());
    let provider = std::env::var("JOB_PROVIDER").expect("a provider");
    let fabric = Ofi::open(bootstrap, Some(&provider)).unwrap_or_else(|error| panic!("{provider}: {error}"));
    let rig = Rig::new(&fabric, Extent::default());
    let shared = rig.share(8 + BETWEEN).expect("a region");
    let words = [0, u64::MAX].map(u64::to_ne_bytes);
    let between = vec![7; BETWEEN];
    let rounds: usize = std::env::var("WORDS_ROUNDS").map_or(15, |text| text.parse().expect("a number"));
    let done = AtomicBool::new(rig.rank() == 0);
    let seen = std::thread::scope(|scope| {
        // Looks all the time, also while a write is half copied.
        let looker = scope.spawn(|| look(shared.word(0), &done));
        for _ in 0..rounds {
            if rig.rank() == 0 {
                for count in 0..BATCH {
                    rig.put(&shared, 1, 8, &between[..BETWEEN - count % 61])
                        .expect("a put");
                    rig.put(&shared, 1, 0, &words[count % 2])
                        .expect("a put of a word");
                }
                rig.flush(&shared).expect("a flush");
                rig.fabric.send(1, 1, &[]).expect("a message");
            } else {
                rig.message(0, 1).expect("a message");
            }
        }
        done.store(true, Ordering::Relaxed);
        looker.join().expect("no panic")
    });
    println!("rank {}: {seen:?}", rig.rank());
    if fabric.capabilities().whole_words {
        assert_eq!(seen.halves, 0, "halves of words were seen");
    }
    assert_eq!(seen.mixed, 0, "bytes came in another order than in the stream");
    assert!(rig.rank() == 0 || seen.changes > 1, "the words did not come");
    rig.unshare(shared).expect("the end of a region");
}

#[derive(Debug, Default)]
struct Seen {
    looks: u64,
    changes: u64,
    halves: u64,
    /// Neither a whole word, nor first bytes of one and last bytes of the other.
    mixed: u64,
}

fn look(word: &AtomicU64, done: &AtomicBool) -> Seen {
    let (mut seen, mut last) = (Seen::default(), 0);
    while !done.load(Ordering::Relaxed) {
        let found = word.load(Ordering::Relaxed);
        seen.looks += 1;
        seen.changes += u64::from(found != last);
        seen.halves += u64::from(found != 0 && found != u64::MAX);
        let changes = found
            .to_ne_bytes()
            .windows(2)
            .filter(|pair| pair[0] != pair[1])
            .count();
        let torn = found
            .to_ne_bytes()
            .iter()
            .any(|byte| ![0, u8::MAX].contains(byte));
        seen.mixed += u64::from(changes > 1 || torn);
        last = found;
    }
    seen
}
