//! Models of the ring: what loom finds in every interleaving. See the head of the crate for how they run.

use super::*;
use loom::sync::Arc;
use loom::thread;

struct Memory {
    ends: Ends,
    words: Vec<AtomicU64>,
    known: AtomicU64,
}

fn model(bound: usize, body: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(bound);
    builder.check(body);
}

fn memory(words: usize) -> Arc<Memory> {
    Arc::new(Memory {
        ends: Ends::default(),
        words: (0..words).map(|_| AtomicU64::new(0)).collect(),
        known: AtomicU64::new(0),
    })
}

impl Memory {
    fn ring(&self, cell: usize) -> Ring<'_> {
        Ring::new(&self.ends, &self.words, cell)
    }
}

fn push(memory: &Memory, cell: usize, words: usize, word: impl Fn(usize) -> u64) {
    while !memory.ring(cell).push(&memory.known, words, &word) {
        thread::yield_now();
    }
}

fn pop(memory: &Memory, cell: usize, words: usize) -> Vec<u64> {
    let ring = memory.ring(cell);
    while ring.peek().is_none() {
        thread::yield_now();
    }
    let record = (0..words).map(|word| ring.word(word)).collect();
    ring.advance(words);
    record
}

/// What is there now, without waiting.
fn poll(memory: &Memory, cell: usize, words: usize, found: &mut Vec<Vec<u64>>) {
    if memory.ring(cell).peek().is_some() {
        found.push(pop(memory, cell, words));
    }
}

/// Two ranks notify a third over a ring that holds two numbers, three in all: what was not refused comes once, in the
/// order of each; and one is refused only where two others were in the ring.
#[test]
fn notifications_of_two_writers_over_a_full_ring() {
    model(3, || {
        let memory = memory(2);
        let writers: Vec<_> = (1..=2_u64)
            .map(|writer| {
                let memory = Arc::clone(&memory);
                thread::spawn(move || {
                    (1..=3 - writer)
                        .map(|number| writer << 8 | number)
                        .filter(|word| memory.ring(1).push(&memory.known, 1, |_| *word))
                        .collect::<Vec<u64>>()
                })
            })
            .collect();
        let mut found = Vec::new();
        poll(&memory, 1, 1, &mut found);
        poll(&memory, 1, 1, &mut found);
        let sent: Vec<Vec<u64>> = writers.into_iter().map(|writer| writer.join().unwrap()).collect();
        while memory.ring(1).peek().is_some() {
            poll(&memory, 1, 1, &mut found);
        }
        let found = found.concat();
        for (sent, writer) in sent.iter().zip(1..) {
            let of_it: Vec<u64> = found.iter().copied().filter(|word| word >> 8 == writer).collect();
            assert_eq!(*sent, of_it);
        }
        assert!(found.len() >= 2);
    });
}

/// Messages of several cells wrap, and the payload of one lap is not the first word of the next.
#[test]
fn messages_of_one_writer_come_whole_and_in_order() {
    model(3, || {
        let memory = memory(4);
        let writer = {
            let memory = Arc::clone(&memory);
            thread::spawn(move || {
                for number in 1..=3_u64 {
                    push(&memory, 1, 3, |word| number * 10 + word as u64);
                }
            })
        };
        for number in 1..=3_u64 {
            assert_eq!(
                pop(&memory, 1, 3),
                [number * 10, number * 10 + 1, number * 10 + 2]
            );
        }
        writer.join().unwrap();
    });
}

/// Records of two writers do not mix.
#[test]
fn messages_of_two_writers_come_whole() {
    model(3, || {
        let memory = memory(8);
        let writers: Vec<_> = (1..=2_u64)
            .map(|writer| {
                let memory = Arc::clone(&memory);
                thread::spawn(move || {
                    memory
                        .ring(2)
                        .push(&memory.known, 3, |word| writer * 10 + word as u64)
                })
            })
            .collect();
        let mut found = Vec::new();
        poll(&memory, 2, 3, &mut found);
        for writer in writers {
            assert!(writer.join().unwrap());
        }
        poll(&memory, 2, 3, &mut found);
        poll(&memory, 2, 3, &mut found);
        found.sort();
        assert_eq!(found, [[10, 11, 12], [20, 21, 22]]);
    });
}

/// What is written before a push, plainly, is seen by who reads the record.
#[test]
fn a_record_comes_after_what_was_written_before_it() {
    model(3, || {
        let memory = memory(2);
        let data = Arc::new(loom::cell::UnsafeCell::new(0_u64));
        let writer = {
            let (memory, data) = (Arc::clone(&memory), Arc::clone(&data));
            thread::spawn(move || {
                // SAFETY: loom checks that nobody reads meanwhile.
                data.with_mut(|data| unsafe { *data = 42 });
                push(&memory, 1, 1, |_| 7);
            })
        };
        assert_eq!(pop(&memory, 1, 1), [7]);
        // SAFETY: loom checks that nobody writes meanwhile.
        data.with(|data| assert_eq!(unsafe { *data }, 42));
        writer.join().unwrap();
    });
}
