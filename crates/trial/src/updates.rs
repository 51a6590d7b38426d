//! Accumulates in the place of the stores of a line, as other processes make them on the same memory.
//!
//! A store of a process to its own part of a window, beside accumulates of others, is no race if it is an accumulate of
//! the same operator to itself. What the line loads of the window's memory is what it updates, and is not loaded then.
//!
//! Limits: memory that is attached to a dynamic window, and stores that are no elements of the other operation's type,
//! stay as they are.

use crate::recording::Recording;
use crate::spots::{Spot, Spots};
use crate::work::Work;
use farside_events::{
    AccessKind, AccessRun, AccumulateOp, Buffer, ChannelId, Event, EventKind, Operation, OperationId,
    OperationKind, Rank, StackId, TypeId, WinId, WindowFlavor,
};
use farside_findings::{Place, shown_frame};
use farside_race::{Places, Site};
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

/// The most operations that stand for the stores of one segment.
const MOST: u64 = 4096;

/// Where the operand is: no program has memory there.
const OPERAND: u64 = 1 << 59;

/// The first number of an operation that no program has issued.
const ADDED: u64 = 1 << 62;

/// What a line does to the memory of a window, and what operations of another line are like.
#[derive(Debug, Default)]
pub(crate) struct Updates {
    /// What accumulates are like there: by process and window, the operator and the basic type.
    like: HashMap<(Rank, WinId), (AccumulateOp, TypeId)>,
    /// Bytes of a type.
    sizes: HashMap<(Rank, TypeId), u64>,
    /// The memory of windows, and its unit of displacement.
    parts: HashMap<(Rank, WinId), (Range<u64>, u32)>,
    loads: bool,
    stores: bool,
    added: u64,
}

impl Updates {
    /// Of the line of a place, and the accumulates of another one. `None` if there is no time to look.
    pub(crate) fn of(
        (at, like): (Spot, Spot),
        recording: &Recording,
        (spots, places): (&mut Spots, &mut impl Places),
        until: Work,
    ) -> Option<Self> {
        let mut updates = Self::default();
        for next in recording.events_until(until) {
            let (_, rank, Event { kind, .. }) = next?;
            match kind {
                EventKind::Type { id, map } if map.size() == map.extent.unsigned_abs() => {
                    updates.sizes.insert((rank, id), map.size());
                }
                EventKind::Window(made) if made.flavor != WindowFlavor::Dynamic => {
                    let end = made.base.saturating_add(made.size);
                    updates
                        .parts
                        .insert((rank, made.id), (made.base..end, made.disp_unit));
                }
                EventKind::Operation(operation) => {
                    let spot = spots.of(
                        Site {
                            rank,
                            pc: None,
                            stack: operation.stack,
                        },
                        places,
                    );
                    if let (Some(operator), true) = (operation.operator, spots.are_one_statement(spot, like))
                    {
                        updates
                            .like
                            .entry((rank, operation.win))
                            .or_insert((operator, operation.target_type));
                    }
                }
                EventKind::Accesses(runs) => {
                    for run in runs {
                        if updates.window(rank, &run).is_none() {
                            continue;
                        }
                        let spot = spots.of(
                            Site {
                                rank,
                                pc: Some(run.pc),
                                stack: run.stack,
                            },
                            places,
                        );
                        if is_line(spots, spot, at) {
                            match run.kind {
                                AccessKind::Load => updates.loads = true,
                                AccessKind::Store => updates.stores = true,
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Some(updates)
    }

    /// The operator of all those accumulates, if the line does what one of them would do: it updates what it loads, or
    /// it only stores where values are replaced.
    pub(crate) fn operator(&self) -> Option<AccumulateOp> {
        let mut operators = self.like.values().map(|(operator, _)| *operator);
        let operator = operators.next()?;
        let fits = self.stores && self.loads == (operator != AccumulateOp::Replace);
        (fits && operators.all(|other| other == operator)).then_some(operator)
    }

    /// The window that has all these accesses in its memory.
    fn window(&self, rank: Rank, run: &AccessRun) -> Option<WinId> {
        let span = run.span();
        let is_there = |part: &Range<u64>| part.start <= span.start && span.end <= part.end;
        let windows = self.parts.iter();
        let of_rank = windows.filter(|((who, _), (part, _))| *who == rank && is_there(part));
        // Of several over the same memory, it is the one that the others use.
        of_rank
            .map(|((_, win), _)| *win)
            .min_by_key(|win| (!self.like.contains_key(&(rank, *win)), *win))
    }

    /// What comes in the place of accesses of the line: nothing of loads, of stores accumulates to the process itself.
    /// `None` if they stay.
    pub(crate) fn instead(&mut self, rank: Rank, run: &AccessRun) -> Option<Vec<Operation>> {
        let window = self.window(rank, run)?;
        let ((operator, basic), (part, unit)) = (
            *self.like.get(&(rank, window))?,
            self.parts.get(&(rank, window))?.clone(),
        );
        if self.sizes.get(&(rank, basic)) != Some(&run.size) {
            return None;
        }
        if run.kind == AccessKind::Load {
            return Some(Vec::new());
        }
        let number = run
            .inner_count
            .checked_mul(run.outer_count)
            .filter(|number| *number <= MOST)?;
        let mut all = Vec::new();
        for nth in 0..number {
            let [inner, outer] = [nth % run.inner_count, nth / run.inner_count].map(u64::cast_signed);
            let steps = inner * run.inner_stride + outer * run.outer_stride;
            let offset = run.base.checked_add_signed(steps)?.checked_sub(part.start)?;
            let unit = u64::from(unit.max(1));
            if offset % unit != 0 {
                return None;
            }
            all.push(self.operation((rank, window), (operator, basic), offset / unit, run.stack));
        }
        Some(all)
    }

    fn operation(
        &mut self,
        (rank, win): (Rank, WinId),
        (operator, basic): (AccumulateOp, TypeId),
        displacement: u64,
        stack: StackId,
    ) -> Operation {
        self.added += 1;
        // Each has an operand of its own.
        let address = OPERAND + (self.added << 6);
        Operation {
            id: OperationId(ADDED | self.added),
            kind: OperationKind::Accumulate,
            win,
            target: Some(rank),
            origin: Some(Buffer {
                address,
                datatype: basic,
                count: 1,
            }),
            result: None,
            compare: None,
            displacement: displacement.cast_signed(),
            target_type: basic,
            target_count: 1,
            operator: Some(operator),
            operand: None,
            expected: None,
            request: None,
            channel: ChannelId::DEFAULT,
            notice: None,
            stack,
        }
    }
}

/// Whether two places stand in one line of a function.
pub(crate) fn is_line(spots: &Spots, one: Spot, other: Spot) -> bool {
    let line = |spot: Spot| {
        let frame = spots.stack(spot).get(shown_frame(spots.stack(spot))?)?;
        let Place { file, line, .. } = frame.place.clone()?;
        Some((frame.function.clone(), file, line))
    };
    spots.are_one_statement(one, other) || line(one).is_some_and(|one| line(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn updates(operator: AccumulateOp) -> Updates {
        let mut updates = Updates {
            stores: true,
            ..Updates::default()
        };
        updates.like.insert((Rank(0), WinId(1)), (operator, TypeId(5)));
        updates.sizes.insert((Rank(0), TypeId(5)), 4);
        updates.parts.insert((Rank(0), WinId(1)), (1000..1064, 4));
        updates
    }

    #[test]
    fn what_a_line_updates_is_like_an_accumulate_and_what_it_only_stores_is_not() {
        let of = |operator, loads| {
            Updates {
                loads,
                ..updates(operator)
            }
            .operator()
        };
        assert_eq!(of(AccumulateOp::Sum, true), Some(AccumulateOp::Sum));
        assert_eq!(of(AccumulateOp::Sum, false), None);
        assert_eq!(of(AccumulateOp::Replace, false), Some(AccumulateOp::Replace));
        assert_eq!(of(AccumulateOp::Replace, true), None);
        let mut of_two = updates(AccumulateOp::Replace);
        of_two
            .like
            .insert((Rank(1), WinId(1)), (AccumulateOp::Sum, TypeId(5)));
        assert_eq!(of_two.operator(), None);
    }

    #[test]
    fn each_store_of_an_element_is_an_accumulate_and_loads_are_gone() {
        let mut updates = updates(AccumulateOp::Sum);
        let mut made = |kind, base, size| {
            let run = AccessRun {
                inner_count: 2,
                inner_stride: 8,
                ..AccessRun::single(kind, base, size, 0, StackId(1))
            };
            let made = updates.instead(Rank(0), &run)?;
            Some(made.into_iter().map(|one| one.displacement).collect::<Vec<_>>())
        };
        assert_eq!(made(AccessKind::Store, 1008, 4), Some(vec![2, 4]));
        assert_eq!(made(AccessKind::Load, 1008, 4), Some(Vec::new()));
        // Other memory, and what is no element.
        assert_eq!(made(AccessKind::Store, 1060, 4), None);
        assert_eq!(made(AccessKind::Store, 1008, 8), None);
        assert_eq!(made(AccessKind::Store, 1009, 4), None);
    }
}
