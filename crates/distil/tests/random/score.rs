//! What became of the findings of random programs.

use farside_distil::{Distilled, Reason, distil};
use farside_events::Interface;
use farside_findings::{Finding, Frame, Place};
use farside_race::{Places, RawFinding, Site, WindowLabel, findings};
use std::collections::BTreeMap;

/// The stack is the line.
struct Lines;

impl Places for Lines {
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        vec![Frame {
            place: Some(Place {
                file: format!("p{}.c", site.rank.0),
                line: site.stack.0 as u32,
                column: None,
            }),
            ..Frame::default()
        }]
    }

    fn variable(&mut self, _: farside_events::Rank, _: u64) -> Option<String> {
        None
    }

    fn window(&mut self, _: farside_events::WinId) -> Option<WindowLabel> {
        None
    }
}

/// Counts.
#[derive(Debug, Default)]
pub(crate) struct Score {
    races: u64,
    tests: u64,
    without: BTreeMap<Reason, u64>,
    wrong: Vec<String>,
}

impl Score {
    /// Looks at what was found in one execution; `check` says what is wrong with a test.
    pub(crate) fn take(
        &mut self,
        (raw, interface): (Vec<RawFinding>, Interface),
        seed: u64,
        check: &dyn Fn(&Distilled) -> Result<(), String>,
    ) {
        let all: Vec<Finding> = findings(raw, interface, &mut Lines);
        for finding in all.iter().filter(|finding| finding.missing.is_some()) {
            self.races += 1;
            match distil(finding, &format!("seed{seed}")) {
                Ok(distilled) => {
                    self.tests += 1;
                    if let Err(why) = check(&distilled) {
                        let text = farside_litmus::print(&distilled.broken);
                        let repaired = farside_litmus::print(&distilled.repaired);
                        self.wrong.push(format!("{why}\n{text}{repaired}"));
                    }
                }
                Err(reason) => {
                    if std::env::var_os("FARSIDE_SHOW").is_some() {
                        println!("{reason}\n{:#?}", finding.scene);
                    }
                    *self.without.entry(reason).or_default() += 1;
                }
            }
        }
    }

    pub(crate) fn races(&self) -> u64 {
        self.races
    }

    /// All tests are right, and at least so many of 100 races have one.
    #[track_caller]
    pub(crate) fn expect(&self, share: u64) {
        println!("{} races, {} tests", self.races, self.tests);
        for (reason, count) in &self.without {
            println!("{count:>6} {reason}");
        }
        assert!(
            self.wrong.is_empty(),
            "{}",
            self.wrong.iter().take(3).cloned().collect::<Vec<_>>().join("\n")
        );
        assert!(
            self.tests * 100 >= self.races * share,
            "{} of {}",
            self.tests,
            self.races
        );
    }
}

/// Number of races, as `FARSIDE_RANDOM_PROGRAMS` says.
pub(crate) fn wanted(usually: u64) -> u64 {
    std::env::var("FARSIDE_RANDOM_PROGRAMS")
        .map_or(usually, |word| word.parse().expect("a number of programs"))
}
