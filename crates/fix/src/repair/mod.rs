//! The edits that one suggestion means.

use crate::call::{Call, is_call_of};
use crate::edit::{Edit, Side, beside, otherwise, without};
use crate::everywhere::{Nowhere, Places, between, reached_by_all};
use crate::refusal::Refusal;
use crate::source::Source;
use crate::sources::Sources;
use crate::statement::{Kind, Step};
use crate::template::{Known, Template};
use farside_findings::{Action, Finding, Party, Place, Suggestion};

/// Edits by file.
pub(crate) type Changes = Vec<(String, Vec<Edit>)>;

/// A suggestion, and whom it concerns.
pub(crate) struct Repair<'f> {
    finding: &'f Finding,
    parties: Vec<&'f Party>,
    suggestion: &'f Suggestion,
    sources: &'f Sources<'f>,
}

impl<'f> Repair<'f> {
    /// The repair of a finding by a suggestion; `parties` are those of all findings that it is for.
    pub(crate) fn new(
        finding: &'f Finding,
        parties: Vec<&'f Party>,
        suggestion: &'f Suggestion,
        sources: &'f Sources<'f>,
    ) -> Self {
        Self {
            finding,
            parties,
            suggestion,
            sources,
        }
    }

    /// The edits.
    ///
    /// # Errors
    /// It cannot be done surely.
    pub(crate) fn changes(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        if suggestion.call.is_empty() {
            return Err(Refusal::WordsOnly(suggestion.position.clone()));
        }
        match suggestion.action {
            Action::Insert => self.insert(),
            Action::Replace => self.replace(),
            Action::Move => self.shift(),
        }
    }

    fn insert(&self) -> Result<Changes, Refusal> {
        let calls = Template::all(&self.suggestion.call)?;
        let (for_all, own): (Vec<_>, Vec<_>) = calls.into_iter().partition(Template::is_for_all);
        let mut changes = Changes::new();
        if !own.is_empty() {
            changes.push(self.insert_on_one(&own)?);
        }
        for call in for_all {
            changes.push(self.insert_on_all(&call)?);
        }
        Ok(changes)
    }

    /// Calls for the rank whose access stands at the place.
    fn insert_on_one(&self, calls: &[Template]) -> Result<(String, Vec<Edit>), Refusal> {
        let (place, side) = self.spot()?;
        let source = self.sources.get(&place.file)?;
        let at = source.offset(place)?;
        let path = source.path(at)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        check_statement(&source, step, side, place)?;
        let known = self.calls(place, &source, step)?;
        let creation = self.creation();
        let known = Known::new(&known, creation.as_ref(), self.finding.window.as_deref());
        let closes = side == Side::After && calls.iter().all(Template::closes);
        let (step, side) = if closes {
            self.latest(&source, &path)
        } else {
            (*step, side)
        };
        let fill = |call: &Template| call.fill(&known, &source, at);
        let filled: Result<Vec<String>, Refusal> = calls.iter().map(fill).collect();
        let mut edits = beside(&source, &step, side, &filled?);
        let ends: Result<Vec<String>, Refusal> = calls
            .iter()
            .filter_map(Template::end)
            .map(|end| fill(&end))
            .collect();
        let ends = ends?;
        if !ends.is_empty() {
            check_statement(&source, &step, Side::After, place)?;
            for edit in beside(&source, &step, Side::After, &ends) {
                if !edits.contains(&edit) {
                    edits.push(edit);
                }
            }
        }
        Ok((source.file().to_owned(), edits))
    }

    /// Where an epoch ends that one rank has opened: in the block of what opened it, before the second place, or last.
    fn latest<'s>(&self, source: &'s Source, path: &[Step<'s>]) -> (Step<'s>, Side) {
        let step = path[path.len() - 1];
        let second = self
            .suggestion
            .before
            .as_ref()
            .filter(|place| place.file == source.file());
        let second = second.and_then(|place| source.path(source.offset(place).ok()?).ok());
        let level = path.len() - 1;
        let same_block = second.as_ref().and_then(|second| {
            let shared = path.iter().zip(second).take_while(|(a, b)| a.is(b)).count();
            let other = second.get(level).filter(|_| shared == level)?;
            (other.number() == step.number() && other.index() > step.index()).then_some(other.index())
        });
        match same_block {
            Some(index) => (step.sibling(index), Side::Before),
            None => (step.sibling(step.block().statements().len() - 1), Side::After),
        }
    }

    /// The place for what one rank does, and on which side of it.
    fn spot(&self) -> Result<(&'f Place, Side), Refusal> {
        let (after, before) = (self.suggestion.after.as_ref(), self.suggestion.before.as_ref());
        let after = after.map(|place| (place, Side::After));
        let spot = after.or(before.map(|place| (place, Side::Before)));
        spot.ok_or(Refusal::NoPlace("the call"))
    }

    /// A call for all ranks between the two places.
    fn insert_on_all(&self, call: &Template) -> Result<(String, Vec<Edit>), Refusal> {
        let suggestion = self.suggestion;
        let after = suggestion
            .after
            .as_ref()
            .ok_or(Refusal::NoPlace("the first access"))?;
        let before = suggestion
            .before
            .as_ref()
            .ok_or(Refusal::NoPlace("the second access"))?;
        let stacks = [self.stack(after, false), self.stack(before, true)];
        let (shared, [first, second]) = common(&stacks, call)?;
        for place in shared {
            let source = self.sources.get(&place.file)?;
            let path = source.path(source.offset(place)?)?;
            let some = |_| Refusal::SomeRanks(call.text().to_owned());
            reached_by_all(&source, &path).map_err(some)?;
        }
        if first.file != second.file {
            return Err(Refusal::NoCommonFunction(call.text().to_owned()));
        }
        let source = self.sources.get(&first.file)?;
        let paths = [
            source.path(source.offset(first)?)?,
            source.path(source.offset(second)?)?,
        ];
        if function(&paths[0]) != function(&paths[1]) {
            return Err(Refusal::NoCommonFunction(call.text().to_owned()));
        }
        let places = between(&source, &paths[0], &paths[1]).map_err(|nowhere| match nowhere {
            Nowhere::SomeRanks => Refusal::SomeRanks(call.text().to_owned()),
            Nowhere::Nothing => Refusal::NothingBetween(call.text().to_owned()),
        })?;
        let edits = self.for_all(call, &source, &places)?;
        Ok((source.file().to_owned(), edits))
    }

    fn for_all(&self, call: &Template, source: &Source, places: &Places<'_>) -> Result<Vec<Edit>, Refusal> {
        let mut calls = Vec::new();
        for party in &self.parties {
            if let Some(call) = self.call_of(party) {
                calls.push(call);
            }
        }
        let creation = self.creation();
        let known = Known::new(&calls, creation.as_ref(), self.finding.window.as_deref());
        let mut edits: Vec<Edit> = Vec::new();
        for (step, side) in places.beside() {
            let place = || Place {
                file: source.file().to_owned(),
                ..Place::default()
            };
            if source.is_under_directive(step.statement()) && *side == Side::After {
                return Err(Refusal::Directive(place()));
            }
            let filled = call.fill(&known, source, step.statement().range().start)?;
            for edit in beside(source, step, *side, &[filled]) {
                if !edits.contains(&edit) {
                    edits.push(edit);
                }
            }
        }
        if let Some(step) = places.otherwise() {
            let filled = call.fill(&known, source, step.statement().range().start)?;
            edits.push(otherwise(source, &step, &filled));
        }
        Ok(edits)
    }

    /// The stack that leads to a place: that of the party there, from the outside; else the place alone.
    fn stack(&self, place: &'f Place, last: bool) -> Vec<&'f Place> {
        let is_there = |party: &&&'f Party| party.place() == Some(place);
        let party = match last {
            true => self.parties.iter().rev().find(is_there),
            false => self.parties.iter().find(is_there),
        };
        let Some((party, shown)) = party.and_then(|party| Some((*party, party.shown()?))) else {
            return vec![place];
        };
        party.stack[shown..]
            .iter()
            .rev()
            .filter_map(|frame| frame.place.as_ref())
            .collect()
    }

    /// The calls of the finding, that of a place first.
    fn calls(&self, place: &Place, source: &Source, step: &Step<'_>) -> Result<Vec<Call>, Refusal> {
        let mut calls = Vec::new();
        let here = self.parties.iter().filter(|party| party.place() == Some(place));
        for party in here {
            let wanted = |name: &str| is_call_of(name, &party.operation);
            match Call::find(source, step.statement().range(), &wanted) {
                Some(call) => calls.push(call),
                None if party.target.is_some() => {
                    return Err(Refusal::NoCall(party.operation.clone(), place.clone()));
                }
                None => {}
            }
        }
        if calls.is_empty() {
            calls.extend(Call::find(source, step.statement().range(), &|name| {
                name.starts_with("MPI_Win_")
            }));
        }
        let others = self.parties.iter().filter(|party| party.place() != Some(place));
        calls.extend(others.filter_map(|party| self.call_of(party)));
        Ok(calls)
    }

    /// The call of a party in its source.
    fn call_of(&self, party: &Party) -> Option<Call> {
        let place = party.place()?;
        let source = self.sources.get(&place.file).ok()?;
        let path = source.path(source.offset(place).ok()?).ok()?;
        Call::find(&source, path.last()?.statement().range(), &|name| {
            is_call_of(name, &party.operation)
        })
    }

    /// The call that made the window.
    fn creation(&self) -> Option<Call> {
        let place = match &self.finding.created {
            Some(created) => created.place.clone(),
            None => {
                let (file, line) = self
                    .finding
                    .window
                    .as_deref()?
                    .strip_prefix("created at ")?
                    .rsplit_once(':')?;
                Place {
                    file: file.to_owned(),
                    line: line.parse().ok()?,
                    column: None,
                }
            }
        };
        let source = self.sources.get(&place.file).ok()?;
        let path = source.path(source.offset(&place).ok()?).ok()?;
        let makes = |name: &str| {
            let name = name.to_ascii_lowercase();
            name.starts_with("mpi_win_create") || name.starts_with("mpi_win_allocate")
        };
        Call::find(&source, path.last()?.statement().range(), &makes)
    }

    /// Writes other code in the place of what is there: an argument, or the name of a call.
    fn replace(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        let words = || Refusal::WordsOnly(format!("write {} {}", suggestion.call, suggestion.position));
        let old = suggestion.instead_of.as_ref().ok_or_else(words)?;
        let place = suggestion
            .at
            .as_ref()
            .ok_or(Refusal::NoPlace("what is replaced"))?;
        let source = self.sources.get(&place.file)?;
        let at = source.offset(place)?;
        let path = source.path(at)?;
        let statement = path
            .last()
            .ok_or_else(|| Refusal::NoCode(place.clone()))?
            .statement();
        let not_written = || Refusal::NotWritten(old.clone(), place.clone());
        let edit = match (Template::all(old), Template::all(&suggestion.call)) {
            (Ok(old_calls), Ok(new_calls)) => {
                let (old_call, new_call) = (&old_calls[0], &new_calls[0]);
                let named = |name: &str| name.eq_ignore_ascii_case(old_call.name());
                let call = Call::find(&source, statement.range(), &named).ok_or_else(not_written)?;
                Edit::replace(call.name_range(), new_call.name())
            }
            (Err(_), Err(_)) if old.starts_with("MPI_MODE_") => {
                let call = Call::find(&source, statement.range(), &|name| {
                    name.to_ascii_lowercase().starts_with("mpi_win_")
                });
                let call = call.ok_or_else(not_written)?;
                let wanted = parts(old);
                let argument = call.arguments().iter().find(|(text, _)| parts(text) == wanted);
                let (_, range) = argument.ok_or_else(not_written)?;
                Edit::replace(range.clone(), suggestion.call.clone())
            }
            _ => return Err(words()),
        };
        Ok(vec![(source.file().to_owned(), vec![edit])])
    }

    /// Moves a statement that is one call.
    fn shift(&self) -> Result<Changes, Refusal> {
        let place = self
            .suggestion
            .at
            .as_ref()
            .ok_or(Refusal::NoPlace("what is moved"))?;
        let (to, side) = self.spot()?;
        let templates = Template::all(&self.suggestion.call)?;
        let from = self.sources.get(&place.file)?;
        let path = from.path(from.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let range = step.statement().range();
        let named =
            |name: &str| name.eq_ignore_ascii_case(templates[0].name()) || name.starts_with("gaspi_wait");
        let call = Call::find(&from, range.clone(), &named);
        let call = call.ok_or_else(|| Refusal::NoCall(templates[0].name().to_owned(), place.clone()))?;
        let rest = from.code(call.end()..range.end).trim_ascii();
        let is_alone = (rest.is_empty() || rest == b";") && step.block().is_braced();
        let before = from
            .code(range.start..call.name_range().start)
            .to_ascii_lowercase();
        if !is_alone || !matches!(before.trim_ascii(), b"" | b"call") {
            return Err(Refusal::InCondition(place.clone()));
        }
        let text = from.part(range.clone()).to_owned();
        let target = self.sources.get(&to.file)?;
        let at = target.offset(to)?;
        let path = target.path(at)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(to.clone()))?;
        check_statement(&target, step, side, to)?;
        if let Some((argument, _)) = call
            .arguments()
            .iter()
            .find(|(argument, _)| !target.knows(argument, at))
        {
            return Err(Refusal::Unknown(argument.clone(), to.file.clone()));
        }
        let mut edits = vec![without(&from, range)];
        let added = beside(&target, step, side, &[text]);
        if from.file() == target.file() {
            edits.extend(added);
            return Ok(vec![(from.file().to_owned(), edits)]);
        }
        Ok(vec![
            (from.file().to_owned(), edits),
            (target.file().to_owned(), added),
        ])
    }
}

/// The constants of an assertion.
fn parts(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = text.split(['|', '+']).map(str::trim).collect();
    parts.sort_unstable();
    parts
}

/// Whether a statement can be added on that side, on the ranks that come to it.
fn check_statement(source: &Source, step: &Step<'_>, side: Side, place: &Place) -> Result<(), Refusal> {
    let statement = step.statement();
    if side == Side::Before {
        return Ok(());
    }
    let code = source.code(statement.range());
    let word: Vec<u8> = code
        .iter()
        .copied()
        .take_while(u8::is_ascii_alphanumeric)
        .collect();
    let leaves = matches!(word.as_slice(), b"return" | b"throw" | b"co_return");
    if statement.kind() != Kind::Simple || leaves {
        return Err(Refusal::InCondition(place.clone()));
    }
    if source.is_under_directive(statement) {
        return Err(Refusal::Directive(place.clone()));
    }
    Ok(())
}

/// The function that a way leads into.
fn function(path: &[Step<'_>]) -> Option<usize> {
    let mut functions = path
        .iter()
        .filter(|step| step.statement().kind() == Kind::Function);
    functions.next_back().map(|step| step.statement().range().start)
}

/// The places that both stacks lead through, and where they part: the two in one function.
fn common<'p>(
    stacks: &[Vec<&'p Place>; 2],
    call: &Template,
) -> Result<(Vec<&'p Place>, [&'p Place; 2]), Refusal> {
    let [first, second] = stacks;
    let nowhere = || Refusal::NoCommonFunction(call.text().to_owned());
    let shared = first.iter().zip(second).take_while(|(a, b)| a == b).count();
    let longest = first.len().min(second.len());
    let at = shared.min(longest.checked_sub(1).ok_or_else(nowhere)?);
    Ok((first[..at].to_vec(), [first[at], second[at]]))
}
