//! Calls that all ranks make, between two places.

use super::{Repair, leaves};
use crate::call::{Call, Role};
use crate::edit::{Edit, Side, beside, otherwise, split};
use crate::everywhere::{Nowhere, Places, before_the_next_call, between, reached_by_all};
use crate::language::Language;
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::{Kind, Step};
use crate::template::{Known, Template};
use crate::tried::Tried;
use farside_findings::{Party, Place};

/// The places that two stacks lead through, and where they part.
type Parting<'p> = (Vec<&'p Place>, [&'p Place; 2]);

impl<'f> Repair<'f> {
    /// A call for all ranks between the two places; right before it come some lines.
    pub(super) fn insert_on_all(
        &self,
        call: &Template,
        ahead: &[String],
    ) -> Result<(String, Vec<Edit>), Refusal> {
        let stacks = self.stacks(call)?;
        let further_out = self.further_out(call, &stacks);
        let (shared, [first, second]) = further_out.map_or_else(|| common(&stacks, call), Ok)?;
        let at = shared.len();
        for place in shared {
            let source = self.sources.get(&place.file)?;
            let path = source.path(source.offset(place)?)?;
            let some = |_| Refusal::SomeRanks(call.text().to_owned());
            reached_by_all(&source, &path).map_err(some)?;
        }
        let apart = || Refusal::NoCommonFunction(call.text().to_owned());
        if first.file != second.file {
            return Err(apart());
        }
        let source = self.sources.get(&first.file)?;
        let paths = [
            source.path(source.offset(first)?)?,
            source.path(source.offset(second)?)?,
        ];
        if function(&paths[0]) != function(&paths[1]) {
            return Err(apart());
        }
        let places = match between(&source, &paths[0], &paths[1]) {
            Ok(places) => places,
            Err(Nowhere::SomeRanks) => return Err(Refusal::SomeRanks(call.text().to_owned())),
            Err(Nowhere::Nothing) => {
                let again = match self.tried {
                    Tried::There(_) => before_the_next_call(&source, &paths[0]),
                    // Nobody has seen that the function is called again.
                    Tried::Anywhere => Vec::new(),
                };
                if again.is_empty() {
                    return Err(Refusal::NothingBetween(call.text().to_owned()));
                }
                again
            }
        };
        let may = |places: &&Places<'_>| self.tried.allows(call.text(), &source, places.deciding());
        let mut refusal = Refusal::NotThere(call.text().to_owned());
        for (number, places) in places.iter().filter(may).enumerate() {
            match self.for_all((call, ahead), &source, places) {
                Ok(edits) => return Ok((source.file().to_owned(), edits)),
                Err(why) if number == 0 => {
                    // What has no name here may have one in the function that was called.
                    if matches!(why, Refusal::Unknown(..) | Refusal::Another(..))
                        && ahead.is_empty()
                        && places.follows(&paths[0])
                        && let [inner] = &stacks[0][stacks[0].len().min(at + 1)..]
                        && let Some(edits) = self.at_the_end(call, inner)?
                    {
                        return Ok(edits);
                    }
                    refusal = why;
                }
                Err(_) => {}
            }
        }
        Err(refusal)
    }

    /// The stacks that lead to the two places that a call goes between; where they part in different functions, to
    /// those between which it was tried, which lie in one.
    fn stacks(&self, call: &Template) -> Result<[Vec<&'f Place>; 2], Refusal> {
        let (after, before) = self.ends()?;
        let lead_to = |after, before| [self.stack(after, false), self.stack(before, true)];
        let stacks = lead_to(after, before);
        let (_, [first, second]) = common(&stacks, call)?;
        let tried = || self.tried.between(call.text());
        Ok(match self.is_one_function(first, second) {
            true => stacks,
            false => tried().map_or(stacks, |(after, before)| lead_to(after, before)),
        })
    }

    /// The places that lead to a call of one function, and that call, if a place leads to itself in the next round and
    /// the call for all ranks was tried beside that: not all call the function.
    fn further_out(&self, call: &Template, stacks: &[Vec<&'f Place>; 2]) -> Option<Parting<'f>> {
        let [stack, other] = stacks;
        let beside = self.tried.next_to(call.text());
        let at = stack.iter().position(|place| beside.contains(place));
        let at = at.filter(|at| stack == other && at + 1 < stack.len())?;
        Some((stack[..at].to_vec(), [stack[at], stack[at]]))
    }

    /// Whether two places lie in one function.
    fn is_one_function(&self, first: &Place, second: &Place) -> bool {
        let functions = |source: &Source| -> Result<_, Refusal> {
            let of = |place| Ok(function(&source.path(source.offset(place)?)?));
            Ok([of(first)?, of(second)?])
        };
        let source = self.sources.get(&first.file);
        let found = source.and_then(|source| functions(&source));
        first.file == second.file && found.is_ok_and(|[first, second]| first == second)
    }

    /// The call at the end of the function that has a place in its last statement: right after the function returns
    /// nothing else has been done. `None` if the place is in another statement, or the function may be left before.
    fn at_the_end(&self, call: &Template, place: &Place) -> Result<Option<(String, Vec<Edit>)>, Refusal> {
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let is_function = |step: &Step<'_>| step.statement().kind() == Kind::Function;
        let Some(step) = path.iter().rposition(is_function).and_then(|at| path.get(at + 1)) else {
            return Ok(None);
        };
        let statements = step.block().statements();
        let is_last = step.index() + 1 == statements.len();
        let may_be_left = || {
            statements[..step.index()]
                .iter()
                .any(|before| leaves(&source, before))
        };
        let statement = step.statement();
        let is_reached = matches!(statement.kind(), Kind::Simple | Kind::Loop | Kind::If { .. });
        if !(is_last && is_reached && may_follow(&source, step))
            || leaves(&source, statement)
            || may_be_left()
            || source.is_labelled(statement)
        {
            return Ok(None);
        }
        let calls: Vec<_> = self
            .parties
            .iter()
            .filter_map(|party| self.call_of(party))
            .collect();
        let creation = self.creation();
        let known = Known::new(&calls, creation.as_ref(), self.variable());
        let filled = call.fill(&known, &source, statement.range().start)?;
        let edits = beside(&source, step, Side::After, &[filled]);
        Ok(Some((source.file().to_owned(), edits)))
    }

    pub(super) fn for_all(
        &self,
        (call, ahead): (&Template, &[String]),
        source: &Source,
        places: &Places<'_>,
    ) -> Result<Vec<Edit>, Refusal> {
        let mut calls = Vec::new();
        for party in &self.parties {
            if let Some(call) = self.call_of(party) {
                calls.push(call);
            }
        }
        let creation = self.creation();
        let known = Known::new(&calls, creation.as_ref(), self.variable());
        let mut edits: Vec<Edit> = Vec::new();
        for (step, side) in places.beside() {
            let place = || Place {
                file: source.file().to_owned(),
                ..Place::default()
            };
            if source.is_labelled(step.statement()) {
                return Err(Refusal::NotThere(call.text().to_owned()));
            }
            if *side == Side::After && leaves(source, step.statement()) {
                return Err(Refusal::NotThere(call.text().to_owned()));
            }
            if *side == Side::After && !may_follow(source, step) {
                return Err(Refusal::Directive(place()));
            }
            let filled = call.fill(&known, source, step.statement().range().start)?;
            if is_under_lock(source, (step, *side), &filled) {
                return Err(Refusal::UnderLock(filled, source.file().to_owned()));
            }
            let all = [ahead, &[filled]].concat();
            if let Some(branch) = places.split() {
                edits.push(split(source, &branch, step, &all));
                continue;
            }
            for edit in beside(source, step, *side, &all) {
                if !edits.contains(&edit) {
                    edits.push(edit);
                }
            }
        }
        if let Some(step) = places.otherwise() {
            let filled = call.fill(&known, source, step.statement().range().start)?;
            // Of a call in each branch only some make what comes first.
            if !ahead.is_empty() {
                return Err(Refusal::SomeRanks(call.text().to_owned()));
            }
            edits.push(otherwise(source, &step, &filled));
        }
        Ok(edits)
    }

    /// The stack that leads to a place, from the outside: that of the party there; else that of a party which was in
    /// the function that has the place, as far as there; else the place alone.
    pub(super) fn stack(&self, place: &'f Place, last: bool) -> Vec<&'f Place> {
        let mut stacks: Vec<Vec<&'f Place>> = self.parties.iter().map(|party| places(party)).collect();
        if last {
            stacks.reverse();
        }
        if let Some(there) = stacks.iter().find(|stack| stack.last() == Some(&place)) {
            return there.clone();
        }
        let inside = |stack: &Vec<&'f Place>| {
            stack
                .iter()
                .rposition(|&outer| self.is_one_function(outer, place))
        };
        let around = stacks.iter().find_map(|stack| Some(&stack[..inside(stack)?]));
        [around.unwrap_or_default(), &[place]].concat()
    }
}

/// Whether a fence beside a statement would stand between a lock of its window and the unlock, as far as the text of
/// the function above tells.
fn is_under_lock(source: &Source, (step, side): (&Step<'_>, Side), filled: &str) -> bool {
    let Some(window) = filled
        .split_once("MPI_Win_fence(0, ")
        .and_then(|(_, rest)| rest.split(')').next())
        .and_then(|rest| rest.split(',').next())
    else {
        return false;
    };
    let at = match side {
        Side::Before => step.statement().range().start,
        Side::After => step.statement().range().end,
    };
    let path = source.path(step.statement().range().start).unwrap_or_default();
    let Some(start) = function(&path) else {
        return false;
    };
    let locks = |name: &str| {
        let name = name.to_ascii_lowercase();
        name.starts_with("mpi_win_lock") || name.starts_with("mpi_win_unlock")
    };
    let of_window = |call: &Call| call.role(Role::Window) == Some(window);
    let last = Call::all(source, start..at, &locks).filter(of_window).last();
    last.is_some_and(|call| call.name().to_ascii_lowercase().starts_with("mpi_win_lock"))
}

/// Whether a call after a statement is made by whoever would make it there without a directive: after a whole region of
/// threads, which is in no other one, or where no directive is.
fn may_follow(source: &Source, step: &Step<'_>) -> bool {
    if !source.is_under_directive(step.statement()) {
        return true;
    }
    let directive = source.directive_above(step.statement()).unwrap_or_default();
    let words: Vec<&str> = directive.split_whitespace().take(3).collect();
    let is_region = words.as_slice() == ["#pragma", "omp", "parallel"];
    let path = source.path(step.statement().range().start);
    let outer = |path: Vec<Step<'_>>| {
        let mut outer = path.iter().take(path.len().saturating_sub(1));
        !outer.any(|step| source.is_under_directive(step.statement()))
    };
    source.language() == Language::C && is_region && step.block().is_braced() && path.is_ok_and(outer)
}

/// The places of a party's stack from the outside to the one that is shown.
fn places(party: &Party) -> Vec<&Place> {
    let shown = party.shown().map_or(&[][..], |shown| &party.stack[shown..]);
    let places = shown.iter().rev().filter_map(|frame| frame.place.as_ref());
    places.collect()
}

/// The function that a way leads into.
fn function(path: &[Step<'_>]) -> Option<usize> {
    let mut functions = path
        .iter()
        .filter(|step| step.statement().kind() == Kind::Function);
    functions.next_back().map(|step| step.statement().range().start)
}

/// The places that both stacks lead through, and where they part: the two in one function.
fn common<'p>(stacks: &[Vec<&'p Place>; 2], call: &Template) -> Result<Parting<'p>, Refusal> {
    let [first, second] = stacks;
    let nowhere = || Refusal::NoCommonFunction(call.text().to_owned());
    let shared = first.iter().zip(second).take_while(|(a, b)| a == b).count();
    let longest = first.len().min(second.len());
    let at = shared.min(longest.checked_sub(1).ok_or_else(nowhere)?);
    Ok((first[..at].to_vec(), [first[at], second[at]]))
}
