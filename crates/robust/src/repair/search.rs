//! Sets of changes in order of their cost.

use super::survival::Course;
use super::{Costs, MOST_CHANGES, MOST_SEQUENTIAL, MOST_SETS, Repair, Tried, changed, decided};
use crate::{Options, Verdict, sequential};
use farside_pgas::ast;
use farside_pgas::calculus::{Origin, Program};
use farside_pgas::change::{Change, INSERTED, Kind, offers};
use farside_pgas::lower::Settings;
use std::collections::{BTreeSet, HashSet};

/// A set: cost, size, and the changes by number.
type Set = (u32, usize, Vec<usize>);

/// What a violation says of sets: one that contains `within` needs one of `breakers`.
struct Clause {
    within: Vec<usize>,
    breakers: Vec<usize>,
}

pub(super) fn search(
    program: &ast::Program,
    settings: Settings,
    costs: &Costs,
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Repair {
    let Some(plain) = changed(program, settings, &[]) else {
        return Repair::Impossible(Tried::default());
    };
    let mut search = Search {
        program,
        settings,
        offered: offers(program, settings.api)
            .into_iter()
            .filter(|change| costs.has(change))
            .collect(),
        plain,
        clauses: Vec::new(),
        ends: None,
        decided: 0,
    };
    let mut gave_up = false;
    let mut open: BTreeSet<Set> = BTreeSet::from([(0, 0, Vec::new())]);
    let mut seen: HashSet<Vec<usize>> = HashSet::new();
    while let Some((cost, size, set)) = open.pop_first() {
        if stop() || seen.len() > MOST_SETS {
            return Repair::GaveUp;
        }
        let missed = match search.missed(&set) {
            Some(clause) => clause,
            None => match search.decide(&set, options, stop) {
                Decided::Robust => {
                    let changes = search.changes(&set);
                    return Repair::Found {
                        changes,
                        cost,
                        needless: Vec::new(),
                    };
                }
                Decided::Violation(clause) => clause,
                Decided::Broken => continue,
                Decided::Unknown => {
                    gave_up = true;
                    continue;
                }
            },
        };
        if size == MOST_CHANGES {
            continue;
        }
        for next in search.clauses[missed].breakers.clone() {
            let mut larger = set.clone();
            let at = larger.partition_point(|&known| known < next);
            larger.insert(at, next);
            if seen.insert(larger.clone()) {
                open.insert((
                    cost.saturating_add(costs.of(&search.offered[next])),
                    size + 1,
                    larger,
                ));
            }
        }
    }
    if gave_up {
        Repair::GaveUp
    } else {
        Repair::Impossible(search.tried(options, stop))
    }
}

struct Search<'p> {
    program: &'p ast::Program,
    settings: Settings,
    offered: Vec<Change>,
    plain: Program,
    clauses: Vec<Clause>,
    /// How the program ends under sequential consistency, if that was asked for.
    ends: Option<Option<sequential::Ends>>,
    /// Sets that were decided.
    decided: usize,
}

enum Decided {
    Robust,
    /// By the number of its clause.
    Violation(usize),
    /// With these changes it is no program, or gets stuck.
    Broken,
    Unknown,
}

impl Search<'_> {
    fn changes(&self, set: &[usize]) -> Vec<Change> {
        set.iter().map(|&index| self.offered[index].clone()).collect()
    }

    /// What was tried without success.
    fn tried(&self, options: &Options, stop: &mut dyn FnMut() -> bool) -> Tried {
        let of = |kind: Kind| {
            self.offered
                .iter()
                .filter(|change| change.kind() == Some(kind))
                .count()
        };
        let inserted = |change: &&Change| {
            matches!(
                change,
                Change::Insert {
                    kind: Kind::Wait | Kind::Fence,
                    ..
                }
            )
        };
        let all: Vec<Change> = self.offered.iter().filter(inserted).cloned().collect();
        let mut left: Vec<Origin> = Vec::new();
        if let Some((program, answer)) = decided(self.program, self.settings, &all, options, stop)
            && let Verdict::NotRobust(violation) = &answer.verdict
        {
            for edge in &violation.cycle {
                let event = &violation.events[edge.from];
                let code = &program.codes[program.code_of_rank[event.rank]];
                let origin = &code.transitions[event.transition].origin;
                if origin.place.0.start < INSERTED
                    && !left.iter().any(|known| known.place.0 == origin.place.0)
                {
                    left.push(origin.clone());
                }
            }
        }
        Tried {
            offered: Kind::ALL
                .into_iter()
                .map(|kind| (kind, of(kind)))
                .filter(|&(_, count)| count > 0)
                .collect(),
            sets: self.decided,
            left,
        }
    }

    /// A violation that the set does not break.
    fn missed(&self, set: &[usize]) -> Option<usize> {
        let has = |index: &usize| set.binary_search(index).is_ok();
        self.clauses
            .iter()
            .position(|clause| clause.within.iter().all(has) && !clause.breakers.iter().any(has))
    }

    fn decide(&mut self, set: &[usize], options: &Options, stop: &mut dyn FnMut() -> bool) -> Decided {
        let changes = self.changes(set);
        self.decided += 1;
        let Some((program, answer)) = decided(self.program, self.settings, &changes, options, stop) else {
            return Decided::Broken;
        };
        match answer.verdict {
            Verdict::Robust => {
                let barrier = changes.iter().any(|change| change.kind() == Some(Kind::Barrier));
                if barrier && !self.ends_as_before(&program) {
                    return Decided::Broken;
                }
                Decided::Robust
            }
            Verdict::OutsideDomain(_) => Decided::Broken,
            Verdict::Inconclusive(_) => Decided::Unknown,
            Verdict::NotRobust(violation) => {
                let course = Course::new(&program, &violation.events);
                // What goes on without the waits and fences rules out most.
                let form: Vec<usize> = set
                    .iter()
                    .copied()
                    .filter(|&index| !self.only_holds_back(index))
                    .collect();
                let survives = changed(self.program, self.settings, &self.changes(&form))
                    .is_some_and(|program| course.survives(&program));
                let within = if survives { form } else { set.to_vec() };
                let breakers = self.breakers(&course, &within);
                self.clauses.push(Clause { within, breakers });
                Decided::Violation(self.clauses.len() - 1)
            }
        }
    }

    /// A wait or a fence: whether a computation has it in its way does not depend on other waits and fences.
    fn only_holds_back(&self, index: usize) -> bool {
        matches!(self.offered[index].kind(), Some(Kind::Wait | Kind::Fence))
    }

    /// The changes besides `within` under which, with others, the violation may be no computation.
    fn breakers(&self, course: &Course, within: &[usize]) -> Vec<usize> {
        (0..self.offered.len())
            .filter(|next| within.binary_search(next).is_err())
            .filter(|&next| {
                let change = &self.offered[next];
                if self.only_holds_back(next) {
                    let mut changes = self.changes(within);
                    changes.push(change.clone());
                    return changed(self.program, self.settings, &changes)
                        .is_some_and(|program| !course.survives(&program));
                }
                !matches!(change, Change::Move { statement, .. } if !course.has(*statement))
            })
            .collect()
    }

    fn ends_as_before(&mut self, program: &Program) -> bool {
        let before = *self
            .ends
            .get_or_insert_with(|| sequential::ends(&self.plain, MOST_SEQUENTIAL));
        before.is_some_and(|before| {
            sequential::ends(program, MOST_SEQUENTIAL).is_some_and(|now| now.is_as_good_as(before))
        })
    }
}
