//! The command lines that the program itself knows, tried: one to begin with, and each option that switches it.

use super::ahead::Urgency;
use super::command_line::{CommandLines, Line};
use super::coverage::Coverage;
use super::{Exploration, Simulation};

impl Exploration<'_> {
    /// A simulation of a command line that the program knows, if one suits: the first that ends well, else the first
    /// that does what the program is for; it is the one at hand from then on.
    pub(super) fn derived_line(
        &mut self,
        size: u32,
        suits: impl Fn(&Simulation) -> bool,
    ) -> Option<Simulation> {
        let (mut best, mut steps) = (None, 0);
        for line in self.lines(size).to_begin_with() {
            // All of them together get as much time as one that goes to its end.
            if steps > self.limits().steps || self.clock.is_over() {
                break;
            }
            let line = Line::These(line);
            let Some(found) = self.simulate_with(size, line.clone()) else {
                break;
            };
            steps += found.spent;
            if !found.works() || Coverage::is_idle(self.survey, &found) || !suits(&found) {
                continue;
            }
            if !found.failed() {
                return Some(found);
            }
            // A status that says no may come of values that are not known.
            if best.is_none() {
                best = Some((line, found));
            }
        }
        let (line, found) = best.map_or((Line::Unknown, None), |(line, found)| (line, Some(found)));
        self.given = line;
        found
    }

    /// The command lines that the program accepts; they are looked for once.
    pub(super) fn lines(&mut self, size: u32) -> &mut CommandLines {
        if self.lines.is_none() {
            let whole = self.clock;
            self.clock = whole.part(4);
            self.lines = Some(self.command_lines(size));
            self.clock = whole;
        }
        self.lines.get_or_insert_default()
    }

    /// Each option and word by which the program is switched, once: after the small numbers, and where calls are not
    /// reached then, without these.
    pub(super) fn switched_ways(&mut self, size: u32) {
        let given = self.given.clone();
        let switched = self.lines(size).take_switched();
        let (mut steps, mut tried) = (0, 0);
        let small = self.lines(size).small();
        let with_numbers = switched
            .iter()
            .map(|words| ([small.clone(), words.clone()].concat(), words));
        let without = switched
            .iter()
            .filter(|_| !small.is_empty())
            .map(|words| (words.clone(), words));
        let lines: Vec<_> = with_numbers.chain(without).collect();
        let likely = lines.iter().take(switched.len().min(2 * self.options.paths));
        let question = self.question(size, &self.accepted);
        let likely = likely.map(|(line, _)| question.clone().with_line(Line::These(line.clone())));
        self.foresee(likely, Urgency::Next);
        for (nth, (line, words)) in lines.iter().enumerate() {
            let is_whole = self.coverage.is_whole();
            let repeats = nth >= switched.len();
            if repeats && is_whole {
                break;
            }
            // Once all calls are reached, all of them together get as many steps as the first simulation.
            if tried >= 2 * self.options.paths || is_whole && steps > self.limits().steps {
                self.coverage.leave_untried(u64::from(!repeats));
                continue;
            }
            if self.clock.is_over() {
                self.seen.leave_untried("command lines", 1);
                continue;
            }
            tried += 1;
            let Some(found) = self.simulate_with(size, Line::These(line.clone())) else {
                break;
            };
            steps += found.spent;
            // A status that says no, after all that the program is for, may come of values that are not known.
            if found.works() && !Coverage::is_idle(self.survey, &found) {
                self.coverage.take(&found);
                // What was cut was followed to its end with small numbers.
                if !repeats {
                    self.seen.note(&found.notes);
                }
                self.seen.note_added(format!("\"{}\"", words.join(" ")));
                self.take_findings(size, &found);
            }
        }
        self.doubtful_ways(size, &small);
        self.given = given;
    }

    /// Texts of options that the program gives up with, while calls are not reached: what it reads by their names is
    /// as it asks for.
    fn doubtful_ways(&mut self, size: u32, small: &[String]) {
        for words in self.lines(size).take_doubtful() {
            if self.coverage.is_whole() {
                break;
            }
            if self.clock.is_over() {
                self.seen.leave_untried("command lines", 1);
                continue;
            }
            let line = [small.to_vec(), words.clone()].concat();
            let Some(found) = self.simulate_with(size, Line::These(line)) else {
                break;
            };
            let leads_on = |simulation: &Simulation| !Coverage::gave_up(self.survey, simulation);
            let accepted = match leads_on(&found) {
                true => Some(found),
                false => self.turned(size, found).ok().map(|(mut accepted, ..)| {
                    // Several conditions on one text may exclude each other.
                    accepted.doubt_from(0);
                    accepted
                }),
            };
            if let Some(found) = accepted {
                self.coverage.take(&found);
                self.seen.note(&found.notes);
                self.seen.note_added(format!("\"{}\"", words.join(" ")));
                self.take_findings(size, &found);
            }
        }
    }
}
