//! Compares what the checker said about a program with the program's label. Pure: no I/O.
//!
//! A correct answer names every line of `RACE_PAIR` in one finding. A racy program that is reported with other lines
//! only counts as missed. Further findings about a racy program are allowed; those that are not in `FURTHER_PAIRS` are
//! counted and shown as extra.

use crate::label::{Access, Label, RaceKind};
use farside_findings::{Finding, Report, ShortfallKind};
use serde::Serialize;

/// How one run of one program was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// The error was reported with the right lines.
    TruePositive {
        /// Findings with other lines.
        extra: Vec<String>,
        /// The rule reported, if the label asks for another one.
        wrong_rule: Option<String>,
    },
    /// Nothing was reported about a clean program.
    TrueNegative,
    /// A clean program was reported.
    FalsePositive {
        /// What was said.
        findings: Vec<String>,
    },
    /// The error was not reported, or with other lines only.
    FalseNegative {
        /// What was said instead.
        findings: Vec<String>,
    },
    /// As `FalseNegative`, of pages that were guarded, and the report says that not all loads and stores were seen.
    Unseen {
        /// What was said instead.
        findings: Vec<String>,
    },
    /// As `FalseNegative`, of code that was optimised as it is: a load or a store has another line, by the compiler's
    /// word, which has made one instruction of several lines.
    Moved {
        /// What was said.
        findings: Vec<String>,
    },
    /// The run gave no answer: it did not compile, timed out, or the checked program failed.
    Broken {
        /// What happened.
        reason: String,
    },
}

impl Verdict {
    /// Whether this is the right answer.
    pub(crate) fn is_right(&self) -> bool {
        match self {
            Verdict::TruePositive { wrong_rule, .. } => wrong_rule.is_none(),
            Verdict::TrueNegative | Verdict::Unseen { .. } | Verdict::Moved { .. } => true,
            _ => false,
        }
    }
}

/// Judges a report about the program in `file` (its name without folders).
pub(crate) fn judge(label: &Label, file: &str, report: &Report) -> Verdict {
    let said = |finding: &Finding| shown(finding, file);
    if label.race_kind == RaceKind::None {
        return match report.findings.is_empty() {
            true => Verdict::TrueNegative,
            false => Verdict::FalsePositive {
                findings: report.findings.iter().map(said).collect(),
            },
        };
    }
    let (right, other): (Vec<&Finding>, Vec<&Finding>) = report
        .findings
        .iter()
        .partition(|finding| names_pair(finding, &label.race_pair, file));
    let known = |finding: &&Finding| {
        let mut pairs = label.further_pairs.iter();
        pairs.any(|pair| names_pair(finding, pair, file))
    };
    let other = other
        .into_iter()
        .filter(|finding| right.is_empty() || !known(finding))
        .map(said)
        .collect();
    if right.is_empty() {
        let mut shortfalls = report.shortfalls.iter();
        return match shortfalls.any(|shortfall| shortfall.id == ShortfallKind::GuardedInPart) {
            true => Verdict::Unseen { findings: other },
            false => Verdict::FalseNegative { findings: other },
        };
    }
    let wrong_rule = label
        .rule
        .filter(|rule| right.iter().all(|finding| finding.rule != *rule))
        .map(|_| right[0].rule.id().to_owned());
    Verdict::TruePositive {
        extra: other,
        wrong_rule,
    }
}

/// The same, of a program that was optimised without the checker's pass: calls have their lines, loads and stores may
/// have others.
pub(crate) fn judge_optimised(label: &Label, file: &str, report: &Report) -> Verdict {
    let is_meant = |finding: &Finding| {
        label.rule.is_none_or(|rule| finding.rule == rule) && names_moved(finding, &label.race_pair, file)
    };
    match judge(label, file, report) {
        Verdict::FalseNegative { findings } if report.findings.iter().any(is_meant) => {
            Verdict::Moved { findings }
        }
        verdict => verdict,
    }
}

/// Whether the finding's places contain all of the pair, loads and stores in any line.
fn names_moved(finding: &Finding, pair: &[Access], file: &str) -> bool {
    names(finding, pair, file, |access, (operation, line)| {
        match &*access.operation {
            "LOAD" | "STORE" => operation == access.operation,
            _ => line == access.line,
        }
    })
}

/// Whether the finding's places contain all lines of the pair.
fn names_pair(finding: &Finding, pair: &[Access], file: &str) -> bool {
    names(finding, pair, file, |access, (_, line)| line == access.line)
}

/// Whether each of the pair is one of the finding's places, as often as the pair has it.
fn names(
    finding: &Finding,
    pair: &[Access],
    file: &str,
    is_it: impl Fn(&Access, (&str, u32)) -> bool,
) -> bool {
    let mut left: Vec<(&str, u32)> = places(finding, file).collect();
    pair.iter().all(|access| {
        let found = left.iter().position(|place| is_it(access, *place));
        found.map(|index| left.swap_remove(index)).is_some()
    })
}

/// What each party did and in which line, for parties whose place is known and in `file`.
fn places<'f>(finding: &'f Finding, file: &'f str) -> impl Iterator<Item = (&'f str, u32)> {
    finding.parties.iter().filter_map(move |party| {
        let place = party.stack.iter().find_map(|frame| frame.place.as_ref())?;
        let name = place.file.rsplit('/').next().unwrap_or(&place.file);
        (name == file).then_some((party.operation.as_str(), place.line))
    })
}

fn shown(finding: &Finding, file: &str) -> String {
    let places: Vec<String> = places(finding, file)
        .map(|(operation, line)| format!("{operation}@{line}"))
        .collect();
    format!("{} [{}]", finding.rule.id(), places.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_findings::{Frame, Party, Place, Rule};

    fn label(kind: &str, pair: &str) -> Label {
        let rule = r#""RULE": "local-race", "#;
        let text = format!(
            r#"{{"RACE_KIND": "{kind}", "RACE_PAIR": [{pair}], {rule}"NPROCS": 2, "DESCRIPTION": "d"}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn report(rule: Rule, lines: &[u32]) -> Report {
        let parties = lines
            .iter()
            .map(|line| Party {
                operation: "LOAD".into(),
                effect: String::new(),
                rank: 0,
                host: None,
                thread: 0,
                strand: None,
                target: None,
                stack: vec![
                    Frame::default(),
                    Frame {
                        place: Some(Place {
                            file: "/tmp/a-yes.c".into(),
                            line: *line,
                            column: None,
                        }),
                        ..Frame::default()
                    },
                ],
            })
            .collect();
        let finding = Finding {
            id: String::new(),
            rule,
            cause: None,
            severity: rule.severity(),
            possible: false,
            arguments: None,
            inputs: None,
            replay: None,
            other_order: false,
            per_node: None,
            message: String::new(),
            parties,
            window: None,
            created: None,
            bytes: None,
            missing: None,
            suggestion: None,
            count: 1,
            ranks: farside_findings::Ranks::default(),
            timeline: None,
            scene: None,
            litmus: None,
        };
        Report {
            findings: vec![finding],
            ..Report::default()
        }
    }

    #[test]
    fn a_load_of_optimised_code_may_have_another_line() {
        let label = label("local", "\"LOAD@5\", \"LOAD@6\"");
        let moved = |rule, lines: &[u32]| judge_optimised(&label, "a-yes.c", &report(rule, lines));
        assert!(matches!(moved(Rule::LocalRace, &[5, 7]), Verdict::Moved { .. }));
        assert!(matches!(
            moved(Rule::LocalRace, &[5, 6]),
            Verdict::TruePositive { .. }
        ));
        assert!(matches!(
            moved(Rule::RemoteRace, &[5, 7]),
            Verdict::FalseNegative { .. }
        ));
        assert!(matches!(
            moved(Rule::LocalRace, &[5]),
            Verdict::FalseNegative { .. }
        ));
    }

    #[test]
    fn a_call_of_optimised_code_keeps_its_line() {
        let label = label("local", "\"MPI_Get@5\", \"LOAD@6\"");
        let moved = |lines: &[u32]| judge_optimised(&label, "a-yes.c", &report(Rule::LocalRace, lines));
        assert!(matches!(moved(&[5, 7]), Verdict::Moved { .. }));
        assert!(matches!(moved(&[4, 6]), Verdict::FalseNegative { .. }));
    }

    #[test]
    fn both_lines_in_any_order_are_right() {
        let label = label("local", "\"MPI_Get@5\", \"LOAD@6\"");
        let verdict = judge(&label, "a-yes.c", &report(Rule::LocalRace, &[6, 5]));
        assert_eq!(
            verdict,
            Verdict::TruePositive {
                extra: vec![],
                wrong_rule: None
            }
        );
        assert!(!judge(&label, "a-yes.c", &report(Rule::RemoteRace, &[6, 5])).is_right());
    }

    #[test]
    fn a_further_pair_is_no_extra_but_does_not_stand_for_the_pair() {
        let text = r#"{"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@5", "STORE@6"], "NPROCS": 2, "DESCRIPTION": "d",
            "FURTHER_PAIRS": [["MPI_Put@5", "STORE@7"]]}"#;
        let label: Label = serde_json::from_str(text).unwrap();
        let mut both = report(Rule::LocalRace, &[5, 6]);
        both.findings.extend(report(Rule::LocalRace, &[5, 7]).findings);
        let extra = |report: &Report| match judge(&label, "a-yes.c", report) {
            Verdict::TruePositive { extra, .. } => Some(extra.len()),
            _ => None,
        };
        assert_eq!(extra(&both), Some(0));
        both.findings.extend(report(Rule::LocalRace, &[5, 8]).findings);
        assert_eq!(extra(&both), Some(1));
        assert_eq!(extra(&report(Rule::LocalRace, &[5, 7])), None);
    }

    #[test]
    fn other_lines_and_other_files_are_missed() {
        let label = label("local", "\"MPI_Get@5\", \"LOAD@6\"");
        for verdict in [
            judge(&label, "a-yes.c", &report(Rule::LocalRace, &[5, 7])),
            judge(&label, "b-yes.c", &report(Rule::LocalRace, &[5, 6])),
            judge(&label, "a-yes.c", &Report::default()),
        ] {
            assert!(matches!(verdict, Verdict::FalseNegative { .. }), "{verdict:?}");
        }
    }

    #[test]
    fn a_line_that_races_with_itself_must_be_named_twice() {
        let label = label("local", "\"MPI_Put@5\", \"MPI_Put@5\"");
        assert!(!judge(&label, "a-yes.c", &report(Rule::LocalRace, &[5])).is_right());
        assert!(judge(&label, "a-yes.c", &report(Rule::LocalRace, &[5, 5])).is_right());
    }

    #[test]
    fn a_clean_program_has_no_findings() {
        let label = label("none", "");
        assert!(judge(&label, "a-yes.c", &Report::default()).is_right());
        assert!(!judge(&label, "a-yes.c", &report(Rule::LocalRace, &[1])).is_right());
    }
}
