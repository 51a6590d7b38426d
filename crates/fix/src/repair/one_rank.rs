//! Calls that one rank makes, beside the access that stands there.

use super::between::{check_beside, split};
use super::{Changes, Repair, check_statement};
use crate::call::Call;
use crate::edit::{Edit, Side, beside};
use crate::language::Language;
use crate::notification::Notification;
use crate::refusal::Refusal;
use crate::rust;
use crate::source::Source;
use crate::statement::Step;
use crate::template::{Known, Template};
use crate::tried::Tried;

impl Repair<'_> {
    /// A notification after a write, and who waits for it before the other access.
    pub(super) fn notify(&self, call: &Template) -> Result<Changes, Refusal> {
        let (to, _) = self.spot(std::slice::from_ref(call))?;
        let awaited = "gaspi_notify_waitsome";
        let spot = match self.tried {
            Tried::There(_) => self.tried.spot(awaited).map(|(place, _)| place),
            Tried::Anywhere => self.parties.get(1).and_then(|party| party.place()),
        };
        let before = spot.ok_or_else(|| Refusal::NotThere(awaited.to_owned()))?;
        let sources = [self.sources.get(&to.file)?, self.sources.get(&before.file)?];
        let paths = [
            sources[0].path(sources[0].offset(to)?)?,
            sources[1].path(sources[1].offset(before)?)?,
        ];
        let step = paths[0].last().ok_or_else(|| Refusal::NoCode(to.clone()))?;
        check_statement(&sources[0], step, Side::After, to)?;
        check_beside(&sources[0], step, (sources[0].offset(to)?, Side::After), to)?;
        let writes = |name: &str| name.starts_with("gaspi_write");
        let write = Call::find(&sources[0], step.statement().range(), &writes);
        let write = write.ok_or_else(|| Refusal::NoCall("gaspi_write".to_owned(), to.clone()))?;
        // Two findings have two notifications.
        let seed = u32::from_str_radix(self.finding.id.get(..4).unwrap_or_default(), 16).unwrap_or(0);
        let notification = Notification::of(&write, [&sources[0], &sources[1]], seed)?;
        let posted = notification.post(&sources[0], &paths[0])?;
        // Where others come as well, the target alone waits.
        let is_of_access = self.parties.iter().any(|party| party.place() == Some(before));
        let waited = match (is_of_access, paths[1].last()) {
            (false, Some(step)) => {
                let lines =
                    notification.awaited_by_its_target(&sources[1], step.statement().range().start)?;
                beside(&sources[1], step, Side::Before, &lines)
            }
            _ => notification.wait(&sources[1], &paths[1])?,
        };
        let [from, to] = sources.each_ref().map(|source| source.file().to_owned());
        Ok(match from == to {
            true => vec![(from, posted.into_iter().chain(waited).collect())],
            false => vec![(from, posted), (to, waited)],
        })
    }

    /// A wait for a notification that is posted already, where the other access stands.
    pub(super) fn await_posted(&self, call: &Template) -> Result<Changes, Refusal> {
        let (posted, _) = self.ends()?;
        let source = self.sources.get(&posted.file)?;
        let path = source.path(source.offset(posted)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(posted.clone()))?;
        let posts = |name: &str| name.starts_with("gaspi_") && name.ends_with("notify");
        let post = Call::find(&source, step.statement().range(), &posts);
        let post = post.ok_or_else(|| Refusal::NoCall("gaspi_notify".to_owned(), posted.clone()))?;
        let notification = Notification::posted(&post, call)?;
        let spot = match self.tried {
            Tried::There(_) => self.tried.spot(call.text()).map(|(place, _)| place),
            Tried::Anywhere => self.suggestion.before.as_ref(),
        };
        let before = spot.ok_or_else(|| Refusal::NotThere(call.text().to_owned()))?;
        let source = self.sources.get(&before.file)?;
        let path = source.path(source.offset(before)?)?;
        let edits = notification.wait(&source, &path)?;
        Ok(vec![(source.file().to_owned(), edits)])
    }

    /// A notification after a write, which its target awaits before a barrier of all ranks.
    pub(super) fn tell_all(&self, call: &Template, barrier: &Template) -> Result<Changes, Refusal> {
        let (to, _) = self.spot(std::slice::from_ref(call))?;
        let source = self.sources.get(&to.file)?;
        let path = source.path(source.offset(to)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(to.clone()))?;
        check_statement(&source, step, Side::After, to)?;
        check_beside(&source, step, (source.offset(to)?, Side::After), to)?;
        let writes = |name: &str| name.starts_with("gaspi_write");
        let write = Call::find(&source, step.statement().range(), &writes);
        let write = write.ok_or_else(|| Refusal::NoCall("gaspi_write".to_owned(), to.clone()))?;
        let seed = u32::from_str_radix(self.finding.id.get(..4).unwrap_or_default(), 16).unwrap_or(0);
        let notification = Notification::of(&write, [&source, &source], seed)?;
        let mut edits = notification.post(&source, &path)?;
        let awaited = notification.awaited_by_its_target(&source, step.statement().range().start)?;
        let (file, others) = self.insert_on_all(barrier, &awaited)?;
        if file != source.file() {
            return Err(Refusal::NoCommonFunction(barrier.text().to_owned()));
        }
        edits.extend(others);
        Ok(vec![(file, edits)])
    }

    /// Calls for the rank whose access stands at the place.
    pub(super) fn insert_on_one(&self, calls: &[Template]) -> Result<(String, Vec<Edit>), Refusal> {
        let (place, side) = self.spot(calls)?;
        let source = self.sources.get(&place.file)?;
        let at = source.offset(place)?;
        let path = source.path(at)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        check_statement(&source, step, side, place)?;
        if source.language() == Language::Rust {
            rust::check_statement(&source, step, at, place)?;
        }
        let (calls, known) = match self.calls(place, &source, step) {
            // Where the text does not tell the target of an operation, all targets are flushed.
            Err(Refusal::NoCall(..)) if calls.iter().all(Template::is_flush) => {
                let others = self.parties.iter().filter(|party| party.place() != Some(place));
                let others = others.filter_map(|party| self.call_of(party)).collect();
                (
                    calls.iter().filter_map(Template::of_all_targets).collect(),
                    others,
                )
            }
            known => (calls.to_vec(), known?),
        };
        let creation = self.creation();
        let known = Known::new(&known, creation.as_ref(), self.variable());
        let is_free = matches!(self.tried, Tried::Anywhere);
        let closes = is_free && side == Side::After && calls.iter().all(Template::closes);
        let (step, side) = if closes {
            self.latest(&source, &path)
        } else {
            (*step, side)
        };
        let fill = |call: &Template| call.fill(&known, &source, at);
        let filled: Result<Vec<String>, Refusal> = calls.iter().map(fill).collect();
        let has_ends = calls.iter().any(|call| call.end().is_some());
        let filled = filled?;
        let mut edits = match check_beside(&source, &step, (at, side), place) {
            _ if closes => beside(&source, &step, side, &filled),
            Ok(()) => beside(&source, &step, side, &filled),
            Err(_) if side == Side::After && !has_ends => {
                split(&source, &step, at, &filled).ok_or_else(|| Refusal::BetweenCalls(place.clone()))?
            }
            Err(refusal) => return Err(refusal),
        };
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
    pub(super) fn latest<'s>(&self, source: &'s Source, path: &[Step<'s>]) -> (Step<'s>, Side) {
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
}
