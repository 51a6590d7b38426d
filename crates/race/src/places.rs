//! What the detector found becomes findings with source places, wherever these come from.

use crate::finding::{RawFinding, RawParty, RawSuggestion, RawTimeline, Site};
use farside_events::{Rank, WinId};
use farside_findings::{Finding, Frame, Lane, LaneEvent, Party, Place, Suggestion, Timeline};

/// Where the events of a program stand in its sources.
pub trait Places {
    /// The calls that led to an event, innermost first, from the program's own sources on.
    fn stack(&mut self, site: Site) -> Vec<Frame>;

    /// The variable at an address of a process.
    fn variable(&mut self, rank: Rank, address: u64) -> Option<String>;

    /// The name that the program gave to a window, and where it made the window.
    fn window(&mut self, id: WinId) -> Option<(Option<String>, Option<Site>)>;
}

/// The findings of one job, in the order of the detector.
pub fn findings(raw: Vec<RawFinding>, places: &mut impl Places) -> Vec<Finding> {
    let mut conversion = Conversion { places };
    raw.into_iter()
        .map(|finding| conversion.finding(finding))
        .collect()
}

struct Conversion<'a, P> {
    places: &'a mut P,
}

impl<P: Places> Conversion<'_, P> {
    fn finding(&mut self, raw: RawFinding) -> Finding {
        let parties: Vec<Party> = raw.parties.iter().map(|p| self.party(p)).collect();
        let mut bytes = raw.bytes;
        if let (Some(bytes), Some(address)) = (&mut bytes, raw.address)
            && bytes.variable.is_none()
        {
            bytes.variable = self.places.variable(Rank(bytes.rank), address);
        }
        Finding {
            id: String::new(),
            rule: raw.rule,
            severity: raw.rule.severity(),
            message: raw.message,
            window: raw.window.and_then(|id| self.window(id)),
            bytes,
            missing: raw.missing,
            suggestion: raw.suggestion.map(|s| suggestion(s, &parties)),
            count: raw.count,
            timeline: raw.timeline.map(|t| self.timeline(t)),
            parties,
        }
    }

    fn party(&mut self, raw: &RawParty) -> Party {
        Party {
            operation: raw.operation.clone(),
            effect: raw.effect.clone(),
            rank: raw.site.rank.0,
            thread: raw.thread.0,
            target: raw.target.map(|t| t.0),
            stack: self.places.stack(raw.site),
        }
    }

    fn place(&mut self, site: Site) -> Option<Place> {
        self.places.stack(site).into_iter().find_map(|frame| frame.place)
    }

    fn window(&mut self, id: WinId) -> Option<String> {
        match self.places.window(id)? {
            (Some(name), _) if !name.is_empty() => Some(name),
            (_, created) => {
                let place = self.place(created?)?;
                Some(format!("created at {}:{}", place.file, place.line))
            }
        }
    }

    fn timeline(&mut self, raw: RawTimeline) -> Timeline {
        let lanes = raw.lanes.into_iter().map(|(rank, events)| Lane {
            rank: rank.0,
            events: events
                .into_iter()
                .map(|event| LaneEvent {
                    order: event.order,
                    label: event.label,
                    place: self.place(event.site),
                    party: event.party,
                    open_until: event.open_until,
                })
                .collect(),
        });
        Timeline {
            lanes: lanes.collect(),
            arrows: raw.arrows,
        }
    }
}

fn suggestion(raw: RawSuggestion, parties: &[Party]) -> Suggestion {
    let party = |index: Option<usize>| parties.get(index?);
    let place = |index| party(index).and_then(|p| p.stack.iter().find_map(|frame| frame.place.clone()));
    let (after, before) = (place(raw.after), place(raw.before));
    let mut words = Vec::new();
    for (word, place, index) in [("after", &after, raw.after), ("before", &before, raw.before)] {
        match (place, party(index)) {
            (Some(place), _) => words.push(format!("{word} {}:{}", place.file, place.line)),
            (None, Some(party)) => words.push(format!("{word} the {}", party.operation)),
            (None, None) => {}
        }
    }
    let mut position = words.join(" and ");
    // The call belongs to the process whose place is named first, unless the note says otherwise.
    let rank = party(raw.after.or(raw.before)).map(|p| format!("on rank {}", p.rank));
    let note = Some(raw.note).filter(|note| !note.is_empty());
    let rank = rank.filter(|_| !note.as_ref().is_some_and(|note| note.starts_with("on ")));
    for addition in rank.into_iter().chain(note) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn party(rank: u32, line: u32) -> Party {
        let place = Place {
            file: "main.c".into(),
            line,
            column: None,
        };
        Party {
            operation: "MPI_Put".into(),
            effect: "writes".into(),
            rank,
            thread: 0,
            target: None,
            stack: vec![Frame {
                place: Some(place),
                ..Frame::default()
            }],
        }
    }

    #[test]
    fn a_suggestion_says_where() {
        let raw = |after, before, note: &str| RawSuggestion {
            call: "MPI_Win_flush(1, win)".into(),
            after,
            before,
            note: note.into(),
        };
        let parties = [party(0, 54), party(1, 56)];
        let position = |raw| suggestion(raw, &parties).position;
        assert_eq!(
            position(raw(Some(0), Some(1), "")),
            "after main.c:54 and before main.c:56, on rank 0"
        );
        assert_eq!(
            position(raw(Some(0), None, "together with a barrier")),
            "after main.c:54, on rank 0, together with a barrier"
        );
        assert_eq!(
            position(raw(None, Some(1), "on rank 1")),
            "before main.c:56, on rank 1"
        );
        assert_eq!(position(raw(None, None, "")), "");
    }
}
