//! Synchronisation that was not needed, in words: what the forms for people share.

use crate::findings::phrases::{NAME_LIMIT, counted, frame_place, place};
use crate::kit::visible::shortened;
use farside_findings::{
    Frame, Holds, Lessening, Narrower, Reason, Silence, Superfluous, Unneeded, Unseen, shown_frame,
};

/// The head of the section.
pub(crate) fn title(found: &Superfluous) -> &'static str {
    match (found.refused, found.nanoseconds) {
        (Some(_), _) => "Synchronisation that is not needed",
        (None, 0) => "Synchronisation that no simulation needed",
        _ => "Synchronisation that this run did not need",
    }
}

/// What there is to say before the rows.
pub(crate) fn summary(found: &Superfluous) -> String {
    if let Some(reason) = found.refused {
        return format!("nothing is said of it: {}", silence(reason));
    }
    let tried = counted(found.tried, "place was tried", "places were tried");
    let mut words = match found.calls.len() {
        0 => format!("all of it: {tried}, and all are needed as they are"),
        number => format!(
            "{tried}, {number} of them can go or be weaker, all of these together{}",
            match found.nanoseconds {
                0 => "",
                _ => "; dearest first",
            }
        ),
    };
    for kept in &found.kept {
        let places = counted(kept.places, "place stays", "places stay");
        words.push_str(&format!("; {places} untried, {}", reason(kept.reason)));
    }
    words
}

/// The cells of a row: time, share of the run, how often, what and where, the change, and of what it is known.
pub(crate) fn row(call: &Unneeded, found: &Superfluous) -> [String; 6] {
    let stacks = call.stacks.iter().filter_map(|stack| shown(stack));
    let mut places: Vec<String> = stacks.collect();
    places.dedup();
    let mut at = match places.as_slice() {
        [] => String::new(),
        places => format!(" at {}", places.join(" and ")),
    };
    if !call.everywhere {
        let mut callers: Vec<String> = call.stacks.iter().filter_map(|stack| caller(stack)).collect();
        callers.sort_unstable();
        callers.dedup();
        at.push_str(&match callers.as_slice() {
            [] => ", on some ways there only".to_owned(),
            callers => format!(", only as called from {}", callers.join(" and ")),
        });
    }
    [
        time(call.nanoseconds),
        share(call.nanoseconds, found.nanoseconds),
        counted(call.visits, "call", "calls"),
        format!("{}{at}", shortened(&call.call, NAME_LIMIT)),
        change(&call.change),
        holds(call),
    ]
}

/// What can be done.
fn change(change: &Lessening) -> String {
    match change {
        Lessening::Remove => "it can go".to_owned(),
        Lessening::Weaken(weaker) => format!("{} is enough", shortened(weaker, NAME_LIMIT)),
    }
}

fn holds(call: &Unneeded) -> String {
    let words = match (call.holds, &call.change) {
        (Holds::ThisPath, _) => "other calls do the same: it is so wherever the program takes this way",
        (Holds::ThisInput, Lessening::Remove) => "nothing in this run needed it: known of this input only",
        (Holds::ThisInput, Lessening::Weaken(_)) => {
            "nothing in this run needed more: known of this input only"
        }
        (Holds::Simulations, _) => "so it is in every simulation that was made",
    };
    let lint = match call.lint {
        None => "",
        Some(true) => "; lint agrees",
        Some(false) => "; lint does not say so",
    };
    format!("{words}{lint}")
}

/// A call that stays, and could wait for fewer ranks.
pub(crate) fn narrower(call: &Narrower, found: &Superfluous) -> String {
    let at = shown(&call.stack).map_or_else(String::new, |place| format!(" at {place}"));
    let name = shortened(&call.call, NAME_LIMIT);
    let (save, all) = (time(call.for_others), time(call.nanoseconds));
    let partners = match call.partners {
        0 => "no rank communicates with another around it".to_owned(),
        number => format!(
            "each rank communicates with {} of {} at the most",
            number,
            counted(u64::from(call.members - 1), "other", "others")
        ),
    };
    let change = match (call.partners, name.contains("fence")) {
        (0, _) => "an order of fewer ranks, by messages,",
        (_, true) => {
            "MPI_Win_post, _start, _complete and _wait with these (as the design fence-neighbour does)"
        }
        (_, false) => "messages to and from these",
    };
    format!(
        "{name}{at} stays: {partners}; {change} would save up to {save} of {all}, {} of the run",
        share(call.for_others, found.nanoseconds)
    )
}

/// What nobody has looked at, in a sentence each.
pub(crate) fn unseen(found: &Superfluous) -> impl Iterator<Item = &'static str> {
    found.unseen.iter().map(|unseen| match unseen {
        Unseen::Outside => {
            "Not looked at: whether a call orders what lies outside the windows: files, output, time that is measured, \
             memory of other libraries."
        }
        Unseen::Findings => "The run has findings: repair these first, they may hide that a call is needed.",
        Unseen::ThreadOrder => "Threads took locks of their process in an order that is taken to stay.",
        Unseen::Tests => "What calls that test found is taken to stay, or to come later.",
    })
}

fn silence(reason: Silence) -> &'static str {
    match reason {
        Silence::Unfinished => "the job did not come to its end, or not all of its processes were recorded",
        Silence::TooLarge => "the events of the run are not all kept (64 MiB at the most)",
        Silence::NotAllSeen => "not all that the processes did was seen",
        Silence::TooMany => "too many atomic operations are unordered among each other",
        Silence::Alone => "there is one process only",
        Silence::NotFollowed => "a simulation could not be followed in all it does",
        Silence::SeveralJobs => "the command ran several jobs",
    }
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::AnySource => "as receives from any source got messages of several ranks",
        Reason::AtomicInstructions => "as atomic instructions on shared memory are not followed",
        Reason::Awaited => "as they complete what a rank may be waiting for, by its value",
        Reason::Queue => "as they empty queues, which have a limit",
        Reason::WorkArrays => "as collective calls with work arrays follow",
        Reason::Attaching => "as memory is attached or detached around them",
        Reason::Unfinished => "as they test, failed or did not end",
        Reason::Place => "as something else is done at the same place, or the place is not known",
        Reason::NoTime => "for want of time",
    }
}

/// `src/halo.c:54`, and from where it is called if there are several frames.
fn shown(stack: &[Frame]) -> Option<String> {
    let frame = stack.get(shown_frame(stack)?)?;
    frame
        .place
        .as_ref()
        .map(place)
        .or_else(|| Some(frame_place(frame)))
}

/// From where the place to look at is called.
fn caller(stack: &[Frame]) -> Option<String> {
    let frame = stack.get(shown_frame(stack)? + 1)?;
    frame.place.as_ref().map(place)
}

/// Three digits.
fn time(nanoseconds: u64) -> String {
    let (value, unit) = match nanoseconds {
        0 => return String::new(),
        1..1_000_000 => (nanoseconds as f64 / 1e3, "us"),
        1_000_000..1_000_000_000 => (nanoseconds as f64 / 1e6, "ms"),
        _ => (nanoseconds as f64 / 1e9, "s"),
    };
    match value {
        100.0.. => format!("{value:.0} {unit}"),
        10.0.. => format!("{value:.1} {unit}"),
        _ => format!("{value:.2} {unit}"),
    }
}

fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => String::new(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}
