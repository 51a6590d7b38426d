//! A statement that makes a call or an access, moved in its block, or with what is around it ([`super::enclosed`]).

use super::{Changes, Repair, leaves};
use crate::call::{Call, is_call_of};
use crate::edit::{Edit, Side, beside, split, without};
use crate::everywhere::between;
use crate::passing::{Moving, may_pass};
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::{Kind, Step};

impl Repair<'_> {
    /// Moves a whole statement to where its call was tried, with its comments; within its block, so that as many make
    /// the call as before.
    pub(super) fn move_statement(&self) -> Result<Changes, Refusal> {
        let name = self.suggestion.call.split('(').next().unwrap_or_default();
        let place = self
            .suggestion
            .at
            .as_ref()
            .ok_or(Refusal::NoPlace("what is moved"))?;
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let statement = step.statement();
        if statement.kind() != Kind::Simple || leaves(&source, statement) {
            return Err(Refusal::InCondition(place.clone()));
        }
        let moving = match ["LOAD", "STORE"].contains(&name) {
            true => {
                let any = Call::find(&source, statement.range(), &|_| true);
                if any.is_some() {
                    return Err(Refusal::Calls(place.clone()));
                }
                Moving::access(&source, statement)
            }
            false => {
                let named = |other: &str| {
                    other.eq_ignore_ascii_case(name) || is_call_of(other, name) || is_test_of(other, name)
                };
                let call = Call::find(&source, statement.range(), &named);
                let call = call.ok_or_else(|| Refusal::NoCall(name.to_owned(), place.clone()))?;
                Moving::call(&source, statement, &call)
            }
        };
        if source.is_labelled(statement) {
            return Err(Refusal::Labelled(place.clone()));
        }
        if source.is_under_directive(statement) {
            return Err(Refusal::Directive(place.clone()));
        }
        let found = match (&self.suggestion.after, &self.suggestion.before) {
            _ if !step.block().is_braced() => Err(Refusal::InCondition(place.clone())),
            (None, None) => inside(name, &source, step),
            _ => self.destination(name, &source, step),
        };
        if let (Err(_), Some(outer)) = (&found, self.scope(name, &source, &path)) {
            let to = step.sibling(step.block().statements().len() - 1);
            may_pass(&source, (step, &moving), &to)?;
            moving
                .local(&source, step.block().statements())
                .map_or(Ok(()), Err)?;
            let edits = moved(&source, step, (&outer, Side::After));
            return Ok(vec![(source.file().to_owned(), edits)]);
        }
        let (to, side) = match found {
            Ok(found) => found,
            Err(refusal) => {
                let edits = match self.between_branches(name, &source, (step, &moving))? {
                    Some(edits) => Some(edits),
                    None if source.declares(statement) => None,
                    None => self.move_enclosing(name, &source, &path, moving)?,
                };
                return Ok(vec![(source.file().to_owned(), edits.ok_or(refusal)?)]);
            }
        };
        // A call that comes after the beginning of its library may declare something: nothing in between names that.
        let is_later = self.suggestion.after.is_none() && side == Side::After;
        if source.declares(statement) && !(is_later && self.suggestion.before.is_none()) {
            return Err(Refusal::Declares(place.clone()));
        }
        may_pass(&source, (step, &moving), &to)?;
        Ok(vec![(
            source.file().to_owned(),
            moved(&source, step, (&to, side)),
        )])
    }

    /// A call that was tried within an `if` of its block: the `if` ends before it, and begins again after it, so that
    /// all make the call who made it. `None` if it was tried elsewhere.
    fn between_branches(
        &self,
        name: &str,
        source: &Source,
        (step, moving): (&Step<'_>, &Moving),
    ) -> Result<Option<Vec<Edit>>, Refusal> {
        let ends: Option<Vec<_>> = self.parties.iter().take(2).map(|party| party.place()).collect();
        let Some(&[first, second]) = ends.as_deref() else {
            return Ok(None);
        };
        if ["LOAD", "STORE"].contains(&name) || [first, second].iter().any(|end| end.file != source.file()) {
            return Ok(None);
        }
        let paths = [
            source.path(source.offset(first)?)?,
            source.path(source.offset(second)?)?,
        ];
        let Ok(all) = between(source, &paths[0], &paths[1]) else {
            return Ok(None);
        };
        for places in all {
            let (Some(branch), [beside]) = (places.split(), places.beside()) else {
                continue;
            };
            let is_sibling = |other: &Step<'_>| other.statement().range() == branch.statement().range();
            let sibling = (0..step.block().statements().len()).map(|index| step.sibling(index));
            let sibling = sibling.into_iter().find(is_sibling);
            let Some(sibling) = sibling.filter(|_| self.tried.was_there(name, source, beside)) else {
                continue;
            };
            may_pass(source, (step, moving), &sibling)?;
            let range = step.statement().range();
            let text = source.part(range.clone()).to_owned();
            return Ok(Some(vec![
                without(source, range),
                split(source, &branch, &beside.0, &[text]),
            ]));
        }
        Ok(None)
    }

    /// The block around a statement, if that is no more than a scope, and the statement was tried after its end: what
    /// is declared in the block does something there.
    fn scope<'s>(&self, name: &str, source: &Source, path: &[Step<'s>]) -> Option<Step<'s>> {
        let outer = path.len().checked_sub(2).and_then(|at| path.get(at))?;
        let is_scope = outer.statement().kind() == Kind::Plain && outer.statement().blocks().len() == 1;
        let has_head = || !outer.statement().blocks()[0].head().is_empty();
        let is_meant = is_scope && !has_head() && !source.is_under_directive(outer.statement());
        (is_meant && self.tried.was_there(name, source, &(*outer, Side::After))).then_some(*outer)
    }

    /// The statement of the same block beside which the call was tried, and on which side.
    pub(super) fn destination<'s>(
        &self,
        name: &str,
        source: &Source,
        step: &Step<'s>,
    ) -> Result<(Step<'s>, Side), Refusal> {
        // Memory is freed later than it was, wherever that was tried.
        let after = self.suggestion.after.as_ref();
        let after = after.filter(|place| name == "shmem_free" && place.file == source.file());
        if let Some(at) = after.and_then(|place| source.offset(place).ok()) {
            let mut below =
                (step.index() + 1..step.block().statements().len()).map(|index| step.sibling(index));
            let found = below.find(|step| step.statement().range().contains(&at));
            return found
                .map(|step| (step, Side::After))
                .ok_or_else(|| Refusal::OtherBlock(name.to_owned()));
        }
        let is_there = |place: &(Step<'s>, Side)| self.tried.was_there(name, source, place);
        let above = (0..step.index())
            .rev()
            .map(|index| (step.sibling(index), Side::Before));
        let below = step.index() + 1..step.block().statements().len();
        let mut all = above.chain(below.map(|index| (step.sibling(index), Side::After)));
        let found = all.find(is_there);
        found.ok_or_else(|| Refusal::OtherBlock(name.to_owned()))
    }
}

/// Whether a call tests what another one waits for.
fn is_test_of(test: &str, wait: &str) -> bool {
    let [test, wait] = [test, wait].map(str::to_ascii_lowercase);
    let parts = |name: &str, word: &str| name.split_once(word).map(|(a, b)| (a.to_owned(), b.to_owned()));
    test.starts_with("mpi_") && parts(&test, "test").is_some_and(|of| Some(of) == parts(&wait, "wait"))
}

/// What makes a library ready.
const BEGINNINGS: [&str; 4] = ["shmem_init", "shmem_init_thread", "start_pes", "gaspi_proc_init"];

/// The statement of the same block after which the library of OpenSHMEM or GASPI is there, or before which it still is.
fn inside<'s>(name: &str, source: &Source, step: &Step<'s>) -> Result<(Step<'s>, Side), Refusal> {
    let has = |step: &Step<'s>, names: &[&str]| {
        let found = Call::find(source, step.statement().range(), &|other| names.contains(&other));
        found.is_some() && step.statement().kind() == Kind::Simple
    };
    let above = (0..step.index()).rev().map(|index| step.sibling(index));
    let below = (step.index() + 1..step.block().statements().len()).map(|index| step.sibling(index));
    let end = above
        .into_iter()
        .find(|step| has(step, &["shmem_finalize", "gaspi_proc_term"]));
    let begin = || below.into_iter().find(|step| has(step, &BEGINNINGS));
    let end = end.map(|step| (step, Side::Before));
    let found = end.or_else(|| begin().map(|step| (step, Side::After)));
    found.ok_or_else(|| Refusal::OtherBlock(name.to_owned()))
}

/// Takes a statement out, and writes it beside another one: its lines with what comments they have, and with the
/// comments right above them.
pub(super) fn moved(source: &Source, step: &Step<'_>, (to, side): (&Step<'_>, Side)) -> Vec<Edit> {
    let (text, removal) = taken(source, step);
    std::iter::once(removal)
        .chain(beside(source, to, side, &[text]))
        .collect()
}

/// A statement with its comments, and what takes it out.
pub(super) fn taken(source: &Source, step: &Step<'_>) -> (String, Edit) {
    let range = step.statement().range();
    let is_alone = source.is_first(range.start) && source.is_last(range.end);
    match is_alone {
        true => {
            let lines = above(source, source.line_start(range.start))..source.line_end(range.end);
            let text = source.part(lines.clone()).trim_start().to_owned();
            let end = source.next_line(range.end);
            (text, Edit::replace(lines.start..end, ""))
        }
        false => (source.part(range.clone()).to_owned(), without(source, range)),
    }
}

/// The beginning of a line, or of the comments right above it.
pub(super) fn above(source: &Source, line: usize) -> usize {
    let mut start = line;
    while start > 0 {
        let above = source.line_start(start - 1);
        let is_comment = source.code(above..start).trim_ascii().is_empty();
        let text = source.part(above..start).trim();
        if !is_comment
            || text.is_empty()
            || text.starts_with('#')
            || text.starts_with("!$")
            || text.ends_with('\\')
        {
            break;
        }
        start = above;
    }
    start
}
