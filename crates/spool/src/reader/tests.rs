//! Streams over chunks that tests wrote: whole, damaged, of living and of dead processes.

use super::*;
use crate::format::{encode, image};
use crate::processes::recording;
use farside_events::{EventKind, ObjectId, ThreadId};

/// No living process has this id.
const GONE: u32 = 5_000_000;

/// An event that orders nothing.
fn event(time: u64) -> Event {
    Event {
        time,
        thread: ThreadId(0),
        kind: EventKind::Release { object: ObjectId(1) },
    }
}

/// Writes a whole chunk.
fn record(folder: &Path, pid: u32, chunk: u32, times: &[u64], sealed: u32) {
    let mut bytes = Vec::new();
    times
        .iter()
        .for_each(|&time| encode(&event(time), &mut bytes).unwrap());
    write(folder, pid, chunk, &bytes, bytes.len() as u64, sealed);
}

/// Writes a chunk with any content.
fn write(folder: &Path, pid: u32, chunk: u32, records: &[u8], committed: u64, sealed: u32) {
    let name = recording(pid, 0).chunk_name(chunk);
    fs::write(folder.join(name), image(records, committed, sealed)).unwrap();
}

fn times(stream: &mut Stream) -> Vec<u64> {
    std::iter::from_fn(|| match stream.poll() {
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
    let mut stream = Stream::new(folder.path(), recording(GONE, 0), 0, false);
    assert_eq!(times(&mut stream), [1, 2, 3, 4]);
    assert_eq!((stream.end(), files(folder.path())), (Some(End::Sealed), 0));
}

#[test]
fn kept_chunks_stay() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), GONE, 0, &[1], 1);
    record(folder.path(), GONE, 1, &[2], 2);
    assert_eq!(
        times(&mut Stream::new(folder.path(), recording(GONE, 0), 0, true)),
        [1, 2]
    );
    assert_eq!(files(folder.path()), 2);
}

#[test]
fn a_living_process_is_waited_for_and_a_dead_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let us = std::process::id();
    record(folder.path(), us, 0, &[1], 0);
    let mut stream = Stream::new(folder.path(), recording(us, 0), 0, false);
    assert_eq!(times(&mut stream), [1]);
    assert_eq!(stream.end(), None);
    stream.cut_now(2);
    assert!(matches!(stream.poll(), Next::Ended));
    assert_eq!(stream.end(), Some(End::Cut));

    record(folder.path(), GONE, 0, &[1], 1);
    let mut stream = Stream::new(folder.path(), recording(GONE, 0), 0, false);
    assert_eq!((times(&mut stream), stream.end()), (vec![1], Some(End::Lost)));
}

#[test]
fn a_record_that_was_not_committed_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    encode(&event(1), &mut bytes).unwrap();
    let committed = bytes.len() as u64;
    encode(&event(2), &mut bytes).unwrap();
    write(folder.path(), GONE, 0, &bytes, committed, 0);
    let mut stream = Stream::new(folder.path(), recording(GONE, 0), 0, false);
    assert_eq!(times(&mut stream), [1]);
    assert_eq!((stream.end(), stream.damage().len()), (Some(End::Lost), 0));
}

#[test]
fn damage_is_told_and_the_rest_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = vec![3, 0, 0, 0, 0xff, 0xff, 0xff];
    encode(&event(2), &mut bytes).unwrap();
    // A length that reaches past the end.
    bytes.extend_from_slice(&[0xff, 0xff, 0xff, 0xff, 1]);
    write(folder.path(), GONE, 0, &bytes, bytes.len() as u64, 1);
    record(folder.path(), GONE, 1, &[3], 2);
    let mut stream = Stream::new(folder.path(), recording(GONE, 0), 0, false);
    assert_eq!(times(&mut stream), [2, 3]);
    assert_eq!((stream.end(), stream.damage().len()), (Some(End::Sealed), 2));
}

#[test]
fn what_is_no_chunk_or_too_short_ends_the_stream() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(recording(GONE, 0).chunk_name(0)), [b'x'; 100]).unwrap();
    write(folder.path(), GONE + 1, 0, &[], 1000, 0);
    for pid in [GONE, GONE + 1] {
        let mut stream = Stream::new(folder.path(), recording(pid, 0), 0, false);
        assert_eq!(times(&mut stream), [0_u64; 0]);
        assert_eq!((stream.end(), stream.damage().len()), (Some(End::Unusable), 1));
    }
}

#[test]
fn nothing_later_than_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), GONE, 0, &[1, 2, 3], 2);
    let mut stream = Stream::new(folder.path(), recording(GONE, 0), 0, false);
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
    encode(&long, &mut bytes).unwrap();
    assert!(bytes.len() as u64 > 2 * BLOCK);
    encode(&event(2), &mut bytes).unwrap();
    write(folder.path(), GONE, 0, &bytes, bytes.len() as u64, 2);
    assert_eq!(
        times(&mut Stream::new(folder.path(), recording(GONE, 0), 0, false)),
        [1, 2]
    );
}

/// The recording of a process of another machine, with one event and no seal.
fn elsewhere(folder: &Path) -> Stream {
    let mut other = recording(GONE, 0);
    other.machine.boot += 1;
    record(folder, GONE, 0, &[7], 0);
    let here = folder.join(recording(GONE, 0).chunk_name(0));
    fs::rename(here, folder.join(other.chunk_name(0))).unwrap();
    Stream::new(folder, other, 0, false)
}

#[test]
fn a_process_of_another_machine_lives_until_we_wait_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let mut stream = elsewhere(folder.path());
    // A time of our clock says nothing of its events.
    stream.cut_after(1);
    assert_eq!((times(&mut stream), stream.end()), (vec![7], None));
    stream.cut_now(1);
    assert_eq!((times(&mut stream), stream.end()), (vec![], Some(End::Unknown)));
}

#[test]
fn what_was_not_read_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), GONE, 0, &[1, 2], 1);
    record(folder.path(), GONE, 1, &[3], 2);
    let mut stream = Stream::new(folder.path(), recording(GONE, 0), 0, false);
    let all = stream.unread();
    assert!(matches!(stream.poll(), Next::Event(_)));
    let rest = stream.unread();
    // Three events of one size.
    assert_eq!((all % 3, rest), (0, all / 3 * 2));
    assert_eq!((times(&mut stream), stream.unread()), (vec![2, 3], 0));
}
