//! A cycle edge by edge, in words.

use farside_robustness::{Edge, Event, EventKind, Relation, Violation};

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
