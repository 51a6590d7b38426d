//! Suggestions in words, which the formats for people share: what to do, where, and what came of trying it.

use super::phrases::{Part, SENTENCE_LIMIT, short_place};
use crate::kit::visible::shortened;
use farside_findings::{Action, GIVEN, Proof, Stand, Suggestion};

/// What to do: `insert`, code; `replace`, code, `by`, code; without code, nothing.
pub(crate) fn change(suggestion: &Suggestion) -> Vec<Part> {
    let words = |words: &str| Part::Words(words.to_owned());
    let code = |code: &str| Part::Code(shortened(code, SENTENCE_LIMIT));
    let call = code(&suggestion.call);
    match (suggestion.action, &suggestion.instead_of) {
        _ if suggestion.call.is_empty() => Vec::new(),
        (Action::Replace, Some(old)) if old == GIVEN => vec![words("give"), call],
        (Action::Replace, Some(old)) => vec![words("replace"), code(old), words("by"), call],
        (Action::Replace, None) => vec![words("write"), call],
        (Action::Insert, _) => vec![words("insert"), call],
        (Action::Move, _) => vec![words("move"), call],
        (Action::Remove, _) => vec![words("remove"), call],
    }
}

/// The suggestion as a sentence: what to do, and where; or that it was tried in vain.
pub(crate) fn suggestion(suggestion: &Suggestion) -> Vec<Part> {
    if let Some(proof) = suggestion.proof.filter(|proof| proof.refutes()) {
        return in_vain(suggestion, proof);
    }
    let mut parts = change(suggestion);
    if !suggestion.position.is_empty() {
        parts.push(Part::Words(shortened(&suggestion.position, SENTENCE_LIMIT)));
    }
    if let Some(proof) = suggestion.proof.filter(|_| !parts.is_empty()) {
        parts.extend(outcome(suggestion, proof));
    }
    parts
}

/// What came of trying a suggestion, with the places where its calls were tried: `(verified right after halo.c:23)`.
fn outcome(suggestion: &Suggestion, proof: Proof) -> Vec<Part> {
    let words = |words: String| Part::Words(words);
    let beside: Vec<(&str, String)> = suggestion
        .stands
        .iter()
        .filter_map(|stand| Some((&*stand.call, beside(stand)?)))
        .collect();
    match beside.as_slice() {
        [] => vec![words(format!("({})", tried(proof, suggestion.judged)))],
        [(_, one)] => vec![words(format!("({} {one})", tried(proof, suggestion.judged)))],
        many => {
            let mut parts = Vec::new();
            for (number, (call, place)) in many.iter().enumerate() {
                parts.push(words(match number {
                    0 => format!("({}:", tried(proof, suggestion.judged)),
                    _ => "and".to_owned(),
                }));
                parts.push(Part::Code(shortened(call, SENTENCE_LIMIT)));
                let end = if number + 1 == many.len() { ")" } else { "," };
                parts.push(words(format!("{place}{end}")));
            }
            parts
        }
    }
}

/// What else may be done: not what was tried in vain, which stands there for `farside fix`.
pub(crate) fn others(suggestion: &Suggestion) -> impl Iterator<Item = &Suggestion> {
    let helps = |other: &&Suggestion| !other.proof.is_some_and(Proof::refutes);
    suggestion.others.iter().filter(helps)
}

/// Where a call was tried: `right after halo.c:23`.
pub(crate) fn beside(stand: &Stand) -> Option<String> {
    let (place, after) = stand.stretches.first()?.beside()?;
    let side = if after { "after" } else { "before" };
    Some(format!("right {side} {}", short_place(place)))
}

/// What a suggestion costs: `; costs about 20.8 us each time`; nothing if that is not known.
pub(crate) fn cost(suggestion: &Suggestion) -> String {
    match suggestion.cost {
        Some(nanoseconds) => format!("; costs about {} us each time", nanoseconds as f64 / 1e3),
        None => String::new(),
    }
}

/// That what was tried does not help.
fn in_vain(suggestion: &Suggestion, proof: Proof) -> Vec<Part> {
    let (position, tried) = (
        shortened(&suggestion.position, SENTENCE_LIMIT),
        tried(proof, suggestion.judged),
    );
    let words = |words: String| Part::Words(format!("nothing that was tried helps: {words}"));
    if suggestion.call.is_empty() {
        // What is to be done is in the position alone.
        return vec![words(format!("{position}: {tried}"))];
    }
    let with = match suggestion.action {
        Action::Remove => "without",
        _ => "with",
    };
    let place = format!("{position}, {tried}");
    vec![
        words(with.to_owned()),
        Part::Code(shortened(&suggestion.call, SENTENCE_LIMIT)),
        Part::Words(place.trim_start_matches(", ").into()),
    ]
}

/// What came of trying a suggestion, if it was tried.
pub(crate) fn proof(suggestion: &Suggestion) -> Option<String> {
    Some(tried(suggestion.proof?, suggestion.judged))
}

fn tried(proof: Proof, judged: Option<u8>) -> String {
    let words = match proof {
        Proof::InPart => {
            let share = match judged {
                Some(percent @ 1..) => format!("{percent} %"),
                _ => "1 %, or less,".to_owned(),
            };
            return format!("verified in the first {share} of this run's events");
        }
        Proof::Verified => "verified",
        Proof::Stays => "in the events of this run the finding stays",
        Proof::BringsOthers => "in the events of this run it brings other findings",
        Proof::Blocks => "in the events of this run processes would wait for each other",
        Proof::MayBlock => "where another process takes the lock first, processes would wait for each other",
        Proof::ForSome => "not verified for every number of processes that has the finding",
        Proof::Untried => "not verified: such a change cannot be tried in the events of a run",
        Proof::TooLarge => "not verified: this run has too many events to try it",
        Proof::NoTime => "not verified: no time was left to try it",
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(call: &str, position: &str) -> String {
        let suggestion = suggestion(&Suggestion {
            call: call.into(),
            position: position.into(),
            proof: Some(Proof::Stays),
            ..Suggestion::default()
        });
        let words = |part: &Part| match part {
            Part::Words(words) | Part::Code(words) => words.clone(),
        };
        suggestion.iter().map(words).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_tried_in_vain_need_not_be_a_call() {
        let stays = "in the events of this run the finding stays";
        assert_eq!(
            words("MPI_Win_flush(1, win)", "after a.c:3"),
            format!("nothing that was tried helps: with MPI_Win_flush(1, win) after a.c:3, {stays}")
        );
        assert_eq!(
            words("", "after a.c:3 and before a.c:5, order the two threads"),
            format!(
                "nothing that was tried helps: after a.c:3 and before a.c:5, order the two threads: {stays}"
            )
        );
    }
}
