//! Does to a program what a suggestion says.

use super::program::{Line, Program, What};
use farside_findings::{Action, Finding, Suggestion};

/// The programs that the suggestion may mean: wherever its words leave a choice of places, one for each; of a message
/// instead of a
/// barrier, in which round it is received.
pub(crate) fn repaired(program: &Program, finding: &Finding, messages: bool) -> Result<Vec<Program>, String> {
    let suggestion = finding.suggestion.as_ref().ok_or("no suggestion")?;
    let index =
        |place: &Option<farside_findings::Place>| place.as_ref().and_then(|place| program.index(place.line));
    let (after, before, at) = (
        index(&suggestion.after),
        index(&suggestion.before),
        index(&suggestion.at),
    );
    match suggestion.action {
        Action::Replace => {
            let at = at.ok_or("the place to change is not a line")?;
            let mut changed = program.clone();
            changed.body[at].what = replacement(program.body[at], suggestion)?;
            Ok(vec![changed])
        }
        Action::Remove => {
            let mut changed = program.clone();
            changed
                .body
                .remove(at.ok_or("what is to be removed is not a line")?);
            Ok(vec![changed])
        }
        Action::Move => {
            let from = at.ok_or("what is to be moved is not a line")?;
            let mut changed = program.clone();
            let line = changed.body.remove(from);
            let places = places(
                changed.body.len(),
                after.map(|a| a - usize::from(a > from)),
                before.map(|b| b - usize::from(b > from)),
            )?;
            Ok(each(&changed, &places, &[line.what]))
        }
        Action::Insert if messages && suggestion.call.contains("MPI_Barrier") => {
            let (Some(after), Some(before)) = (after, before) else {
                return Err("a message needs both places".to_owned());
            };
            let calls = calls(finding, suggestion)?;
            let from = rank_of(suggestion, "message from rank ")?;
            let to = rank_of(suggestion, "to rank ")?;
            let message = |first_round| {
                let mut changed = program.clone();
                let number = 77;
                let receive = What::Receive {
                    rank: to,
                    from,
                    number,
                    first_round,
                };
                let send = What::Send {
                    rank: from,
                    to,
                    number,
                };
                let mut first = calls.clone();
                *first.last_mut().expect("the barrier") = send;
                let (later, lines): (_, [&[What]; 2]) = if after < before {
                    ([before, after + 1], [&[receive], &first])
                } else {
                    ([after + 1, before], [&first, &[receive]])
                };
                changed.insert(later[0], lines[0]);
                changed.insert(later[1], lines[1]);
                changed
            };
            let next_round = suggestion.position.contains("of the next round");
            // The sources of two branches do not say which round; one of the two must do.
            Ok(vec![message(!next_round)])
        }
        Action::Insert => {
            let calls = calls(finding, suggestion)?;
            let places = places(program.body.len(), after, before)?;
            Ok(each(program, &places, &calls))
        }
    }
}

fn each(program: &Program, places: &[usize], what: &[What]) -> Vec<Program> {
    let with = |place: &usize| {
        let mut changed = program.clone();
        changed.insert(*place, what);
        changed
    };
    places.iter().map(with).collect()
}

/// Indices before which something can be inserted.
fn places(lines: usize, after: Option<usize>, before: Option<usize>) -> Result<Vec<usize>, String> {
    match (after, before) {
        (Some(after), Some(before)) if after < before => Ok((after + 1..=before).collect()),
        (Some(after), Some(before)) => Ok((0..=before).chain(after + 1..=lines).collect()),
        (Some(after), None) => Ok(vec![after + 1]),
        (None, Some(before)) => Ok(vec![before]),
        (None, None) => Err("no place".to_owned()),
    }
}

fn calls(finding: &Finding, suggestion: &Suggestion) -> Result<Vec<What>, String> {
    let call = |code: &str| {
        let rank = || {
            rank_of(suggestion, "on rank ").or(finding
                .parties
                .first()
                .map(|party| party.rank)
                .ok_or(String::new()))
        };
        let (name, arguments) = code.split_once('(').ok_or(format!("no call: {code}"))?;
        let target = || {
            let number = arguments.split(',').next().unwrap_or_default();
            number.parse().map_err(|_| format!("no target: {code}"))
        };
        Ok(match name {
            "MPI_Barrier" => What::Barrier,
            "MPI_Win_fence" => What::Fence { noprecede: false },
            "MPI_Win_flush" => What::Flush {
                rank: rank()?,
                target: target()?,
                local: false,
            },
            "MPI_Win_flush_local" => What::Flush {
                rank: rank()?,
                target: target()?,
                local: true,
            },
            "MPI_Wait" => What::WaitRequests { rank: rank()? },
            "MPI_Win_complete" => What::Complete { rank: rank()? },
            "MPI_Win_wait" => What::Wait { rank: rank()? },
            _ => return Err(format!("not known: {code}")),
        })
    };
    suggestion.call.split("; ").map(call).collect()
}

/// The rank that the position names after these words.
fn rank_of(suggestion: &Suggestion, words: &str) -> Result<u32, String> {
    let (_, rest) = suggestion
        .position
        .rsplit_once(words)
        .ok_or(format!("no `{words}` in `{}`", suggestion.position))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().map_err(|_| format!("no rank in `{rest}`"))
}

fn replacement(line: Line, suggestion: &Suggestion) -> Result<What, String> {
    let old = suggestion.instead_of.as_deref().unwrap_or_default();
    match (line.what, old, suggestion.call.as_str()) {
        (
            What::Flush {
                rank,
                target,
                local: true,
            },
            _,
            new,
        ) if old == format!("MPI_Win_flush_local({target}, win)")
            && new == format!("MPI_Win_flush({target}, win)") =>
        {
            Ok(What::Flush {
                rank,
                target,
                local: false,
            })
        }
        (What::FlushAll { rank, local: true }, "MPI_Win_flush_local_all(win)", "MPI_Win_flush_all(win)") => {
            Ok(What::FlushAll { rank, local: false })
        }
        (What::Fence { noprecede: true }, "MPI_MODE_NOPRECEDE", "0") => Ok(What::Fence { noprecede: false }),
        (what, old, new) => Err(format!("{what:?} has no `{old}` to replace by `{new}`")),
    }
}
