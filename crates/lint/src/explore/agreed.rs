//! One suggestion for a finding that several numbers of processes have.
//!
//! Promise: what is told to be verified helps in the simulation of each number of processes that has the finding. Where
//! nothing helps in all of them, what helps most of them is told, as not verified for all.

use farside_findings::{Place, Proof, Stand, Stretch, Suggestion};

/// What is suggested for one number of processes, if it helps for the others, too, by what is suggested for these.
pub(super) fn agreed(own: Suggestion, of_others: &[&Suggestion]) -> Suggestion {
    let helps = |one: &Suggestion| one.proof.is_some_and(Proof::helps);
    // Of what was not tried, for want of time or events, nothing is known.
    let is_known =
        |other: &&&Suggestion| listed(other).any(|one| helps(one) || one.proof.is_some_and(Proof::refutes));
    let of_others: Vec<&Suggestion> = of_others.iter().filter(is_known).copied().collect();
    if of_others.is_empty() || !listed(&own).any(helps) {
        return own;
    }
    let (helping, rest): (Vec<Suggestion>, Vec<Suggestion>) = listed(&own).map(alone).partition(helps);
    let everywhere: Vec<Suggestion> = helping
        .iter()
        .filter_map(|one| of_others.iter().try_fold(one.clone(), in_both))
        .collect();
    let best = match everywhere.is_empty() {
        false => everywhere,
        true => vec![untried(&own, &of_others)],
    };
    let mut all = best.into_iter().chain(rest);
    let first = all.next().unwrap_or_default();
    Suggestion {
        others: all.collect(),
        ..first
    }
}

/// A suggestion, and those after it.
fn listed(suggestion: &Suggestion) -> impl Iterator<Item = &Suggestion> {
    std::iter::once(suggestion).chain(&suggestion.others)
}

/// A suggestion without those after it.
fn alone(suggestion: &Suggestion) -> Suggestion {
    Suggestion {
        others: Vec::new(),
        ..suggestion.clone()
    }
}

/// A suggestion as far as another number of processes is helped by it; `None` if it is not.
fn in_both(one: Suggestion, others: &&Suggestion) -> Option<Suggestion> {
    listed(others)
        .filter(|other| other.proof.is_some_and(Proof::helps) && are_same(&one, other))
        .find_map(|other| {
            let stands = stands_of_both(&one.stands, &other.stands)?;
            let is_part = [one.proof, other.proof].contains(&Some(Proof::InPart));
            Some(Suggestion {
                stands,
                proof: Some(if is_part { Proof::InPart } else { Proof::Verified }),
                judged: one.judged.into_iter().chain(other.judged).min(),
                ..one.clone()
            })
        })
}

/// What helps most numbers of processes, said as what was not tried.
fn untried(own: &Suggestion, of_others: &[&Suggestion]) -> Suggestion {
    let all = || of_others.iter().copied().chain(std::iter::once(own));
    let helped = |one: &Suggestion| {
        let helps = |other: &&Suggestion| in_both(one.clone(), other).is_some();
        all().filter(helps).count()
    };
    let mut best = own;
    for one in all().flat_map(listed) {
        if one.proof.is_some_and(Proof::helps) && helped(one) > helped(best) {
            best = one;
        }
    }
    Suggestion {
        proof: Some(Proof::ForSome),
        judged: None,
        stands: Vec::new(),
        ..alone(best)
    }
}

/// Whether two suggestions do the same to the text.
fn are_same(one: &Suggestion, other: &Suggestion) -> bool {
    let beside = |suggestion: &Suggestion| -> Vec<Option<(Place, bool)>> {
        let first = |stand: &Stand| {
            let (place, after) = stand.stretches.first()?.beside()?;
            Some((place.clone(), after))
        };
        suggestion.stands.iter().map(first).collect()
    };
    let (at_one, at_other) = (beside(one), beside(other));
    let is_there = || !at_one.is_empty() && at_one.iter().all(Option::is_some) && at_one == at_other;
    let is_between = || one.after == other.after && one.before == other.before;
    one.action == other.action
        && one.at == other.at
        && one.instead_of == other.instead_of
        && names(&one.call) == names(&other.call)
        && one.sections == other.sections
        && (is_between() || is_there())
}

/// The calls of a suggestion without their arguments, which may name a rank.
fn names(calls: &str) -> Vec<&str> {
    let name = |call: &'_ str| -> usize { call.find('(').unwrap_or(call.len()) };
    let bare = calls.split("; ").map(|call| &call[..name(call)]);
    bare.map(|call| call.strip_suffix("_all").unwrap_or(call))
        .collect()
}

/// Where each call helps for both numbers of processes; `None` if one of them has no place.
fn stands_of_both(one: &[Stand], other: &[Stand]) -> Option<Vec<Stand>> {
    if one.len() != other.len() {
        return Some(Vec::new());
    }
    let both = |(one, other): (&Stand, &Stand)| {
        let pairs = one
            .stretches
            .iter()
            .flat_map(|a| other.stretches.iter().filter_map(move |b| overlap(a, b)));
        let mut stretches: Vec<Stretch> = Vec::new();
        for stretch in pairs {
            if !stretches.contains(&stretch) {
                stretches.push(stretch);
            }
        }
        let none_known = one.stretches.is_empty() || other.stretches.is_empty();
        (none_known || !stretches.is_empty()).then(|| Stand {
            stretches,
            ..one.clone()
        })
    };
    one.iter().zip(other).map(both).collect()
}

/// What two stretches of a function have in common.
fn overlap(one: &Stretch, other: &Stretch) -> Option<Stretch> {
    if one.after == other.after && one.before == other.before {
        // A place in a loop that is passed once may be passed more often among more processes.
        let at_end = one.at_end || other.at_end;
        return Some(Stretch {
            at_end,
            ..one.clone()
        });
    }
    let (Some(a), Some(b), Some(c), Some(d)) = (&one.after, &other.after, &one.before, &other.before) else {
        return None;
    };
    let is_one_file = [b, c, d].iter().all(|place| place.file == a.file);
    let at = |place: &Place| (place.line, place.column);
    let after = if at(a) < at(b) { b } else { a };
    let before = if at(d) < at(c) { d } else { c };
    (is_one_file && at(after) < at(before)).then(|| Stretch {
        after: Some(after.clone()),
        before: Some(before.clone()),
        at_end: one.at_end,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Place {
        Place {
            file: "a.c".into(),
            line,
            column: Some(1),
        }
    }

    fn after(call: &str, line: u32, proof: Proof) -> Suggestion {
        Suggestion {
            call: call.into(),
            after: Some(place(line)),
            proof: Some(proof),
            stands: vec![Stand {
                call: call.into(),
                stretches: vec![Stretch::after(place(line))],
            }],
            ..Suggestion::default()
        }
    }

    fn list(all: Vec<Suggestion>) -> Suggestion {
        let mut all = all.into_iter();
        let first = all.next().unwrap_or_default();
        Suggestion {
            others: all.collect(),
            ..first
        }
    }

    fn told(suggestion: &Suggestion) -> Vec<(&str, Option<Proof>)> {
        listed(suggestion)
            .map(|one| (one.call.as_str(), one.proof))
            .collect()
    }

    #[test]
    fn what_helps_two_processes_only_is_not_told() {
        let [fence, quiet] = ["shmem_fence()", "shmem_quiet()"].map(|call| after(call, 27, Proof::Verified));
        let two = list(vec![fence.clone(), quiet.clone()]);
        let three = list(vec![quiet.clone()]);
        let agreed_on = agreed(two.clone(), &[&three, &three]);
        assert_eq!(told(&agreed_on), [("shmem_quiet()", Some(Proof::Verified))]);
        assert_eq!(agreed(two.clone(), &[]), two);
        assert_eq!(agreed(two.clone(), &[&two]), two);
        let part = after("shmem_quiet()", 27, Proof::InPart);
        assert_eq!(
            told(&agreed(quiet.clone(), &[&part])),
            [("shmem_quiet()", Some(Proof::InPart))]
        );
        // What helps most of them is told as not tried.
        let only = agreed(fence, &[&three, &quiet]);
        assert_eq!(told(&only), [("shmem_quiet()", Some(Proof::ForSome))]);
        assert!(only.stands.is_empty());
    }

    #[test]
    fn targets_may_differ_and_places_may_not() {
        let flush =
            |target: u32, line| after(&format!("MPI_Win_flush({target}, win)"), line, Proof::Verified);
        assert_eq!(agreed(flush(1, 9), &[&flush(2, 9)]), flush(1, 9));
        assert_eq!(agreed(flush(1, 9), &[&flush(2, 11)]).proof, Some(Proof::ForSome));
    }

    #[test]
    fn a_call_of_all_stands_in_what_stretches_have_in_common() {
        let barrier = |from: u32, to: u32| Suggestion {
            stands: vec![Stand {
                call: "MPI_Barrier(comm)".into(),
                stretches: vec![Stretch {
                    after: Some(place(from)),
                    before: Some(place(to)),
                    at_end: false,
                }],
            }],
            after: Some(place(3)),
            ..after("MPI_Barrier(comm)", 3, Proof::Verified)
        };
        let both = agreed(barrier(3, 9), &[&barrier(5, 20)]);
        assert_eq!(both.stands, barrier(5, 9).stands);
        assert_eq!(
            agreed(barrier(3, 9), &[&barrier(10, 20)]).proof,
            Some(Proof::ForSome)
        );
    }
}
