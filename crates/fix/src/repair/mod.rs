//! The edits that one suggestion means.
//!
//! | what is done | file |
//! |---|---|
//! | memory is attached to a window | `attach` |
//! | calls of one rank, and of all, are inserted | `one_rank`, `all_ranks` |
//! | code is replaced | `replace` |
//! | an argument has another value | `argument` |
//! | a post has another group | `group` |
//! | a wait is for another notification | `wait` |
//! | a call is repeated until it is done | `repeat` |
//! | a lock is taken around statements | `exclusion` |
//! | threads meet | `meeting` |
//! | an operation sends a copy | `second_buffer` |
//! | a call reads or writes a copy | `apart` |
//! | a call between two calls of one statement | `between` |
//! | headers that new code needs | `include` |
//! | a variable becomes static | `symmetric` |
//! | a statement is moved in its block | `statement` |
//! | a statement is moved with what is around it | `enclosed` |
//! | a call that others wait for is moved up | `earlier` |
//! | a call is moved elsewhere, or taken out | `lone_call` |

mod all_ranks;
mod apart;
mod argument;
mod attach;
mod between;
mod earlier;
mod enclosed;
mod exclusion;
mod group;
mod include;
mod lone_call;
mod meeting;
mod one_rank;
mod repeat;
mod replace;
mod second_buffer;
mod statement;
mod symmetric;
mod wait;

use crate::call::{Call, Role, is_call_of};
use crate::edit::{Edit, Edits, Side};
use crate::refusal::Refusal;
use crate::source::Source;
use crate::sources::Sources;
use crate::statement::{Kind, Statement, Step};
use crate::template::{Template, bare};
use crate::tried::Tried;
use farside_findings::{Action, Finding, Party, Place, Rule, Suggestion};

/// Edits by file.
pub(crate) type Changes = Vec<(String, Vec<Edit>)>;

/// A suggestion, and whom it concerns.
pub(crate) struct Repair<'f> {
    finding: &'f Finding,
    parties: Vec<&'f Party>,
    suggestion: &'f Suggestion,
    tried: Tried<'f>,
    sources: &'f Sources<'f>,
}

impl<'f> Repair<'f> {
    /// The repair of a finding by a suggestion, whose calls are written where they may be; `parties` are those of all
    /// findings that it is for.
    pub(crate) fn new(
        finding: &'f Finding,
        parties: Vec<&'f Party>,
        (suggestion, tried): (&'f Suggestion, Tried<'f>),
        sources: &'f Sources<'f>,
    ) -> Self {
        Self {
            finding,
            parties,
            suggestion,
            tried,
            sources,
        }
    }

    /// The edits.
    ///
    /// # Errors
    /// It cannot be done surely.
    pub(crate) fn changes(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        if suggestion.call.is_empty() && self.finding.rule == Rule::CollectiveMismatch {
            return self.in_one_order();
        }
        if suggestion.call.is_empty() {
            return Err(Refusal::WordsOnly(suggestion.position.clone()));
        }
        if suggestion.call.contains("|epoch|") {
            return Err(Refusal::Closure(suggestion.call.clone()));
        }
        let changes = match suggestion.action {
            Action::Insert if !suggestion.sections.is_empty() => self.exclude(),
            Action::Insert if suggestion.call == "static" => self.make_static(),
            Action::Insert if suggestion.call.contains("#pragma omp ") => self.meet(),
            Action::Insert if suggestion.call.starts_with("memcpy(copy, origin") => self.copy(),
            Action::Insert if suggestion.call.starts_with("memcpy(") => self.copy_apart(),
            Action::Insert => self.insert(),
            Action::Replace if argument::is_argument(&suggestion.call) => self.argument(),
            Action::Replace if group::is_group(&suggestion.call) => self.group(),
            Action::Replace if wait::is_wait(&suggestion.call) => self.wait_instead(),
            Action::Replace if repeat::is_repeated(&suggestion.call) => self.repeat(),
            Action::Replace => self.replace(),
            Action::Move if !suggestion.call.contains('(') && suggestion.at.is_none() => self.move_up(),
            Action::Move if !suggestion.call.contains('(') => self.move_statement(),
            // A loop of tests waits, too.
            Action::Move => self.shift().or_else(|refusal| match refusal {
                Refusal::NoCall(..) => self.move_statement().map_err(|_| refusal),
                _ => Err(refusal),
            }),
            Action::Remove => self.remove(),
        }?;
        self.check_columns(&changes)?;
        Ok(changes)
    }

    /// Whether a source in fixed form can still be read.
    fn check_columns(&self, changes: &Changes) -> Result<(), Refusal> {
        for (file, changes) in changes {
            let source = self.sources.get(file)?;
            let mut edits = Edits::default();
            let is_read = |text: String| Source::read(file, text).is_ok();
            if source.is_fixed() && !(edits.add(changes) && is_read(edits.apply(source.text()))) {
                return Err(Refusal::Columns(file.clone()));
            }
        }
        Ok(())
    }

    fn insert(&self) -> Result<Changes, Refusal> {
        let calls = Template::all(&self.suggestion.call)?;
        if let [call] = calls.as_slice()
            && call.name() == "gaspi_notify"
        {
            return self.notify(call);
        }
        if let [call] = calls.as_slice()
            && call.name() == "gaspi_notify_waitsome"
        {
            return self.await_posted(call);
        }
        if let [call] = calls.as_slice()
            && call.name() == "gaspi_notify_reset"
        {
            return self.set_back(call);
        }
        if let [call] = calls.as_slice()
            && call.name() == "MPI_Win_attach"
        {
            return self.attach(call);
        }
        if let [call, barrier] = calls.as_slice()
            && call.name() == "gaspi_notify"
            && barrier.is_for_all()
        {
            return self.tell_all(call, barrier);
        }
        let (for_all, own): (Vec<_>, Vec<_>) = calls.into_iter().partition(Template::is_for_all);
        let mut changes = Changes::new();
        if !own.is_empty() {
            changes.push(self.insert_on_one(&own)?);
        }
        for call in for_all {
            changes.push(self.insert_on_all(&call, &[])?);
        }
        Ok(changes)
    }

    /// The places of both accesses.
    pub(super) fn ends(&self) -> Result<(&'f Place, &'f Place), Refusal> {
        let (after, before) = (self.suggestion.after.as_ref(), self.suggestion.before.as_ref());
        let after = after.ok_or(Refusal::NoPlace("the first access"))?;
        let before = before.ok_or(Refusal::NoPlace("the second access"))?;
        Ok((after, before))
    }

    /// The place for calls that one rank makes, and on which side of it.
    pub(super) fn spot(&self, calls: &[Template]) -> Result<(&'f Place, Side), Refusal> {
        if let Tried::There(_) = self.tried {
            let spots = calls.iter().map(|call| {
                let spot = self.tried.spot(call.text());
                spot.ok_or_else(|| Refusal::NotThere(call.text().to_owned()))
            });
            let spots: Vec<(&Place, Side)> = spots.collect::<Result<_, _>>()?;
            let first = *spots.first().ok_or(Refusal::NoPlace("the call"))?;
            return match spots.iter().all(|spot| *spot == first) {
                true => Ok(first),
                false => Err(Refusal::NotThere(self.suggestion.call.clone())),
            };
        }
        let (after, before) = (self.suggestion.after.as_ref(), self.suggestion.before.as_ref());
        let after = after.map(|place| (place, Side::After));
        let spot = after.or(before.map(|place| (place, Side::Before)));
        spot.ok_or(Refusal::NoPlace("the call"))
    }

    /// The calls of the finding, that of a place first.
    pub(super) fn calls(
        &self,
        place: &Place,
        source: &Source,
        step: &Step<'_>,
    ) -> Result<Vec<Call>, Refusal> {
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
    pub(super) fn call_of(&self, party: &Party) -> Option<Call> {
        let place = party.place()?;
        let source = self.sources.get(&place.file).ok()?;
        let path = source.path(source.offset(place).ok()?).ok()?;
        Call::find(&source, path.last()?.statement().range(), &|name| {
            is_call_of(name, &party.operation)
        })
    }

    /// The variable that the window was put into, if it is known: a name that the program gives a window is no code.
    pub(super) fn variable(&self) -> Option<&'f str> {
        self.finding
            .window
            .as_deref()
            .filter(|_| self.finding.created.is_some())
    }

    /// Whether it is what calls of the finding have for a window.
    pub(crate) fn is_window(&self, name: &str) -> bool {
        let calls = self.parties.iter().filter_map(|party| self.call_of(party));
        let mut windows = calls.chain(self.creation());
        windows.any(|call| call.role(Role::Window).is_some_and(|window| bare(window) == name))
    }

    /// The call that made the window.
    pub(super) fn creation(&self) -> Option<Call> {
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
}

/// Whether a statement can be added on that side, on the ranks that come to it.
fn check_statement(source: &Source, step: &Step<'_>, side: Side, place: &Place) -> Result<(), Refusal> {
    let statement = step.statement();
    if source.is_labelled(statement) {
        return Err(Refusal::Labelled(place.clone()));
    }
    if side == Side::Before {
        return Ok(());
    }
    if source.is_under_directive(statement) && !source.is_body(statement) {
        return Err(Refusal::Directive(place.clone()));
    }
    let is_followed = statement.kind() == Kind::Simple && !leaves(source, statement);
    if !is_followed && !is_guard(source, statement, place) {
        return Err(Refusal::InCondition(place.clone()));
    }
    Ok(())
}

/// Whether a place is in the condition of an `if` whose branch does nothing but leave: what is added after it is
/// reached right after the condition, where that does not lead elsewhere.
fn is_guard(source: &Source, statement: &Statement, place: &Place) -> bool {
    let [branch] = statement.blocks() else {
        return false;
    };
    let is_in_condition = || source.offset(place).is_ok_and(|at| at < branch.range().start);
    let only_leaves = || match branch.statements() {
        [only] => leaves(source, only),
        _ => false,
    };
    statement.kind() == (Kind::If { complete: false }) && is_in_condition() && only_leaves()
}

/// Whether nothing after a statement in its block is reached.
fn leaves(source: &Source, statement: &Statement) -> bool {
    let code = source.code(statement.range());
    let word = code
        .iter()
        .copied()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let word = word.collect::<Vec<u8>>().to_ascii_lowercase();
    let leaving: [&[u8]; 7] = [
        b"return",
        b"throw",
        b"co_return",
        b"goto",
        b"break",
        b"continue",
        b"stop",
    ];
    statement.kind() == Kind::Simple && leaving.contains(&word.as_slice())
}
