//! Random programs: what actors, two threads of each of three ranks, do one after the other.

use farside_events::OperationKind;
use proptest::prelude::*;

/// Rank and thread.
pub(crate) type Actor = (u32, u32);

/// How windows are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One window of all, with fences.
    Fence,
    /// One window of all, locked by all.
    Passive,
    /// Windows of some processes, made on the way, locked by all of them.
    Groups,
}

/// Who can share a window.
pub(crate) const GROUPS: [&[u32]; 7] = [&[0], &[1], &[2], &[0, 1], &[1, 2], &[0, 2], &[0, 1, 2]];

/// What an instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// An int.
    One,
    /// Two ints, in a loop.
    Wide,
    /// Bytes with gaps between them, in a loop.
    Strided,
    /// The same bytes and others far away, one by one.
    Apart,
    /// As a set without a pattern.
    Gathered,
}

impl Shape {
    /// Size of an access, and where each lies from the first one on.
    pub(crate) fn places(self) -> (u64, &'static [u64]) {
        match self {
            Self::One => (4, &[0]),
            Self::Wide => (4, &[0, 4]),
            Self::Strided => (1, &[0, 2, 4, 6, 8, 10]),
            Self::Apart | Self::Gathered => (1, &[8, 0, 2, 400, 4, 6, 402, 404, 10, 406, 408]),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    Access {
        actor: Actor,
        store: bool,
        owner_window: bool,
        offset: u64,
        line: u64,
        shape: Shape,
    },
    Operation {
        actor: Actor,
        kind: OperationKind,
        target: u32,
        offset: u64,
        origin: u64,
        request: bool,
        line: u64,
        /// Chooses among the windows that both belong to.
        win: usize,
    },
    Flush {
        actor: Actor,
        target: u32,
        local: bool,
        win: usize,
    },
    /// One more window over the same memory, for some of the processes.
    Window {
        group: usize,
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

pub(crate) fn action(kind: Kind) -> BoxedStrategy<Action> {
    let offset = prop::sample::select(vec![0u64, 2, 4, 8]);
    let access = (
        actor(),
        any::<bool>(),
        any::<bool>(),
        offset.clone(),
        1u64..6,
        prop::sample::select(vec![
            Shape::One,
            Shape::Wide,
            Shape::Strided,
            Shape::Apart,
            Shape::Gathered,
        ]),
    )
        .prop_map(
            |(actor, store, owner_window, offset, line, shape)| Action::Access {
                actor,
                store,
                owner_window,
                offset,
                line,
                shape,
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
        0usize..6,
    )
        .prop_map(
            move |(actor, operation, target, offset, origin, request, line, win)| Action::Operation {
                actor,
                kind: operation,
                target,
                offset,
                origin,
                request: request && kind != Kind::Fence,
                line,
                win,
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
    let completion = if kind == Kind::Fence {
        Just(Action::Fence).boxed()
    } else {
        prop_oneof![
            (actor(), 0u32..3, any::<bool>(), 0usize..6).prop_map(|(actor, target, local, win)| {
                Action::Flush {
                    actor,
                    target,
                    local,
                    win,
                }
            }),
            actor().prop_map(|actor| Action::WaitRequest { actor }),
        ]
        .boxed()
    };
    let windows = (0..GROUPS.len()).prop_map(|group| Action::Window { group });
    let often = u32::from(kind == Kind::Groups);
    prop_oneof![
        4 => access,
        4 => operation,
        3 => message,
        2 => threads,
        1 => barrier,
        1 => root,
        3 => completion,
        often => windows,
    ]
    .boxed()
}
