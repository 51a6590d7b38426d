//! A call that another process waits for, before the one in which its own process waits: what ends an epoch or begins
//! one, or a collective call, where processes make them in different orders.
//!
//! The run did not come to the call, so its place is told by the text alone: the first statement below, in the same
//! block, that is such a call for the same window and target.

use super::statement::moved;
use super::{Changes, Repair, leaves};
use crate::call::{Call, Role};
use crate::edit::Side;
use crate::passing::{Moving, may_pass};
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::{Kind, Step};
use farside_findings::Place;

impl Repair<'_> {
    /// Moves a statement up that ends an epoch, or begins one.
    pub(super) fn move_up(&self) -> Result<Changes, Refusal> {
        let name = self.suggestion.call.as_str();
        let to = self.suggestion.before.as_ref();
        let to = to.ok_or(Refusal::NoPlace("the call that waits"))?;
        let opened = self.suggestion.after.as_ref().unwrap_or(to);
        let (window, target) = self.epoch(opened)?;
        let is_its = |call: &Call| {
            let is_target = call
                .role(Role::Target)
                .is_none_or(|other| Some(other) == target.as_deref());
            call.role(Role::Window) == Some(&*window) && is_target
        };
        self.up_to(to, (name, &is_its), self.suggestion.after.is_some())
    }

    /// Moves a collective call up that another process is in, to before the one that its own process is in; or out of
    /// an `if` that the own process does not come into.
    pub(super) fn in_one_order(&self) -> Result<Changes, Refusal> {
        let mut refusal = Refusal::WordsOnly(self.suggestion.position.clone());
        for asked in &self.parties {
            let others = self.parties.iter().filter(|other| other.place() != asked.place());
            for to in others.filter_map(|other| other.place()) {
                let Some(call) = self.call_of(asked) else { continue };
                let is_its = |other: &Call| object(other) == object(&call);
                if let Some(changes) = asked.place().and_then(|from| self.for_all_ranks(&call, from, to)) {
                    return changes;
                }
                match self.up_to(to, (call.name(), &is_its), false) {
                    // The process does not make that call there.
                    Err(Refusal::OtherBlock(_)) => {}
                    Err(why) => refusal = why,
                    changes => return changes,
                }
            }
        }
        Err(refusal)
    }

    /// Moves a collective call out of an `if` that asks for the rank, so that all make it; `None` if it is in none, or
    /// the call that others are in does not stand below that `if`. What comes below is for all there, so that it is
    /// not what is missing.
    fn for_all_ranks(&self, call: &Call, from: &Place, to: &Place) -> Option<Result<Changes, Refusal>> {
        let source = self
            .sources
            .get(&from.file)
            .ok()
            .filter(|_| from.file == to.file)?;
        let [from, to] = [from, to].map(|place| source.path(source.offset(place).ok()?).ok());
        let (from, to) = (from?, to?);
        let shared = from.iter().zip(&to).take_while(|(a, b)| a.is(b)).count();
        let ([outer, step], [other]) = (&from[shared..], &to[shared..]) else {
            return None;
        };
        let (statement, branch) = (step.statement(), outer.statement());
        let is_branch = branch.kind() == Kind::If { complete: false } && branch.blocks().len() == 1;
        let is_below = outer.number() == other.number() && outer.index() < other.index();
        let is_whole = statement.kind() == Kind::Simple && !leaves(&source, statement);
        let is_free = ![statement, branch]
            .iter()
            .any(|one| source.is_labelled(one) || source.is_under_directive(one));
        let is_of_ranks = source.asks_for_rank(step.block().head());
        if !(is_branch && is_below && is_whole && is_free && is_of_ranks && step.block().is_braced()) {
            return None;
        }
        let moving = Moving::call(&source, statement, call);
        let last = step.sibling(step.block().statements().len() - 1);
        let refusal = may_pass(&source, (step, &moving), &last).err();
        let refusal = refusal.or_else(|| moving.local(&source, step.block().statements()));
        Some(match refusal {
            Some(refusal) => Err(refusal),
            None => {
                let edits = moved(&source, step, (outer, Side::After));
                Ok(vec![(source.file().to_owned(), edits)])
            }
        })
    }

    /// Moves the first such call below a place in its block up to that place.
    fn up_to(
        &self,
        to: &Place,
        (name, is_its): (&str, &dyn Fn(&Call) -> bool),
        ends: bool,
    ) -> Result<Changes, Refusal> {
        let source = self.sources.get(&to.file)?;
        let path = source.path(source.offset(to)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(to.clone()))?;
        let below = step.index() + 1..step.block().statements().len();
        let mut over: Vec<Step<'_>> = Vec::new();
        for below in below.map(|index| step.sibling(index)) {
            let statement = below.statement();
            let named = |other: &str| other.eq_ignore_ascii_case(name);
            let call = Call::find(&source, statement.range(), &named).filter(is_its);
            let Some(call) = call else {
                over.push(below);
                continue;
            };
            let is_whole = statement.kind() == Kind::Simple && !leaves(&source, statement);
            if !is_whole || !step.block().is_braced() || source.is_labelled(statement) {
                return Err(Refusal::InCondition(to.clone()));
            }
            if source.is_under_directive(statement) || source.is_under_directive(step.statement()) {
                return Err(Refusal::Directive(to.clone()));
            }
            if ends {
                check_needs(&source, name, &over, is_its)?;
            }
            may_pass(&source, (&below, &Moving::call(&source, statement, &call)), step)?;
            return Ok(vec![(
                source.file().to_owned(),
                moved(&source, &below, (step, Side::Before)),
            )]);
        }
        Err(Refusal::OtherBlock(name.to_owned()))
    }

    /// The window of a call that stands at a place, and its target, if it has one.
    fn epoch(&self, place: &Place) -> Result<(String, Option<String>), Refusal> {
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let is_epoch = |name: &str| name.to_ascii_lowercase().starts_with("mpi_win_");
        let call = Call::find(&source, step.statement().range(), &is_epoch);
        let no_call = || Refusal::NoCall("MPI_Win_*".to_owned(), place.clone());
        let call = call.ok_or_else(no_call)?;
        let window = call.role(Role::Window).ok_or_else(no_call)?;
        Ok((window.to_owned(), call.role(Role::Target).map(str::to_owned)))
    }
}

/// What a collective call is about: its window or its communicator, which C has last.
fn object(call: &Call) -> Option<&str> {
    let last = || call.arguments().last().map(|(text, _)| text.as_str());
    call.role(Role::Window).or_else(last)
}

/// Whether nothing in statements needs an epoch that ends before them.
fn check_needs(
    source: &Source,
    name: &str,
    statements: &[Step<'_>],
    is_its: &dyn Fn(&Call) -> bool,
) -> Result<(), Refusal> {
    let is_operation = |name: &str| {
        let name = name.to_ascii_lowercase();
        name.starts_with("mpi_") && !name.starts_with("mpi_win_")
    };
    for step in statements {
        let range = step.statement().range();
        for call in Call::all(source, range.clone(), &is_operation) {
            if is_its(&call) {
                let (line, _) = source.position(range.start);
                let file = source.file().to_owned();
                let place = Place {
                    file,
                    line,
                    column: None,
                };
                return Err(Refusal::Needed(name.to_owned(), place));
            }
        }
    }
    Ok(())
}
