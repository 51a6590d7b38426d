//! Random programs of one function.

use farside_events::Interface;
use proptest::prelude::*;

/// What a rank does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    Put {
        target: u32,
        offset: u64,
    },
    /// A put that writes each element at once; no program has it but by a suggestion.
    AtomicPut {
        target: u32,
        offset: u64,
    },
    /// A put of a copy that is made right before it; no program has it but by a suggestion.
    CopiedPut {
        target: u32,
        offset: u64,
    },
    Get {
        target: u32,
        offset: u64,
    },
    /// Of the rank's own part of the window.
    Load {
        offset: u64,
    },
    Store {
        offset: u64,
    },
    /// Of the buffer of puts and gets.
    Use {
        store: bool,
    },
    /// To all targets.
    Flush {
        local: bool,
    },
    /// To one target.
    FlushOne {
        target: u32,
        local: bool,
    },
    /// A notification of GASPI, which comes after what was written to the target before.
    Notify {
        target: u32,
        number: u32,
    },
    /// A wait for a notification of the rank, which is set back.
    See {
        number: u32,
    },
    /// A wait for a notification of the rank, which stays.
    Find {
        number: u32,
    },
    /// A word of another rank is set by an atomic operation.
    Set {
        target: u32,
        word: u32,
    },
    /// A wait for that.
    Until {
        word: u32,
    },
    /// A wait until nobody has a lock.
    Lock {
        lock: u32,
    },
    Unlock {
        lock: u32,
    },
    Barrier,
    Send {
        to: u32,
    },
    Receive {
        from: u32,
    },
}

/// A line of the text: who makes the statement, a rank or all.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) rank: Option<u32>,
    pub(crate) statement: Statement,
}

impl Line {
    /// Whether a rank makes it.
    pub(crate) fn is_of(&self, rank: u32) -> bool {
        self.rank.is_none_or(|only| only == rank)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) ranks: u32,
    pub(crate) rounds: u32,
    /// What its calls are of.
    pub(crate) interface: Interface,
    pub(crate) lines: Vec<Line>,
}

impl Program {
    /// Lines have numbers that leave room between them.
    pub(crate) fn new(ranks: u32, rounds: u32, statements: Vec<(Option<u32>, Statement)>) -> Self {
        let line = |(index, (rank, statement)): (usize, (Option<u32>, Statement))| Line {
            number: 100 * (index as u64 + 1),
            rank,
            statement,
        };
        Self {
            ranks,
            rounds,
            interface: Interface::Mpi,
            lines: statements.into_iter().enumerate().map(line).collect(),
        }
    }

    /// For all ranks, next to a line.
    pub(crate) fn insert(&mut self, line: u64, after: bool, statement: Statement) {
        self.put_in(line, after, None, statement);
    }

    /// For one rank, next to a line.
    pub(crate) fn insert_for(&mut self, rank: u32, (line, after): (u64, bool), statement: Statement) {
        self.put_in(line, after, Some(rank), statement);
    }

    /// For those who make that line.
    pub(crate) fn insert_at(&mut self, line: u64, after: bool, statement: Statement) {
        let rank = self
            .lines
            .iter()
            .find(|other| other.number == line)
            .and_then(|line| line.rank);
        self.put_in(line, after, rank, statement);
    }

    /// Puts of a line write each element at once.
    pub(crate) fn make_atomic(&mut self, line: u64) {
        for line in self.lines.iter_mut().filter(|other| other.number == line) {
            if let Statement::Put { target, offset } = line.statement {
                line.statement = Statement::AtomicPut { target, offset };
            }
        }
    }

    /// Puts of a line send a copy.
    pub(crate) fn copy(&mut self, line: u64) {
        for line in self.lines.iter_mut().filter(|other| other.number == line) {
            if let Statement::Put { target, offset } = line.statement {
                line.statement = Statement::CopiedPut { target, offset };
            }
        }
    }

    /// Flushes of a line are of another target.
    pub(crate) fn direct(&mut self, line: u64, to: u32) {
        for line in self.lines.iter_mut().filter(|other| other.number == line) {
            if let Statement::FlushOne { target, .. } = &mut line.statement {
                *target = to;
            }
        }
    }

    /// What a line notifies has another number.
    pub(crate) fn renumber(&mut self, line: u64, to: u32) {
        for line in self.lines.iter_mut().filter(|other| other.number == line) {
            if let Statement::Notify { number, .. } = &mut line.statement {
                *number = to;
            }
        }
    }

    /// The wait of a line is for another notification.
    pub(crate) fn wait_for(&mut self, line: u64, number: u32) {
        for line in self.lines.iter_mut().filter(|other| other.number == line) {
            if let Statement::See { number: given } = &mut line.statement {
                *given = number;
            }
        }
    }

    /// The wait of a line sets back what it finds.
    pub(crate) fn set_back(&mut self, line: u64) {
        for line in self.lines.iter_mut().filter(|other| other.number == line) {
            if let Statement::Find { number } = line.statement {
                line.statement = Statement::See { number };
            }
        }
    }

    /// A line goes next to another one: with its own makers, or with those of that line.
    pub(crate) fn shift(&mut self, line: u64, (to, after): (u64, bool), own: bool) {
        if let Some(index) = self.lines.iter().position(|other| other.number == line) {
            let moved = self.lines.remove(index);
            match own {
                true => self.put_in(to, after, moved.rank, moved.statement),
                false => self.insert_at(to, after, moved.statement),
            }
        }
    }

    fn put_in(&mut self, line: u64, after: bool, rank: Option<u32>, statement: Statement) {
        let Some(index) = self.lines.iter().position(|other| other.number == line) else {
            return;
        };
        // What was added after it before comes first.
        let added = self.lines[index + 1..]
            .iter()
            .take_while(|other| other.number % 100 != 0);
        let (index, number) = match after {
            true => (index + 1 + added.count(), line),
            false => (index, line - 100),
        };
        let taken = |number: u64| self.lines.iter().any(|line| line.number == number);
        let number = (number + 1..).find(|number| !taken(*number)).unwrap_or(number);
        let line = Line {
            number,
            rank,
            statement,
        };
        self.lines.insert(index, line);
    }
}

pub(crate) fn program() -> impl Strategy<Value = Program> {
    let ranks = 3_u32;
    let offset = prop::sample::select(vec![0_u64, 4]);
    let one = prop_oneof![
        3 => (0..ranks, offset.clone()).prop_map(|(target, offset)| Statement::Put { target, offset }),
        2 => (0..ranks, offset.clone()).prop_map(|(target, offset)| Statement::Get { target, offset }),
        3 => offset.clone().prop_map(|offset| Statement::Load { offset }),
        2 => offset.prop_map(|offset| Statement::Store { offset }),
        2 => any::<bool>().prop_map(|store| Statement::Use { store }),
        2 => any::<bool>().prop_map(|local| Statement::Flush { local }),
        2 => (0..ranks, any::<bool>()).prop_map(|(target, local)| Statement::FlushOne { target, local }),
    ];
    let who = prop_oneof![1 => Just(None), 2 => (0..ranks).prop_map(Some)];
    let own = (who, one).prop_map(|line| vec![line]);
    let message = (0..ranks, 1..ranks).prop_map(move |(from, on)| {
        let to = (from + on) % ranks;
        vec![
            (Some(from), Statement::Send { to }),
            (Some(to), Statement::Receive { from }),
        ]
    });
    let parts = prop_oneof![6 => own, 1 => message, 1 => Just(vec![(None, Statement::Barrier)])];
    (prop::collection::vec(parts, 2..9), 1..3_u32)
        .prop_map(move |(parts, rounds)| Program::new(ranks, rounds, parts.into_iter().flatten().collect()))
}

/// Programs of GASPI in which many a notification is awaited by nobody.
pub(crate) fn notifying() -> impl Strategy<Value = Program> {
    let ranks = 3_u32;
    let offset = prop::sample::select(vec![0_u64, 4]);
    let one = prop_oneof![
        3 => (0..ranks, offset.clone()).prop_map(|(target, offset)| Statement::Put { target, offset }),
        4 => offset.clone().prop_map(|offset| Statement::Load { offset }),
        1 => offset.clone().prop_map(|offset| Statement::Store { offset }),
        1 => Just(Statement::Flush { local: true }),
    ];
    let own = (0..ranks, one).prop_map(|(rank, statement)| vec![(Some(rank), statement)]);
    let note = (0..ranks, 0..ranks, any::<bool>()).prop_map(|(from, target, is_seen)| {
        let number = 0;
        let seen = (Some(target), Statement::See { number });
        let posted = (Some(from), Statement::Notify { target, number });
        std::iter::once(posted).chain(is_seen.then_some(seen)).collect()
    });
    let told = (0..ranks, 1..ranks, offset, any::<bool>());
    let told = told.prop_map(move |(from, on, offset, by_third)| {
        let (target, third) = ((from + on) % ranks, (from + 3 - on) % ranks);
        let put = (Some(from), Statement::Put { target, offset });
        match by_third {
            true => vec![
                put,
                (None, Statement::Barrier),
                (Some(third), Statement::Get { target, offset }),
            ],
            false => vec![
                put,
                (Some(from), Statement::Notify { target, number: 0 }),
                (Some(target), Statement::Load { offset }),
            ],
        }
    });
    // What is awaited brings nothing, or something else than what is read.
    let early = (0..ranks, 1..ranks, any::<bool>()).prop_map(move |(from, on, is_full)| {
        let target = (from + on) % ranks;
        let posted = |number| (Some(from), Statement::Notify { target, number });
        let put = |offset| (Some(from), Statement::Put { target, offset });
        let seen = (Some(target), Statement::See { number: 0 });
        let load = (Some(target), Statement::Load { offset: 0 });
        let first = is_full.then(|| put(4));
        first
            .into_iter()
            .chain([posted(0), put(0), posted(1), seen, load])
            .collect()
    });
    let parts = prop_oneof![
        4 => own,
        2 => note,
        2 => told,
        2 => early,
        1 => Just(vec![(None, Statement::Barrier)])
    ];
    // A number that is posted once is seen alike in every schedule.
    let numbered = |(index, mut part): (usize, Vec<(Option<u32>, Statement)>)| {
        for (_, statement) in &mut part {
            if let Statement::Notify { number, .. } | Statement::See { number } = statement {
                *number += 2 * index as u32;
            }
        }
        part
    };
    // At the end nothing is open, of which one for each rank would be told.
    let end = vec![(None, Statement::Flush { local: true })];
    prop::collection::vec(parts, 2..8).prop_map(move |parts| {
        let lines = parts
            .into_iter()
            .enumerate()
            .flat_map(numbered)
            .chain(end.clone());
        Program {
            interface: Interface::Gaspi,
            ..Program::new(ranks, 1, lines.collect())
        }
    })
}

/// Programs of OpenSHMEM in which words tell of data, some of them too early.
pub(crate) fn setting() -> impl Strategy<Value = Program> {
    let ranks = 3_u32;
    let offset = prop::sample::select(vec![0_u64, 4]);
    let one = prop_oneof![
        3 => (0..ranks, offset.clone()).prop_map(|(target, offset)| Statement::Put { target, offset }),
        3 => offset.clone().prop_map(|offset| Statement::Load { offset }),
        1 => offset.clone().prop_map(|offset| Statement::Store { offset }),
        1 => Just(Statement::Flush { local: false }),
    ];
    let own = (0..ranks, one).prop_map(|(rank, statement)| vec![(Some(rank), statement)]);
    let told = (0..ranks, 1..ranks, offset, 0..4_usize, any::<bool>());
    let told = told.prop_map(move |(from, on, offset, place, is_late)| {
        let target = (from + on) % ranks;
        let mut part = vec![
            (Some(from), Statement::Put { target, offset }),
            (Some(from), Statement::Flush { local: false }),
            (Some(target), Statement::Load { offset }),
        ];
        part.insert(place.min(2), (Some(from), Statement::Set { target, word: 0 }));
        part.insert(
            3 + usize::from(is_late),
            (Some(target), Statement::Until { word: 0 }),
        );
        part
    });
    let parts = prop_oneof![3 => own, 3 => told, 1 => Just(vec![(None, Statement::Barrier)])];
    // A word that is set once is seen alike in every schedule.
    let numbered = |(index, mut part): (usize, Vec<(Option<u32>, Statement)>)| {
        for (_, statement) in &mut part {
            if let Statement::Set { word, .. } | Statement::Until { word } = statement {
                *word = index as u32;
            }
        }
        part
    };
    prop::collection::vec(parts, 1..6).prop_map(move |parts| {
        let lines = parts.into_iter().enumerate().flat_map(numbered);
        Program {
            interface: Interface::Shmem,
            ..Program::new(ranks, 1, lines.collect())
        }
    })
}

/// Programs in which ranks take locks, some of them while they wait for others.
pub(crate) fn locking() -> impl Strategy<Value = Program> {
    let ranks = 3_u32;
    let offset = prop::sample::select(vec![0_u64, 4]);
    let one = prop_oneof![
        3 => (0..ranks, offset.clone()).prop_map(|(target, offset)| Statement::Put { target, offset }),
        1 => (0..ranks, offset.clone()).prop_map(|(target, offset)| Statement::Get { target, offset }),
        3 => offset.clone().prop_map(|offset| Statement::Load { offset }),
        1 => offset.prop_map(|offset| Statement::Store { offset }),
        1 => any::<bool>().prop_map(|local| Statement::Flush { local }),
    ];
    let who = prop_oneof![1 => Just(None), 2 => (0..ranks).prop_map(Some)];
    let own = (who.clone(), one.clone()).prop_map(|line| vec![line]);
    let locked = (who, 0..2_u32, prop::collection::vec(one, 0..3));
    let locked = locked.prop_map(|(who, lock, statements)| {
        let lines = std::iter::once(Statement::Lock { lock })
            .chain(statements)
            .chain([Statement::Unlock { lock }]);
        lines.map(|statement| (who, statement)).collect()
    });
    let message = (0..ranks, 1..ranks).prop_map(move |(from, on)| {
        let to = (from + on) % ranks;
        vec![
            (Some(from), Statement::Send { to }),
            (Some(to), Statement::Receive { from }),
        ]
    });
    let parts = prop_oneof![
        3 => own,
        4 => locked,
        1 => message,
        1 => Just(vec![(None, Statement::Barrier)])
    ];
    let interface = prop::sample::select(vec![Interface::Mpi, Interface::Shmem, Interface::Gaspi]);
    let parts = prop::collection::vec(parts, 2..7);
    (parts, 1..3_u32, interface).prop_map(move |(parts, rounds, interface)| Program {
        interface,
        ..Program::new(ranks, rounds, parts.into_iter().flatten().collect())
    })
}
