//! What a communication call does at its target, and from when on.

use crate::detector::Detector;
use crate::finding::Site;
use crate::footprint;
use crate::record::{AccessEpoch, Op};
use crate::window::Deferred;
use farside_conflicts::{Effect, Update};
use farside_events::{Operation, OperationKind, Rank, WindowFlavor};
use std::ops::Range;
use std::rc::Rc;
/// A part of the target's memory with what happens to it.
pub(super) struct TargetPart {
    pub(super) range: Range<u64>,
    pub(super) effect: Effect,
}

impl Detector {
    /// What the call does at its target, at the target's addresses. Empty if the target's part is not known.
    pub(super) fn target_parts(&mut self, rank: Rank, call: &Operation, target: Rank) -> Vec<TargetPart> {
        let Some(part) = self
            .windows
            .get(&call.win)
            .and_then(|window| window.parts.get(&target))
            .cloned()
        else {
            return Vec::new();
        };
        let Some(map) = self.job.process(rank).types.get(&call.target_type).cloned() else {
            return Vec::new();
        };
        let unit = i64::from(part.disp_unit);
        let start = match part.flavor {
            WindowFlavor::Dynamic => call.displacement as u64,
            _ => part
                .base
                .wrapping_add_signed(call.displacement.wrapping_mul(unit)),
        };
        let basics: Vec<(u32, u32)> = map
            .basics
            .iter()
            .map(|basic| (self.job.basic(basic), basic.size.max(1)))
            .collect();
        let mut parts = Vec::new();
        footprint::of_buffer(&map, start, call.target_count, |extent| {
            let effect = match call.kind {
                OperationKind::Put => Effect::Write,
                OperationKind::Get => Effect::Read,
                _ => {
                    let (basic, size) = basics.get(extent.basic).copied().unwrap_or((0, 1));
                    Effect::Update(Update {
                        win: call.win,
                        basic,
                        size,
                        phase: (extent.range.start % u64::from(size)) as u32,
                        operator: match call.kind {
                            OperationKind::CompareAndSwap => None,
                            _ => call.operator,
                        },
                        hint: part.accumulates.ops(),
                        ordered: part.accumulates.ordered(),
                    })
                }
            };
            parts.push(TargetPart {
                range: extent.range,
                effect,
            });
        });
        parts
    }

    pub(super) fn within_window(
        &mut self,
        call: &Operation,
        target: Rank,
        parts: &[TargetPart],
        thread: farside_events::ThreadId,
        site: Site,
    ) -> bool {
        let Some(window) = self.windows.get(&call.win) else {
            return true;
        };
        let Some(part) = window.parts.get(&target) else {
            return true;
        };
        let outside = parts.iter().find_map(|piece| match part.flavor {
            WindowFlavor::Dynamic => {
                let inside = window.attachment(target, piece.range.start);
                inside
                    .is_none_or(|region| region.end < piece.range.end)
                    .then_some((piece.range.clone(), true))
            }
            _ => {
                let end = part.base.saturating_add(part.size);
                let inside = part.base <= piece.range.start && piece.range.end <= end;
                let attached = || {
                    let region = window.attachment(target, piece.range.start);
                    region.is_some_and(|region| piece.range.end <= region.end)
                };
                (!inside && !attached()).then_some((piece.range.clone(), false))
            }
        });
        let Some((range, dynamic)) = outside else {
            return true;
        };
        let (base, size) = (part.base, part.size);
        self.target_outside(call, target, range, dynamic, (base, size), thread, site);
        false
    }

    /// Enters the target side, at once or when the target opens its exposure epoch.
    pub(super) fn at_target(&mut self, rank: Rank, op: &Rc<Op>, mut access: Deferred) {
        let Some(window) = self.windows.get_mut(&op.win) else {
            return self.enter_deferred(op.target, access);
        };
        let state = window.epochs.entry(rank).or_default();
        match op.epoch {
            AccessEpoch::Start => {
                let number = state
                    .started
                    .as_ref()
                    .and_then(|(_, targets)| targets.get(&op.target).copied());
                let pair = window.pairs.entry((op.target, rank)).or_default();
                let number = number.unwrap_or(pair.started.saturating_sub(1));
                if pair.posted <= number {
                    pair.deferred.push_back((number, access));
                    return;
                }
                if let Some((_, post)) = pair.posts.iter().find(|(posted, _)| *posted == number) {
                    access.clock.join(&post.clock);
                    let forbids = post.assertions.noput.then_some((post.site, post.assertions));
                    self.no_put(op, forbids, &access, "MPI_Win_post");
                }
            }
            AccessEpoch::Fence => {
                let index = state.fence.as_ref().map_or(0, |fence| fence.index);
                if let Some(fence) = window.fences.get_mut(&index) {
                    match fence.entered.get(&op.target) {
                        Some(entry) => {
                            if let Some(clock) = &entry.clock {
                                access.clock.join(clock);
                            }
                            let forbids = entry.assertions.noput.then_some((entry.site, entry.assertions));
                            self.no_put(op, forbids, &access, "MPI_Win_fence");
                        }
                        None => {
                            fence.deferred.entry(op.target).or_default().push(access);
                            return;
                        }
                    }
                }
            }
            AccessEpoch::Lock | AccessEpoch::LockAll => {}
        }
        self.enter_deferred(op.target, access);
    }

    pub(crate) fn enter_deferred(&mut self, target: Rank, access: Deferred) {
        for (range, record) in access.parts {
            self.access(target, range, &record, &access.clock);
        }
    }
}
