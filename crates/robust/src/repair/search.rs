//! Sets of changes in order of their cost.

use super::survival::Course;
use super::{Costs, MOST_CHANGES, MOST_SEQUENTIAL, MOST_SETS, Repair, Tried, changed, decided};
use crate::computation::Kind as EventKind;
use crate::{Edge, Options, Relation, Verdict, sequential};
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
        rows: None,
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
    /// The rows beside a set, of the set that was asked for last.
    rows: Option<(Vec<usize>, Vec<Row>)>,
    /// How the program ends under sequential consistency, if that was asked for.
    ends: Option<Option<sequential::Ends>>,
    /// Sets that were decided.
    decided: usize,
}

/// Waits and fences of one gap, and the program with all of them, after the changes of a set.
struct Row {
    members: Vec<usize>,
    program: Option<Program>,
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
        let mut within = None;
        if let Some((program, answer)) = decided(self.program, self.settings, &all, options, stop)
            && let Verdict::NotRobust(violation) = &answer.verdict
        {
            let origin_of = |event: usize| {
                let event = &violation.events[event];
                let code = &program.codes[program.code_of_rank[event.rank]];
                &code.transitions[event.transition].origin
            };
            // In two rounds of a loop, something else comes between.
            let stand_in_one_statement = |edge: &Edge| {
                let (from, place) = (&violation.events[edge.from], &origin_of(edge.from).place);
                let takes_effect_later =
                    matches!(from.kind, EventKind::Read | EventKind::Write | EventKind::Atomic);
                let mut own = (edge.from..=edge.to).filter(|&event| {
                    let event = &violation.events[event];
                    event.rank == from.rank && !matches!(event.kind, EventKind::Popa | EventKind::Popb)
                });
                takes_effect_later && !place.0.is_empty() && own.all(|event| origin_of(event).place == *place)
            };
            for edge in &violation.cycle {
                let origin = origin_of(edge.from);
                if edge.relation == Relation::ProgramOrder && stand_in_one_statement(edge) {
                    within.get_or_insert_with(|| origin.clone());
                }
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
            within,
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
    fn breakers(&mut self, course: &Course, within: &[usize]) -> Vec<usize> {
        if self.rows.as_ref().is_none_or(|(set, _)| set != within) {
            self.rows = Some((within.to_vec(), self.rows(within)));
        }
        let rows = self.rows.iter().flat_map(|(_, rows)| rows);
        let held_up = rows.flat_map(|Row { members, program }| {
            let broken = program.as_ref().map_or_else(Vec::new, |program| {
                course.broken_by(program, within.len(), within.len()..within.len() + members.len())
            });
            broken.into_iter().map(|number| members[number - within.len()])
        });
        let mut breakers: Vec<usize> = held_up.collect();
        breakers.extend((0..self.offered.len()).filter(|&next| {
            within.binary_search(&next).is_err()
                && !self.only_holds_back(next)
                && !matches!(&self.offered[next], Change::Move { statement, .. } if !course.has(*statement))
        }));
        breakers.sort_unstable();
        breakers
    }

    /// Waits and fences by the gap that they are for, besides `within`.
    fn rows(&self, within: &[usize]) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for next in (0..self.offered.len()).filter(|&next| self.only_holds_back(next)) {
            if within.binary_search(&next).is_ok() {
                continue;
            }
            let gap = |index: usize| match &self.offered[index] {
                Change::Insert { gap, .. } => Some(gap),
                _ => None,
            };
            match rows.last_mut() {
                Some(Row { members, .. }) if gap(next).is_some() && gap(members[0]) == gap(next) => {
                    members.push(next);
                }
                _ => rows.push(Row {
                    members: vec![next],
                    program: None,
                }),
            }
        }
        let with = |members: &[usize]| {
            let changes = self.changes(&[within, members].concat());
            changed(self.program, self.settings, &changes)
        };
        let mut made = Vec::new();
        for row in rows {
            match with(&row.members) {
                // One of them may be no program.
                None if row.members.len() > 1 => made.extend(row.members.into_iter().map(|next| Row {
                    members: vec![next],
                    program: with(&[next]),
                })),
                program => made.push(Row { program, ..row }),
            }
        }
        made
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
