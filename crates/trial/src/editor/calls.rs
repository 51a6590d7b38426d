//! The calls that are added.

use super::{ADDED, Editor, Moment};
use crate::edit::{Edit, Where};
use crate::spots::Spot;
use farside_events::{
    Assertions, Call, ChannelId, CommId, Direction, EventKind, Interface, LockKind, Operation, Outcome, Rank,
    StackId, WinId,
};
use farside_race::{Code, Places};
use std::collections::BTreeSet;
use std::ops::Range;

/// The number of the first added barrier on a communicator: more than any program makes.
const FIRST: u64 = 1 << 60;
impl<P: Places> Editor<'_, P> {
    /// The barrier of all processes that OpenSHMEM has completes what was issued before it (1.5 §9.9.1): it is this one
    /// that is suggested.
    pub(super) fn complete_first(&mut self, at: Moment, code: Code, window: Option<WinId>) {
        let is_shmem = |win: &WinId| {
            let known = self.known.windows.get(win);
            known.is_some_and(|(_, interface)| *interface == Interface::Shmem)
        };
        if code != Code::Barrier || !window.as_ref().is_some_and(is_shmem) {
            return;
        }
        let mut all: Vec<WinId> = self.known.windows.keys().copied().filter(is_shmem).collect();
        all.sort_unstable();
        for win in all {
            let call = Call::Flush {
                win,
                target: None,
                local: false,
                channel: Some(ChannelId::DEFAULT),
            };
            let stack = StackId::UNKNOWN;
            self.put(at, EventKind::Enter { call, stack });
            self.put(at, EventKind::Leave(Outcome::Done));
        }
    }

    /// A thread meets those of some processes.
    pub(super) fn meet(&mut self, at: Moment, edit: usize, comers: &BTreeSet<Rank>) {
        let comm = CommId(FIRST + edit as u64);
        let number = self.known.barriers.entry(at.rank).or_insert(FIRST);
        *number += 1;
        let (sequence, direction) = (*number, Direction::All);
        let members = comers.iter().copied().collect();
        self.put(at, EventKind::Comm { id: comm, members });
        let call = Call::Collective {
            comm,
            sequence,
            direction,
            name: "MPI_Barrier".into(),
            request: None,
        };
        let stack = StackId::UNKNOWN;
        self.put(at, EventKind::Enter { call, stack });
        self.put(at, EventKind::Leave(Outcome::Done));
    }

    /// A process attaches memory that it did not attach.
    pub(super) fn attach(&mut self, at: Moment, win: WinId, regions: &[(Rank, Range<u64>)]) {
        for (_, bytes) in regions.iter().filter(|(rank, _)| *rank == at.rank) {
            let (address, size) = (bytes.start, bytes.end - bytes.start);
            let call = Call::Attach { win, address, size };
            let stack = StackId::UNKNOWN;
            self.put(at, EventKind::Enter { call, stack });
            self.put(at, EventKind::Leave(Outcome::Done));
        }
    }

    pub(super) fn add_after(&mut self, at: Moment, spot: Spot) {
        for edit in self.edits {
            match edit {
                Edit::Add {
                    code,
                    window,
                    place: Where::After(place),
                    ..
                } if self.spots.are_one_statement(*place, spot) => self.add(at, *code, *window),
                Edit::Order { after, .. } if self.spots.are_one_statement(*after, spot) => {
                    self.put(at, EventKind::Release { object: ADDED });
                }
                Edit::Exclude { .. } if self.known.exclusion.gives(at.rank, at.thread, spot) => {
                    self.put(at, EventKind::Release { object: ADDED });
                }
                Edit::Notify { after, .. } | Edit::Tell { after, .. }
                    if self.spots.are_one_statement(*after, spot) =>
                {
                    let issued = self.thread(at).operation.clone();
                    let note = issued.and_then(|issued| self.known.notes.post(issued));
                    if let Some(operation) = note {
                        self.put(at, EventKind::Operation(operation));
                    }
                }
                _ => {}
            }
        }
    }

    /// A collective call is made on the communicator of a window.
    pub(super) fn widen(&mut self, rank: Rank, call: &mut Call, win: WinId) {
        let wide = self.known.windows.get(&win).map(|(comm, _)| *comm);
        if let (Some(wide), Call::Collective { comm, sequence, .. }) = (wide, call) {
            let number = self.known.barriers.entry(rank).or_insert(FIRST);
            *number += 1;
            (*comm, *sequence) = (wide, *number);
        }
    }

    /// A thread makes a call that it did not make.
    pub(super) fn add(&mut self, at: Moment, code: Code, window: Option<WinId>) {
        let issued = self.thread(at).operation.clone();
        if let Code::Order(channel) = code {
            let channel = issued.map_or(channel, |operation| operation.channel);
            let latest = false;
            return self.put(at, EventKind::Ordered { channel, latest });
        }
        let win = issued.as_ref().map(|operation| operation.win).or(window);
        let Some(call) = self.call(at.rank, code, (window.or(win), win), issued.as_ref()) else {
            return;
        };
        let enter = EventKind::Enter {
            call,
            stack: StackId::UNKNOWN,
        };
        self.put(at, enter);
        if let (Code::WaitForRequest, Some(request)) = (code, issued.and_then(|issued| issued.request)) {
            self.put(at, EventKind::OperationRequestDone { request });
            self.known.waited.insert((at.rank, request));
        }
        self.put(at, EventKind::Leave(Outcome::Done));
    }

    /// The call that code stands for; of two windows, the first is that of the finding.
    fn call(
        &mut self,
        rank: Rank,
        code: Code,
        (of_finding, of_operation): (Option<WinId>, Option<WinId>),
        issued: Option<&Operation>,
    ) -> Option<Call> {
        Some(match code {
            Code::Barrier | Code::Meet => {
                let of_finding = of_finding.map(|win| self.counterpart(rank, win));
                let own = of_finding.and_then(|win| self.known.windows.get(&win));
                let comm = own.map(|(comm, _)| *comm).or(self.known.world)?;
                let number = self.known.barriers.entry(rank).or_insert(FIRST);
                *number += 1;
                Call::Collective {
                    comm,
                    sequence: *number,
                    direction: Direction::All,
                    name: "MPI_Barrier".into(),
                    request: None,
                }
            }
            Code::Fence => {
                let win = of_finding?;
                // What is called a fence elsewhere is another call.
                let (_, interface) = self.known.windows.get(&win)?;
                if !interface.has_fences() {
                    return None;
                }
                Call::Fence {
                    win,
                    assertions: Assertions::default(),
                }
            }
            Code::Flush { target, local, .. } => Call::Flush {
                win: of_operation?,
                target: target.map(|target| issued.and_then(|issued| issued.target).unwrap_or(target)),
                // No call of GASPI completes anything at its target.
                local: local
                    || of_operation
                        .and_then(|win| self.known.windows.get(&win))
                        .is_some_and(of_gaspi),
                channel: issued.map(|issued| issued.channel),
            },
            Code::WaitForRequest => {
                issued?.request?;
                Call::Completion {
                    name: "MPI_Wait".into(),
                }
            }
            Code::Complete => Call::Complete { win: of_finding? },
            Code::Wait => Call::Wait {
                win: of_finding?,
                test: false,
            },
            Code::Lock(target) => Call::Lock {
                win: of_operation?,
                target: issued.and_then(|issued| issued.target).unwrap_or(target),
                kind: LockKind::Shared,
                assertions: Assertions::default(),
            },
            Code::Unlock(target) => Call::Unlock {
                win: of_finding?,
                target: issued.and_then(|issued| issued.target).or(target)?,
            },
            Code::UnlockAll => Call::UnlockAll { win: of_finding? },
            _ => return None,
        })
    }
}

fn of_gaspi((_, interface): &(CommId, Interface)) -> bool {
    *interface == Interface::Gaspi
}
