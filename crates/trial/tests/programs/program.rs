//! Random programs of one function.

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

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) ranks: u32,
    pub(crate) rounds: u32,
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
            lines: statements.into_iter().enumerate().map(line).collect(),
        }
    }

    /// For all ranks, next to a line.
    pub(crate) fn insert(&mut self, line: u64, after: bool, statement: Statement) {
        self.put_in(line, after, None, statement);
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
        3 => any::<bool>().prop_map(|local| Statement::Flush { local }),
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
