//! The detector's findings, with source places.

use crate::ir::PlaceId;
use crate::job::Job;
use farside_findings::{Finding, Frame, Lane, LaneEvent, Party, Place, Suggestion, Timeline};
use farside_race::{RawFinding, RawParty, RawSuggestion, Site};

/// The findings of one simulation.
pub(crate) fn findings(job: &Job, raw: Vec<RawFinding>) -> Vec<Finding> {
    raw.into_iter().map(|finding| convert(job, finding)).collect()
}

fn convert(job: &Job, raw: RawFinding) -> Finding {
    let parties: Vec<Party> = raw.parties.iter().map(|raw| party(job, raw)).collect();
    let mut bytes = raw.bytes;
    if let (Some(bytes), Some(address)) = (&mut bytes, raw.address)
        && bytes.variable.is_none()
    {
        bytes.variable = variable(job, bytes.rank, address);
    }
    let window = raw.window.and_then(|win| match job.detector.window_label(win) {
        (Some(name), _) if !name.is_empty() => Some(name.to_owned()),
        (_, site) => {
            let place = stack(job, site?).into_iter().find_map(|frame| frame.place)?;
            Some(format!("created at {}:{}", place.file, place.line))
        }
    });
    Finding {
        id: String::new(),
        rule: raw.rule,
        severity: raw.rule.severity(),
        message: raw.message,
        window,
        bytes,
        missing: raw.missing,
        suggestion: raw.suggestion.map(|raw| suggestion(raw, &parties)),
        count: raw.count,
        timeline: raw.timeline.map(|timeline| Timeline {
            lanes: timeline
                .lanes
                .into_iter()
                .map(|(rank, events)| Lane {
                    rank: rank.0,
                    events: events
                        .into_iter()
                        .map(|event| LaneEvent {
                            order: event.order,
                            label: event.label,
                            place: stack(job, event.site).into_iter().find_map(|frame| frame.place),
                            party: event.party,
                            open_until: event.open_until,
                        })
                        .collect(),
                })
                .collect(),
            arrows: timeline.arrows,
        }),
        parties,
    }
}

fn party(job: &Job, raw: &RawParty) -> Party {
    Party {
        operation: raw.operation.clone(),
        effect: raw.effect.clone(),
        rank: raw.site.rank.0,
        thread: raw.thread.0,
        target: raw.target.map(|target| target.0),
        stack: stack(job, raw.site),
    }
}

fn stack(job: &Job, site: Site) -> Vec<Frame> {
    let places = site
        .pc
        .map(|pc| pc as PlaceId)
        .into_iter()
        .chain(job.stacks.places(site.stack));
    let frames: Vec<Frame> = places.filter_map(|place| frame(job, place)).collect();
    // A stack begins where the program's own sources call what is in headers of the system.
    let own = |frame: &Frame| {
        frame
            .place
            .as_ref()
            .is_some_and(|place| !place.is_in_system_header())
    };
    let first = frames.iter().position(own).unwrap_or(0);
    frames.into_iter().skip(first).collect()
}

fn frame(job: &Job, place: PlaceId) -> Option<Frame> {
    let known = job.module.places.get(place as usize)?;
    let function = job
        .module
        .functions
        .get(known.function as usize)
        .map(|function| function.name.clone());
    let place = (known.line > 0).then(|| Place {
        file: known.file.clone(),
        line: known.line,
        column: Some(known.column).filter(|column| *column > 0),
    });
    Some(Frame {
        function,
        place,
        module: None,
        address: 0,
    })
}

/// `halo (global)`, `buffer (local)`, `malloc`.
fn variable(job: &Job, rank: u32, address: u64) -> Option<String> {
    let (base, object) = job.memory(rank, address).object(address)?;
    let global = job.processes.get(rank as usize)?.globals.contains(&base);
    (!object.name.is_empty()).then(|| {
        if global {
            format!("{} (global)", object.name)
        } else {
            object.name.clone()
        }
    })
}

fn suggestion(raw: RawSuggestion, parties: &[Party]) -> Suggestion {
    let party = |index: Option<usize>| parties.get(index?);
    let place = |index| party(index).and_then(Party::place).cloned();
    let (after, before) = (place(raw.after), place(raw.before));
    let mut words = Vec::new();
    for (word, place) in [("after", &after), ("before", &before)] {
        if let Some(place) = place {
            words.push(format!("{word} {}:{}", place.file, place.line));
        }
    }
    let mut position = words.join(" and ");
    let rank = party(raw.after.or(raw.before)).map(|party| format!("on rank {}", party.rank));
    let rank = rank.filter(|_| !raw.note.starts_with("on "));
    for addition in rank
        .into_iter()
        .chain(Some(raw.note).filter(|note| !note.is_empty()))
    {
        if !position.is_empty() {
            position.push_str(", ");
        }
        position.push_str(&addition);
    }
    Suggestion {
        call: raw.call,
        position,
        after,
        before,
    }
}
