//! The detector against an independent oracle: random programs of 2 to 3 ranks with two threads each.
//!
//! The oracle knows nothing of clocks, interval maps or pruning. It writes down the graph of the run: a node for every
//! action and every completion, an edge for every order that the standard gives, and asks for paths. Two conflicting
//! accesses race unless a path leads from the completion of the first to the start of the second (Hoefler et al. 2014,
//! §3.3.2). It compares every pair, byte by byte.

mod script;

use farside_events::{
    AccessKind, AccumulateOp, Assertions, Call, Direction, EventKind, ObjectId, OperationKind, Rank,
    RequestId,
};
use proptest::prelude::*;
use script::{Script, WIN, at, private};
use std::collections::BTreeSet;

/// Pairs of lines.
type Races = BTreeSet<(u64, u64)>;

/// Rank and thread.
type Actor = (u32, u32);

#[derive(Clone, Debug)]
enum Action {
    Access {
        actor: Actor,
        store: bool,
        owner_window: bool,
        offset: u64,
        line: u64,
        /// Two ints by one instruction in a loop.
        wide: bool,
    },
    Operation {
        actor: Actor,
        kind: OperationKind,
        target: u32,
        offset: u64,
        origin: u64,
        request: bool,
        line: u64,
    },
    Flush {
        actor: Actor,
        target: u32,
        local: bool,
    },
    /// Waits for the oldest pending request of its process.
    WaitRequest {
        actor: Actor,
    },
    Message {
        from: Actor,
        to: Actor,
    },
    Threads {
        from: Actor,
        to: Actor,
    },
    Barrier {
        thread: u32,
    },
    Root {
        root: u32,
        from: bool,
    },
    Fence,
}

fn actor() -> impl Strategy<Value = Actor> {
    (0u32..3, 0u32..2)
}

fn action(active: bool) -> BoxedStrategy<Action> {
    let offset = prop::sample::select(vec![0u64, 2, 4, 8]);
    let access = (
        actor(),
        any::<bool>(),
        any::<bool>(),
        offset.clone(),
        1u64..6,
        any::<bool>(),
    )
        .prop_map(
            |(actor, store, owner_window, offset, line, wide)| Action::Access {
                actor,
                store,
                owner_window,
                offset,
                line,
                wide,
            },
        );
    let kinds = prop::sample::select(vec![
        OperationKind::Put,
        OperationKind::Get,
        OperationKind::Accumulate,
    ]);
    let operation = (
        actor(),
        kinds,
        0u32..3,
        offset.clone(),
        offset,
        any::<bool>(),
        10u64..16,
    )
        .prop_map(
            move |(actor, kind, target, offset, origin, request, line)| Action::Operation {
                actor,
                kind,
                target,
                offset,
                origin,
                request: request && !active,
                line,
            },
        );
    let message = (actor(), actor()).prop_map(|(from, to)| Action::Message { from, to });
    let threads = (0u32..3, any::<bool>()).prop_map(|(rank, up)| {
        let (a, b) = if up { (0, 1) } else { (1, 0) };
        Action::Threads {
            from: (rank, a),
            to: (rank, b),
        }
    });
    let barrier = (0u32..2).prop_map(|thread| Action::Barrier { thread });
    let root = (0u32..3, any::<bool>()).prop_map(|(root, from)| Action::Root { root, from });
    let completion = if active {
        Just(Action::Fence).boxed()
    } else {
        prop_oneof![
            (actor(), 0u32..3, any::<bool>()).prop_map(|(actor, target, local)| Action::Flush {
                actor,
                target,
                local
            }),
            actor().prop_map(|actor| Action::WaitRequest { actor }),
        ]
        .boxed()
    };
    prop_oneof![4 => access, 4 => operation, 3 => message, 2 => threads, 1 => barrier, 1 => root, 3 => completion].boxed()
}

/// One access to bytes, for the oracle.
struct Touch {
    owner: u32,
    bytes: std::ops::Range<u64>,
    local: bool,
    write: bool,
    update: bool,
    line: u64,
    start: usize,
    completion: Option<usize>,
    order: usize,
}

#[derive(Default)]
struct Graph {
    before: Vec<Vec<usize>>,
}

impl Graph {
    fn node(&mut self) -> usize {
        self.before.push(Vec::new());
        self.before.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.before[to].push(from);
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.before.len()];
        let mut open = vec![to];
        while let Some(node) = open.pop() {
            if node == from {
                return true;
            }
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(&self.before[node]);
            }
        }
        false
    }
}

struct Pending {
    rank: u32,
    target: u32,
    issue: usize,
    kind: OperationKind,
    /// Touches at origin and target.
    touches: (usize, usize),
    request: Option<RequestId>,
}

struct Run {
    graph: Graph,
    last: Vec<usize>,
    touches: Vec<Touch>,
    pending: Vec<Pending>,
}

impl Run {
    fn index((rank, thread): Actor) -> usize {
        (rank * 2 + thread) as usize
    }

    /// The next node of an actor's program order.
    fn step(&mut self, actor: Actor) -> usize {
        let node = self.graph.node();
        let previous = std::mem::replace(&mut self.last[Self::index(actor)], node);
        self.graph.edge(previous, node);
        node
    }

    fn complete(&mut self, actor: Actor, remotely: bool, wanted: impl Fn(&Pending) -> bool) {
        let node = self.step(actor);
        for index in 0..self.pending.len() {
            let op = &self.pending[index];
            if op.rank == actor.0 && wanted(op) && self.graph.reaches(op.issue, node) {
                let (origin, target) = op.touches;
                let done_at_target = remotely || op.kind == OperationKind::Get;
                self.touches[origin].completion.get_or_insert(node);
                if done_at_target {
                    self.touches[target].completion.get_or_insert(node);
                }
            }
        }
    }

    /// All enter, then all leave, by actors of one thread number.
    fn meet(&mut self, thread: u32, ordered: impl Fn(u32, u32) -> bool) {
        let entries: Vec<usize> = (0..3).map(|rank| self.step((rank, thread))).collect();
        for to in 0..3 {
            let exit = self.step((to, thread));
            for from in (0..3).filter(|from| ordered(*from, to)) {
                self.graph.edge(entries[from as usize], exit);
            }
        }
    }

    fn races(&self) -> BTreeSet<(u64, u64)> {
        let mut races = BTreeSet::new();
        for b in &self.touches {
            for a in self
                .touches
                .iter()
                .filter(|a| a.order < b.order || (a.order == b.order && !std::ptr::eq(*a, b)))
            {
                let overlap =
                    a.owner == b.owner && a.bytes.start < b.bytes.end && b.bytes.start < a.bytes.end;
                let both_local = a.local && b.local;
                let agree = a.update && b.update && a.bytes.start % 4 == b.bytes.start % 4;
                if !overlap || !(a.write || b.write) || both_local || agree {
                    continue;
                }
                if a.order == b.order && std::ptr::from_ref(a) > std::ptr::from_ref(b) {
                    continue;
                }
                let ordered = a.completion.is_some_and(|done| self.graph.reaches(done, b.start));
                if !ordered {
                    races.insert((a.line.min(b.line), a.line.max(b.line)));
                }
            }
        }
        races
    }
}

fn address(rank: u32, window: bool, offset: u64) -> u64 {
    if window { at(rank, offset) } else { private(offset) }
}

/// Runs the program through both; gives (detector, oracle).
fn judge(actions: &[Action], active: bool) -> (Races, Races) {
    let mut script = Script::new(3);
    let mut graph = Graph::default();
    let root = graph.node();
    let mut run = Run {
        graph,
        last: vec![root; 6],
        touches: Vec::new(),
        pending: Vec::new(),
    };
    if active {
        script.fence(900, Assertions::default());
        run.meet(0, |_, _| true);
    } else {
        script.everyone_locks_all();
    }
    for rank in 0..3 {
        script.kind(rank, 0, EventKind::Release { object: ObjectId(1) });
        script.kind(rank, 1, EventKind::Acquire { object: ObjectId(1) });
        let (from, to) = (run.step((rank, 0)), run.step((rank, 1)));
        run.graph.edge(from, to);
    }
    let mut next = 100;
    for (order, action) in actions.iter().enumerate() {
        next += 1;
        match action.clone() {
            Action::Access {
                actor,
                store,
                owner_window,
                offset,
                line,
                wide,
            } => {
                let kind = if store {
                    AccessKind::Store
                } else {
                    AccessKind::Load
                };
                let place = address(actor.0, owner_window, offset);
                let mut accesses =
                    farside_events::AccessRun::single(kind, place, 4, line, farside_events::StackId(line));
                if wide {
                    (accesses.inner_count, accesses.inner_stride) = (2, 4);
                }
                let length = if wide { 8 } else { 4 };
                script.kind(actor.0, actor.1, EventKind::Accesses(vec![accesses]));
                let node = run.step(actor);
                run.touches.push(Touch {
                    owner: actor.0,
                    bytes: place..place + length,
                    local: true,
                    write: store,
                    update: false,
                    line,
                    start: node,
                    completion: Some(node),
                    order,
                });
            }
            Action::Operation {
                actor,
                kind,
                target,
                offset,
                origin,
                request,
                line,
            } => {
                let own = address(actor.0, false, origin);
                let mut op = script.op(kind, line, own, target, offset as i64);
                op.operator = (kind == OperationKind::Accumulate).then_some(AccumulateOp::Sum);
                op.request = request.then_some(RequestId(next));
                let id = op.request;
                script.kind(actor.0, actor.1, EventKind::Operation(op));
                let node = run.step(actor);
                let touch = |owner, start: u64, write, update| Touch {
                    owner,
                    bytes: start..start + 4,
                    local: false,
                    write,
                    update,
                    line,
                    start: node,
                    completion: None,
                    order,
                };
                let get = kind == OperationKind::Get;
                run.touches.push(touch(actor.0, own, get, false));
                run.touches.push(touch(
                    target,
                    at(target, offset),
                    !get,
                    kind == OperationKind::Accumulate,
                ));
                let touches = (run.touches.len() - 2, run.touches.len() - 1);
                run.pending.push(Pending {
                    rank: actor.0,
                    target,
                    issue: node,
                    kind,
                    touches,
                    request: id,
                });
            }
            Action::Flush { actor, target, local } => {
                let call = Call::Flush {
                    win: WIN,
                    target: Some(Rank(target)),
                    local,
                };
                script.kind(
                    actor.0,
                    actor.1,
                    EventKind::Enter {
                        call,
                        stack: farside_events::StackId(904),
                    },
                );
                script.kind(actor.0, actor.1, EventKind::Leave(farside_events::Outcome::Done));
                run.complete(actor, !local, |op| op.target == target);
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
                    run.touches[origin].completion.get_or_insert(node);
                    if run.pending[index].kind == OperationKind::Get {
                        run.touches[target].completion.get_or_insert(node);
                    }
                }
            }
            Action::Message { from, to } if from.0 != to.0 => {
                let tag = next as i32;
                let world = farside_events::CommId(1);
                let call = Call::Send {
                    comm: world,
                    dest: Some(Rank(to.0)),
                    tag,
                    mode: farside_events::SendMode::Standard,
                    request: None,
                    name: "MPI_Send".into(),
                };
                script.kind(
                    from.0,
                    from.1,
                    EventKind::Enter {
                        call,
                        stack: farside_events::StackId(907),
                    },
                );
                script.kind(from.0, from.1, EventKind::Leave(farside_events::Outcome::Done));
                let call = Call::Receive {
                    post: farside_events::PostId(next),
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
                        stack: farside_events::StackId(908),
                    },
                );
                let outcome = farside_events::Outcome::Received {
                    source: Some(Rank(from.0)),
                    tag,
                };
                script.kind(to.0, to.1, EventKind::Leave(outcome));
                let sent = run.step(from);
                let received = run.step(to);
                run.graph.edge(sent, received);
            }
            Action::Message { .. } => {}
            Action::Threads { from, to } => {
                let object = ObjectId(next);
                script.kind(from.0, from.1, EventKind::Release { object });
                script.kind(to.0, to.1, EventKind::Acquire { object });
                let (released, acquired) = (run.step(from), run.step(to));
                run.graph.edge(released, acquired);
            }
            Action::Barrier { thread } => {
                collective(&mut script, thread, |_| Direction::All);
                run.meet(thread, |_, _| true);
            }
            Action::Root { root, from } => {
                let direction = if from {
                    Direction::FromRoot(Rank(root))
                } else {
                    Direction::ToRoot(Rank(root))
                };
                collective(&mut script, 0, |_| direction.clone());
                run.meet(0, |a, b| if from { a == root && b != root } else { b == root });
            }
            Action::Fence => {
                script.fence(900, Assertions::default());
                for rank in 0..3 {
                    run.complete((rank, 0), true, |_| true);
                }
                run.meet(0, |_, _| true);
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

fn collective(script: &mut Script, thread: u32, direction: impl Fn(u32) -> Direction) {
    script.collective_by(thread, direction);
}

/// As many as `PROPTEST_CASES` says, else enough for every day.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(1500)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn passive_target_programs(actions in prop::collection::vec(action(false), 1..30)) {
        let (detected, expected) = judge(&actions, false);
        prop_assert_eq!(detected, expected);
    }

    #[test]
    fn fence_programs(actions in prop::collection::vec(action(true), 1..30)) {
        let (detected, expected) = judge(&actions, true);
        prop_assert_eq!(detected, expected);
    }
}

/// Found by the random programs: the second operation was taken for the first, which has a request of its own.
#[test]
fn an_operation_without_a_request_is_not_taken_for_one_with() {
    let operation = |request, kind, thread, offset, line| Action::Operation {
        actor: (2, thread),
        kind,
        target: 0,
        offset,
        origin: 0,
        request,
        line,
    };
    let actions = [
        operation(true, OperationKind::Accumulate, 1, 0, 12),
        operation(false, OperationKind::Accumulate, 1, 0, 12),
        Action::WaitRequest { actor: (2, 0) },
        Action::Access {
            actor: (0, 0),
            store: false,
            owner_window: false,
            offset: 0,
            line: 1,
            wide: false,
        },
        operation(false, OperationKind::Get, 0, 4, 10),
    ];
    let (detected, expected) = judge(&actions, false);
    assert_eq!(detected, expected);
}
