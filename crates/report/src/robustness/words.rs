//! A cycle edge by edge, in words.

use farside_robustness::{
    Argument, DecidedRanks, Edge, Event, EventKind, EveryRanks, Relation, Source, Verdict, Violation,
};

/// `P0 load (0, y) = 0`
pub(crate) fn event(event: &Event) -> String {
    format!("P{} {}", event.rank, without_rank(event))
}

/// `load (0, y) = 0`
pub(crate) fn without_rank(event: &Event) -> String {
    let mut text = event.kind.word().to_owned();
    if let Some(address) = &event.address {
        text += &format!(" {address}");
    }
    if let Some(value) = event.value {
        text += &format!(" = {value}");
    }
    text
}

/// What an edge says, between the lines of its two events.
pub(crate) fn edge(violation: &Violation, edge: &Edge) -> String {
    let (Some(from), Some(to)) = (violation.events.get(edge.from), violation.events.get(edge.to)) else {
        return String::new();
    };
    match edge.relation {
        Relation::ProgramOrder => format!("comes first in the code of P{}", from.rank),
        Relation::Identity if from.kind == EventKind::Bar => "is the same barrier as".to_owned(),
        Relation::Identity if matches!(to.kind, EventKind::Popa | EventKind::Popb) => {
            "takes effect by".to_owned()
        }
        Relation::Identity => "is the effect of".to_owned(),
        Relation::Conflict => {
            let address = from
                .address
                .as_ref()
                .map_or_else(String::new, |address| format!(" {address}"));
            match (writes(violation, from), writes(violation, to)) {
                (false, true) => format!("reads{address} before it is overwritten by"),
                (true, false) => format!("writes{address}, which is then read by"),
                _ => format!("writes{address} before"),
            }
        }
    }
}

/// Whether it changes memory. An atomic operation reads and writes its target in one step, its first effect.
pub(crate) fn writes(violation: &Violation, event: &Event) -> bool {
    let atomic = |other: &Event| other.command == event.command && other.kind == EventKind::Atomic;
    match event.kind {
        EventKind::Store | EventKind::Popb => true,
        EventKind::Popa => violation.events.iter().any(atomic),
        _ => false,
    }
}

/// The computation in the paper's notation, the rank of each event after it.
pub(crate) fn notation(violation: &Violation) -> String {
    let events: Vec<String> = violation
        .events
        .iter()
        .map(|event| format!("{}{}", event.kind.word(), subscript(event.rank)))
        .collect();
    events.join("\u{b7}")
}

/// A number in small low digits.
fn subscript(number: u32) -> String {
    let digit = |c: char| {
        c.to_digit(10)
            .and_then(|d| char::from_u32(0x2080 + d))
            .unwrap_or(c)
    };
    number.to_string().chars().map(digit).collect()
}

/// Long statements are cut in pictures: the text form has all of it.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['\u{2026}']).collect()
}

/// What a read reads from, by its number: "reads what event 3 wrote"; nothing for what reads nothing.
pub(crate) fn reads_from(violation: &Violation, index: usize) -> String {
    let Some(read) = violation.events.get(index) else {
        return String::new();
    };
    if !matches!(read.kind, EventKind::Load | EventKind::Popa) || read.address.is_none() {
        return String::new();
    }
    let wrote = |event: &Event| writes(violation, event) && event.address == read.address;
    match violation.events[..index].iter().rposition(wrote) {
        Some(write) => format!("reads what event {} wrote", write + 1),
        None => "reads the first value".to_owned(),
    }
}

/// How long a computation is.
pub(crate) fn length(violation: &Violation) -> String {
    let fewest = if violation.shortest {
        "the fewest"
    } else {
        "perhaps not the fewest"
    };
    format!("{} events, {fewest}", violation.events.len())
}

/// `for every number of ranks: robust`
pub(crate) fn for_every(every: &EveryRanks) -> &'static str {
    match every.verdict {
        Verdict::Robust => "robust",
        Verdict::NotRobust => "not robust",
        Verdict::Inconclusive => "not known",
    }
}

/// What was decided one by one, and why the rest follows or does not: each with its place, if it has one.
pub(crate) fn reasons(every: &EveryRanks) -> Vec<(String, Option<Source>)> {
    let mut lines: Vec<(String, Option<Source>)> = Vec::new();
    let mut rest = every.decided.as_slice();
    while let Some(first) = rest.first() {
        let alike = |other: &&DecidedRanks| other.verdict == first.verdict;
        let count = rest.iter().take_while(alike).count();
        lines.push((decided(&rest[..count]), None));
        rest = &rest[count..];
    }
    if let Some(argument) = &every.argument {
        let operations = match argument.operations {
            0 => "no statement issues an operation".to_owned(),
            1 => "1 statement issues operations".to_owned(),
            count => format!("{count} statements issue operations"),
        };
        lines.push((
            format!(
                "{} ranks and more: {operations}, and no way of happens-before closes a cycle",
                argument.from
            ),
            None,
        ));
        if argument.complete_at_barriers {
            let why = "each operation is complete when its process comes to a barrier, so that a cycle would lie \
                       between two barriers";
            lines.push((why.to_owned(), None));
        }
        lines.extend(overtaken(argument));
        let kinds = [
            (
                &argument.in_turn,
                "takes effect late, but in turn with all that other processes do there: before it is issued, or after it",
            ),
            (
                &argument.awaited,
                "waits for a flag that is written once, and so for what its writer wrote before",
            ),
            (
                &argument.counted,
                "waits until all have raised the counter that raise it, each once, and so for what they wrote before",
            ),
            (
                &argument.rounds,
                "waits for a flag whose values count rounds, and so for what its writer wrote in that round and before",
            ),
        ];
        for (sources, what) in kinds {
            let said = |source: &Source| (format!("`{}` {what}", source.text), Some(source.clone()));
            lines.extend(sources.iter().map(said));
        }
    }
    if let Some(doubt) = &every.doubt
        && every.verdict == Verdict::Inconclusive
    {
        let what = match doubt.way.as_slice() {
            [] => doubt.reason.clone(),
            way => {
                let steps: Vec<String> = way
                    .iter()
                    .map(|step| format!("`{}` ({})", step.text, step.line_in_words()))
                    .collect();
                format!("{}: {}", doubt.reason, steps.join(", "))
            }
        };
        lines.push((what, doubt.source.clone()));
    }
    lines
}

/// What may be overtaken: each operation once, with the lines of what overtakes it.
fn overtaken(argument: &Argument) -> Vec<(String, Option<Source>)> {
    // An operation overtakes itself in a loop, or by its other part.
    let pairs = || argument.late.iter().filter(|pair| pair.operation != pair.by);
    let mut operations: Vec<&Source> = Vec::new();
    for pair in pairs() {
        if !operations.contains(&&pair.operation) {
            operations.push(&pair.operation);
        }
    }
    if operations.is_empty() && argument.in_turn.is_empty() && argument.operations > 0 {
        let what = "each is complete before its process goes on to what others could see";
        return vec![(what.to_owned(), None)];
    }
    let line = |operation: &Source| {
        let mut by: Vec<u32> = pairs()
            .filter(|pair| pair.operation == *operation)
            .map(|pair| pair.by.line)
            .collect();
        by.sort_unstable();
        by.dedup();
        let lines: Vec<String> = by.iter().map(u32::to_string).collect();
        let (word, lines) = match lines.as_slice() {
            [one] => ("line", one.clone()),
            [all @ .., last] => ("lines", format!("{} and {last}", all.join(", "))),
            [] => ("line", String::new()),
        };
        format!(
            "`{}` may be overtaken by {word} {lines}, from where no way leads back",
            operation.text
        )
    };
    let each = operations
        .into_iter()
        .map(|operation| (line(operation), Some(operation.clone())));
    each.collect()
}

/// Numbers of ranks with one answer.
fn decided(numbers: &[DecidedRanks]) -> String {
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
        return String::new();
    };
    let which = match first.ranks == last.ranks {
        true => format!("{} ranks", first.ranks),
        false => format!("{} to {} ranks", first.ranks, last.ranks),
    };
    let states: u64 = numbers.iter().map(|number| number.search.states).sum();
    let reason = first.reason.as_deref().unwrap_or_default();
    match first.verdict {
        Some(Verdict::Inconclusive) => format!("{which}: {reason}"),
        Some(verdict) => format!(
            "{which}: {}, decided one by one, {states} states",
            verdict.words()
        ),
        None => format!("{which}: no program; with {}, {reason}", first.ranks),
    }
}
