//! Values that were seen: of atomic operations, and of puts and gets where they were recorded.
//!
//! A value that nothing handed on so far can have left was left by something that comes. What can have left it: 0, and
//! the first value that was seen there (what lay there at the beginning), what replaced the content, and sums of these
//! with what was added. That is more than was there, so that a value may be taken to be explained which is not; never
//! the other way round. Where other operators are used, or many elements at a time, every value is.

use super::gate::Gate;
use super::groups::Groups;
use farside_events::{AccumulateOp, Operation, OperationId, OperationKind, Rank, TypeId, TypeMap, WinId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Values that are kept of one place.
const KEPT: usize = 32;
/// Sums of different addends that are kept of one place.
const SUMS: usize = 512;
/// Places that are kept; beyond it values tell nothing.
const PLACES: usize = 1 << 20;

/// What is known of window memory that is used as flags and counters.
#[derive(Debug, Default)]
pub(super) struct Values {
    types: HashMap<(Rank, TypeId), Element>,
    /// By window and process: by address.
    parts: HashMap<(WinId, Rank), HashMap<u64, Cell>>,
    /// Parts where every value is possible.
    vague: HashSet<(WinId, Rank)>,
    places: usize,
    fetches: HashMap<(Rank, OperationId), Fetch>,
    /// What was done under exclusive locks that are still held, by whom and where.
    hidden: HashMap<(Rank, (WinId, Rank)), Vec<Hidden>>,
}

/// An operation, where it is, and what it does there.
type Hidden = (OperationId, u64, Effect);

/// What an operation does to a place.
#[derive(Clone, Copy, Debug)]
enum Effect {
    Replaces(u64),
    /// An addend, and the bits that count.
    Adds(u64, u64),
}

/// An element that values are known of.
#[derive(Clone, Copy, Debug)]
struct Element {
    size: u32,
    is_integer: bool,
}

/// A fetch whose value is still to come.
#[derive(Clone, Copy, Debug)]
struct Fetch {
    part: (WinId, Rank),
    address: u64,
    size: u32,
    /// What it adds itself.
    own: Option<u64>,
}

/// One place.
#[derive(Debug)]
struct Cell {
    /// Values that it had before something was added.
    bases: Vec<u64>,
    /// What lay there at the beginning is known.
    began: bool,
    added: Added,
}

/// What was added to a place.
#[derive(Debug)]
enum Added {
    Nothing,
    /// The same value so often.
    Same(u64, u64),
    /// All sums of some of the addends.
    Sums(HashSet<u64>),
    /// Too much to tell.
    Anything,
}

impl Default for Cell {
    fn default() -> Self {
        Self {
            bases: vec![0],
            began: false,
            added: Added::Nothing,
        }
    }
}

impl Cell {
    fn replace(&mut self, value: u64) {
        if !self.bases.contains(&value) {
            if self.bases.len() >= KEPT {
                self.added = Added::Anything;
                return;
            }
            self.bases.push(value);
        }
    }

    fn add(&mut self, addend: u64, mask: u64) {
        self.added = match std::mem::replace(&mut self.added, Added::Anything) {
            Added::Nothing => Added::Same(addend, 1),
            Added::Same(same, count) if same == addend => Added::Same(same, count + 1),
            Added::Same(same, count) if count < SUMS as u64 / 2 => {
                let sums = (0..=count).map(|times| same.wrapping_mul(times) & mask).collect();
                Self::with(sums, addend, mask)
            }
            Added::Sums(sums) => Self::with(sums, addend, mask),
            Added::Same(..) | Added::Anything => Added::Anything,
        };
    }

    fn with(mut sums: HashSet<u64>, addend: u64, mask: u64) -> Added {
        let more: Vec<u64> = sums.iter().map(|sum| sum.wrapping_add(addend) & mask).collect();
        sums.extend(more);
        match sums.len() <= SUMS {
            true => Added::Sums(sums),
            false => Added::Anything,
        }
    }

    /// Whether something that was handed on can have left this value; `own` is what the fetch itself adds.
    fn explains(&self, value: u64, mask: u64, own: Option<u64>) -> bool {
        let sum = |base: &u64| value.wrapping_sub(*base) & mask;
        let has_base = || self.bases.iter().any(|base| sum(base) == 0);
        match &self.added {
            Added::Anything => true,
            Added::Nothing => has_base(),
            Added::Same(same, count) => {
                let count = count - u64::from(own == Some(*same));
                let signed = (same & (mask ^ (mask >> 1))) != 0;
                let (step, down) = if signed {
                    (same.wrapping_neg() & mask, true)
                } else {
                    (*same, false)
                };
                self.bases.iter().any(|base| {
                    let rest = if down {
                        sum(base).wrapping_neg() & mask
                    } else {
                        sum(base)
                    };
                    rest == 0 || (step != 0 && rest.is_multiple_of(step) && rest / step <= count)
                })
            }
            Added::Sums(sums) => self.bases.iter().any(|base| sums.contains(&sum(base))),
        }
    }
}

impl Values {
    /// A process defines a type.
    pub(super) fn define(&mut self, rank: Rank, id: TypeId, map: &TypeMap) {
        let [block] = &map.blocks[..] else {
            return;
        };
        let basic = map.basics.get(block.basic as usize);
        let Some(basic) = basic.filter(|basic| u64::from(basic.size) == map.size() && basic.size <= 8) else {
            return;
        };
        if block.offset != 0 || block.count != 1 {
            return;
        }
        let element = Element {
            size: basic.size,
            is_integer: !["FLOAT", "DOUBLE", "REAL", "COMPLEX"]
                .iter()
                .any(|word| basic.name.contains(word)),
        };
        self.types.insert((rank, id), element);
    }

    /// An operation is issued. It is `hidden` from others while its process holds the lock of the target.
    pub(super) fn operation(
        &mut self,
        (rank, call): (Rank, &Operation),
        target: Rank,
        groups: &Groups,
        hidden: bool,
    ) {
        let part = (call.win, target);
        if self.vague.contains(&part) {
            return;
        }
        let element = self
            .types
            .get(&(rank, call.target_type))
            .filter(|_| call.target_count == 1)
            .copied();
        let address = groups.address(call.win, target, call.displacement);
        let changes = match call.kind {
            OperationKind::Get => false,
            OperationKind::Put => call.operand.is_some(),
            _ => call.operator != Some(AccumulateOp::NoOp),
        };
        let (Some(Element { size, is_integer }), Some(address)) = (element, address) else {
            if changes {
                self.forget(part);
            }
            return;
        };
        let mask = mask(size);
        let operand = call.operand.map(|operand| operand & mask);
        let adds = call.operator == Some(AccumulateOp::Sum);
        if fetches(call) {
            let own = operand.filter(|_| adds && !hidden);
            self.fetches.insert(
                (rank, call.id),
                Fetch {
                    part,
                    address,
                    size,
                    own,
                },
            );
        }
        if !changes {
            return;
        }
        let replaces = call.operator.is_none()
            || matches!(
                call.operator,
                Some(AccumulateOp::Replace | AccumulateOp::Max | AccumulateOp::Min)
            );
        let effect = match operand {
            Some(value) if replaces => Effect::Replaces(value),
            Some(addend) if adds && is_integer => Effect::Adds(addend, mask),
            _ => return self.forget(part),
        };
        match hidden {
            true => {
                let hidden = self.hidden.entry((rank, part)).or_default();
                hidden.push((call.id, address, effect));
            }
            false => self.change(part, address, effect),
        }
    }

    /// A process lets go of the exclusive lock of a part: others can see now what it did there.
    pub(super) fn unlock(&mut self, rank: Rank, win: WinId, target: Rank) {
        let part = (win, target);
        for (_, address, effect) in self.hidden.remove(&(rank, part)).unwrap_or_default() {
            self.change(part, address, effect);
        }
    }

    fn change(&mut self, part: (WinId, Rank), address: u64, effect: Effect) {
        if self.vague.contains(&part) {
            return;
        }
        if let Some(cell) = self.cell(part, address) {
            match effect {
                Effect::Replaces(value) => cell.replace(value),
                Effect::Adds(addend, mask) => cell.add(addend, mask),
            }
        }
    }

    /// Whether the value of a fetch is explained.
    pub(super) fn fetched(&self, rank: Rank, id: OperationId, value: u64) -> Gate {
        match self.fetches.get(&(rank, id)) {
            Some(fetch) if !self.vague.contains(&fetch.part) => {
                let hidden = self.hidden.get(&(rank, fetch.part)).into_iter().flatten();
                let mut others = hidden.filter(|(other, ..)| *other != id);
                if others.any(|(_, address, _)| *address == fetch.address) {
                    return Gate::Open;
                }
                let cell = self
                    .parts
                    .get(&fetch.part)
                    .and_then(|part| part.get(&fetch.address));
                Self::gate(cell, value, fetch.size, fetch.own)
            }
            _ => Gate::Open,
        }
    }

    /// The value of a fetch is handed on.
    pub(super) fn fetch(&mut self, rank: Rank, id: OperationId, value: u64) {
        let Some(Fetch {
            part,
            address,
            size,
            own,
        }) = self.fetches.remove(&(rank, id))
        else {
            return;
        };
        if self.vague.contains(&part) {
            return;
        }
        let mask = mask(size);
        if let Some(cell) = self.cell(part, address)
            && !cell.began
        {
            // Nobody left it, so it lay there.
            if !cell.explains(value & mask, mask, own) {
                cell.bases.push(value & mask);
            }
            cell.began = true;
        }
    }

    /// Whether the value that a process has waited for in its own memory is explained.
    pub(super) fn seen(&self, rank: Rank, address: u64, size: u32, value: u64) -> Gate {
        let cell = |((_, of), part): (&(WinId, Rank), &HashMap<u64, Cell>)| {
            let cell = part.get(&address).filter(|_| *of == rank)?;
            Some(Self::gate(Some(cell), value, size, None) == Gate::Open)
        };
        match self.parts.iter().filter_map(cell).all(|explained| explained) {
            true => Gate::Open,
            false => Gate::Value,
        }
    }

    /// A window is gone at all its members.
    pub(super) fn free(&mut self, win: WinId) {
        let places = &mut self.places;
        self.parts.retain(|(of, _), part| {
            if *of == win {
                *places -= part.len();
            }
            *of != win
        });
        self.vague.retain(|(of, _)| *of != win);
    }

    fn gate(cell: Option<&Cell>, value: u64, size: u32, own: Option<u64>) -> Gate {
        let mask = mask(size);
        let explained = match cell {
            Some(cell) => cell.explains(value & mask, mask, own),
            None => value & mask == 0,
        };
        if explained { Gate::Open } else { Gate::Value }
    }

    fn cell(&mut self, part: (WinId, Rank), address: u64) -> Option<&mut Cell> {
        let cells = self.parts.entry(part).or_default();
        if !cells.contains_key(&address) {
            if self.places >= PLACES {
                self.forget(part);
                return None;
            }
            self.places += 1;
        }
        Some(self.parts.entry(part).or_default().entry(address).or_default())
    }

    /// Every value is possible in this part.
    fn forget(&mut self, part: (WinId, Rank)) {
        self.places -= self.parts.remove(&part).map_or(0, |cells| cells.len());
        self.vague.insert(part);
    }
}

/// Whether an operation brings a value that is reported.
fn fetches(call: &Operation) -> bool {
    !matches!(call.kind, OperationKind::Accumulate | OperationKind::Put)
}

/// The bits of so many bytes.
fn mask(size: u32) -> u64 {
    match size {
        0..8 => (1 << (8 * size)) - 1,
        _ => u64::MAX,
    }
}
