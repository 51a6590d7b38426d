//! What can be put into a program, and taken out of it.

use super::words::{call, own_words, queue_argument, value, words_of};
use super::{Change, Gap, Kind, place_of};
use crate::ast::{
    Api, Completion, DeclarationKind, Expression, Order, Place, Program, Statement, StatementKind, Target,
};

/// Everything that can be put in or made stronger: what is there already first, then later places before earlier ones,
/// for what is waited for late may take its time. `api` overrides the program's own.
#[must_use]
pub fn offers(program: &Program, api: Option<Api>) -> Vec<Change> {
    let api = api.or(program.api);
    let mut operations = Vec::new();
    operations_of(&program.body, &mut operations);
    let mut gaps = Vec::new();
    gaps_of(&program.body, !jumps(&program.body), &mut gaps);
    gaps.sort_by_key(|gap| std::cmp::Reverse((gap.statement, gap.behind)));
    gaps.dedup();
    let words = match api {
        None => own_words(program),
        Some(api) => words_of(api, program, &operations),
    };
    let mut offered = Vec::new();
    strengthenings(&program.body, &mut offered);
    // What a call of the text stands for is made stronger together.
    let mut seen = Vec::new();
    offered.retain(|change: &Change| {
        let at = (change.at(), change.kind());
        let is_new = !seen.contains(&at);
        seen.push(at);
        is_new
    });
    for gap in &gaps {
        let fit = |&&(kind, _): &&(Kind, StatementKind)| kind != Kind::Barrier || gap.everyone;
        offered.extend(words.iter().filter(fit).map(|(kind, statement)| Change::Insert {
            gap: gap.clone(),
            statement: statement.clone(),
            kind: *kind,
        }));
    }
    match api {
        None => offered.extend(own_queues(program, &operations)),
        Some(Api::Gpi | Api::Gaspi | Api::Gaspi17) => offered.extend(numbered_queues(&operations)),
        Some(Api::Shmem | Api::Armci | Api::Gasnet) => {}
    }
    offered
}

/// What waits or orders, made stronger.
fn strengthenings(block: &[Statement], found: &mut Vec<Change>) {
    for Statement { kind, place } in block {
        let mut offer = |with, kind, instead| {
            found.push(Change::Strengthen {
                statement: place.0.start,
                end: place.0.end,
                with,
                kind,
                instead,
            });
        };
        match kind {
            StatementKind::Wait {
                what,
                completion: Completion::Local,
            } => {
                let with = StatementKind::Wait {
                    what: what.clone(),
                    completion: Completion::Full,
                };
                offer(with, Kind::Wait, Some(Kind::Wait));
            }
            StatementKind::Fence { queue, rank: None } => {
                let with = StatementKind::Wait {
                    what: queue.clone(),
                    completion: Completion::Full,
                };
                offer(with, Kind::Wait, Some(Kind::Fence));
            }
            StatementKind::Call { call: of, into: None } => match of.name.text.as_str() {
                "shmem_fence" => offer(call("shmem_quiet", Vec::new()), Kind::Wait, Some(Kind::Fence)),
                "shmem_ctx_fence" => offer(
                    call("shmem_ctx_quiet", of.arguments.clone()),
                    Kind::Wait,
                    Some(Kind::Fence),
                ),
                "shmem_sync_all" => offer(call("shmem_barrier_all", Vec::new()), Kind::Wait, None),
                "armci_msg_barrier" => offer(call("ARMCI_Barrier", Vec::new()), Kind::Wait, None),
                _ => {}
            },
            _ => kind
                .blocks()
                .into_iter()
                .for_each(|block| strengthenings(block, found)),
        }
    }
}

/// Everything that can be taken out or weakened: waits and fences, and what a barrier waits for beside.
#[must_use]
pub fn takings(program: &Program) -> Vec<Change> {
    let mut found = Vec::new();
    takings_of(&program.body, &mut found);
    found.sort_by_key(Change::at);
    found.dedup();
    // A call that stands for several statements goes with all of them, also with what is more than a wait.
    let mut kept = Vec::new();
    others_at(&program.body, &mut kept);
    found.retain(|change| !kept.contains(&change.at()));
    found
}

/// Where statements stand that neither wait nor order, and calls that do.
fn others_at(block: &[Statement], found: &mut Vec<usize>) {
    for Statement { kind, place } in block {
        match kind {
            StatementKind::Wait { .. } | StatementKind::Fence { .. } | StatementKind::Call { .. } => {}
            _ => found.push(place.0.start),
        }
        kind.blocks()
            .into_iter()
            .for_each(|block| others_at(block, found));
    }
}

fn takings_of(block: &[Statement], found: &mut Vec<Change>) {
    for Statement { kind, place } in block {
        let (statement, end) = (place.0.start, place.0.end);
        let weaker = |name: &str| Change::Replace {
            statement,
            end,
            with: call(name, Vec::new()),
        };
        match kind {
            StatementKind::Wait { .. } | StatementKind::Fence { .. } => {
                found.push(Change::Remove { statement, end });
            }
            StatementKind::Call { call, into: None } => match call.name.text.as_str() {
                "shmem_quiet"
                | "shmem_fence"
                | "shmem_ctx_quiet"
                | "shmem_ctx_fence"
                | "ARMCI_Wait"
                | "ARMCI_WaitAll"
                | "ARMCI_Fence"
                | "ARMCI_AllFence"
                | "gasnet_wait_syncnb"
                | "gasnet_wait_syncnbi_puts"
                | "gasnet_wait_syncnbi_gets"
                | "gasnet_wait_syncnbi_all"
                | "waitDmaGPI"
                | "gaspi_wait" => {
                    found.push(Change::Remove { statement, end });
                }
                "shmem_barrier_all" => found.push(weaker("shmem_sync_all")),
                "ARMCI_Barrier" => found.push(weaker("armci_msg_barrier")),
                _ => {}
            },
            _ => kind
                .blocks()
                .into_iter()
                .for_each(|block| takings_of(block, found)),
        }
    }
}

/// Whether a statement can have others beside it: it has no block, and control goes on after it.
fn is_plain(kind: &StatementKind) -> bool {
    kind.blocks().is_empty()
        && !matches!(
            kind,
            StatementKind::Label(_) | StatementKind::Goto(_) | StatementKind::Break | StatementKind::Continue
        )
}

fn jumps(block: &[Statement]) -> bool {
    block.iter().any(|Statement { kind, .. }| {
        matches!(kind, StatementKind::Goto(_)) || kind.blocks().into_iter().any(jumps)
    })
}

fn gaps_of(block: &[Statement], everyone: bool, gaps: &mut Vec<Gap>) {
    let mut plain_before = false;
    for (at, Statement { kind, place }) in block.iter().enumerate() {
        let gap = |behind| Gap {
            statement: place.0.start,
            end: place.0.end,
            behind,
            everyone,
        };
        let plain = is_plain(kind);
        // What stands nowhere in the text has nothing beside it there.
        if plain && !place.0.is_empty() {
            if !plain_before {
                gaps.push(gap(false));
            }
            let again = block
                .get(at + 1)
                .is_some_and(|next| next.place.0.start == place.0.start && is_plain(&next.kind));
            if !again {
                gaps.push(gap(true));
            }
        }
        plain_before = plain;
        kind.blocks()
            .into_iter()
            .for_each(|block| gaps_of(block, false, gaps));
    }
}

fn operations_of<'p>(block: &'p [Statement], found: &mut Vec<&'p Statement>) {
    for statement in block {
        match &statement.kind {
            StatementKind::Transfer { .. } | StatementKind::Atomic { .. } | StatementKind::Call { .. } => {
                found.push(statement);
            }
            kind => kind
                .blocks()
                .into_iter()
                .for_each(|block| operations_of(block, found)),
        }
    }
}

/// Queues declared ordered, and operations put into queues that are.
fn own_queues(program: &Program, operations: &[&Statement]) -> Vec<Change> {
    let mut offered = Vec::new();
    for declaration in &program.declarations {
        let DeclarationKind::Queue(order) = declaration.kind else {
            continue;
        };
        if matches!(order, Some(Order::Unordered | Order::PerTarget)) {
            offered.push(Change::Order {
                queue: declaration.name.text.clone(),
                place: declaration.name.place.clone(),
            });
            continue;
        }
        for Statement { kind, place } in operations {
            let (StatementKind::Transfer { queue, .. } | StatementKind::Atomic { queue, .. }) = kind else {
                continue;
            };
            if let Some(where_it_is) = place_of(queue)
                && declaration.count.is_none()
                && matches!(queue, Target::Name(own) if own.text != declaration.name.text)
            {
                offered.push(Change::Move {
                    statement: place.0.start,
                    end: place.0.end,
                    place: where_it_is,
                    to: value(&declaration.name.text),
                });
            }
        }
    }
    offered
}

/// Operations put into other queues of the program: those of GPI are ordered, and in one of GASPI a notification comes
/// after earlier writes.
fn numbered_queues(operations: &[&Statement]) -> Vec<Change> {
    let mut queued: Vec<(bool, &Place, &Expression)> = operations
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Call { call, .. } => call
                .arguments
                .get(queue_argument(call)?)
                .map(|queue| (call.name.text != "gaspi_notify", &statement.place, queue)),
            _ => None,
        })
        .collect();
    // Whoever waits for a transfer waits for its queue; for a notification alone nobody does.
    queued.sort_by_key(|&(waited, ..)| waited);
    let mut offered = Vec::new();
    for &(_, statement, queue) in &queued {
        let mut others: Vec<&Expression> = Vec::new();
        for &(_, _, other) in &queued {
            if matches!(queue, Expression::Number(..)) && other != queue && !others.contains(&other) {
                others.push(other);
            }
        }
        for to in others {
            let change = Change::Move {
                statement: statement.0.start,
                end: statement.0.end,
                place: queue.place(),
                to: to.clone(),
            };
            // A call of the text may stand for several.
            if !offered.contains(&change) {
                offered.push(change);
            }
        }
    }
    offered
}
