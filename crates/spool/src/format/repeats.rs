//! What was said before: most events of a recording are like an earlier one of the same place, but for a few numbers.
//!
//! Writer and reader of a chunk remember the same events, one a slot, and a slot belongs to the calls of a few stacks.
//! An event that is like the remembered one is recorded as what differs: about 10 bytes instead of 70. A chunk begins
//! with nothing remembered, so that each can be read by itself.
//!
//! Promise: [`Repeats::difference`] and [`Repeats::restore`] are inverses, for readers that were given every event that
//! was written. A reader that missed one must [`Repeats::forget`].

use farside_events::{
    AccessRun, Buffer, Event, EventKind, Operation, OperationId, Rank, RequestId, ThreadId,
};

/// Slots; a power of 2, and at most 256.
const SLOTS: usize = 64;
/// The most numbers in which two events that are alike may differ.
const NUMBERS: usize = 8;

/// Those numbers of an event, as far as it has so many.
type Numbers = [u64; NUMBERS];

/// What writer or reader of a chunk remembers.
#[derive(Debug)]
pub(super) struct Repeats {
    slots: Box<[Option<Said>]>,
    /// When the last event was.
    time: u64,
    /// Events were missed: what is remembered may not be what the writer remembers.
    missed: bool,
}

/// A remembered event.
#[derive(Debug)]
struct Said {
    /// The event. Where it is written, its time and its numbers may be older ones.
    event: Event,
    /// The numbers of the last event that was like it.
    numbers: Numbers,
}

/// What an event has of its own.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The slot of the event that it is like.
    slot: u8,
    /// Nanoseconds after the event before it.
    later: u32,
    /// What its numbers are above those of the remembered one, modulo 2⁶⁴.
    above: Numbers,
}

impl Default for Repeats {
    fn default() -> Self {
        Self {
            slots: (0..SLOTS).map(|_| None).collect(),
            time: 0,
            missed: false,
        }
    }
}

impl Repeats {
    /// Nothing is remembered any more: a new chunk begins.
    pub(super) fn clear(&mut self) {
        self.slots.fill_with(|| None);
        self.time = 0;
        self.missed = false;
    }

    /// An event could not be read: until the next chunk, nothing can be said by its difference to an earlier one.
    pub(super) fn forget(&mut self) {
        self.missed = true;
    }

    /// The slot of the event that an event is like, and how many nanoseconds after the last one it is.
    #[inline]
    pub(super) fn like(&self, time: u64, thread: ThreadId, kind: &EventKind) -> Option<(u8, u32)> {
        let slot = slot(kind)?;
        let said = self.slots[slot]
            .as_ref()
            .filter(|said| said.event.thread == thread)?;
        let later = u32::try_from(time.checked_sub(self.time)?).ok()?;
        alike(&said.event.kind, kind).then_some((slot as u8, later))
    }

    /// What an event has of its own that is [`Self::like`] a remembered one.
    #[inline]
    pub(super) fn difference(&self, (slot, later): (u8, u32), kind: &EventKind) -> Difference {
        let mut above = [0; NUMBERS];
        if let Some(Some(said)) = self.slots.get(usize::from(slot)) {
            let new = numbers(kind);
            above = std::array::from_fn(|i| new[i].wrapping_sub(said.numbers[i]));
        }
        Difference { slot, later, above }
    }

    /// Makes the event that has this of its own, which is then remembered in this slot.
    #[inline]
    pub(super) fn restore(&mut self, difference: &Difference) -> Option<usize> {
        if self.missed {
            return None;
        }
        let slot = usize::from(difference.slot);
        let said = self.slots.get_mut(slot)?.as_mut()?;
        self.time = self.time.checked_add(u64::from(difference.later))?;
        said.event.time = self.time;
        if !difference.is_of_time_only() {
            said.step(difference);
            set_numbers(&mut said.event.kind, &said.numbers);
        }
        Some(slot)
    }

    /// What is remembered in a slot.
    #[inline]
    pub(super) fn said(&self, slot: usize) -> Option<&Event> {
        Some(&self.slots.get(slot)?.as_ref()?.event)
    }

    /// Remembers an event that was written by its difference.
    #[inline]
    pub(super) fn remember_like(&mut self, difference: &Difference) {
        self.remember_later(difference.later);
        if let Some(Some(said)) = self.slots.get_mut(usize::from(difference.slot)) {
            said.step(difference);
        }
    }

    /// As [`Self::remember_like`], for an event that is later and has no numbers.
    #[inline]
    pub(super) fn remember_later(&mut self, later: u32) {
        self.time += u64::from(later);
    }

    /// Remembers an event that was written as it stands by itself.
    pub(super) fn remember(&mut self, time: u64, thread: ThreadId, kind: &EventKind) {
        self.time = time;
        if slot(kind).is_some() {
            let kind = kind.clone();
            let _ = self.keep(Event { time, thread, kind });
        }
    }

    /// Remembers an event that was read as it stands by itself, and says in which slot; gives it back if it has none.
    pub(super) fn keep(&mut self, event: Event) -> Result<usize, Box<Event>> {
        self.time = event.time;
        let Some(slot) = slot(&event.kind) else {
            return Err(Box::new(event));
        };
        let numbers = numbers(&event.kind);
        self.slots[slot] = Some(Said { event, numbers });
        Ok(slot)
    }
}

impl Said {
    /// An event that is like it has come.
    #[inline]
    fn step(&mut self, difference: &Difference) {
        let numbers = self.numbers.iter_mut().zip(&difference.above);
        numbers.for_each(|(number, above)| *number = number.wrapping_add(*above));
    }
}

/// Bytes of a difference before its numbers.
const HEAD: usize = 9;

/// The bytes that [`Difference::write`] needs; fewer count.
pub(super) const ROOM: usize = HEAD + 8 * (NUMBERS + 1);

impl Difference {
    /// Whether it is later and nothing else.
    #[inline]
    fn is_of_time_only(&self) -> bool {
        self.above.iter().fold(0, |all, above| all | above) == 0
    }

    /// Writes it as bytes, and says how many: slot, nanoseconds, the bytes of each number (four bits each), and those
    /// bytes.
    ///
    /// Numbers are written as whole words, of which the next overwrites what is not needed: that is cheaper than bytes.
    #[inline]
    pub(super) fn write(&self, bytes: &mut [u8; ROOM]) -> usize {
        let (mut length, mut lengths) = (HEAD, 0_u32);
        for (i, &above) in self.above.iter().enumerate() {
            if above == 0 {
                continue;
            }
            // Small steps down are short, too: the sign is the lowest bit.
            let step = above.cast_signed();
            let folded = ((step << 1) ^ (step >> 63)).cast_unsigned();
            let used = 8 - folded.leading_zeros() / 8;
            bytes[length..length + 8].copy_from_slice(&folded.to_le_bytes());
            lengths |= used << (4 * i);
            length += used as usize;
        }
        bytes[..HEAD].copy_from_slice(&head(self.slot, self.later, lengths));
        length
    }

    /// `None`: such bytes are never written.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (&[slot, a, b, c, d], rest) = bytes.split_first_chunk()?;
        let (&lengths, mut rest) = rest.split_first_chunk()?;
        let mut lengths = u32::from_le_bytes(lengths);
        let mut above = [0; NUMBERS];
        let mut numbers = above.iter_mut();
        while lengths != 0 {
            let used = (lengths & 15) as usize;
            let (number, after) = rest.split_at_checked(used)?;
            let folded = match rest.first_chunk() {
                Some(&word) if used <= 8 => u64::from_le_bytes(word) & low_bytes(used),
                _ => {
                    let mut word = [0; 8];
                    word.get_mut(..used)?.copy_from_slice(number);
                    u64::from_le_bytes(word)
                }
            };
            *numbers.next()? = (folded >> 1) ^ (folded & 1).wrapping_neg();
            lengths >>= 4;
            rest = after;
        }
        rest.is_empty().then_some(Self {
            slot,
            later: u32::from_le_bytes([a, b, c, d]),
            above,
        })
    }
}

/// The bytes of the difference of an event that is later and has no numbers.
#[inline]
pub(super) fn later_only((slot, later): (u8, u32)) -> [u8; HEAD] {
    head(slot, later, 0)
}

#[inline]
fn head(slot: u8, later: u32, lengths: u32) -> [u8; HEAD] {
    let mut bytes = [0; HEAD];
    bytes[0] = slot;
    bytes[1..5].copy_from_slice(&later.to_le_bytes());
    bytes[5..].copy_from_slice(&lengths.to_le_bytes());
    bytes
}

/// The mask of so many bytes of a word, 8 at most.
fn low_bytes(count: usize) -> u64 {
    u64::MAX.checked_shr(64 - 8 * count as u32).unwrap_or(0)
}

/// Where an event of this kind is remembered; `None`: nowhere.
fn slot(kind: &EventKind) -> Option<usize> {
    // Each kind of a stack has a slot of its own.
    let of_stack = |stack: u64, kind: u64| {
        let mixed = (stack ^ kind).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Some(2 + (mixed >> 32) as usize % (SLOTS - 2))
    };
    match kind {
        EventKind::Leave(_) => Some(0),
        EventKind::Fetched { .. } => Some(1),
        EventKind::Operation(operation) => of_stack(operation.stack.0, 1),
        EventKind::Enter { stack, .. } => of_stack(stack.0, 2),
        EventKind::Accesses(runs) => match &runs[..] {
            [run] => of_stack(run.stack.0 ^ run.pc, 3),
            _ => None,
        },
        _ => None,
    }
}

/// Whether two events differ in their numbers only.
#[inline]
fn alike(old: &EventKind, new: &EventKind) -> bool {
    match (old, new) {
        (EventKind::Leave(a), EventKind::Leave(b)) => a == b,
        (EventKind::Enter { call: a, stack: s }, EventKind::Enter { call: b, stack: t }) => s == t && a == b,
        (EventKind::Fetched { .. }, EventKind::Fetched { .. }) => true,
        (EventKind::Operation(a), EventKind::Operation(b)) => alike_operations(a, b),
        (EventKind::Accesses(a), EventKind::Accesses(b)) => match (&a[..], &b[..]) {
            ([a], [b]) => alike_runs(a, b),
            _ => false,
        },
        _ => false,
    }
}

/// Whether events of this kind have numbers in which those that are alike may differ.
#[inline]
pub(super) fn has_numbers(kind: &EventKind) -> bool {
    !matches!(kind, EventKind::Enter { .. } | EventKind::Leave(_))
}

/// The numbers of an event.
#[inline]
fn numbers(kind: &EventKind) -> Numbers {
    match kind {
        EventKind::Fetched { operation, value } => first([operation.0, *value]),
        EventKind::Operation(operation) => numbers_of_operation(operation),
        EventKind::Accesses(runs) => match &runs[..] {
            [run] => first([run.base, run.inner_count, run.outer_count, run.repeats]),
            _ => [0; NUMBERS],
        },
        _ => [0; NUMBERS],
    }
}

/// Gives an event these numbers, which are of an event that is like it.
fn set_numbers(kind: &mut EventKind, numbers: &Numbers) {
    match kind {
        EventKind::Fetched { operation, value } => {
            *operation = OperationId(numbers[0]);
            *value = numbers[1];
        }
        EventKind::Operation(operation) => {
            let [id, target, displacement, origin, result, compare, operand, last] = *numbers;
            operation.id = OperationId(id);
            // What does not fit was not written by `numbers_of_operation`.
            operation.target = operation.target.map(|_| Rank(target as u32));
            operation.displacement = displacement.cast_signed();
            for (buffer, address) in [
                (&mut operation.origin, origin),
                (&mut operation.result, result),
                (&mut operation.compare, compare),
            ] {
                if let Some(buffer) = buffer {
                    buffer.address = address;
                }
            }
            operation.operand = operation.operand.map(|_| operand);
            operation.request = operation.request.map(|_| RequestId(last));
            operation.expected = operation.expected.map(|_| last);
        }
        EventKind::Accesses(runs) => {
            if let [run] = &mut runs[..] {
                [run.base, run.inner_count, run.outer_count, run.repeats, ..] = *numbers;
            }
        }
        _ => {}
    }
}

/// Fills up with zeros.
fn first<const N: usize>(numbers: [u64; N]) -> Numbers {
    std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0))
}

/// Whether two operations differ in their numbers only. All fields are named, so that a new one is not forgotten.
fn alike_operations(a: &Operation, b: &Operation) -> bool {
    let Operation {
        id: _,
        kind,
        win,
        target,
        origin,
        result,
        compare,
        displacement: _,
        target_type,
        target_count,
        operator,
        operand,
        expected,
        request,
        channel,
        notice,
        stack,
    } = a;
    let call = *stack == b.stack
        && *kind == b.kind
        && *win == b.win
        && *operator == b.operator
        && *channel == b.channel
        && *notice == b.notice;
    let here = alike_buffers(*origin, b.origin)
        && alike_buffers(*result, b.result)
        && alike_buffers(*compare, b.compare);
    let there = target.is_some() == b.target.is_some()
        && *target_type == b.target_type
        && *target_count == b.target_count;
    let values = operand.is_some() == b.operand.is_some() && expected.is_some() == b.expected.is_some();
    // Of the last two there is one number.
    let request = request.is_some() == b.request.is_some() && !(expected.is_some() && request.is_some());
    call && here && there && values && request
}

/// Whether two buffers differ in their addresses only.
fn alike_buffers(a: Option<Buffer>, b: Option<Buffer>) -> bool {
    let shape = |buffer: Buffer| {
        let Buffer {
            address: _,
            datatype,
            count,
        } = buffer;
        (datatype, count)
    };
    match (a, b) {
        (Some(a), Some(b)) => shape(a) == shape(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn numbers_of_operation(operation: &Operation) -> Numbers {
    let address = |buffer: Option<Buffer>| buffer.map_or(0, |buffer| buffer.address);
    [
        operation.id.0,
        operation.target.map_or(0, |rank| u64::from(rank.0)),
        operation.displacement.cast_unsigned(),
        address(operation.origin),
        address(operation.result),
        address(operation.compare),
        operation.operand.unwrap_or(0),
        operation
            .request
            .map_or(operation.expected.unwrap_or(0), |request| request.0),
    ]
}

/// Whether two runs differ in their numbers only. All fields are named, too.
fn alike_runs(a: &AccessRun, b: &AccessRun) -> bool {
    let rest = |run: &AccessRun| {
        let AccessRun {
            kind,
            source: _,
            base: _,
            size,
            inner_count: _,
            inner_stride,
            outer_count: _,
            outer_stride,
            repeats: _,
            pc,
            stack,
        } = run;
        (*pc, *stack, *kind, *size, *inner_stride, *outer_stride)
    };
    rest(a) == rest(b) && a.source == b.source
}

#[cfg(test)]
mod tests;
