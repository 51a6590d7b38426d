//! A statement that is one call, moved or taken out.

use super::{Changes, Repair, check_statement, leaves};
use crate::call::{Call, is_call_of};
use crate::edit::{Edit, Side, beside, without};
use crate::language::Language;
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::{Kind, Step};
use crate::template::Template;
use farside_findings::Place;
use std::ops::Range;
use std::rc::Rc;

/// A statement that is one call.
struct LoneCall {
    source: Rc<Source>,
    range: Range<usize>,
    call: Call,
    /// The same statement in another file, which may not know what checks its error.
    elsewhere: String,
    /// What takes it out.
    removal: Edit,
}

impl Repair<'_> {
    /// Takes a statement out that is one call.
    pub(super) fn remove(&self) -> Result<Changes, Refusal> {
        let place = self.suggestion.at.as_ref();
        let place = place.ok_or(Refusal::NoPlace("what is removed"))?;
        let name = self.suggestion.call.split('(').next().unwrap_or_default();
        let lone = self.lone_call(place, name)?;
        Ok(vec![(lone.source.file().to_owned(), vec![lone.removal])])
    }

    /// A statement that is one call, and nothing else.
    fn lone_call(&self, place: &Place, name: &str) -> Result<LoneCall, Refusal> {
        let source = self.sources.get(&place.file)?;
        let path = source.path(source.offset(place)?)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(place.clone()))?;
        let range = step.statement().range();
        let named = |other: &str| {
            other.eq_ignore_ascii_case(name) || is_call_of(other, name) || other.starts_with("gaspi_wait")
        };
        let call = Call::find(&source, range.clone(), &named);
        let call = call.ok_or_else(|| Refusal::NoCall(name.to_owned(), place.clone()))?;
        let without_space = |range: Range<usize>| -> Vec<u8> {
            let code = source.code(range).iter();
            code.filter(|byte| !byte.is_ascii_whitespace()).copied().collect()
        };
        let rest = without_space(call.end()..range.end);
        let before = without_space(range.start..call.name_range().start);
        let is_alone = matches!(&*rest, b"" | b";") && matches!(&*before.to_ascii_lowercase(), b"" | b"call");
        // `CHECK(MPI_Win_wait(win));` does nothing but that call and what looks at its error.
        let checks = match before.split_last() {
            Some((b'(', name)) => is_name(name) && rest == b");" && !leaves(&source, step.statement()),
            _ => false,
        };
        if !(is_alone || checks && step.statement().kind() == Kind::Simple) {
            return Err(Refusal::InCondition(place.clone()));
        }
        let removal = taken_out(&source, &path).ok_or_else(|| Refusal::InCondition(place.clone()))?;
        Ok(LoneCall {
            source: Rc::clone(&source),
            elsewhere: match checks {
                true => format!("{};", source.part(call.name_range().start..call.end())),
                false => source.part(range.clone()).to_owned(),
            },
            range,
            call,
            removal,
        })
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
        let LoneCall {
            source: from,
            range,
            call,
            elsewhere,
            removal,
        } = self.lone_call(place, templates[0].name())?;
        let target = self.sources.get(&to.file)?;
        let at = target.offset(to)?;
        let path = target.path(at)?;
        let step = path.last().ok_or_else(|| Refusal::NoCode(to.clone()))?;
        check_statement(&target, step, side, to)?;
        let text = match from.file() == target.file() {
            true => from.part(range.clone()).to_owned(),
            false => elsewhere,
        };
        // The epoch was begun outside of the loops that do not have its end.
        let closes = side == Side::Before && templates.iter().all(Template::closes);
        let step = match closes {
            true => out_of_loops(&path, (from.file() == target.file()).then_some(range.start)),
            false => *step,
        };
        if let Some((argument, _)) = call
            .arguments()
            .iter()
            .find(|(argument, _)| !target.knows(argument, at))
        {
            return Err(Refusal::Unknown(argument.clone(), to.file.clone()));
        }
        let mut edits = vec![removal];
        let added = beside(&target, &step, side, &[text]);
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

/// The outermost loop of its function around the end of a way that does not have the other place; else that end.
fn out_of_loops<'s>(path: &[Step<'s>], other: Option<usize>) -> Step<'s> {
    let function = path
        .iter()
        .rposition(|step| step.statement().kind() == Kind::Function);
    let has_other = |step: &Step<'_>| other.is_some_and(|at| step.statement().range().contains(&at));
    let mut inner = path[function.map_or(0, |at| at + 1)..].iter();
    let outermost = inner.find(|step| step.statement().kind() == Kind::Loop && !has_other(step));
    *outermost.unwrap_or(&path[path.len() - 1])
}

/// Whether it is the name of a function or a macro.
fn is_name(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let keywords: [&[u8]; 5] = [b"if", b"while", b"for", b"switch", b"sizeof"];
    !text.is_empty() && text.iter().all(is_part) && !keywords.contains(&text)
}

/// Takes the statement at the end of a way out of its source; `None` if another one would stand in its place then.
///
/// The only statement of an `if` without braces goes with it, if its condition does nothing; what else has no braces
/// keeps an empty block.
fn taken_out(source: &Source, path: &[Step<'_>]) -> Option<Edit> {
    let (step, outer) = path.split_last()?;
    let range = step.statement().range();
    if step.block().is_braced() {
        return Some(without(source, range));
    }
    let around = outer.last()?;
    let statement = around.statement();
    let is_only = matches!(statement.kind(), Kind::If { .. }) && statement.blocks().len() == 1;
    if is_only && around.block().is_braced() && does_nothing(source, step.block().head()) {
        return Some(without(source, statement.range()));
    }
    (source.language() == Language::C).then(|| Edit::replace(range, "{ }"))
}

/// Whether a condition has no effect, as far as its text tells: it calls nothing, and gives nothing a value.
fn does_nothing(source: &Source, condition: Range<usize>) -> bool {
    let code = String::from_utf8_lossy(source.code(condition.clone())).into_owned();
    let gives = code.match_indices('=').any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + 1..]);
        !(after.starts_with('=') || before.ends_with(['=', '!', '<', '>', '/']))
    });
    let is_keyword = |name: &str| name.eq_ignore_ascii_case("if");
    let calls = Call::find(source, condition, &|name| !is_keyword(name)).is_some();
    !(gives || calls || code.contains("++") || code.contains("--"))
}
