//! Where the ranks of a program are, and what each may do next.

use crate::program::{Line, Program, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// What a run comes to, its events aside.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    at: Vec<At>,
    /// Messages on their way, by sender and receiver.
    sent: Vec<(u32, u32)>,
    /// Notifications that are posted and not taken, by target and number.
    flags: BTreeSet<(u32, u32)>,
    /// Words that are set.
    words: BTreeSet<(u32, u32)>,
    /// Who has which lock.
    held: BTreeMap<u32, u32>,
}

/// Where a rank is.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    round: u32,
    line: usize,
    /// It is in a barrier, its first one being 0.
    waits: Option<u64>,
    barriers: u64,
}

/// What a rank has done.
#[derive(Default)]
pub(crate) struct Step {
    /// It has left a barrier.
    pub(crate) left: bool,
    /// It has made this statement, or entered that barrier.
    pub(crate) made: Option<Line>,
    /// It has come to its end.
    pub(crate) ends: bool,
}

impl State {
    /// The beginning.
    pub(crate) fn new(program: &Program) -> Self {
        Self {
            at: vec![At::default(); program.ranks as usize],
            sent: Vec::new(),
            flags: BTreeSet::new(),
            words: BTreeSet::new(),
            held: BTreeMap::new(),
        }
    }

    /// Barriers that a rank has entered.
    pub(crate) fn barriers(&self, rank: u32) -> u64 {
        self.at[rank as usize].barriers
    }

    /// Whether all ranks have come to their ends.
    pub(crate) fn is_over(&self, program: &Program) -> bool {
        self.at.iter().all(|at| at.round == program.rounds)
    }

    pub(crate) fn can_go_on(&self, program: &Program, rank: u32) -> bool {
        let at = &self.at[rank as usize];
        if let Some(number) = at.waits {
            return self.at.iter().all(|other| other.barriers > number);
        }
        match self.line(program, rank) {
            None => false,
            Some(line) => match line.statement {
                Statement::Receive { from } if line.is_of(rank) => self.sent.contains(&(from, rank)),
                Statement::See { number } | Statement::Find { number } if line.is_of(rank) => {
                    self.flags.contains(&(rank, number))
                }
                Statement::Until { word } if line.is_of(rank) => self.words.contains(&(rank, word)),
                Statement::Lock { lock } if line.is_of(rank) => !self.held.contains_key(&lock),
                _ => true,
            },
        }
    }

    /// A rank goes on that can.
    pub(crate) fn step(&mut self, program: &Program, rank: u32) -> Step {
        let left = self.at[rank as usize].waits.take().is_some();
        let made = self
            .line(program, rank)
            .filter(|line| !left && line.is_of(rank))
            .cloned();
        if let Some(line) = &made {
            self.make(rank, &line.statement);
        }
        let ends = self.at[rank as usize].waits.is_none() && self.go_on(program, rank);
        Step { left, made, ends }
    }

    /// Whether a program comes to its end whoever takes a lock first. That is all that its ranks compete for, so
    /// whoever can do something else does that first.
    pub(crate) fn always_ends(program: &Program) -> bool {
        let mut open = vec![Self::new(program)];
        let mut known = BTreeSet::new();
        while let Some(mut state) = open.pop() {
            let competes = |state: &Self, rank: u32| {
                let line = state.line(program, rank).filter(|line| line.is_of(rank));
                state.at[rank as usize].waits.is_none()
                    && line.is_some_and(|line| matches!(line.statement, Statement::Lock { .. }))
            };
            let can = |state: &Self, rank: &u32| state.can_go_on(program, *rank);
            let ranks = || 0..program.ranks;
            while let Some(rank) = ranks().find(|rank| can(&state, rank) && !competes(&state, *rank)) {
                state.step(program, rank);
            }
            if !known.insert(state.clone()) {
                continue;
            }
            let mut next = ranks().filter(|rank| can(&state, rank)).peekable();
            if next.peek().is_none() && !state.is_over(program) {
                return false;
            }
            open.extend(next.map(|rank| {
                let mut state = state.clone();
                state.step(program, rank);
                state
            }));
        }
        true
    }

    fn line<'p>(&self, program: &'p Program, rank: u32) -> Option<&'p Line> {
        let at = &self.at[rank as usize];
        program.lines.get(at.line).filter(|_| at.round < program.rounds)
    }

    fn make(&mut self, rank: u32, statement: &Statement) {
        match *statement {
            Statement::Notify { target, number } => {
                self.flags.insert((target, number));
            }
            Statement::See { number } => {
                self.flags.remove(&(rank, number));
            }
            Statement::Set { target, word } => {
                self.words.insert((target, word));
            }
            Statement::Lock { lock } => {
                self.held.insert(lock, rank);
            }
            Statement::Unlock { lock } if self.held.get(&lock) == Some(&rank) => {
                self.held.remove(&lock);
            }
            Statement::Barrier => {
                let at = &mut self.at[rank as usize];
                at.waits = Some(at.barriers);
                at.barriers += 1;
            }
            Statement::Send { to } => self.sent.push((rank, to)),
            Statement::Receive { from } => {
                let known = self.sent.iter().position(|message| *message == (from, rank));
                self.sent.remove(known.expect("it was sent"));
            }
            _ => {}
        }
    }

    /// A rank comes to its next line; whether there is none.
    fn go_on(&mut self, program: &Program, rank: u32) -> bool {
        let at = &mut self.at[rank as usize];
        at.line += 1;
        if at.line == program.lines.len() {
            (at.line, at.round) = (0, at.round + 1);
        }
        at.round == program.rounds
    }
}
