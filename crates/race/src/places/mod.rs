//! What the detector found becomes findings with source places and words, wherever the places come from.

mod addresses;
mod codemap;
mod lock;
mod polling;
mod scene;
mod turned;

pub use addresses::{NoSymbols, Symbols, code_places, place, places};
pub use codemap::{CodeMap, NamedWindow};
pub use lock::{is_task, runs_in_parallel};

use crate::WindowLabel;
use crate::finding::{
    Code, Misuse, Name, Note, RawFinding, RawParty, RawSuggestion, RawTimeline, Site, Spot, What,
};
use crate::phrasebook::{Phrasebook, effect, line, link};
use farside_events::{CallKind, Interface, Rank, WinId};
use farside_findings::{
    Action, Arrow, Creation, Finding, Frame, Gap, Guarantee, Lane, LaneEvent, Party, Place, Ranks, Rule,
    Section, Stand, Stretch, Suggestion, Timeline, shown_frame, source_order,
};
use std::cmp::Ordering;
use turned::is_turned;

/// Where the events of a program stand in its sources.
pub trait Places {
    /// The calls that led to an event, innermost first, from the program's own sources on.
    fn stack(&mut self, site: Site) -> Vec<Frame>;

    /// The variable at an address of a process.
    fn variable(&mut self, rank: Rank, address: u64) -> Option<String>;

    /// Whether what lies at an address of a process is there from the beginning of the run to its end.
    fn is_static(&mut self, rank: Rank, address: u64) -> bool {
        self.variable(rank, address).is_some()
    }

    /// What a window is called by.
    fn window(&mut self, id: WinId) -> Option<WindowLabel>;

    /// Whether an access may be made several times while the frame which calls the innermost `calls` ones makes one
    /// call: in a loop of those.
    fn may_repeat(&mut self, _: Site, calls: usize) -> bool {
        calls > 0
    }

    /// Whether a load is made until its value changes; `None` if how often it was made tells more.
    fn polls(&mut self, _: Site) -> Option<bool> {
        None
    }

    /// Whether the program makes such a call somewhere, also where the run did not come to; `None` if that is not
    /// known.
    fn makes_call(&mut self, _: CallKind) -> Option<bool> {
        None
    }
}

/// The same findings, as the sources say that they are told: which party of a race comes first, whether a load polls,
/// which of two calls a suggestion relies on, and whether what others wait for is there at all, or comes too late.
pub fn settled(raw: Vec<RawFinding>, places: &mut impl Places) -> Vec<RawFinding> {
    let mut raw = polling::as_the_loops_say(raw, places);
    let waiting: Vec<Rank> = raw.iter().flat_map(wait_before_more).collect();
    if !waiting.is_empty() {
        raw.retain(|finding| !comes_too_late(finding, &waiting, places));
    }
    raw.into_iter()
        .map(|mut finding| {
            turn(&mut finding, places);
            let suggestion = finding.suggestion.take();
            let suggestion = suggestion.map(|own| in_time(own, &finding.parties, places));
            finding.suggestion = suggestion.map(|own| if_forgotten(own, places));
            finding
        })
        .collect()
}

/// The findings of one job, in the order of the detector; those of no window are told in the words of this interface.
pub fn findings(raw: Vec<RawFinding>, interface: Interface, places: &mut impl Places) -> Vec<Finding> {
    settled(raw, places)
        .into_iter()
        .map(|finding| {
            let label = finding.window.and_then(|id| places.window(id));
            let of_window = label.as_ref().map(|label| label.interface);
            let words = Phrasebook::of(finding.interface().or(of_window).unwrap_or(interface));
            Conversion { words, places }.finding(finding, label)
        })
        .collect()
}

/// Tells a race from its second party if the sources say so.
fn turn(raw: &mut RawFinding, places: &mut impl Places) {
    if let Some(turned) = raw.turned.take()
        && let [first, second] = raw.parties.as_slice()
        && is_turned([first.site, second.site], &turned, places)
    {
        raw.turn(turned.told);
    }
}

/// The suggestion, or what is to be done otherwise if the call that it relies on stands below the second access and the
/// first access above it.
fn in_time(mut suggestion: RawSuggestion, parties: &[RawParty], places: &mut impl Places) -> RawSuggestion {
    if let (Some(otherwise), Some(after), [first, second]) =
        (suggestion.otherwise.take(), &suggestion.after, parties)
    {
        let [call, first, second] = [after.site, first.site, second.site].map(|site| places.stack(site));
        let late = source_order(&call, &second) == Some(Ordering::Greater);
        if late && source_order(&first, &second) == Some(Ordering::Less) {
            return RawSuggestion {
                next_round: suggestion.next_round,
                ..*otherwise
            };
        }
    }
    suggestion
}

/// The processes that wait for others in a deadlock, and may do more with their windows after that: they do not free
/// one.
fn wait_before_more(finding: &RawFinding) -> impl Iterator<Item = Rank> {
    let ends = |name: &Name| match name {
        Name::Call(kind) | Name::CallOf(_, kind) => matches!(kind, CallKind::Free | CallKind::Finalize),
        Name::Text(name) => ["MPI_Win_free", "MPI_Finalize"].contains(&&**name),
        _ => false,
    };
    let parties = finding.parties.iter().filter(|_| finding.rule == Rule::Deadlock);
    let waiting = parties.filter(move |party| !ends(&party.name));
    waiting.map(|party| party.site.rank)
}

/// Whether it tells of a post or start that is missing while the program makes such a call elsewhere: in a deadlock,
/// its process may wait before it, and nothing is wrong with the groups.
fn comes_too_late(finding: &RawFinding, waiting: &[Rank], places: &mut impl Places) -> bool {
    let (missing, by) = match finding.what {
        What::Misuse(Misuse::NotPosted { target, .. }) => (CallKind::Post, target),
        What::Misuse(Misuse::NotStarted { origin, .. }) => (CallKind::Start, origin),
        _ => return false,
    };
    finding.parties.len() == 1 && waiting.contains(&by) && places.makes_call(missing) == Some(true)
}

/// The suggestion, or to add the call that it moves if the program has none.
fn if_forgotten(suggestion: RawSuggestion, places: &mut impl Places) -> RawSuggestion {
    let is_there = suggestion
        .awaited_call()
        .is_none_or(|kind| places.makes_call(kind) != Some(false));
    let forgotten = if is_there { None } else { suggestion.forgotten() };
    forgotten.unwrap_or(suggestion)
}

struct Conversion<'a, P> {
    words: Phrasebook,
    places: &'a mut P,
}

impl<P: Places> Conversion<'_, P> {
    fn finding(&mut self, raw: RawFinding, label: Option<WindowLabel>) -> Finding {
        let message = self.words.message(&raw);
        let missing = match raw.what {
            What::Race(missing) => Some(self.words.missing(missing, &raw.parties)),
            What::Misuse(_) => None,
        };
        let parties: Vec<Party> = raw.parties.iter().map(|party| self.party(party)).collect();
        let mut bytes = raw.bytes;
        if let (Some(bytes), Some(address)) = (&mut bytes, raw.address)
            && bytes.variable.is_none()
        {
            bytes.variable = self.places.variable(Rank(bytes.rank), address);
        }
        let window = label.and_then(|label| self.window(label));
        let (window, created) = window.map_or((None, None), |(name, created)| (Some(name), created));
        // A finding without a suggestion says why it has none.
        let advice = raw.suggestion.filter(|advice| !advice.is_empty());
        let advice = advice.or_else(|| Some(RawSuggestion::note(Note::NoneKnown)));
        let mut suggestion = advice.as_ref().map(|advice| self.suggestion(advice));
        if let Some(gap) = suggestion.as_mut().and_then(|suggestion| suggestion.gap.as_mut()) {
            // What a misuse of a window lacks is that call.
            gap.only = missing.is_none();
        }
        Finding {
            id: String::new(),
            rule: raw.rule,
            cause: None,
            severity: raw.rule.severity(),
            possible: false,
            arguments: None,
            inputs: None,
            replay: None,
            other_order: false,
            per_node: None,
            message,
            window,
            created,
            bytes,
            missing,
            suggestion,
            count: raw.count,
            ranks: Ranks::default(),
            timeline: raw.timeline.map(|timeline| self.timeline(timeline)),
            scene: raw.scene.map(|raw| scene::scene(*raw, advice.as_ref())),
            litmus: None,
            parties,
        }
    }

    fn party(&mut self, raw: &RawParty) -> Party {
        let mut stack = self.places.stack(raw.site);
        if let Some(shown) = shown_frame(&stack) {
            stack[shown].shown = true;
        }
        Party {
            operation: self.words.name(&raw.name).to_owned(),
            effect: effect(raw).to_owned(),
            rank: raw.site.rank.0,
            host: None,
            thread: raw.thread.thread().0,
            strand: raw.thread.is_strand().then(|| raw.thread.strand_number().into()),
            target: raw.target.map(|target| target.0),
            stack,
        }
    }

    fn place(&mut self, site: Site) -> Option<Place> {
        let mut stack = self.places.stack(site);
        let shown = shown_frame(&stack)?;
        stack.swap_remove(shown).place
    }

    /// The name of a window: the program's own, else that of the variable that holds it, with its creation, else the
    /// place of its creation.
    fn window(&mut self, label: WindowLabel) -> Option<(String, Option<Creation>)> {
        if let Some(name) = label.name.filter(|name| !name.is_empty()) {
            return Some((name, None));
        }
        let created = label.created.and_then(|(flavor, site)| {
            let call = self.words.making(flavor).to_owned();
            let place = self.place(site)?;
            Some(Creation { call, place })
        });
        match (label.variable, created) {
            (Some(variable), created) => Some((variable, created)),
            (None, created) => Some((format!("created at {}", line(&created?.place)), None)),
        }
    }

    fn timeline(&mut self, raw: RawTimeline) -> Timeline {
        let lanes = raw.lanes.into_iter().map(|(rank, events)| Lane {
            rank: rank.0,
            host: None,
            events: events
                .into_iter()
                .map(|event| LaneEvent {
                    order: event.order,
                    label: self.words.event(&event.name, event.target),
                    place: self.place(event.site),
                    party: event.party,
                    open_until: event.open_until,
                })
                .collect(),
        });
        let lanes = lanes.collect();
        let arrows = raw.arrows.iter().map(|arrow| Arrow {
            from: (arrow.from.0.0, arrow.from.1),
            to: (arrow.to.0.0, arrow.to.1),
            label: link(arrow.link).to_owned(),
        });
        Timeline {
            lanes,
            arrows: arrows.collect(),
        }
    }

    fn suggestion(&mut self, raw: &RawSuggestion) -> Suggestion {
        let mut place = |spot: &Option<Spot>| self.place(spot.as_ref()?.site);
        let [at, after, before] = [&raw.at, &raw.after, &raw.before].map(&mut place);
        let next_round = match (&raw.after, &raw.before) {
            (Some(after), Some(before)) => raw.next_round.unwrap_or_else(|| self.is_below(after, before)),
            _ => false,
        };
        let stand = [at.as_ref(), after.as_ref(), before.as_ref()];
        let others: Vec<Suggestion> = raw.others.iter().map(|other| self.suggestion(other)).collect();
        let gap = match raw.has_gap_of_others() {
            // What is moved fills the gap that a new call would fill.
            true => others.iter().find_map(|other| other.gap.clone()),
            false => self.gap(raw),
        };
        let sections: Vec<Section> = raw
            .sections
            .iter()
            .filter_map(|[from, to]| {
                let (from, to) = (self.place(from.site)?, self.place(to.site)?);
                Some(Section { from, to })
            })
            .collect();
        let position = match sections.is_empty() {
            true => self.words.position(raw, stand, next_round),
            false => self.words.around(raw, &sections, stand[1]),
        };
        // One place of the text is told once.
        let is_twice = raw.changes_locks() && stand[0] == stand[2];
        let before = before.filter(|_| !is_twice);
        let mut suggestion = Suggestion {
            action: raw.action,
            call: self.calls(raw),
            instead_of: raw.instead_of.map(|code| self.words.code(code)),
            position,
            at,
            after,
            before,
            sections,
            gap,
            proof: raw.proof,
            judged: raw.judged,
            stands: self.stands(raw),
            cost: raw.cost,
            others: Vec::new(),
        };
        // What was tried for several calls of one function is one change of it.
        for other in others {
            let mut known = std::iter::once(&suggestion).chain(&suggestion.others);
            if known.any(|known| known.changes_alike(&other)) {
                continue;
            }
            match suggestion.says_the_same(&other) {
                true => suggestion.stand_also(other),
                false => match suggestion.others.iter_mut().find(|one| one.says_the_same(&other)) {
                    Some(known) => known.stand_also(other),
                    None => suggestion.others.push(other),
                },
            }
        }
        suggestion
    }

    /// The calls of a suggestion: of one that is moved, its name alone.
    fn calls(&mut self, raw: &RawSuggestion) -> String {
        match (&raw.at, raw.code.split_last()) {
            _ if raw.is_by_one_of_a_team() || raw.is_on_ways_that_keep() => String::new(),
            (Some(call), _)
                if raw.moves_a_statement() || raw.action == Action::Remove || moves_a_test(raw, call) =>
            {
                self.words.name(&call.name).to_owned()
            }
            (_, Some((Code::Exclusion, ahead))) => {
                let ends = raw.sections.iter().flatten();
                let stacks: Vec<Vec<Frame>> = ends.map(|spot| self.places.stack(spot.site)).collect();
                let ahead = ahead.iter().map(|code| self.words.code(*code));
                let all: Vec<String> = ahead.chain([lock::lock(&stacks).to_owned()]).collect();
                all.join("; ")
            }
            _ => {
                let codes = self.words.codes(&raw.code);
                let file = raw.before.as_ref().and_then(|spot| self.place(spot.site));
                match file.is_some_and(|place| lock::is_fortran(&place.file)) {
                    true => codes.replace("#pragma omp ", "!$omp "),
                    false => codes,
                }
            }
        }
    }

    /// Where its calls were tried.
    fn stands(&mut self, raw: &RawSuggestion) -> Vec<Stand> {
        let moved = raw.moves_a_statement().then(|| self.calls(raw));
        let tried = raw.code.iter().zip(&raw.stands);
        let tried = tried.filter(|(_, stretches)| !stretches.is_empty());
        let stand = |(code, stretches): (&Code, &Vec<Stretch>)| {
            let stand = |code, stretches: &[Stretch]| Stand {
                call: moved.clone().unwrap_or_else(|| self.words.code(code)),
                stretches: stretches.to_vec(),
            };
            match (*code, stretches.as_slice()) {
                (Code::Notify(_), [posted, awaited @ ..]) => {
                    let posted = std::slice::from_ref(posted);
                    vec![stand(*code, posted), stand(Code::AtomicRead, awaited)]
                }
                (code, all) => vec![stand(code, all)],
            }
        };
        tried.flat_map(stand).collect()
    }

    /// Where a call is missing, and what it must give; `None` if the change is of another kind.
    fn gap(&mut self, raw: &RawSuggestion) -> Option<Box<Gap>> {
        let mut needs: Vec<Guarantee> = raw
            .code
            .iter()
            .flat_map(|code| code.guarantees())
            .copied()
            .collect();
        needs.sort_unstable();
        needs.dedup();
        let (after, before) = raw.after.as_ref().zip(raw.before.as_ref())?;
        let [from, to] = [after, before].map(|spot| self.places.stack(spot.site));
        let is_code = raw.action == Action::Insert && !raw.is_by_one_of_a_team();
        let is_told = is_code && !needs.is_empty() && !from.is_empty() && !to.is_empty();
        is_told.then(|| {
            let everywhere: Vec<Code> = raw.code.iter().map(|code| code.for_every_target()).collect();
            let call = self.words.codes(&everywhere);
            Box::new(Gap {
                needs,
                call,
                only: false,
                from,
                to,
            })
        })
    }

    /// Whether only a loop leads from one place to the other: of one process also from a place to itself.
    fn is_below(&mut self, after: &Spot, before: &Spot) -> bool {
        let [first, second] = [after, before].map(|spot| self.places.stack(spot.site));
        let again = !first.is_empty() && first == second && after.site.rank == before.site.rank;
        again || source_order(&first, &second) == Some(Ordering::Greater)
    }
}

/// Whether the end of an exposure epoch is moved, and the program has a test for that.
fn moves_a_test(raw: &RawSuggestion, call: &Spot) -> bool {
    let is_test = matches!(
        call.name,
        Name::Call(CallKind::Test) | Name::CallOf(_, CallKind::Test)
    );
    raw.action == Action::Move && is_test
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{CallKind, Code, Note};
    use farside_events::{Assertions, StackId};

    /// The stack is the line, with a column by thousands.
    struct Lines;

    impl Places for Lines {
        fn stack(&mut self, site: Site) -> Vec<Frame> {
            let place = Place {
                file: "main.c".into(),
                line: (site.stack.0 % 1000) as u32,
                column: Some((site.stack.0 / 1000) as u32).filter(|column| *column > 0),
            };
            vec![Frame {
                place: Some(place).filter(|place| place.line > 0),
                ..Frame::default()
            }]
        }

        fn variable(&mut self, _: Rank, _: u64) -> Option<String> {
            None
        }

        fn window(&mut self, _: WinId) -> Option<WindowLabel> {
            None
        }
    }

    fn spot(rank: u32, line: u64) -> Option<Spot> {
        let site = Site {
            rank: Rank(rank),
            pc: None,
            stack: StackId(line),
        };
        Some(Spot::of_call(CallKind::Post, site))
    }

    /// What to do, where.
    fn told(raw: RawSuggestion) -> (String, String) {
        let words = Phrasebook::of(Interface::Mpi);
        let mut conversion = Conversion {
            words,
            places: &mut Lines,
        };
        let suggestion = conversion.suggestion(&raw);
        let old = suggestion
            .instead_of
            .map_or_else(String::new, |old| format!("{old} -> "));
        (format!("{old}{}", suggestion.call), suggestion.position)
    }

    #[test]
    fn what_reads_the_same_is_told_once() {
        let words = Phrasebook::of(Interface::Mpi);
        let mut conversion = Conversion {
            words,
            places: &mut Lines,
        };
        let insert = |stack| RawSuggestion::insert(vec![Code::Barrier], spot(0, stack), spot(1, 56));
        let mut raw = insert(50);
        raw.others = vec![insert(1_054), insert(9_054), insert(7_050)];
        let told = conversion.suggestion(&raw);
        let lines = |one: &Suggestion| one.after.as_ref().map(|place| place.line);
        assert_eq!(lines(&told), Some(50));
        assert_eq!(told.others.iter().map(lines).collect::<Vec<_>>(), [Some(54)]);
    }

    #[test]
    fn a_suggestion_says_where() {
        let position = |after, before, note: Option<Note>| {
            let insert = RawSuggestion::insert(vec![Code::Fence], after, before);
            told(note.into_iter().fold(insert, RawSuggestion::noting)).1
        };
        assert_eq!(
            position(spot(0, 54), spot(1, 56), None),
            "after main.c:54 and before main.c:56, on rank 0"
        );
        assert_eq!(
            position(spot(0, 54), None, Some(Note::OneTypeAndOperator)),
            "after main.c:54, on rank 0, or use one basic type and one operator"
        );
        let (from, to) = (Rank(1), Rank(0));
        assert_eq!(
            position(None, spot(0, 56), Some(Note::OnAllRanksOrMessage { from, to })),
            "before main.c:56, on all ranks, or a message from rank 1 to rank 0"
        );
        assert_eq!(
            position(spot(1, 56), spot(0, 54), Some(Note::OnAllRanks)),
            "after main.c:56 and before main.c:54 of the next round, on all ranks"
        );
        assert_eq!(
            position(spot(0, 54), spot(0, 54), None),
            "after main.c:54 and before main.c:54 of the next round, on rank 0"
        );
        assert_eq!(
            position(spot(0, 54), spot(1, 54), Some(Note::OnAllRanks)),
            "after main.c:54 and before main.c:54, on all ranks"
        );
        assert_eq!(
            position(spot(0, 54), spot(1, 54), None),
            "after main.c:54 and before main.c:54 on rank 1, on rank 0"
        );
        assert_eq!(position(None, None, None), "");
        assert_eq!(
            position(spot(0, 0), spot(1, 7), None),
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
        let without = |given| told(RawSuggestion::without(given, nostore, at()));
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
            code: vec![Code::Wait],
            at: spot(1, 20),
            before: spot(1, 15),
            ..RawSuggestion::default()
        };
        let place = "from main.c:20 to before main.c:15, on rank 1";
        assert_eq!(told(moved.clone()).1, place);
        // What the program has there is a test.
        let site = Site::of_call(Rank(1), StackId(20));
        let moved = RawSuggestion {
            at: Some(Spot::of_call(CallKind::Test, site)),
            ..moved
        };
        assert_eq!(told(moved), ("MPI_Win_test".to_owned(), place.to_owned()));
        let [call, access] = [20, 15].map(|line| spot(1, line).expect("a place"));
        let moved = RawSuggestion::moved(CallKind::Wait, call, access, false);
        let place = "from main.c:20 to before main.c:15, on all ranks that make it";
        assert_eq!(told(moved).1, place);
    }
}
