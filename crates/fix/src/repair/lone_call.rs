//! A statement that is one call, moved or taken out.

use super::{Changes, Repair, check_statement};
use crate::call::{Call, is_call_of};
use crate::edit::{beside, without};
use crate::refusal::Refusal;
use crate::source::Source;
use crate::template::Template;
use farside_findings::Place;
use std::ops::Range;
use std::rc::Rc;

impl Repair<'_> {
    /// Takes a statement out that is one call.
    pub(super) fn remove(&self) -> Result<Changes, Refusal> {
        let place = self.suggestion.at.as_ref();
        let place = place.ok_or(Refusal::NoPlace("what is removed"))?;
        let name = self.suggestion.call.split('(').next().unwrap_or_default();
        let (source, range, _) = self.lone_call(place, name)?;
        Ok(vec![(source.file().to_owned(), vec![without(&source, range)])])
    }

    /// A statement that is one call, and nothing else, in a block of its own source.
    pub(super) fn lone_call(
        &self,
        place: &Place,
        name: &str,
    ) -> Result<(Rc<Source>, Range<usize>, Call), Refusal> {
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let range = step.statement().range();
        let named = |other: &str| {
            other.eq_ignore_ascii_case(name) || is_call_of(other, name) || other.starts_with("gaspi_wait")
        };
        let call = Call::find(&source, range.clone(), &named);
        let call = call.ok_or_else(|| Refusal::NoCall(name.to_owned(), place.clone()))?;
        let rest = source.code(call.end()..range.end).trim_ascii();
        let is_alone = (rest.is_empty() || rest == b";") && step.block().is_braced();
        let before = source
            .code(range.start..call.name_range().start)
            .to_ascii_lowercase();
        if !is_alone || !matches!(before.trim_ascii(), b"" | b"call") {
            return Err(Refusal::InCondition(place.clone()));
        }
        Ok((Rc::clone(&source), range, call))
    }

    /// Moves a statement that is one call.
    pub(super) fn shift(&self) -> Result<Changes, Refusal> {
        let place = self
            .suggestion
            .at
            .as_ref()
            .ok_or(Refusal::NoPlace("what is moved"))?;
        let templates = Template::all(&self.suggestion.call)?;
        let (to, side) = self.spot(&templates)?;
        let (from, range, call) = self.lone_call(place, templates[0].name())?;
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
