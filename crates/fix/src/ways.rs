//! The ways to repair a finding, or all findings of a cause, the surest first.
//!
//! A suggestion has others after it that help as well. What was verified comes before what was not; each is written
//! where it was tried. Where the program is built and checked again after a change, what is less sure may be tried,
//! too: what was verified at another place than the one where it can be written, and one change for all findings of a
//! cause.

use crate::refusal::Refusal;
use crate::repair::{Changes, Repair};
use crate::sources::{Read, Sources};
use crate::tried::{Tried, base};
use farside_findings::{Action, Cause, Finding, Party, Proof, Suggestion};

/// How the position ends of what changes what the program does, unless it was meant so.
const IF_MEANT: &str = "if that is what was meant";

/// How the position of an access that is moved ends.
const IF_NOT_NEEDED: &str = "if nothing in between needs it";

/// Which repairs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Those that were tried, where they were tried, and those of which nobody knows how to try them.
    Tried,
    /// Others, too: the program is checked afterwards.
    Untried,
}

/// One way to repair findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    changes: Changes,
    /// It was tried where it is written, and helps.
    verified: bool,
}

impl Way {
    /// The edits.
    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Whether it was tried where it is written, and helps.
    pub(crate) fn is_verified(&self) -> bool {
        self.verified
    }
}

/// Whether a suggestion of a finding stops threads: they would meet where the text lets only some of a team come.
#[must_use]
pub fn stops_threads(finding: &Finding, suggestion: &Suggestion, read: Read<'_>) -> bool {
    if !suggestion.call.ends_with("#pragma omp barrier") {
        return false;
    }
    let sources = Sources::new(read);
    let parties = finding.parties.iter().collect();
    let repair = Repair::new(finding, parties, (suggestion, Tried::Anywhere), &sources);
    matches!(repair.changes(), Err(Refusal::SomeThreads(_)))
}

/// The ways to repair one finding, at least one.
///
/// # Errors
/// There is none: why the first one is none.
pub(crate) fn of_finding(
    finding: &Finding,
    sources: &Sources<'_>,
    trust: Trust,
) -> Result<Vec<Way>, Refusal> {
    if finding.possible {
        return Err(Refusal::Possible);
    }
    let own = finding.suggestion.as_ref().ok_or(Refusal::NoSuggestion)?;
    let all = || std::iter::once(own).chain(&own.others);
    let verified = |suggestion: &&Suggestion| suggestion.proof.is_some_and(Proof::helps);
    let refuted = |suggestion: &Suggestion| suggestion.proof.is_some_and(Proof::refutes);
    let sure = all().filter(verified).map(|one| (one, there(one)));
    let open = all().filter(|one| !verified(one) && !refuted(one));
    let mut wanted: Vec<(&Suggestion, Tried<'_>)> = sure.collect();
    // The report tells first what is best, and the text says what can be written.
    // What leaves a call out comes after all that keeps what the program does, as in the report, and last what only the
    // author of the program knows to be meant.
    let is_meant = |one: &Suggestion| one.position.ends_with(IF_MEANT);
    // It tells of accesses that are moved at the end, for events do not say whether they can be. The text does.
    let is_access = |one: &Suggestion| one.position.ends_with(IF_NOT_NEEDED) && one.cost == Some(0);
    let costs = |(one, _): &(&Suggestion, Tried<'_>)| one.cost != Some(0);
    let free = wanted.iter().position(costs).unwrap_or(wanted.len());
    wanted[free..].sort_by_key(|(one, _)| !is_access(one));
    wanted.sort_by_key(|(one, _)| (is_meant(one), one.action == Action::Remove));
    let open: Vec<(&Suggestion, Tried<'_>)> = open.map(|one| (one, Tried::Anywhere)).collect();
    // Where the program is checked afterwards, an address that is made right may come before a call that is left out.
    let at = match trust {
        Trust::Tried => wanted.len(),
        Trust::Untried => {
            let is_less = |(one, _): &(&Suggestion, Tried<'_>)| one.action == Action::Remove || is_meant(one);
            wanted.iter().position(is_less).unwrap_or(wanted.len())
        }
    };
    wanted.splice(at..at, open);
    match trust {
        Trust::Tried if wanted.is_empty() => return Err(Refusal::InVain),
        Trust::Tried => {}
        Trust::Untried => {
            wanted.extend(all().filter(verified).map(|one| (one, Tried::Anywhere)));
            wanted.extend(all().filter(|one| refuted(one)).map(|one| (one, Tried::Anywhere)));
        }
    }
    let parties = || finding.parties.iter().collect();
    let (mut found, mut refusal): (Vec<Way>, _) = (Vec::new(), None);
    for told in wanted {
        let verified = matches!(told.1, Tried::There(_));
        match Repair::new(finding, parties(), told, sources).changes() {
            Ok(changes) if found.iter().any(|known| known.changes == changes) => {}
            Ok(changes) => found.push(Way { changes, verified }),
            // That a call cannot be moved is not why none can be added.
            Err(why) if matches!(refusal, None | Some(Refusal::OtherBlock(_))) => refusal = Some(why),
            Err(_) => {}
        }
    }
    match refusal {
        Some(why) if found.is_empty() => Err(why),
        _ => Ok(found),
    }
}

/// One change for all findings of a cause, if there is one.
pub(crate) fn of_cause(
    cause: &Cause,
    group: &[&Finding],
    sources: &Sources<'_>,
    trust: Trust,
) -> Option<Way> {
    let common = cause.suggestion.as_ref().filter(|_| group.len() > 1)?;
    let tried = match in_common(common, group) {
        Some(tried) => tried,
        None if trust == Trust::Untried || group.iter().all(|finding| is_untried(finding)) => Tried::Anywhere,
        None => return None,
    };
    let way = |tried| {
        let verified = matches!(tried, Tried::There(_));
        let parties: Vec<&Party> = group.iter().flat_map(|finding| &finding.parties).collect();
        let changes = Repair::new(group[0], parties, (common, tried), sources).changes();
        changes.ok().map(|changes| Way { changes, verified })
    };
    let there = way(tried);
    there.or_else(|| way(Tried::Anywhere).filter(|_| trust == Trust::Untried))
}

/// Where the calls of a suggestion were tried.
fn there(suggestion: &Suggestion) -> Tried<'_> {
    Tried::There(vec![&suggestion.stands])
}

/// Whether no trial says anything of a finding's suggestion.
fn is_untried(finding: &Finding) -> bool {
    let own = finding.suggestion.as_ref();
    own.is_some_and(|own| own.proof.is_none_or(|proof| !proof.refutes() && !proof.helps()))
}

/// Where the calls of one change for all findings were tried for each of them.
fn in_common<'f>(common: &Suggestion, group: &[&'f Finding]) -> Option<Tried<'f>> {
    let calls = |suggestion: &Suggestion| -> Vec<String> {
        let calls = suggestion.call.split("; ");
        calls.map(|call| base(call).to_owned()).collect()
    };
    let wanted = calls(common);
    let stands = |finding: &&'f Finding| {
        let own = finding.suggestion.as_ref()?;
        let mut all = std::iter::once(own).chain(&own.others);
        let same = |one: &&Suggestion| one.proof.is_some_and(Proof::helps) && calls(one) == wanted;
        all.find(same).map(|one| &*one.stands)
    };
    let stands: Option<Vec<_>> = group.iter().map(stands).collect();
    stands.map(Tried::There)
}
