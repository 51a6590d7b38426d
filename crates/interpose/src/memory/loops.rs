//! The callbacks of whole loops, which the plugin of `llvm-filter` puts before a loop instead of one at each access in it.
//!
//! Promise: a run leaves the same lines in the segment as the callbacks of its accesses would one after the other.
//! Runs that meet no watched page cost a look at the table for each page, or for each access where pages lie between accesses.

use super::page_table::{self, PAGE_SHIFT};
use super::run::{Code, Key, Line};
use super::slots::entrance;
use super::thread;
use farside_events::AccessKind::{self, Load, Store};

entrance!(__farside_read_run, read_run);
entrance!(__farside_write_run, write_run);

extern "C" fn read_run(base: u64, size: u64, count: u64, stride: u64, lines: u64, pitch: u64) {
    record(
        Load,
        Line {
            base,
            size,
            stride,
            count,
        },
        lines,
        pitch,
    );
}

extern "C" fn write_run(base: u64, size: u64, count: u64, stride: u64, lines: u64, pitch: u64) {
    record(
        Store,
        Line {
            base,
            size,
            stride,
            count,
        },
        lines,
        pitch,
    );
}

/// Whether a page between the first and the last place of a line may be watched: asked before a loop, of accesses that not every
/// round makes. Errs towards yes, where the answer would cost more than the looks that it saves.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __farside_line_watched(base: u64, size: u64, count: u64, stride: u64) -> i32 {
    i32::from(may_be_watched(
        Line {
            base,
            size,
            stride,
            count,
        },
        &watched,
    ))
}

fn may_be_watched(line: Line, watched: &impl Fn(u64, u64) -> bool) -> bool {
    /// Rounds below which each may look for itself, and pages beyond which all must.
    const FEW_ROUNDS: u64 = 32;
    const LOOK: u64 = 1 << 16;
    if line.count < FEW_ROUNDS && line.stride != 0 {
        return true;
    }
    // In wide numbers: the rounds are a bound that no run of the loop need reach.
    let reach = i128::from(line.stride as i64) * (i128::from(line.count) - 1);
    let (low, high) = (
        i128::from(line.base) + reach.min(0),
        i128::from(line.base) + reach.max(0) + i128::from(line.size),
    );
    match (u64::try_from(low), u64::try_from(high)) {
        (Ok(low), Ok(high)) if line.count != 0 && (high - low) >> PAGE_SHIFT <= LOOK => {
            watched(low, high - low)
        }
        _ => true,
    }
}

fn record(kind: AccessKind, first: Line, lines: u64, pitch: u64) {
    if !run_watched(first, lines, pitch) {
        return;
    }
    let key = Key::new(thread::call_pc(), Code::new(kind, first.size, 0));
    if all_watched(&first, lines, pitch) {
        return thread::lines(key, first, lines, pitch);
    }
    for number in 0..lines {
        let line = Line {
            base: first.base.wrapping_add(pitch.wrapping_mul(number)),
            ..first
        };
        if line_watched(&line, &watched) {
            parts(line, watched, |part| thread::line(key, part));
        }
    }
}

/// Whether all pages from the first to the last that a run touches are watched: most often a loop stays within a window.
fn all_watched(first: &Line, lines: u64, pitch: u64) -> bool {
    /// Pages up to which looking at all of them costs little beside the loop. A run of fewer accesses than pages does not.
    const LOOK: u64 = 1 << 16;
    let (low, high) = bounds(first);
    let reach = pitch.wrapping_mul(lines - 1);
    let (low, high) = if (pitch as i64) < 0 {
        (low.wrapping_add(reach), high)
    } else {
        (low, high.wrapping_add(reach))
    };
    let pages = high.wrapping_sub(low) >> PAGE_SHIFT;
    low < high
        && pages <= LOOK.min(first.count.saturating_mul(lines))
        && page_table::all_watched(low as usize, (high - low) as usize)
}

fn watched(address: u64, len: u64) -> bool {
    page_table::watched(address as usize, len as usize)
}

/// Whether a page that a run touches, or one between two that it touches, is watched.
fn run_watched(first: Line, lines: u64, pitch: u64) -> bool {
    if first.count == 0 || lines == 0 {
        return false;
    }
    // In which order the places are asked is all one; short steps within a line cost least.
    let (line, lines, pitch) = if lines > 1 && distance(pitch) < distance(first.stride) {
        let turned = Line {
            stride: pitch,
            count: lines,
            ..first
        };
        (turned, first.count, first.stride)
    } else {
        (first, lines, pitch)
    };
    if lines > 1 && distance(pitch) <= PAGE {
        // Most often nothing near is watched, and all the lines' pages are asked at once.
        let (low, high) = bounds(&line);
        let (_, reach) = bounds(&Line {
            base: 0,
            size: 0,
            stride: distance(pitch),
            count: lines,
        });
        let (low, high) = if (pitch as i64) < 0 {
            (low.wrapping_sub(reach), high)
        } else {
            (low, high.wrapping_add(reach))
        };
        if !watched(low, high.wrapping_sub(low)) {
            return false;
        }
    }
    (0..lines).any(|number| {
        let base = line.base.wrapping_add(pitch.wrapping_mul(number));
        line_watched(&Line { base, ..line }, &watched)
    })
}

fn distance(stride: u64) -> u64 {
    (stride as i64).unsigned_abs()
}

const PAGE: u64 = 1 << PAGE_SHIFT;

/// Start of the lowest and end of the highest access of a line.
fn bounds(line: &Line) -> (u64, u64) {
    let last = line.base.wrapping_add(line.stride.wrapping_mul(line.count - 1));
    if (line.stride as i64) < 0 {
        (last, line.base.wrapping_add(line.size))
    } else {
        (line.base, last.wrapping_add(line.size))
    }
}

/// Whether a page that a line touches, or one between two that it touches, is watched.
fn line_watched(line: &Line, watched: &impl Fn(u64, u64) -> bool) -> bool {
    if distance(line.stride) <= PAGE {
        let (low, high) = bounds(line);
        return watched(low, high.wrapping_sub(low));
    }
    (0..line.count).any(|step| watched(line.base.wrapping_add(line.stride.wrapping_mul(step)), line.size))
}

/// Gives the accesses of a line that touch watched pages, as lines as long as can be, in order.
fn parts(line: Line, watched: impl Fn(u64, u64) -> bool, mut part: impl FnMut(Line)) {
    let mut open = Line { count: 0, ..line };
    let mut step = 0;
    while step < line.count {
        let address = line.base.wrapping_add(line.stride.wrapping_mul(step));
        let alike = within_page(address, &line).min(line.count - step);
        if watched(address, line.size) {
            if open.count == 0 {
                open.base = address;
            }
            open.count += alike;
        } else if open.count != 0 {
            part(open);
            open.count = 0;
        }
        step += alike;
    }
    if open.count != 0 {
        part(open);
    }
}

/// How many accesses from this address on lie in the same page; 1 where the first lies in two.
fn within_page(address: u64, line: &Line) -> u64 {
    let place = address & (PAGE - 1);
    if place + line.size > PAGE {
        return 1;
    }
    let stride = line.stride as i64;
    match stride {
        0 => u64::MAX,
        1.. => (PAGE - line.size - place) / stride.unsigned_abs() + 1,
        _ => place / stride.unsigned_abs() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BASE: u64 = 0x7000_0000_0000;

    proptest! {
        #[test]
        fn parts_are_the_accesses_to_watched_pages(
            pages in prop::collection::vec(any::<bool>(), 16),
            place in 0u64..16 * PAGE,
            stride in prop_oneof![-40i64..40, -6000i64..6000],
            class in 0u32..5,
            count in 0u64..2000,
        ) {
            let size = 1 << class;
            // What leaves the sixteen pages is not watched.
            let page = |address: u64| pages.get(usize::try_from(address.wrapping_sub(BASE) / PAGE).unwrap_or(usize::MAX));
            let is_watched = |address: u64, len: u64| {
                (address / PAGE..=(address + len - 1) / PAGE).any(|each| page(each * PAGE) == Some(&true))
            };
            let line = Line { base: BASE + place, size, stride: stride as u64, count };
            let all = (0..count).map(|step| line.base.wrapping_add_signed(stride * step as i64));
            let wanted: Vec<u64> = all.filter(|&address| is_watched(address, size)).collect();
            let mut found = Vec::new();
            parts(line, is_watched, |part| {
                found.extend((0..part.count).map(|step| part.base.wrapping_add_signed(stride * step as i64)));
            });
            prop_assert!(wanted.is_empty() || line_watched(&line, &is_watched));
            prop_assert!(wanted.is_empty() || may_be_watched(line, &is_watched));
            prop_assert_eq!(found, wanted);
        }
    }
}
