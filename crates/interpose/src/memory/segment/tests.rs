//! The segment against a naive set of bytes.

use super::*;
use crate::memory::run::Code;
use farside_events::{AccessKind, AccessRun, AccessSet, AccessSource, Places};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// A piece of a program: `count` accesses of one instruction, regular or not.
#[derive(Clone, Debug)]
struct Loop {
    pc: u64,
    code: Code,
    size: u64,
    places: Vec<u64>,
}

fn code() -> impl Strategy<Value = (Code, u64)> {
    (any::<bool>(), 0u32..6, 1u64..40, 0u64..3).prop_map(|(store, class, size, source)| {
        let kind = if store {
            AccessKind::Store
        } else {
            AccessKind::Load
        };
        match class {
            5 => (Code::variable(kind, source), size),
            class => (Code::new(kind, 1 << class, source), 1 << class),
        }
    })
}

fn places() -> impl Strategy<Value = Vec<u64>> {
    let start = 0x10_000u64..0x13_000;
    prop_oneof![
        // Two nested loops, any strides.
        (start.clone(), -40i64..40, 1u64..9, -300i64..300, 1u64..5).prop_map(
            |(base, stride, count, pitch, lines)| {
                (0..lines as i64)
                    .flat_map(|j| (0..count as i64).map(move |i| (i, j)))
                    .map(|(i, j)| (base as i64 + i * stride + j * pitch) as u64)
                    .collect()
            }
        ),
        prop::collection::vec(start.clone(), 1..40),
        // Aligned and random, as a hash table is used.
        prop::collection::vec((0u64..600).prop_map(|slot| 0x10_000 + slot * 8), 1..40),
        (start, 1usize..30).prop_map(|(place, again)| vec![place; again]),
    ]
}

fn program() -> impl Strategy<Value = Vec<Loop>> {
    let pcs = prop_oneof![(0u64..6).prop_map(|i| 0x40_0000 + i * 5), 0x40_0000u64..0x48_0000];
    let piece = (pcs, code(), places()).prop_map(|(pc, (code, size), places)| Loop {
        pc,
        code,
        size,
        places,
    });
    prop::collection::vec(piece, 1..30)
}

type Bytes = BTreeSet<(u64, AccessKind, u64, u64)>;

/// What a reader keeps of the sets that it was told.
type Told = HashMap<(u64, AccessKind, u64, u8), Places>;

/// The bytes of a set, which may say that they are those of last time.
fn expand_set(set: AccessSet, source: u64, told: &mut Told, into: &mut Bytes) {
    assert_eq!(set.stack, StackId(7));
    let words = set.words();
    let name = (set.pc, set.kind, source, set.unit);
    if let Some(places) = set.places {
        told.insert(name, places);
    }
    told[&name].pages(words, |page, bits| {
        for unit in 0..bits.len() as u64 * 64 {
            if bits[(unit / 64) as usize] >> (unit % 64) & 1 != 0 {
                let at = page * 4096 + (unit << set.unit);
                into.extend((0..1 << set.unit).map(|byte| (at + byte, set.kind, source, set.pc)));
            }
        }
    });
}

fn expand(run: &AccessRun, into: &mut Bytes, source: u64) {
    for j in 0..run.outer_count as i64 {
        for i in 0..run.inner_count as i64 {
            let at = run.base as i64 + i * run.inner_stride + j * run.outer_stride;
            into.extend((0..run.size).map(|byte| (at as u64 + byte, run.kind, source, run.pc)));
        }
    }
}

fn check(
    segment: &mut Segment,
    program: &[Loop],
    with_pc: bool,
    interleave: bool,
    told: &mut Told,
) -> Result<(), TestCaseError> {
    let mut wanted = Bytes::new();
    let mut feed = |segment: &mut Segment, piece: &Loop, place: u64| {
        let key = Key::new(piece.pc, piece.code);
        // What callbacks leave out was recorded already, by this instruction or by another of its kind.
        let aligned =
            piece.code.source() == 0 && piece.code.size().is_some_and(|size| place.is_multiple_of(size));
        if aligned && !with_pc && segment.seen.has(piece.code, place) {
            let all = (0..piece.size).all(|byte| {
                let accessed = |&(at, kind, source, _): &(u64, AccessKind, u64, u64)| {
                    (at, kind, source) == (place + byte, piece.code.kind(), 0)
                };
                wanted.iter().any(accessed)
            });
            assert!(all, "{place:x} was not accessed");
        } else if piece.code.size().is_none() || !segment.access_dense(key, place, piece.size) {
            segment.access(key, place, piece.size, || StackId(7));
        }
        let (kind, source) = (piece.code.kind(), piece.code.source());
        wanted.extend((0..piece.size).map(|byte| (place + byte, kind, source, piece.pc)));
    };
    if interleave {
        let longest = program.iter().map(|piece| piece.places.len()).max().unwrap_or(0);
        for step in 0..longest {
            for piece in program {
                if let Some(&place) = piece.places.get(step) {
                    feed(segment, piece, place);
                }
            }
        }
    } else {
        for piece in program {
            for &place in &piece.places {
                feed(segment, piece, place);
            }
        }
    }
    // What was accessed is found, and nothing else but near runs of many lines.
    for &(byte, ..) in wanted.iter().step_by(7) {
        prop_assert!(segment.meets(byte, byte + 1));
    }
    prop_assert!(!segment.meets(0x1000, 0x2000) || segment.active.len() > FEW || segment.log.len() > FEW);
    let mut seen = Bytes::new();
    let mut scattered = Vec::new();
    segment.drain(
        &[],
        |run| {
            let source = run.key.code().source();
            let event = run.into_event(|_| AccessSource::Instruction);
            assert!(event.size > 0 && event.inner_count > 0 && event.outer_count > 0);
            assert_eq!(event.stack, StackId(7));
            expand(&event, &mut seen, source);
        },
        |set| {
            scattered.push((
                set.key.code().source(),
                set.into_event(|_| AccessSource::Instruction),
            ))
        },
    );
    for (source, set) in scattered {
        expand_set(set, source, told, &mut seen);
    }
    prop_assert!(segment.is_empty());
    if !with_pc {
        let drop_pc = |bytes: Bytes| {
            bytes
                .into_iter()
                .map(|(b, k, s, _)| (b, k, s, 0))
                .collect::<Bytes>()
        };
        prop_assert_eq!(drop_pc(seen), drop_pc(wanted));
    } else {
        prop_assert_eq!(seen, wanted);
    }
    Ok(())
}

const SMALL: Limits = Limits {
    entries: 16,
    log: 12,
    poor: 2,
    bits: usize::MAX,
};

proptest! {
    #[test]
    fn exact_with_room(program in program(), interleave in any::<bool>()) {
        let mut segment = Segment::new(Limits { entries: 1 << 10, ..Limits::DEFAULT });
        let mut told = Told::new();
        check(&mut segment, &program, true, interleave, &mut told)?;
        check(&mut segment, &program, true, interleave, &mut told)?;
    }

    #[test]
    fn exact_when_condensed_and_evicted(program in program(), interleave in any::<bool>()) {
        let mut segment = Segment::new(SMALL);
        let mut told = Told::new();
        check(&mut segment, &program, true, interleave, &mut told)?;
        check(&mut segment, &program, true, interleave, &mut told)?;
    }

    #[test]
    fn exact_bytes_when_bits_are_shared(program in program(), interleave in any::<bool>()) {
        let mut segment = Segment::new(Limits { bits: 64, ..SMALL });
        let mut told = Told::new();
        check(&mut segment, &program, false, interleave, &mut told)?;
        check(&mut segment, &program, false, interleave, &mut told)?;
    }
}

proptest! {
    #[test]
    fn lines_leave_what_their_accesses_leave(
        pieces in prop::collection::vec(
            (0u64..4, 0x10_000u64..0x10_200, -32i64..32, 0u64..12, prop_oneof![Just(1u64), 0u64..6], -300i64..300),
            1..40,
        ),
        limits in prop_oneof![Just(SMALL), Just(Limits { entries: 1 << 10, ..Limits::DEFAULT })],
    ) {
        let (mut by_lines, mut one_by_one) = (Segment::new(limits), Segment::new(limits));
        for (pc, base, stride, count, lines, pitch) in pieces {
            let key = Key::new(0x40_0000 + pc * 5, Code::new(AccessKind::Load, 8, 0));
            by_lines.lines(key, Line { base, size: 8, stride: stride as u64, count }, lines, pitch as u64, || StackId(7));
            for line in 0..lines {
                for step in 0..count {
                    let address = base.wrapping_add_signed(stride * step as i64 + pitch * line as i64);
                    one_by_one.access(key, address, 8, || StackId(7));
                }
            }
        }
        let bytes = |segment: &mut Segment| {
            let mut bytes = Bytes::new();
            let mut scattered = Vec::new();
            segment.drain(
        &[],
                |run| expand(&run.into_event(|_| AccessSource::Instruction), &mut bytes, 0),
                |set| scattered.push(set.into_event(|_| AccessSource::Instruction)),
            );
            for set in scattered {
                expand_set(set, 0, &mut Told::new(), &mut bytes);
            }
            bytes
        };
        prop_assert_eq!(bytes(&mut by_lines), bytes(&mut one_by_one));
    }

    /// What lies in memory that another thread got is not told, and all else is.
    #[test]
    fn what_is_left_out_is_all_that_is_not_told(
        pieces in prop::collection::vec(
            (0u64..4, 0x10_000u64..0x11_000, -24i64..25, 1u64..6, 1u64..5, -200i64..200),
            1..40,
        ),
        (low, len) in (0x10_000u64..0x11_000, 1u64..0x400),
        limits in prop_oneof![Just(SMALL), Just(Limits { entries: 1 << 10, ..Limits::DEFAULT })],
    ) {
        let mut segment = Segment::new(limits);
        let (mut all, mut apart) = (BTreeSet::new(), BTreeSet::new());
        for (pc, base, stride, count, lines, pitch) in pieces {
            let key = Key::new(0x40_0000 + pc * 5, Code::new(AccessKind::Load, 8, 0));
            for line in 0..lines {
                for step in 0..count {
                    let address = base.wrapping_add_signed(stride * step as i64 + pitch * line as i64);
                    segment.access(key, address, 8, || StackId(7));
                    all.extend(address..address + 8);
                    if address + 8 <= low || low + len <= address {
                        apart.extend(address..address + 8);
                    }
                }
            }
        }
        let mut told = Bytes::new();
        let mut scattered = Vec::new();
        segment.drain(
            &[(low, low + len)],
            |run| expand(&run.into_event(|_| AccessSource::Instruction), &mut told, 0),
            |set| scattered.push(set.into_event(|_| AccessSource::Instruction)),
        );
        for set in scattered {
            expand_set(set, 0, &mut Told::new(), &mut told);
        }
        let told: BTreeSet<u64> = told.into_iter().map(|(byte, ..)| byte).collect();
        prop_assert!(told.is_superset(&apart));
        prop_assert!(told.is_subset(&all));
        prop_assert!(told.range(low..low + len).next().is_none());
    }

    /// Whatever the tiles, and whichever way one goes through a tile and from tile to tile.
    #[test]
    fn a_matrix_tile_by_tile_is_one_run(
        (across, down) in (2u64..6, 2u64..6),
        (width, height) in (3u64..9, 3u64..9),
        tiles_down_first in any::<bool>(),
        cells_down_first in any::<bool>(),
        announced in any::<bool>(),
        others in any::<bool>(),
    ) {
        const PITCH: u64 = 1000;
        let mut segment = Segment::new(Limits::DEFAULT);
        let other = Key::new(0x40_0000, Code::new(AccessKind::Load, 8, 0));
        let tiles: Vec<(u64, u64)> = if tiles_down_first {
            (0..across).flat_map(|x| (0..down).map(move |y| (x, y))).collect()
        } else {
            (0..down).flat_map(|y| (0..across).map(move |x| (x, y))).collect()
        };
        for (x, y) in tiles {
            let base = 0x10_0000 + x * width * 8 + y * height * PITCH;
            let ((count, stride), (lines, pitch)) =
                if cells_down_first { ((height, PITCH), (width, 8)) } else { ((width, 8), (height, PITCH)) };
            if announced {
                segment.lines(load8(), Line { base, size: 8, stride, count }, lines, pitch, || StackId(1));
            } else {
                for cell in 0..count * lines {
                    segment.access(load8(), base + cell % count * stride + cell / count * pitch, 8, || StackId(1));
                }
            }
            if others {
                segment.access(other, 0x20_0000 + x * y * 24, 8, || StackId(1));
            }
        }
        let runs: Vec<AccessRun> = drained(&mut segment).into_iter().filter(|run| run.pc == load8().pc()).collect();
        prop_assert_eq!(runs.len(), 1);
        prop_assert_eq!((runs[0].base, runs[0].inner_count, runs[0].inner_stride), (0x10_0000, across * width, 8));
        prop_assert_eq!((runs[0].outer_count, runs[0].outer_stride), (down * height, PITCH as i64));
    }
}

fn drained(segment: &mut Segment) -> Vec<AccessRun> {
    let mut runs = Vec::new();
    segment.drain(
        &[],
        |run| runs.push(run.into_event(|_| AccessSource::Instruction)),
        |set| panic!("{set:?} has a pattern"),
    );
    runs
}

fn load8() -> Key {
    Key::new(0x40_1234, Code::new(AccessKind::Load, 8, 0))
}

#[test]
fn a_stencil_interior_is_one_run() {
    let mut segment = Segment::new(Limits::DEFAULT);
    for row in 1..99u64 {
        for column in 1..49u64 {
            segment.access(load8(), 0x10_0000 + row * 400 + column * 8, 8, || StackId(1));
        }
    }
    let runs = drained(&mut segment);
    assert_eq!(runs.len(), 1);
    assert_eq!((runs[0].inner_count, runs[0].inner_stride), (48, 8));
    assert_eq!((runs[0].outer_count, runs[0].outer_stride), (98, 400));
    assert_eq!(
        (runs[0].base, runs[0].repeats, runs[0].stack),
        (0x10_0000 + 408, 0, StackId(1))
    );
}

#[test]
fn a_polling_loop_counts_its_repeats() {
    let mut segment = Segment::new(Limits::DEFAULT);
    for _ in 0..1000 {
        segment.access(load8(), 0x10_0000, 8, || StackId(1));
    }
    let runs = drained(&mut segment);
    assert_eq!(runs.len(), 1);
    assert_eq!(
        (runs[0].inner_count, runs[0].outer_count, runs[0].repeats),
        (1, 1, 999)
    );
}

#[test]
fn polling_two_flags_in_turn_repeats() {
    let mut segment = Segment::new(Limits::DEFAULT);
    for turn in 0..1000 {
        segment.access(load8(), 0x10_0000 + turn % 2 * 64, 8, || StackId(1));
    }
    let runs = drained(&mut segment);
    assert_eq!(runs.len(), 1);
    assert_eq!(
        (runs[0].inner_count, runs[0].inner_stride, runs[0].repeats),
        (2, 64, 499)
    );
}

#[test]
fn random_access_stays_within_a_fraction_of_the_memory() {
    let mut segment = Segment::new(Limits::DEFAULT);
    let memory = 8 << 20;
    let mut state = 1u64;
    for _ in 0..2_000_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let address = 0x1000_0000 + (state >> 33) % (memory / 8) * 8;
        segment.access(load8(), address, 8, || StackId(1));
    }
    assert!(segment.log.len() <= Limits::DEFAULT.log);
    assert!(segment.dense.bytes() as u64 <= memory / 32);
}

/// Atoms by a list of neighbours: three instructions, most places many times.
#[test]
fn a_list_of_indices_is_told_once() {
    let mut segment = Segment::new(Limits::DEFAULT);
    let list: Vec<u64> = (0..5000_u64)
        .map(|step| {
            (step.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24).wrapping_mul(0x2545_f491_4f6c_dd1d) % 1000
        })
        .collect();
    let mut told = Vec::new();
    for _ in 0..3 {
        for index in &list {
            for line in 0..3 {
                let key = Key::new(0x40_0000 + line * 9, Code::new(AccessKind::Load, 8, 0));
                let place = 0x10_0000 + index * 24 + line * 8;
                if !segment.access_dense(key, place, 8) {
                    segment.access(key, place, 8, || StackId(1));
                }
            }
        }
        let (mut runs, mut sets) = (0, Vec::new());
        segment.drain(&[], |_| runs += 1, |set| sets.push(set.places.is_some()));
        told.push((runs, sets));
    }
    // In the first segment the instructions show that they have no pattern.
    assert_eq!(told[0].1, [true; 3]);
    assert!(told[1].0 <= 3 * 2 && told[2].0 == told[1].0, "{told:?}");
    assert_eq!(told[2].1, [false; 3]);
}
