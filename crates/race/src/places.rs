//! Findings with code addresses become findings with source places.

use crate::codemap::CodeMap;
use crate::finding::{RawFinding, RawParty, RawSuggestion, RawTimeline, Site};
use farside_events::{Rank, SourcePlace, WinId};
use farside_findings::{Finding, Frame, Lane, LaneEvent, Party, Place, Suggestion, Timeline};

/// What is known of code and data addresses.
pub trait Symbols {
    /// The frames of a return address in a process: one, or more where calls were inlined, innermost first.
    fn frames(&mut self, code: &CodeMap, rank: Rank, return_address: u64) -> Vec<Frame>;

    /// The variable at a data address of a process.
    fn variable(&mut self, code: &CodeMap, rank: Rank, address: u64) -> Option<String>;
}

/// Nothing is: for programs that give the places of their calls themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSymbols;

impl Symbols for NoSymbols {
    fn frames(&mut self, _: &CodeMap, _: Rank, address: u64) -> Vec<Frame> {
        vec![Frame {
            address,
            ..Frame::default()
        }]
    }

    fn variable(&mut self, _: &CodeMap, _: Rank, _: u64) -> Option<String> {
        None
    }
}

/// The findings of one job, in the order of the detector.
pub fn place(raw: Vec<RawFinding>, code: &CodeMap, symbols: &mut dyn Symbols) -> Vec<Finding> {
    let mut places = Places { code, symbols };
    raw.into_iter().map(|finding| places.finding(finding)).collect()
}

struct Places<'a> {
    code: &'a CodeMap,
    symbols: &'a mut dyn Symbols,
}

impl Places<'_> {
    fn finding(&mut self, raw: RawFinding) -> Finding {
        let parties: Vec<Party> = raw.parties.iter().map(|p| self.party(p)).collect();
        let mut bytes = raw.bytes;
        if let (Some(bytes), Some(address)) = (&mut bytes, raw.address)
            && bytes.variable.is_none()
        {
            bytes.variable = self.symbols.variable(self.code, Rank(bytes.rank), address);
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
            stack: self.stack(raw.site),
        }
    }

    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let code = self.code;
        let addresses = site
            .pc
            .into_iter()
            .chain(code.stack(site.rank, site.stack).iter().copied());
        let mut frames: Vec<Frame> = Vec::new();
        for address in addresses.filter(|&address| address != 0) {
            match code.source(site.rank, address) {
                Some(source) => frames.push(frame_of(source)),
                None => frames.extend(self.symbols.frames(code, site.rank, address)),
            }
        }
        from_own_sources(user_frames(frames))
    }

    fn place(&mut self, site: Site) -> Option<Place> {
        self.stack(site).into_iter().find_map(|frame| frame.place)
    }

    fn window(&mut self, id: WinId) -> Option<String> {
        let window = self.code.window(id)?.clone();
        if let Some(name) = window.name.filter(|name| !name.is_empty()) {
            return Some(name.into_string());
        }
        let (rank, stack) = window.created;
        let place = self.place(Site {
            rank,
            pc: None,
            stack,
        })?;
        Some(format!("created at {}:{}", place.file, place.line))
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

/// The frame of a place that the program gave itself.
fn frame_of(source: &SourcePlace) -> Frame {
    Frame {
        place: Some(Place {
            file: source.file.to_string(),
            line: source.line,
            column: Some(source.column).filter(|&column| column > 0),
        }),
        ..Frame::default()
    }
}

/// Leaves out the innermost frames that are inside system headers (`std::fill`, say), so that the stack begins where
/// the program's own sources call them.
fn from_own_sources(mut frames: Vec<Frame>) -> Vec<Frame> {
    let own = |frame: &Frame| {
        frame
            .place
            .as_ref()
            .is_some_and(|place| !place.is_in_system_header())
    };
    if let Some(first) = frames.iter().position(own)
        && frames[..first].iter().all(|frame| frame.place.is_some())
    {
        frames.drain(..first);
    }
    frames
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

/// The stack from the user's code on: without what our library and the MPI library put before it, and without what
/// starts programs and threads.
fn user_frames(mut frames: Vec<Frame>) -> Vec<Frame> {
    frames.retain(|f| !file_name(f).starts_with("libfarside_") && !is_start(f));
    let first = frames.iter().position(|f| !is_mpi_library(file_name(f)));
    match first {
        Some(first) => frames.split_off(first),
        None => frames,
    }
}

fn file_name(frame: &Frame) -> &str {
    let path = frame.module.as_deref().unwrap_or("");
    path.rsplit('/').next().unwrap_or(path)
}

/// Fortran's `mpi_f08` bindings call C bindings within the library.
fn is_mpi_library(file: &str) -> bool {
    ["libmpi", "libpmpi", "libopen-", "libfmpi"]
        .iter()
        .any(|prefix| file.starts_with(prefix))
}

/// What the C library and thread libraries start programs and threads with.
fn is_start(frame: &Frame) -> bool {
    const START: [&str; 9] = [
        "_start",
        "__libc_start_main",
        "__libc_start_main_impl",
        "__libc_start_call_main",
        "start_thread",
        "clone",
        "clone3",
        "__clone3",
        "gomp_thread_start",
    ];
    let function = frame.function.as_deref().unwrap_or("");
    let function = function.split('@').next().unwrap_or(function);
    // Without its own symbol table, the C library's inner functions have no names.
    START.contains(&function) || (function.is_empty() && file_name(frame).starts_with("libc.so"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(module: &str, function: &str) -> Frame {
        Frame {
            function: Some(function.into()),
            module: Some(module.into()),
            ..Frame::default()
        }
    }

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

    #[test]
    fn only_frames_of_the_program_are_left() {
        let frames = vec![
            frame("/x/libfarside_interpose.so", "MPI_Put"),
            frame("/usr/lib/libmpi_usempif08.so.40", "mpi_put_f08_"),
            frame("/x/app", "exchange"),
            frame("/x/app", "MAIN__"),
            frame("/x/app", "main"),
            frame("/lib/libc.so.6", ""),
            frame("/lib/libc.so.6", "__libc_start_main@@GLIBC_2.34"),
            frame("/x/app", "_start"),
        ];
        let names: Vec<_> = user_frames(frames)
            .into_iter()
            .filter_map(|f| f.function)
            .collect();
        assert_eq!(names, ["exchange", "MAIN__", "main"]);
    }
}
