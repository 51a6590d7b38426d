//! What the detector found becomes findings with source places, wherever these come from.

use crate::finding::{RawFinding, RawParty, RawSuggestion, RawTimeline, Site, Spot};
use crate::source_order::{is_turned, order};
use farside_events::{Rank, WinId};
use farside_findings::{Action, Finding, Frame, Lane, LaneEvent, Party, Place, Suggestion, Timeline};
use std::cmp::Ordering;

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
    fn finding(&mut self, mut raw: RawFinding) -> Finding {
        if let Some(turned) = raw.turned.take()
            && let [first, second] = raw.parties.as_slice()
            && is_turned([first.site, second.site], &turned, self.places)
        {
            raw.turn(turned.told);
        }
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
            suggestion: raw.suggestion.map(|suggestion| {
                let suggestion = self.in_time(suggestion, &raw.parties);
                self.suggestion(suggestion)
            }),
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

    /// The suggestion, or what is to be done otherwise if the call that it relies on stands below the second access and
    /// the first access above it.
    fn in_time(&mut self, mut suggestion: RawSuggestion, parties: &[RawParty]) -> RawSuggestion {
        if let (Some(otherwise), Some(after), [first, second]) =
            (suggestion.otherwise.take(), &suggestion.after, parties)
        {
            let [call, first, second] =
                [after.site, first.site, second.site].map(|site| self.places.stack(site));
            let late = order(&call, &second) == Some(Ordering::Greater);
            if late && order(&first, &second) == Some(Ordering::Less) {
                return RawSuggestion {
                    next_round: suggestion.next_round,
                    ..*otherwise
                };
            }
        }
        suggestion
    }

    fn suggestion(&mut self, raw: RawSuggestion) -> Suggestion {
        let place = |spot: &Option<Spot>, places: &mut P| {
            let stack = places.stack(spot.as_ref()?.site);
            stack.into_iter().find_map(|frame| frame.place)
        };
        let [at, after, before] = [&raw.at, &raw.after, &raw.before].map(|spot| place(spot, self.places));
        let mut words = Vec::new();
        if let Some(spot) = &raw.at {
            words.push(match (raw.action, &raw.instead_of, &at) {
                (Action::Replace, Some(_), Some(at)) => format!("in the {} at {}", spot.name, line(at)),
                (Action::Replace, Some(_), None) => format!("in the {}", spot.name),
                (Action::Replace, None, Some(at)) => {
                    format!("in the place of the {} at {}", spot.name, line(at))
                }
                (Action::Replace, None, None) => format!("in the place of the {}", spot.name),
                (_, _, Some(at)) => format!("from {} to", line(at)),
                (_, _, None) => "to".to_owned(),
            });
        } else if raw.action == Action::Move {
            words.push("to".to_owned());
        }
        if raw.action != Action::Replace {
            let mut sides = Vec::new();
            for (word, place, spot) in [("after", &after, &raw.after), ("before", &before, &raw.before)] {
                match (place, spot) {
                    (Some(place), _) => sides.push(format!("{word} {}", line(place))),
                    (None, Some(spot)) => sides.push(format!("{word} the {}", spot.name)),
                    (None, None) => {}
                }
            }
            if let (Some(after), Some(before), Some(last)) = (&raw.after, &raw.before, sides.last_mut())
                && raw.next_round.unwrap_or_else(|| self.is_below(after, before))
            {
                last.push_str(" of the next round");
            }
            if !sides.is_empty() {
                words.push(sides.join(" and "));
            }
        }
        let mut position = words.join(" ");
        // The call belongs to the process whose place is named first, unless the note says otherwise.
        let spot = raw
            .after
            .or(raw.before)
            .filter(|_| raw.action != Action::Replace)
            .or(raw.at);
        let rank = spot.map(|spot| format!("on rank {}", spot.site.rank.0));
        let note = Some(raw.note).filter(|note| !note.is_empty());
        let rank = rank.filter(|_| !note.as_ref().is_some_and(|note| note.starts_with("on ")));
        for addition in rank.into_iter().chain(note) {
            if !position.is_empty() {
                position.push_str(", ");
            }
            position.push_str(&addition);
        }
        Suggestion {
            action: raw.action,
            call: raw.call,
            instead_of: raw.instead_of,
            position,
            at,
            after,
            before,
        }
    }

    /// Whether only a loop leads from one place to the other.
    fn is_below(&mut self, after: &Spot, before: &Spot) -> bool {
        let stacks = [after, before].map(|spot| self.places.stack(spot.site));
        order(&stacks[0], &stacks[1]) == Some(Ordering::Greater)
    }
}

/// `main.c:54`.
fn line(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{Assertions, StackId};

    /// The stack is the line.
    struct Lines;

    impl Places for Lines {
        fn stack(&mut self, site: Site) -> Vec<Frame> {
            let place = Place {
                file: "main.c".into(),
                line: site.stack.0 as u32,
                column: None,
            };
            vec![Frame {
                place: Some(place).filter(|place| place.line > 0),
                ..Frame::default()
            }]
        }

        fn variable(&mut self, _: Rank, _: u64) -> Option<String> {
            None
        }

        fn window(&mut self, _: WinId) -> Option<(Option<String>, Option<Site>)> {
            None
        }
    }

    fn spot(rank: u32, line: u64) -> Option<Spot> {
        let site = Site {
            rank: Rank(rank),
            pc: None,
            stack: StackId(line),
        };
        let name = "MPI_Win_post".into();
        Some(Spot { site, name })
    }

    /// What to do, where.
    fn words(raw: RawSuggestion) -> (String, String) {
        let suggestion = Conversion { places: &mut Lines }.suggestion(raw);
        let old = suggestion
            .instead_of
            .map_or_else(String::new, |old| format!("{old} -> "));
        (format!("{old}{}", suggestion.call), suggestion.position)
    }

    #[test]
    fn a_suggestion_says_where() {
        let position = |after, before, note| words(RawSuggestion::insert("call()", after, before, note)).1;
        assert_eq!(
            position(spot(0, 54), spot(1, 56), ""),
            "after main.c:54 and before main.c:56, on rank 0"
        );
        assert_eq!(
            position(spot(0, 54), None, "together with a barrier"),
            "after main.c:54, on rank 0, together with a barrier"
        );
        assert_eq!(
            position(None, spot(1, 56), "on rank 1"),
            "before main.c:56, on rank 1"
        );
        assert_eq!(
            position(spot(1, 56), spot(0, 54), "on all ranks"),
            "after main.c:56 and before main.c:54 of the next round, on all ranks"
        );
        assert_eq!(position(None, None, ""), "");
        assert_eq!(
            position(spot(0, 0), spot(1, 7), ""),
            "after the MPI_Win_post and before main.c:7, on rank 0"
        );
    }

    #[test]
    fn an_assertion_that_does_not_hold_is_taken_out_of_those_given() {
        let nostore = Assertions {
            nostore: true,
            ..Assertions::default()
        };
        let both = Assertions {
            noput: true,
            ..nostore
        };
        let at = || spot(1, 20).expect("a place");
        let without = |given| words(RawSuggestion::without(given, nostore, at(), ""));
        let place = "in the MPI_Win_post at main.c:20, on rank 1";
        assert_eq!(without(nostore), ("MPI_MODE_NOSTORE -> 0".into(), place.into()));
        assert_eq!(
            without(both),
            (
                "MPI_MODE_NOSTORE | MPI_MODE_NOPUT -> MPI_MODE_NOPUT".into(),
                place.into()
            )
        );
    }

    #[test]
    fn what_comes_too_late_is_moved() {
        let moved = RawSuggestion {
            action: Action::Move,
            call: "MPI_Win_wait(win)".into(),
            at: spot(1, 20),
            before: spot(1, 15),
            ..RawSuggestion::default()
        };
        let place = "from main.c:20 to before main.c:15, on rank 1";
        assert_eq!(words(moved).1, place);
    }
}
