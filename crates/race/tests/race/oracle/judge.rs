//! Runs a random program through the detector and through the graph.

use super::Races;
use super::graph::{Graph, Pending, Run, Touch};
use super::program::{Action, Actor, GROUPS, Kind, Shape};
use crate::script::{Script, WIN, at, private};
use farside_events::{
    AccessKind, AccessRun, AccessSet, AccessSource, AccumulateOp, Assertions, Call, CommId, Direction,
    EventKind, ObjectId, OperationKind, Outcome, Places, PostId, Rank, RequestId, SendMode, StackId, WinId,
};
use farside_race::{Forgetting, Options};
use std::collections::{BTreeMap, HashMap};

fn address(rank: u32, window: bool, offset: u64) -> u64 {
    if window { at(rank, offset) } else { private(offset) }
}

/// A window and who shares it.
type Shared = (WinId, &'static [u32]);

/// The window, chosen by `win`, that all of `ranks` share.
fn shared_by(windows: &[Shared], ranks: [u32; 2], win: usize) -> Option<WinId> {
    let common: Vec<WinId> = windows
        .iter()
        .filter(|(_, members)| ranks.iter().all(|rank| members.contains(rank)))
        .map(|(id, _)| *id)
        .collect();
    (!common.is_empty()).then(|| common[win % common.len()])
}

/// Runs the program through both; gives (detector, oracle).
pub(crate) fn judge(actions: &[Action], kind: Kind, forgetting: Forgetting) -> (Races, Races) {
    let options = Options {
        forgetting,
        ..Options::default()
    };
    let mut script = Script::without_window_by(3, options);
    let mut windows: Vec<Shared> = Vec::new();
    if kind != Kind::Groups {
        script.window_of_all();
        windows.push((WIN, GROUPS[6]));
    }
    let mut graph = Graph::default();
    let root = graph.node();
    let mut run = Run {
        graph,
        last: vec![root; 6],
        touches: Vec::new(),
        pending: Vec::new(),
    };
    match kind {
        Kind::Fence => {
            script.fence(900, Assertions::default());
            run.meet(0, GROUPS[6], |_, _| true);
        }
        Kind::Passive => script.everyone_locks_all(),
        Kind::Groups => {}
    }
    for rank in 0..3 {
        hand_over(&mut script, &mut run, ObjectId(1), (rank, 0), (rank, 1));
    }
    let mut next = 100;
    let mut told: HashMap<(Actor, AccessKind, u64), Places> = HashMap::new();
    for (order, action) in actions.iter().enumerate() {
        next += 1;
        match action.clone() {
            Action::Access {
                actor,
                store,
                owner_window,
                offset,
                line,
                shape,
            } => {
                let kind = if store {
                    AccessKind::Store
                } else {
                    AccessKind::Load
                };
                let place = address(actor.0, owner_window, offset);
                let (size, places) = shape.places();
                let event = if shape == Shape::Gathered {
                    let told = told.entry((actor, kind, line)).or_default();
                    scattered(kind, place, line, places, told)
                } else {
                    EventKind::Accesses(runs(kind, place, line, shape))
                };
                script.kind(actor.0, actor.1, event);
                let node = run.step(actor);
                run.touches.extend(places.iter().map(|away| Touch {
                    owner: actor.0,
                    bytes: place + away..place + away + size,
                    local: true,
                    write: store,
                    by: actor.0,
                    update: None,
                    line,
                    start: node,
                    completions: vec![node],
                    order,
                }));
            }
            Action::Operation {
                actor,
                kind,
                target,
                offset,
                origin,
                request,
                line,
                win,
            } => {
                let Some(win) = shared_by(&windows, [actor.0, target], win) else {
                    continue;
                };
                let own = address(actor.0, false, origin);
                let mut op = script.op(kind, line, own, target, offset as i64);
                op.win = win;
                let operator = if line < 14 {
                    AccumulateOp::Sum
                } else {
                    AccumulateOp::Max
                };
                op.operator = (kind == OperationKind::Accumulate).then_some(operator);
                op.request = request.then_some(RequestId(next));
                let id = op.request;
                script.kind(actor.0, actor.1, EventKind::Operation(op));
                let node = run.step(actor);
                let touch = |owner, start: u64, write, update| Touch {
                    owner,
                    bytes: start..start + 4,
                    local: false,
                    write,
                    by: actor.0,
                    update,
                    line,
                    start: node,
                    completions: Vec::new(),
                    order,
                };
                let get = kind == OperationKind::Get;
                run.touches.push(touch(actor.0, own, get, None));
                run.touches.push(touch(
                    target,
                    at(target, offset),
                    !get,
                    (kind == OperationKind::Accumulate).then_some((win, operator)),
                ));
                let touches = (run.touches.len() - 2, run.touches.len() - 1);
                run.pending.push(Pending {
                    rank: actor.0,
                    target,
                    win,
                    issue: node,
                    kind,
                    touches,
                    request: id,
                });
            }
            Action::Flush {
                actor,
                target,
                local,
                win,
            } => {
                let Some(win) = shared_by(&windows, [actor.0, target], win) else {
                    continue;
                };
                let call = Call::Flush {
                    win,
                    target: Some(Rank(target)),
                    local,
                    channel: None,
                };
                script.kind(
                    actor.0,
                    actor.1,
                    EventKind::Enter {
                        call,
                        stack: StackId(904),
                    },
                );
                script.kind(actor.0, actor.1, EventKind::Leave(Outcome::Done));
                run.complete(actor, !local, |op| op.target == target && op.win == win);
            }
            Action::WaitRequest { actor } => {
                let oldest = run
                    .pending
                    .iter()
                    .position(|op| op.rank == actor.0 && op.request.is_some());
                if let Some(index) = oldest {
                    let request = run.pending[index].request.take().expect("chosen for it");
                    script.kind(actor.0, actor.1, EventKind::OperationRequestDone { request });
                    let node = run.step(actor);
                    let (origin, target) = run.pending[index].touches;
                    run.touches[origin].completions.push(node);
                    if run.pending[index].kind == OperationKind::Get {
                        run.touches[target].completions.push(node);
                    }
                }
            }
            Action::Message { from, to } if from.0 != to.0 => {
                let tag = next as i32;
                let world = CommId(1);
                let call = Call::Send {
                    comm: world,
                    dest: Some(Rank(to.0)),
                    tag,
                    mode: SendMode::Standard,
                    request: None,
                    name: "MPI_Send".into(),
                };
                script.kind(
                    from.0,
                    from.1,
                    EventKind::Enter {
                        call,
                        stack: StackId(907),
                    },
                );
                script.kind(from.0, from.1, EventKind::Leave(Outcome::Done));
                let call = Call::Receive {
                    post: PostId(next),
                    comm: world,
                    source: None,
                    tag: Some(tag),
                    request: None,
                    name: "MPI_Recv".into(),
                };
                script.kind(
                    to.0,
                    to.1,
                    EventKind::Enter {
                        call,
                        stack: StackId(908),
                    },
                );
                let outcome = Outcome::Received {
                    source: Some(Rank(from.0)),
                    tag,
                };
                script.kind(to.0, to.1, EventKind::Leave(outcome));
                let sent = run.step(from);
                let received = run.step(to);
                run.graph.edge(sent, received);
            }
            Action::Message { .. } => {}
            Action::Threads { from, to } => hand_over(&mut script, &mut run, ObjectId(next), from, to),
            Action::Window { group } => {
                let (id, members) = (WinId(1000 + next), GROUPS[group]);
                script.window_of(id, group as u64, members);
                run.meet(0, members, |_, _| true);
                for &rank in members {
                    hand_over(&mut script, &mut run, ObjectId(next), (rank, 0), (rank, 1));
                }
                windows.push((id, members));
            }
            Action::Barrier { thread } => {
                script.collective_by(thread, |_| Direction::All);
                run.meet(thread, GROUPS[6], |_, _| true);
            }
            Action::Root { root, from } => {
                let direction = if from {
                    Direction::FromRoot(Rank(root))
                } else {
                    Direction::ToRoot(Rank(root))
                };
                script.collective_by(0, |_| direction.clone());
                run.meet(0, GROUPS[6], |a, b| {
                    if from { a == root && b != root } else { b == root }
                });
            }
            Action::Fence => {
                script.fence(900, Assertions::default());
                for rank in 0..3 {
                    run.complete((rank, 0), true, |_| true);
                }
                run.meet(0, GROUPS[6], |_, _| true);
            }
        }
    }
    let found = script.finish();
    let pairs = found
        .iter()
        .filter(|finding| finding.rule.id().ends_with("race") || finding.parties.len() == 2);
    let detected = pairs
        .map(|finding| {
            let lines: Vec<u64> = finding.parties.iter().map(|party| party.site.stack.0).collect();
            (lines[0].min(lines[1]), lines[0].max(lines[1]))
        })
        .collect();
    (detected, run.races())
}

/// The accesses of an instruction, as a process records them.
fn runs(kind: AccessKind, place: u64, line: u64, shape: Shape) -> Vec<AccessRun> {
    let (size, places) = shape.places();
    let one = |away: &u64| AccessRun::single(kind, place + away, size, line, StackId(line));
    match (shape, places) {
        (_, [_]) | (Shape::Apart, _) => places.iter().map(one).collect(),
        (_, [first, second, ..]) => vec![AccessRun {
            inner_count: places.len() as u64,
            inner_stride: (second - first) as i64,
            ..one(first)
        }],
        (_, []) => Vec::new(),
    }
}

/// Bytes here and there, as a process records them: in short, if they are those of last time.
fn scattered(kind: AccessKind, place: u64, line: u64, away: &[u64], told: &mut Places) -> EventKind {
    let mut pages: BTreeMap<u64, [u64; 64]> = BTreeMap::new();
    for byte in away.iter().map(|away| place + away) {
        let bits = pages.entry(byte / 4096).or_insert([0; 64]);
        bits[(byte % 4096 / 64) as usize] |= 1 << (byte % 64);
    }
    let mut places = Places::default();
    pages.iter().for_each(|(page, bits)| places.push(*page, bits));
    let same = *told == places;
    told.clone_from(&places);
    EventKind::Scattered(vec![AccessSet {
        kind,
        source: AccessSource::Instruction,
        pc: line,
        stack: StackId(line),
        unit: 0,
        places: (!same).then_some(places),
    }])
}

/// One thread releases, the other acquires.
fn hand_over(script: &mut Script, run: &mut Run, object: ObjectId, from: Actor, to: Actor) {
    script.kind(from.0, from.1, EventKind::Release { object });
    script.kind(to.0, to.1, EventKind::Acquire { object });
    let (released, acquired) = (run.step(from), run.step(to));
    run.graph.edge(released, acquired);
}
