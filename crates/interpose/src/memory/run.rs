//! How single accesses grow into runs of one and two levels.
//!
//! Promise: a run covers exactly the bytes that were fed into it. Pure: no FFI, no globals.

use farside_events::{AccessKind, AccessRun, AccessSource, StackId};

/// Who accesses, and how: what keeps two runs apart. The return address in the low 47 bits, the code above.
///
/// Never zero for a real access, because no code lies at address 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Key(pub(crate) u64);

/// Bits of the return address in a [`Key`]: user space of x86-64.
const PC_BITS: u32 = 47;

/// Kind, size class and source of an access, as the callbacks pass it: bit 0 is set for stores, bits 1 to 3 hold the
/// size class, the rest the source (0 instruction, 1 atomic, then library calls by number).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Code(pub(crate) u64);

impl Code {
    /// Source number of atomic instructions.
    pub(crate) const ATOMIC: u64 = 1;
    /// Source number of the first library call.
    pub(crate) const FIRST_LIBRARY: u64 = 2;
    /// Sources that fit into a key.
    pub(crate) const SOURCES: u64 = 1 << (64 - PC_BITS - 4);
    /// Size class of accesses whose size is not fixed by the callback.
    const VARIABLE: u64 = 5;

    /// The code of accesses of `size` bytes by `source`.
    pub(crate) const fn new(kind: AccessKind, size: u64, source: u64) -> Self {
        let class = match size {
            1 => 0,
            2 => 1,
            4 => 2,
            8 => 3,
            16 => 4,
            _ => Self::VARIABLE,
        };
        let store = match kind {
            AccessKind::Load => 0,
            AccessKind::Store => 1,
        };
        Self(source << 4 | class << 1 | store)
    }

    /// The same access with a size that varies from call to call.
    pub(crate) const fn variable(kind: AccessKind, source: u64) -> Self {
        Self::new(kind, 0, source)
    }

    /// The size, where the code fixes it.
    pub(crate) fn size(self) -> Option<u64> {
        let class = self.0 >> 1 & 7;
        (class < Self::VARIABLE).then(|| 1 << class)
    }

    /// Load or store.
    pub(crate) fn kind(self) -> AccessKind {
        if self.0 & 1 == 0 {
            AccessKind::Load
        } else {
            AccessKind::Store
        }
    }

    /// Number of the source.
    pub(crate) fn source(self) -> u64 {
        self.0 >> 4
    }
}

impl Key {
    /// No access: an unused slot.
    pub(crate) const NONE: Self = Self(0);

    /// The key of the instruction or call that returns to `pc`.
    pub(crate) fn new(pc: u64, code: Code) -> Self {
        Self(pc & ((1 << PC_BITS) - 1) | code.0 << PC_BITS)
    }

    /// The return address.
    pub(crate) fn pc(self) -> u64 {
        self.0 & ((1 << PC_BITS) - 1)
    }

    /// The same for accesses of all sizes.
    pub(crate) fn without_size(self) -> Self {
        Self(self.0 & !(7 << (PC_BITS + 1)))
    }

    /// Kind, size class and source.
    pub(crate) fn code(self) -> Code {
        Code(self.0 >> PC_BITS)
    }
}

/// Accesses of `size` bytes at `base + i*stride` for all `i < count`. With `stride` 0, one place `count` times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) stride: u64,
    pub(crate) count: u64,
}

impl Line {
    /// Whether an access touches the bytes from `low` to `high`.
    fn meets(&self, low: u64, high: u64) -> bool {
        let step = (self.stride as i64).unsigned_abs();
        let last = self.base.wrapping_add(self.stride.wrapping_mul(self.count - 1));
        let (first, last) = (self.base.min(last), self.base.max(last));
        if first >= high || last.saturating_add(self.size) <= low {
            return false;
        }
        if step <= self.size || first.saturating_add(self.size) > low {
            return true;
        }
        // The first access that ends after `low`.
        let nth = (low + 1 - first - self.size).div_ceil(step);
        first + nth * step < high
    }

    /// The accesses before and after those that touch the bytes from `low` to `high`, in rising order.
    fn outside(&self, low: u64, high: u64) -> [Self; 2] {
        let step = (self.stride as i64).unsigned_abs();
        let last = self.base.wrapping_add(self.stride.wrapping_mul(self.count - 1));
        let first = self.base.min(last);
        let until = |bytes: u64| match step {
            0 if bytes == 0 => 0,
            0 => self.count,
            _ => bytes.div_ceil(step).min(self.count),
        };
        // Those that end up to `low`, and those that begin before `high`.
        let before = until((low + 1).saturating_sub(first.saturating_add(self.size)));
        let until_after = until(high.saturating_sub(first)).max(before);
        let part = |from: u64, count: u64| Self {
            base: first + from * step,
            stride: if count == 1 { 0 } else { step },
            count,
            ..*self
        };
        [part(0, before), part(until_after, self.count - until_after)]
    }

    /// The address after the last one.
    pub(crate) fn next(&self) -> u64 {
        self.base.wrapping_add(self.stride.wrapping_mul(self.count))
    }
}

/// A two-level run under construction, or complete. Strides wrap, as negative ones do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Run {
    pub(crate) key: Key,
    pub(crate) stack: StackId,
    /// The first line.
    pub(crate) line: Line,
    /// Number of lines; 0 while there is none.
    pub(crate) lines: u64,
    /// From one line to the next.
    pub(crate) pitch: u64,
    /// How often the only line was gone through again.
    pub(crate) passes: u64,
}

impl Run {
    /// A run of one line.
    pub(crate) fn new(key: Key, stack: StackId, line: Line) -> Self {
        Self {
            key,
            stack,
            line,
            lines: 1,
            pitch: 0,
            passes: 0,
        }
    }

    /// Adds a line if the run stays regular; otherwise `false`, and nothing has changed.
    pub(crate) fn join(&mut self, line: Line) -> bool {
        let first = self.line;
        if line.size != first.size || line.stride != first.stride || line.count != first.count {
            return false;
        }
        if self.lines == 1 {
            if line.base == first.base {
                self.passes += 1;
            } else if self.passes == 0 {
                self.pitch = line.base.wrapping_sub(first.base);
                self.lines = 2;
            } else {
                return false;
            }
            return true;
        }
        let regular = line.base == first.base.wrapping_add(self.pitch.wrapping_mul(self.lines));
        if regular {
            self.lines += 1;
        }
        regular
    }

    /// Grows by a run that lies beside it, with lines as far apart, or that goes on with lines of the same shape;
    /// otherwise `false`, and nothing has changed.
    pub(crate) fn append(&mut self, next: &Self) -> bool {
        let (line, other) = (self.line, next.line);
        let alike = self.key == next.key
            && self.stack == next.stack
            && self.passes == 0
            && next.passes == 0
            && self.lines != 0
            && next.lines != 0
            && line.size == other.size
            && line.stride == other.stride
            && (line.stride != 0 || line.count == 1);
        if !alike {
            return false;
        }
        let beside = self.lines == next.lines
            && (self.lines == 1 || self.pitch == next.pitch)
            && line.stride != 0
            && other.base == line.next();
        if beside {
            self.line.count += other.count;
            return true;
        }
        let apart = other.base.wrapping_sub(line.base);
        let pitch = match (self.lines, next.lines) {
            (1, 1) => apart,
            (1, _) => next.pitch,
            _ => self.pitch,
        };
        let below = line.count == other.count
            && (next.lines == 1 || next.pitch == pitch)
            && apart == pitch.wrapping_mul(self.lines)
            && apart != 0;
        if below {
            self.pitch = pitch;
            self.lines += next.lines;
        }
        below
    }

    /// Whether it has so few accesses that it shows no pattern. A vector of a few elements that is gone through a few
    /// times is poor as well; what comes back to one place, or again and again, may wait for somebody.
    pub(crate) fn is_poor(&self) -> bool {
        const POOR: u64 = 8;
        let waits = self.passes != 0 && (self.line.stride == 0 || self.passes >= POOR);
        self.accesses() < POOR && !waits
    }

    /// Whether an access touches the bytes from `low` to `high`. Errs towards yes where there are many lines.
    pub(crate) fn meets(&self, low: u64, high: u64) -> bool {
        const LINES: u64 = 16;
        let (first, last) = self.bounds();
        if self.lines == 0 || first >= high || last <= low {
            return false;
        }
        self.lines > LINES || self.all_lines().any(|line| line.meets(low, high))
    }

    /// Its lines, in order.
    fn all_lines(&self) -> impl Iterator<Item = Line> + use<> {
        let Self {
            line, pitch, lines, ..
        } = *self;
        (0..lines).map(move |number| Line {
            base: line.base.wrapping_add(pitch.wrapping_mul(number)),
            ..line
        })
    }

    /// Accesses in this run, without further passes.
    pub(crate) fn accesses(&self) -> u64 {
        self.line.count.saturating_mul(self.lines)
    }

    /// Whether it covers the same places, by the same key.
    pub(crate) fn same_places(&self, other: &Self) -> bool {
        self.key == other.key
            && self.line == other.line
            && self.lines == other.lines
            && self.pitch == other.pitch
    }

    /// Start of the lowest and end of the highest access.
    pub(crate) fn bounds(&self) -> (u64, u64) {
        let reach = |stride: u64, count: u64| (stride as i64).wrapping_mul(count as i64 - 1);
        let inner = reach(self.line.stride, self.line.count);
        let outer = reach(self.pitch, self.lines);
        let low = self
            .line
            .base
            .wrapping_add(inner.min(0) as u64)
            .wrapping_add(outer.min(0) as u64);
        let high = self
            .line
            .base
            .wrapping_add(inner.max(0) as u64)
            .wrapping_add(outer.max(0) as u64);
        (low, high.wrapping_add(self.line.size))
    }

    /// Gives what of it does not touch the bytes from `low` to `high`, as runs.
    pub(crate) fn outside(self, low: u64, high: u64, emit: &mut impl FnMut(Self)) {
        let (first, last) = self.bounds();
        if first >= high || last <= low {
            return emit(self);
        }
        let parts = self.all_lines().flat_map(|line| line.outside(low, high));
        for line in parts.filter(|line| line.count != 0) {
            let (lines, pitch) = (1, 0);
            emit(Self {
                line,
                lines,
                pitch,
                ..self
            });
        }
    }

    /// In the words of the events; `source` tells what a source number means.
    pub(crate) fn into_event(self, source: impl Fn(u64) -> AccessSource) -> AccessRun {
        let Line {
            base,
            size,
            stride,
            count,
        } = self.line;
        // A line of stride 0 is one place, touched again and again. A matrix is told row by row, however it was walked through.
        let (inner, outer, again) = if stride == 0 {
            ((self.lines, self.pitch), (1, 0), count - 1)
        } else if self.lines > 1 && (self.pitch as i64).unsigned_abs() < (stride as i64).unsigned_abs() {
            ((self.lines, self.pitch), (count, stride), 0)
        } else {
            ((count, stride), (self.lines, self.pitch), 0)
        };
        let code = self.key.code();
        AccessRun {
            kind: code.kind(),
            source: source(code.source()),
            base,
            size,
            inner_count: inner.0,
            inner_stride: if inner.0 == 1 { 0 } else { inner.1 as i64 },
            outer_count: outer.0,
            outer_stride: if outer.0 == 1 { 0 } else { outer.1 as i64 },
            repeats: again.saturating_add(self.passes.saturating_mul(again + 1)),
            pc: self.key.pc(),
            stack: self.stack,
        }
    }
}
