//! Streams over chunks that tests wrote: whole, damaged, of living and of dead processes.

use super::recording::{event, record, write};
use super::*;

/// No living process has this id.
const GONE: u32 = 5_000_000;

fn times(stream: &mut Stream) -> Vec<u64> {
    std::iter::from_fn(|| match stream.next() {
        Next::Event(event) => Some(event.time),
        Next::Waiting | Next::Ended => None,
    })
    .collect()
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn chunks_follow_each_other_and_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), GONE, 0, &[1, 2], 1);
    record(folder.path(), GONE, 1, &[3], 1);
    record(folder.path(), GONE, 2, &[4], 2);
    let mut stream = Stream::new(folder.path(), Recording::of_process(GONE), 0, false);
    assert_eq!(times(&mut stream), [1, 2, 3, 4]);
    assert_eq!((stream.end(), files(folder.path())), (Some(End::Sealed), 0));
}

#[test]
fn kept_chunks_stay() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), GONE, 0, &[1], 1);
    record(folder.path(), GONE, 1, &[2], 2);
    assert_eq!(
        times(&mut Stream::new(
            folder.path(),
            Recording::of_process(GONE),
            0,
            true
        )),
        [1, 2]
    );
    assert_eq!(files(folder.path()), 2);
}

#[test]
fn a_living_process_is_waited_for_and_a_dead_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let us = std::process::id();
    record(folder.path(), us, 0, &[1], 0);
    let mut stream = Stream::new(folder.path(), Recording::of_process(us), 0, false);
    assert_eq!(times(&mut stream), [1]);
    assert_eq!(stream.end(), None);
    stream.cut_now(2);
    assert!(matches!(stream.next(), Next::Ended));
    assert_eq!(stream.end(), Some(End::Cut));

    record(folder.path(), GONE, 0, &[1], 1);
    let mut stream = Stream::new(folder.path(), Recording::of_process(GONE), 0, false);
    assert_eq!((times(&mut stream), stream.end()), (vec![1], Some(End::Lost)));
}

#[test]
fn a_record_that_was_not_committed_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    farside_trace::encode(&event(1), &mut bytes).unwrap();
    let committed = bytes.len() as u64;
    farside_trace::encode(&event(2), &mut bytes).unwrap();
    write(folder.path(), GONE, 0, &bytes, committed, 0);
    let mut stream = Stream::new(folder.path(), Recording::of_process(GONE), 0, false);
    assert_eq!(times(&mut stream), [1]);
    assert_eq!((stream.end(), stream.damage().len()), (Some(End::Lost), 0));
}

#[test]
fn damage_is_told_and_the_rest_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = vec![3, 0, 0, 0, 0xff, 0xff, 0xff];
    farside_trace::encode(&event(2), &mut bytes).unwrap();
    // A length that reaches past the end.
    bytes.extend_from_slice(&[0xff, 0xff, 0xff, 0xff, 1]);
    write(folder.path(), GONE, 0, &bytes, bytes.len() as u64, 1);
    record(folder.path(), GONE, 1, &[3], 2);
    let mut stream = Stream::new(folder.path(), Recording::of_process(GONE), 0, false);
    assert_eq!(times(&mut stream), [2, 3]);
    assert_eq!((stream.end(), stream.damage().len()), (Some(End::Sealed), 2));
}

#[test]
fn what_is_no_chunk_or_too_short_ends_the_stream() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join(Recording::of_process(GONE).chunk_name(0)),
        [b'x'; 100],
    )
    .unwrap();
    write(folder.path(), GONE + 1, 0, &[], 1000, 0);
    for pid in [GONE, GONE + 1] {
        let mut stream = Stream::new(folder.path(), Recording::of_process(pid), 0, false);
        assert_eq!(times(&mut stream), [0_u64; 0]);
        assert_eq!((stream.end(), stream.damage().len()), (Some(End::Unusable), 1));
    }
}

#[test]
fn nothing_later_than_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), GONE, 0, &[1, 2, 3], 2);
    let mut stream = Stream::new(folder.path(), Recording::of_process(GONE), 0, false);
    stream.cut_after(2);
    assert_eq!((times(&mut stream), stream.end()), (vec![1, 2], Some(End::Cut)));
}

#[test]
fn records_longer_than_a_block() {
    let folder = tempfile::tempdir().unwrap();
    let long = Event {
        kind: farside_events::EventKind::Stack {
            id: farside_events::StackId(1),
            frames: vec![u64::MAX; 300_000],
        },
        ..event(1)
    };
    let mut bytes = Vec::new();
    farside_trace::encode(&long, &mut bytes).unwrap();
    assert!(bytes.len() as u64 > 2 * BLOCK);
    farside_trace::encode(&event(2), &mut bytes).unwrap();
    write(folder.path(), GONE, 0, &bytes, bytes.len() as u64, 2);
    assert_eq!(
        times(&mut Stream::new(
            folder.path(),
            Recording::of_process(GONE),
            0,
            false
        )),
        [1, 2]
    );
}
