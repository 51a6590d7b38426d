//! Places in the program's text, one for all ranks.

use farside_events::{EventKind, Rank, StackId};
use farside_findings::{Frame, shown_frame};
use farside_race::{Places, Site};
use rustc_hash::FxHashMap as HashMap;

/// A stack of the program, by number: the same one on every rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Spot(usize);

#[cfg(test)]
impl Spot {
    /// That of a number.
    pub(crate) fn numbered(number: usize) -> Self {
        Self(number)
    }
}

/// All that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Spots {
    stacks: Vec<Vec<Frame>>,
    numbers: HashMap<Vec<Frame>, Spot>,
    /// By spot: the first one that stands at the same place of the text.
    statements: Vec<Spot>,
    /// By the frames down to the one to look at.
    first: HashMap<Vec<Frame>, Spot>,
    known: HashMap<(Rank, Option<u64>, StackId), Spot>,
}

impl Spots {
    /// That of a site.
    pub(crate) fn of(&mut self, site: Site, places: &mut impl Places) -> Spot {
        let key = (site.rank, site.pc, site.stack);
        if let Some(spot) = self.known.get(&key) {
            return *spot;
        }
        let stack = places.stack(site);
        let next = Spot(self.stacks.len());
        let spot = *self.numbers.entry(stack.clone()).or_insert(next);
        if spot == next {
            let text = shown_frame(&stack).filter(|shown| stack[*shown].place.is_some());
            let statement = match text {
                Some(shown) => *self.first.entry(in_text(&stack[..=shown])).or_insert(next),
                None => next,
            };
            self.statements.push(statement);
            self.stacks.push(stack);
        }
        self.known.insert(key, spot);
        spot
    }

    /// Whether both stand at one place of the text, whoever called the function that has it: what is written there is
    /// executed by both.
    pub(crate) fn are_one_statement(&self, one: Spot, other: Spot) -> bool {
        self.statement(one) == self.statement(other)
    }

    /// The first one that stands at the same place of the text.
    pub(crate) fn statement(&self, spot: Spot) -> Spot {
        self.statements[spot.0]
    }

    /// Whether one of these stands where the other does in the text.
    pub(crate) fn have_statement(&self, some: &[Spot], other: Spot) -> bool {
        some.iter().any(|spot| self.are_one_statement(*spot, other))
    }

    /// Whether both are done by one function itself, called from the same places.
    pub(crate) fn are_in_one_call(&self, one: Spot, other: Spot) -> bool {
        let callers = |spot: Spot| self.stack(spot).get(1..);
        callers(one).is_some() && callers(one) == callers(other)
    }

    /// Its frames, innermost first.
    pub(crate) fn stack(&self, spot: Spot) -> &[Frame] {
        &self.stacks[spot.0]
    }
}

/// Frames as the text tells them from each other: copies of a function that the compiler made, for a caller, a round of
/// a loop or the types of a template, are one.
fn in_text(frames: &[Frame]) -> Vec<Frame> {
    let in_text = |frame: &Frame| match &frame.place {
        Some(place) => Frame {
            place: Some(place.clone()),
            ..Frame::default()
        },
        None => frame.clone(),
    };
    frames.iter().map(in_text).collect()
}

/// The places of an event of a process.
pub(crate) fn sites(rank: Rank, kind: &EventKind) -> Vec<Site> {
    let site = |pc, stack| Site { rank, pc, stack };
    match kind {
        EventKind::Enter { stack, .. } => vec![site(None, *stack)],
        EventKind::Operation(operation) => vec![site(None, operation.stack)],
        EventKind::Accesses(runs) => runs.iter().map(|run| site(Some(run.pc), run.stack)).collect(),
        EventKind::Scattered(sets) => sets.iter().map(|set| site(Some(set.pc), set.stack)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::WinId;
    use farside_findings::Place;
    use farside_race::WindowLabel;

    /// Stacks by their numbers.
    struct Stacks(Vec<Vec<Frame>>);

    impl Places for Stacks {
        fn stack(&mut self, site: Site) -> Vec<Frame> {
            self.0[site.stack.0 as usize].clone()
        }

        fn variable(&mut self, _: Rank, _: u64) -> Option<String> {
            None
        }

        fn window(&mut self, _: WinId) -> Option<WindowLabel> {
            None
        }
    }

    #[test]
    fn copies_of_a_function_are_one_statement() {
        let frame = |function: &str, line: u32, address: u64| Frame {
            function: Some(function.into()),
            place: (line > 0).then(|| Place {
                file: "halo.cpp".into(),
                line,
                column: Some(5),
            }),
            address,
            ..Frame::default()
        };
        let mut places = Stacks(vec![
            vec![frame("send<double>", 7, 0x100), frame("main", 20, 0x104)],
            vec![frame("send<int>", 7, 0x200), frame("main", 21, 0x204)],
            vec![frame("send<int>", 7, 0x280), frame("main", 21, 0x204)],
            vec![frame("send<int>", 8, 0x200), frame("main", 21, 0x204)],
            vec![frame("send", 0, 0x100)],
            vec![frame("send", 0, 0x200)],
        ]);
        let mut spots = Spots::default();
        let all: Vec<Spot> = (0..6)
            .map(|number| {
                let site = Site {
                    rank: Rank(0),
                    pc: None,
                    stack: StackId(number),
                };
                spots.of(site, &mut places)
            })
            .collect();
        for copy in [1, 2] {
            assert!(spots.are_one_statement(all[0], all[copy]), "{copy}");
            assert_ne!(all[0], all[copy]);
        }
        assert!(!spots.are_one_statement(all[0], all[3]));
        assert!(!spots.are_one_statement(all[4], all[5]));
    }
}
