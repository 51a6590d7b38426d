//! A wait for a notification of GASPI that is for another one, or what it finds is set back.

use super::between::check_beside;
use super::{Changes, Repair, check_statement};
use crate::call::Call;
use crate::edit::{Edit, beside};
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::Step;
use crate::template::Template;

/// Whether the code of a suggestion waits for a notification.
pub(super) fn is_wait(code: &str) -> bool {
    code.starts_with("gaspi_notify_waitsome(")
}

impl Repair<'_> {
    /// Gives a wait the number that the notification has, and what sets back what was found.
    pub(super) fn wait_instead(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        let place = suggestion.at.as_ref().ok_or(Refusal::NoPlace("the wait"))?;
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let named = |wanted: &'static str| move |name: &str| name == wanted;
        let wait = named("gaspi_notify_waitsome");
        let absent = || Refusal::NoCall("gaspi_notify_waitsome".to_owned(), place.clone());
        let wait = Call::find(&source, step.statement().range(), &wait).ok_or_else(absent)?;
        let wanted = Template::all(&suggestion.call)?;
        let number = wanted
            .first()
            .and_then(|call| call.number(1))
            .ok_or_else(absent)?;
        let [segment, first, count, found] = wait.arguments().get(..4).ok_or_else(absent)? else {
            return Err(absent());
        };
        if self.segment().is_none_or(|posted| posted != segment.0) {
            return Err(Refusal::Placeholder("segment".to_owned(), wait.name().to_owned()));
        }
        // Elsewhere they have other values, which may be right.
        let literal = |text: &str| text.parse::<u32>().ok();
        let not_written = |text: &str| Refusal::NotWritten(text.to_owned(), place.clone());
        let given = literal(&first.0).ok_or_else(|| not_written(&first.0))?;
        let of = literal(&count.0).ok_or_else(|| not_written(&count.0))?;
        let mut edits = Vec::new();
        for ((text, range), right) in [(first, number), (count, 1)] {
            if literal(text) != Some(right) {
                edits.push(Edit::replace(range.clone(), right.to_string()));
            }
        }
        let reset = self.reset(&source, step, &wait);
        if let Some((text, range)) = reset.as_ref().and_then(|reset| reset.arguments().get(1)) {
            let is_found = found.0.strip_prefix('&').map(str::trim) == Some(text);
            match literal(text) {
                _ if is_found => {}
                Some(old) if of == 1 && old == given => {
                    edits.push(Edit::replace(range.clone(), number.to_string()));
                }
                _ => return Err(not_written(text)),
            }
        }
        Ok(vec![(source.file().to_owned(), edits)])
    }

    /// Sets back what a wait has found, right after it.
    pub(super) fn set_back(&self, call: &Template) -> Result<Changes, Refusal> {
        let (place, side) = self.spot(std::slice::from_ref(call))?;
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        check_statement(&source, step, side, place)?;
        check_beside(&source, step, (source.offset(place)?, side), place)?;
        let is_wait = |name: &str| name == "gaspi_notify_waitsome";
        let wait = Call::find(&source, step.statement().range(), &is_wait);
        let unknown = |what: &str| Refusal::Placeholder(what.to_owned(), call.text().to_owned());
        let wait = wait.ok_or_else(|| unknown("segment"))?;
        let [segment, _, _, found, limit] = wait.arguments() else {
            return Err(unknown("segment"));
        };
        // What may come back without one has found none then.
        let may_find_none = limit.0.contains("GASPI_TEST") || limit.0.parse::<u64>().is_ok();
        let found = found
            .0
            .strip_prefix('&')
            .map(str::trim)
            .filter(|_| !may_find_none);
        let found = found.ok_or_else(|| unknown("first"))?;
        let level = source.level(source.indentation(step.statement().range().start));
        let lines = [
            "{".to_owned(),
            format!("{level}gaspi_notification_t set_back;"),
            format!("{level}gaspi_notify_reset({}, {found}, &set_back);", segment.0),
            "}".to_owned(),
        ];
        Ok(vec![(
            source.file().to_owned(),
            beside(&source, step, side, &lines),
        )])
    }

    /// The segment of the notification, as the call has it that posts it.
    fn segment(&self) -> Option<String> {
        let place = self.suggestion.after.as_ref()?;
        let source = self.sources.get(&place.file).ok()?;
        let path = source.path(source.offset(place).ok()?).ok()?;
        let posts = |name: &str| name.starts_with("gaspi_") && name.ends_with("notify");
        let post = Call::find(&source, path.last()?.statement().range(), &posts)?;
        let at = match post.name() {
            "gaspi_notify" => 0,
            "gaspi_write_notify" => 3,
            "gaspi_write_list_notify" => 7,
            _ => return None,
        };
        post.arguments().get(at).map(|(text, _)| text.clone())
    }

    /// What sets back what a wait has found: the next such call of its block, up to the next wait.
    fn reset(&self, source: &Source, step: &Step<'_>, wait: &Call) -> Option<Call> {
        let end = step.block().range().end;
        let is_next = |name: &str| ["gaspi_notify_waitsome", "gaspi_notify_reset"].contains(&name);
        let next = Call::find(source, wait.end()..end, &is_next)?;
        (next.name() == "gaspi_notify_reset").then_some(next)
    }
}
