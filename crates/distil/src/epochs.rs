//! Epochs of MPI around what is there: each operation gets the one that it was issued in, opened right before it where
//! none is open, and closed at the end where nothing closed it.
//!
//! Ends of epochs that are not open here, and flushes without one, are left out.

use crate::item::{Group, Item, Variant};
use farside_findings::Epoch;
use farside_litmus::ast::{Rank, StatementKind};

/// The epoch that the operation of an access needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    access: u8,
    target: Rank,
    epoch: Epoch,
    /// Only what the repair puts in its place needs it.
    repair: bool,
}

impl Need {
    pub(crate) fn new(access: u8, target: Rank, epoch: Epoch) -> Self {
        Self {
            access,
            target,
            epoch,
            repair: false,
        }
    }

    pub(crate) fn of_repair(access: u8, target: Rank, epoch: Epoch) -> Self {
        Self {
            repair: true,
            ..Self::new(access, target, epoch)
        }
    }

    fn is_of(&self, item: &Item) -> bool {
        item.group() == Group::Access(self.access)
            && is_operation(item.kind())
            && self.repair == (item.only() == Some(Variant::Repaired))
    }
}

fn is_operation(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Put { .. }
            | StatementKind::Get { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::GetAccumulate { .. }
            | StatementKind::FetchAndOp { .. }
            | StatementKind::CompareAndSwap { .. }
    )
}

/// What a process has open.
#[derive(Default)]
struct Opened {
    locks: Vec<Rank>,
    all: bool,
    access: Option<Rank>,
    fences: bool,
}

impl Opened {
    fn reaches(&self, target: Rank) -> bool {
        self.all || self.locks.contains(&target)
    }
}

/// What each process does, with its epochs. If memory is exposed for `each` access, one follows the other in the order
/// of the race; else posts are for all that start at the same time.
pub(crate) fn around(processes: Vec<Vec<Item>>, needs: &[Need], each: bool) -> Vec<Vec<StatementKind>> {
    let there = |need: &&Need| processes.iter().flatten().any(|item| need.is_of(item));
    let fences = needs.iter().filter(there).any(|need| need.epoch == Epoch::Fence);
    // Starts of each process, in order: whom they are for.
    let mut starts: Vec<Vec<Rank>> = Vec::new();
    let mut done: Vec<Vec<StatementKind>> = Vec::new();
    for items in &processes {
        let mut own = Vec::new();
        let kinds = of_process(items, needs, fences, &mut own);
        done.push(kinds);
        starts.push(own);
    }
    for (process, kinds) in done.iter_mut().enumerate() {
        let groups = match each {
            true => one_by_one(&processes, needs, process),
            false => origins(&starts, process),
        };
        exposed(kinds, &groups);
    }
    done
}

fn of_process(items: &[Item], needs: &[Need], fences: bool, starts: &mut Vec<Rank>) -> Vec<StatementKind> {
    let mut open = Opened {
        fences,
        ..Opened::default()
    };
    let mut kinds = Vec::new();
    if fences {
        kinds.push(StatementKind::Fence(Vec::new()));
    }
    for item in items {
        if let Some(need) = needs.iter().find(|need| need.is_of(item)) {
            opened(need, &mut open, &mut kinds, starts);
        }
        let wanted = match item.kind() {
            StatementKind::Flush(target) | StatementKind::FlushLocal(target) => open.reaches(*target),
            StatementKind::FlushAll | StatementKind::FlushLocalAll => open.all || !open.locks.is_empty(),
            StatementKind::Sync => open.all || !open.locks.is_empty() || !open.fences,
            StatementKind::Unlock(target) => {
                let known = open.locks.iter().position(|lock| lock == target);
                known.map(|index| open.locks.remove(index)).is_some()
            }
            StatementKind::UnlockAll => std::mem::take(&mut open.all),
            StatementKind::Complete => open.access.take().is_some(),
            StatementKind::Fence(_) => open.fences,
            _ => true,
        };
        match (item.kind(), wanted) {
            (_, true) => kinds.push(item.kind().clone()),
            // The window is another one, or has no epoch of fences here: all wait for all in it.
            (StatementKind::Fence(assertions), false) if assertions.is_empty() => {
                kinds.push(StatementKind::Barrier)
            }
            _ => {}
        }
    }
    kinds.extend(open.locks.drain(..).map(StatementKind::Unlock));
    kinds.extend(open.all.then_some(StatementKind::UnlockAll));
    kinds.extend(open.access.map(|_| StatementKind::Complete));
    if fences {
        kinds.push(StatementKind::Fence(Vec::new()));
    }
    kinds
}

fn opened(need: &Need, open: &mut Opened, kinds: &mut Vec<StatementKind>, starts: &mut Vec<Rank>) {
    match need.epoch {
        Epoch::Fence => {}
        Epoch::Lock if !open.locks.contains(&need.target) => {
            kinds.push(StatementKind::LockShared(need.target));
            open.locks.push(need.target);
        }
        Epoch::LockAll if !open.all => {
            kinds.push(StatementKind::LockAll);
            open.all = true;
        }
        Epoch::Start if open.access != Some(need.target) => {
            kinds.extend(open.access.map(|_| StatementKind::Complete));
            kinds.push(StatementKind::Start(vec![need.target]));
            starts.push(need.target);
            open.access = Some(need.target);
        }
        Epoch::Lock | Epoch::LockAll | Epoch::Start => {}
    }
}

/// The groups of the posts that a process makes, one after the other.
fn origins(starts: &[Vec<Rank>], process: usize) -> Vec<Vec<Rank>> {
    let of = |own: &Vec<Rank>| own.iter().filter(|target| target.0 as usize == process).count();
    let most = starts.iter().map(of).max().unwrap_or(0);
    let group = |turn: usize| {
        let all = (0..).zip(starts);
        all.filter(|(_, own)| of(own) > turn)
            .map(|(rank, _)| Rank(rank))
            .collect()
    };
    (0..most).map(group).collect()
}

/// The same, a post for each access.
fn one_by_one(processes: &[Vec<Item>], needs: &[Need], process: usize) -> Vec<Vec<Rank>> {
    let origin = |need: &Need| {
        let of = |items: &Vec<Item>| items.iter().any(|item| need.is_of(item));
        processes
            .iter()
            .position(of)
            .map(|origin| vec![Rank(origin as u32)])
    };
    let mut own: Vec<&Need> = needs
        .iter()
        .filter(|need| need.target.0 as usize == process && need.epoch == Epoch::Start)
        .collect();
    own.sort_by_key(|need| need.access);
    own.into_iter().filter_map(origin).collect()
}

/// Posts and waits of a process: the first post at its beginning, each further one after the wait before it.
fn exposed(kinds: &mut Vec<StatementKind>, groups: &[Vec<Rank>]) {
    let mut groups = groups.iter();
    let mut open = false;
    let mut all: Vec<StatementKind> = Vec::new();
    if let Some(group) = groups.next() {
        all.push(StatementKind::Post(group.clone()));
        open = true;
    }
    for kind in kinds.drain(..) {
        if kind != StatementKind::Wait {
            all.push(kind);
            continue;
        }
        if !open {
            continue;
        }
        all.push(kind);
        open = false;
        if let Some(group) = groups.next() {
            all.push(StatementKind::Post(group.clone()));
            open = true;
        }
    }
    if open {
        all.push(StatementKind::Wait);
        for group in groups {
            all.extend([StatementKind::Post(group.clone()), StatementKind::Wait]);
        }
    }
    *kinds = all;
}
