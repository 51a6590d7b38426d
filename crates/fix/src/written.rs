//! What a suggestion says for a window and for a target: the expressions that its repair writes. Of a statement that
//! goes to several targets, the number of one is right for none of the others.

use crate::call::{Call, Role};
use crate::refusal::Refusal;
use crate::repair::Repair;
use crate::sources::{Read, Sources};
use crate::template::Template;
use crate::tried::Tried;
use farside_findings::{Finding, Suggestion};

/// A suggestion of a finding, and those after it, with the expressions that their calls would have for the window and
/// the target; where none keeps the value of the window, with the line that made it. `None` if nothing changes.
#[must_use]
pub fn as_written(finding: &Finding, suggestion: &Suggestion, read: Read<'_>) -> Option<Suggestion> {
    let sources = Sources::new(read);
    let named = |one: &Suggestion| {
        if let Some([instead_of, call]) = replaced(one, &sources) {
            let instead_of = Some(instead_of);
            let named = Suggestion {
                instead_of,
                call,
                ..one.clone()
            };
            return (named != *one, named);
        }
        let call = call(finding, one, &sources);
        (
            call.is_some(),
            Suggestion {
                call: call.unwrap_or_else(|| one.call.clone()),
                ..one.clone()
            },
        )
    };
    let (mut is_named, own) = named(suggestion);
    let mut others = Vec::new();
    for other in &suggestion.others {
        let (is_other_named, other) = named(other);
        is_named |= is_other_named;
        others.push(other);
    }
    is_named.then_some(Suggestion { others, ..own })
}

/// For a call that is made in another way: it and the other one with the window and the target that are written there.
fn replaced(suggestion: &Suggestion, sources: &Sources<'_>) -> Option<[String; 2]> {
    let (old, place) = (suggestion.instead_of.as_ref()?, suggestion.at.as_ref()?);
    let (old, new) = (Template::all(old).ok()?, Template::all(&suggestion.call).ok()?);
    let ([old], [new]) = (old.as_slice(), new.as_slice()) else {
        return None;
    };
    let source = sources.get(&place.file).ok()?;
    let path = source.path(source.offset(place).ok()?).ok()?;
    let named = |name: &str| name.eq_ignore_ascii_case(old.name());
    let there = Call::find(&source, path.last()?.statement().range(), &named)?;
    let window = there.role(Role::Window)?;
    let target = there.role(Role::Target);
    let written = |call: &Template| {
        let call = target.map_or_else(|| call.clone(), |target| call.with_target(target));
        call.with_window(window)
    };
    Some([written(old)?, written(new)?])
}

/// The code of a suggestion with what its calls would have for the window and the target; `None` if that is what it
/// has, or is not known.
fn call(finding: &Finding, suggestion: &Suggestion, sources: &Sources<'_>) -> Option<String> {
    let calls = Template::all(&suggestion.call).ok()?;
    if calls.iter().all(|call| call.with_window("win").is_none()) {
        return None;
    }
    let tried = match suggestion.stands.is_empty() {
        true => Tried::Anywhere,
        false => Tried::There(vec![&suggestion.stands]),
    };
    let repair = Repair::new(
        finding,
        finding.parties.iter().collect(),
        (suggestion, tried),
        sources,
    );
    let (window, targets) = match repair.changes() {
        Ok(changes) => {
            let edits = changes.iter().flat_map(|(_, edits)| edits);
            let texts: Vec<&str> = edits.map(|edit| edit.text()).collect();
            let mut found = texts
                .iter()
                .flat_map(|text| calls.iter().filter_map(|call| call.window_in(text)));
            let window = found.next()?.to_owned();
            let target = |call: &Template| {
                texts
                    .iter()
                    .find_map(|text| call.target_in(text))
                    .map(str::to_owned)
            };
            (window, calls.iter().map(target).collect())
        }
        Err(Refusal::Another(name, _) | Refusal::Unknown(name, _)) if repair.is_window(&name) => {
            let made = &finding.created.as_ref()?.place;
            let file = made.file.rsplit('/').next().unwrap_or_default();
            (
                format!("the window of {file}:{}", made.line),
                vec![None; calls.len()],
            )
        }
        Err(_) => return None,
    };
    let named = calls.iter().zip(&targets).map(|(call, target)| {
        let call = match target {
            Some(target) => call.with_target(target),
            None => call.clone(),
        };
        call.with_window(&window)
            .unwrap_or_else(|| call.text().to_owned())
    });
    let named = named.collect::<Vec<_>>().join("; ");
    (named != suggestion.call).then_some(named)
}
