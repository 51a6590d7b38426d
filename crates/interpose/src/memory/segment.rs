//! The accesses of one thread since its last synchronisation, in bounded space.
//!
//! Each instruction (return address of its callback) has an [`Entry`] that extends its current run: an access at the
//! expected next address is two comparisons and two additions. Any other access ends the line; lines of equal shape
//! at constant pitch become two-level runs ([`super::run`]); finished runs go to the log ([`super::log`]). An
//! instruction whose runs stay short has no pattern: it turns to bits ([`super::dense`]), and so does the log when it
//! is full.
//!
//! Promise: what [`Segment::drain`] gives covers exactly the bytes that were fed, each with its kind and source, and
//! with its own return address unless the budget for bits was exceeded.
//! Pure: no FFI, no globals; tested against a naive set of bytes.

use super::dense::{Dense, Scattered};
use super::log::{Log, Recent};
use super::run::{Key, Line, Run};
use super::seen::Seen;
use farside_events::StackId;
use std::mem::offset_of;

/// No access has this address, so that nothing extends a run that expects it.
const NOWHERE: u64 = u64::MAX;
/// The same, of an instruction that has turned to bits.
const SCATTERED: u64 = u64::MAX - 1;
/// Runs of a segment from which on poor ones are told as bits.
const FEW: usize = 64;

/// How far a key may lie from its own slot.
const PROBES: usize = 8;

const _: () = assert!(size_of::<Entry>() == 128);

/// The bounds of a segment. Tests make them small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Slots for instructions; a power of two.
    pub(crate) entries: usize,
    /// Runs in the log.
    pub(crate) log: usize,
    /// Poor runs of one instruction before it turns to bits.
    pub(crate) poor: u16,
    /// Bytes of bits before instructions share them.
    pub(crate) bits: usize,
}

impl Limits {
    /// What the callbacks use. The slots are 2 MiB of address space a thread, of which only touched pages exist.
    pub(crate) const DEFAULT: Self = Self {
        entries: 1 << 14,
        log: 4096,
        poor: 32,
        bits: 1 << 20,
    };
}

/// The current run of one instruction. All zero: unused.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Entry {
    /// The return address, if the callback fixes size and source (then it alone tells the instruction); else 0.
    pc: u64,
    /// The address that extends the current line.
    next: u64,
    /// From one access to the next; while there is but one, its address.
    stride: u64,
    /// Accesses in the current line; 0: there is none.
    count: u64,
    size: u64,
    /// The instruction, and its lines before the current one (`lines` is 0 when there are none).
    run: Run,
    /// The stack at the first access of the current line.
    stack: StackId,
    /// Poor runs so far.
    poor: u16,
    /// Turned to bits until the segment ends; then `set` says where.
    dense: bool,
    /// Listed in [`Segment::active`].
    active: bool,
    set: u32,
}

/// See the module's head.
pub(crate) struct Segment {
    entries: Vec<Entry>,
    /// For each slot, the last runs of its instruction in the log. (An entry has no room left.)
    recent: Vec<Recent>,
    /// Slots used in this segment.
    active: Vec<u32>,
    log: Log,
    dense: Dense,
    /// What callbacks need not bring again.
    seen: Box<Seen>,
    limits: Limits,
}

impl Entry {
    /// What [`Self::NEXT`] holds when the instruction has turned to bits.
    pub(crate) const SCATTERED: u64 = SCATTERED;
    /// Offsets for assembly.
    pub(crate) const PC: usize = offset_of!(Self, pc);
    pub(crate) const NEXT: usize = offset_of!(Self, next);
    pub(crate) const STRIDE: usize = offset_of!(Self, stride);
    pub(crate) const COUNT: usize = offset_of!(Self, count);

    const UNUSED: Self = Self {
        pc: 0,
        next: 0,
        stride: 0,
        count: 0,
        size: 0,
        run: Run {
            key: Key::NONE,
            stack: StackId::UNKNOWN,
            line: Line {
                base: 0,
                size: 0,
                stride: 0,
                count: 0,
            },
            lines: 0,
            pitch: 0,
            passes: 0,
        },
        stack: StackId::UNKNOWN,
        poor: 0,
        dense: false,
        active: false,
        set: 0,
    };

    /// An instruction that has accessed nothing yet.
    fn waiting(key: Key) -> Self {
        let mut entry = Self::UNUSED;
        let code = key.code();
        if code.source() == 0 && code.size().is_some() {
            entry.pc = key.pc();
        }
        entry.run.key = key;
        entry.next = NOWHERE;
        entry
    }

    /// Extends the current line; `false` if the access is not the expected one.
    #[inline(always)]
    pub(crate) fn extend(&mut self, key: Key, address: u64) -> bool {
        let expected = self.run.key == key && self.next == address;
        if expected {
            self.next = address.wrapping_add(self.stride);
            self.count += 1;
        }
        expected
    }

    /// Begins a line.
    fn open(&mut self, address: u64, size: u64, stack: StackId) {
        self.stack = stack;
        self.size = size;
        self.count = 1;
        self.stride = address;
        self.next = NOWHERE;
    }

    /// Begins with a line of several accesses.
    fn begin(&mut self, line: Line, stack: StackId) {
        self.stack = stack;
        self.size = line.size;
        self.count = line.count;
        self.stride = line.stride;
        self.next = line.next();
    }

    /// Whether the accesses of `line` are the next ones of the current line.
    fn continues(&self, line: &Line) -> bool {
        self.count > 1 && self.size == line.size && self.stride == line.stride && self.next == line.base
    }

    /// The current line.
    fn line(&self) -> Line {
        let (base, stride) = if self.count == 1 {
            (self.stride, 0)
        } else {
            (
                self.next.wrapping_sub(self.stride.wrapping_mul(self.count)),
                self.stride,
            )
        };
        Line {
            base,
            size: self.size,
            stride,
            count: self.count,
        }
    }

    /// Ends the current run, of which the current line has become part.
    fn leave(&mut self) -> Option<Run> {
        self.count = 0;
        self.next = NOWHERE;
        let run = self.run;
        self.run.lines = 0;
        (run.lines != 0).then_some(run)
    }

    /// Ends the current line. Gives the run that it did not fit into.
    fn close(&mut self) -> Option<Run> {
        let line = self.line();
        if self.run.lines != 0 && self.run.join(line) {
            return None;
        }
        let anew = Run::new(self.run.key, self.stack, line);
        let before = std::mem::replace(&mut self.run, anew);
        (before.lines != 0).then_some(before)
    }
}

impl Segment {
    /// An empty segment.
    #[cfg(test)]
    pub(crate) fn new(limits: Limits) -> Self {
        Self::with_entries(vec![Entry::UNUSED; limits.entries], limits)
    }

    /// An empty segment with slots from the caller, all [unused](Entry::UNUSED) or zero.
    pub(crate) fn with_entries(entries: Vec<Entry>, limits: Limits) -> Self {
        assert!(entries.len().is_power_of_two() && entries.len() == limits.entries);
        Self {
            recent: vec![Recent::NONE; entries.len()],
            entries,
            active: Vec::new(),
            log: Log::default(),
            dense: Dense::default(),
            seen: Seen::new(),
            limits,
        }
    }

    /// What was seen of accesses without a pattern, for the callbacks' fast path.
    pub(super) fn seen(&mut self) -> *mut Seen {
        &raw mut *self.seen
    }

    /// The slots, for the callbacks' fast path: see [`slot`].
    pub(crate) fn entries(&mut self) -> *mut Entry {
        self.entries.as_mut_ptr()
    }

    /// Whether nothing was accessed.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.active.is_empty() && self.log.is_empty() && self.dense.is_empty()
    }

    /// Whether one of the bytes from `low` to `high` was accessed. Errs towards yes where the answer would cost much.
    pub(crate) fn meets(&self, low: u64, high: u64) -> bool {
        let meets = |index: &u32| {
            let entry = &self.entries[*index as usize];
            let line = Run::new(entry.run.key, entry.stack, entry.line());
            entry.count != 0 && line.meets(low, high) || entry.run.meets(low, high)
        };
        self.active.len() > FEW
            || self.log.len() > FEW
            || self.active.iter().any(meets)
            || self.log.runs().iter().any(|run| run.meets(low, high))
            || self.dense.meets(low, high)
    }

    /// Bytes of bits before instructions share them.
    pub(crate) fn set_bits_limit(&mut self, bytes: usize) {
        self.limits.bits = bytes;
    }

    /// Adds an access. `stack` is asked for when a line begins.
    pub(crate) fn access(&mut self, key: Key, address: u64, size: u64, stack: impl FnOnce() -> StackId) {
        let index = self.find(key);
        let entry = &mut self.entries[index];
        if entry.size == size && entry.extend(key, address) {
            return;
        }
        if entry.dense {
            entry.set = self.dense.add_one(key, entry.stack, address, size);
            self.keep_budget();
            return;
        }
        match entry.count {
            0 => {
                entry.open(address, size, stack());
                if !std::mem::replace(&mut entry.active, true) {
                    self.active.push(index as u32);
                }
            }
            1 if entry.size == size => {
                entry.stride = address.wrapping_sub(entry.stride);
                entry.next = address.wrapping_add(entry.stride);
                entry.count = 2;
            }
            _ => {
                let finished = entry.close();
                entry.open(address, size, stack());
                if let Some(run) = finished {
                    self.finish(index, run);
                }
            }
        }
    }

    /// Adds the accesses of a line, as [`Self::access`] would one after the other. `stack` is asked for when a line
    /// begins.
    pub(crate) fn line(&mut self, key: Key, line: Line, stack: impl FnOnce() -> StackId) {
        if line.count < 2 {
            if line.count == 1 {
                self.access(key, line.base, line.size, stack);
            }
            return;
        }
        let index = self.find(key);
        let entry = &mut self.entries[index];
        if entry.dense {
            entry.set = self.dense.add(&Run::new(key, entry.stack, line));
            self.keep_budget();
            return;
        }
        if entry.continues(&line) {
            entry.count += line.count;
            entry.next = line.next();
            return;
        }
        let finished = if entry.count == 0 { None } else { entry.close() };
        entry.begin(line, stack());
        if !std::mem::replace(&mut entry.active, true) {
            self.active.push(index as u32);
        }
        if let Some(run) = finished {
            self.finish(index, run);
        }
    }

    /// Adds the accesses of `lines` lines like `first`, `pitch` bytes apart. `stack` is asked for when a run begins.
    pub(crate) fn lines(
        &mut self,
        key: Key,
        first: Line,
        lines: u64,
        pitch: u64,
        stack: impl FnOnce() -> StackId,
    ) {
        if lines < 2 || first.count < 2 {
            let (count, stride) = if first.count == 1 {
                (lines, pitch)
            } else {
                (first.count, first.stride)
            };
            let count = if lines == 0 { 0 } else { count };
            return self.line(
                key,
                Line {
                    stride,
                    count,
                    ..first
                },
                stack,
            );
        }
        let index = self.find(key);
        let entry = &mut self.entries[index];
        let run = Run {
            lines,
            pitch,
            ..Run::new(key, entry.stack, first)
        };
        if entry.dense {
            entry.set = self.dense.add(&run);
            self.keep_budget();
            return;
        }
        let run = Run {
            stack: stack(),
            ..run
        };
        let older = if entry.count == 0 { None } else { entry.close() };
        let old = entry.leave();
        if !std::mem::replace(&mut entry.active, true) {
            self.active.push(index as u32);
        }
        for run in older.into_iter().chain(old).chain([run]) {
            self.push(index, run);
        }
    }

    /// Adds an access of an instruction that has turned to bits; `false`, with nothing added, if it has not.
    #[inline]
    pub(crate) fn access_dense(&mut self, key: Key, address: u64, size: u64) -> bool {
        let home = slot(key, self.entries.len() - 1);
        let entry = &mut self.entries[home];
        if entry.run.key != key || !entry.dense {
            return false;
        }
        let Some(set) = self.dense.add_unit(entry.set, address, size) else {
            return false;
        };
        entry.set = set;
        self.seen.note(key.code(), address);
        self.keep_budget();
        true
    }

    /// Adds a run that someone else has made: accesses of a call whose pattern is known.
    pub(crate) fn add(&mut self, run: Run) {
        if run.lines != 0 && run.line.count != 0 && run.line.size != 0 {
            self.log.push(run, &mut Recent::NONE.clone());
            self.keep_log();
        }
    }

    /// Gives everything to `emit` and `scattered` and begins anew. What touches the bytes from one to the other address
    /// of one of `left_out` is not told.
    pub(crate) fn drain(
        &mut self,
        left_out: &[(u64, u64)],
        mut emit: impl FnMut(Run),
        scattered: impl FnMut(Scattered),
    ) {
        let mut active = std::mem::take(&mut self.active);
        for index in active.drain(..) {
            let entry = &mut self.entries[index as usize];
            let older = if entry.count == 0 { None } else { entry.close() };
            let old = entry.leave();
            let was_dense = entry.dense;
            *entry = Entry::waiting(entry.run.key);
            if was_dense {
                // Most likely it has no pattern in the next segment either.
                entry.poor = self.limits.poor;
            }
            let recent = &mut self.recent[index as usize];
            for run in older.into_iter().chain(old) {
                self.log.push(run, recent);
            }
            self.log.settle(std::mem::replace(recent, Recent::NONE));
        }
        self.active = active;
        for &(low, high) in left_out {
            let mut kept = Vec::new();
            self.log
                .take()
                .for_each(|run| run.outside(low, high, &mut |part| kept.push(part)));
            self.log.fill(kept);
            self.dense.forget(low, high);
        }
        if self.log.len() > FEW {
            self.condense(Run::is_poor);
        }
        self.log.take().for_each(&mut emit);
        if !self.dense.is_empty() {
            self.dense.drain(self.limits.bits, scattered);
            self.seen.clear();
        }
    }

    /// The slot of a key: its own, one nearby, or its own after what was there is put into the log.
    fn find(&mut self, key: Key) -> usize {
        let mask = self.entries.len() - 1;
        let home = slot(key, mask);
        for probe in 0..PROBES {
            let index = (home + probe) & mask;
            let found = self.entries[index].run.key;
            if found == key {
                return index;
            }
            if found == Key::NONE {
                self.take(index, key);
                return index;
            }
        }
        let mut evicted = self.entries[home];
        let mut recent = std::mem::replace(&mut self.recent[home], Recent::NONE);
        self.take(home, key);
        let older = if evicted.count == 0 { None } else { evicted.close() };
        for run in older.into_iter().chain(evicted.leave()) {
            self.log.push(run, &mut recent);
        }
        self.keep_log();
        home
    }

    fn take(&mut self, index: usize, key: Key) {
        let active = self.entries[index].active;
        self.entries[index] = Entry::waiting(key);
        self.entries[index].active = active;
    }

    /// A run of the instruction in slot `index` is complete, and a line has just begun.
    fn finish(&mut self, index: usize, run: Run) {
        let entry = &mut self.entries[index];
        if run.is_poor() {
            entry.poor = entry.poor.saturating_add(1);
        }
        if entry.poor > self.limits.poor {
            let begun = Run::new(run.key, entry.stack, entry.line());
            let held = entry.leave();
            entry.dense = true;
            entry.next = SCATTERED;
            let set = self.dense.add(&begun);
            self.entries[index].set = set;
            held.into_iter().for_each(|held| self.push(index, held));
        }
        self.push(index, run);
    }

    /// Puts a run of the instruction in slot `index` into the log.
    fn push(&mut self, index: usize, run: Run) {
        self.log.push(run, &mut self.recent[index]);
        self.keep_log();
    }

    #[inline]
    fn keep_log(&mut self) {
        if self.log.len() > self.limits.log {
            self.condense(|_| true);
        }
    }

    /// Turns those runs of the log to bits for which `which` holds, without the ones that tell of polling as long as
    /// they are few.
    fn condense(&mut self, which: impl Fn(&Run) -> bool) {
        let keep = self.limits.log / 4;
        let mut kept = Vec::new();
        for run in self.log.take() {
            let polls = run.line.stride == 0 && run.line.count > 1 || run.passes != 0;
            if !which(&run) || polls && kept.len() < keep {
                kept.push(run);
            } else {
                self.dense.add(&run);
            }
        }
        self.log.fill(kept);
        self.keep_budget();
    }

    #[inline]
    fn keep_budget(&mut self) {
        if self.dense.bytes() > self.limits.bits {
            self.dense.share();
        }
    }
}

/// The slot where a key is looked for first. Instructions of one loop lie in neighbouring slots.
#[inline(always)]
pub(crate) fn slot(key: Key, mask: usize) -> usize {
    (key.0 as usize >> 2) & mask
}

#[cfg(test)]
mod tests;
