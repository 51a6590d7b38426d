//! Counts outcomes by topic and library, and shows them.

use crate::run::Outcome;
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Counts of one row of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Row {
    true_positives: u32,
    true_negatives: u32,
    false_positives: u32,
    false_negatives: u32,
    wrong_rules: u32,
    broken: u32,
    unseen: u32,
    moved: u32,
    extra: usize,
    retried: u32,
}

impl Row {
    fn add(&mut self, outcome: &Outcome) {
        match &outcome.verdict {
            Verdict::TruePositive { extra, wrong_rule } => {
                self.true_positives += 1;
                self.wrong_rules += u32::from(wrong_rule.is_some());
                self.extra += extra.len();
            }
            Verdict::TrueNegative => self.true_negatives += 1,
            Verdict::FalsePositive { .. } => self.false_positives += 1,
            Verdict::FalseNegative { .. } => self.false_negatives += 1,
            Verdict::Broken { .. } => self.broken += 1,
            Verdict::Unseen { .. } => self.unseen += 1,
            Verdict::Moved { .. } => self.moved += 1,
        }
        self.retried += u32::from(outcome.retried);
    }

    fn line(&self, topic: &str, library: &str) -> String {
        format!(
            "{topic:<14} {library:<11} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}\n",
            self.true_positives,
            self.true_negatives,
            self.false_positives,
            self.false_negatives,
            self.wrong_rules,
            self.broken,
            self.unseen,
            self.moved,
            self.extra,
            self.retried
        )
    }
}

/// The table: a line for each topic and library, and their sum.
pub(crate) fn table(outcomes: &[Outcome]) -> String {
    let mut rows: BTreeMap<(&str, &str), Row> = BTreeMap::new();
    let mut sum = Row::default();
    for outcome in outcomes {
        rows.entry((&outcome.topic, outcome.library.name()))
            .or_default()
            .add(outcome);
        sum.add(outcome);
    }
    let mut text = format!(
        "{:<14} {:<11} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}\n",
        "topic", "library", "TP", "TN", "FP", "FN", "rule", "broken", "unseen", "moved", "extra", "retry"
    );
    for ((topic, library), row) in &rows {
        text += &row.line(topic, library);
    }
    text + &sum.line("all", "")
}

/// What went wrong in a run, with the command to repeat it; `None` if nothing did.
pub(crate) fn explain(outcome: &Outcome) -> Option<String> {
    let place = format!("{} ({})", outcome.program.display(), outcome.library.name());
    let mut text = match &outcome.verdict {
        verdict if verdict.is_right() => return None,
        Verdict::TrueNegative | Verdict::Unseen { .. } | Verdict::Moved { .. } => return None,
        Verdict::TruePositive { wrong_rule, .. } => {
            format!(
                "WRONG RULE {place}: {}",
                wrong_rule.as_deref().unwrap_or_default()
            )
        }
        Verdict::FalsePositive { findings } => format!("FALSE POSITIVE {place}: {}", findings.join("; ")),
        Verdict::FalseNegative { findings } if findings.is_empty() => {
            format!("MISSED {place}: nothing reported")
        }
        Verdict::FalseNegative { findings } => format!("MISSED {place}: only {}", findings.join("; ")),
        Verdict::Broken { reason } => format!("BROKEN {place}: {reason}"),
    };
    if !outcome.command.is_empty() {
        let _ = write!(text, "\n    repeat: {}", outcome.command);
    }
    Some(text)
}

/// Findings about racy programs that their labels do not name.
pub(crate) fn extras(outcomes: &[Outcome]) -> Vec<String> {
    let said = |outcome: &Outcome| match &outcome.verdict {
        Verdict::TruePositive { extra, .. } if !extra.is_empty() => Some(format!(
            "extra {} ({}): {}",
            outcome.program.display(),
            outcome.library.name(),
            extra.join("; ")
        )),
        _ => None,
    };
    outcomes.iter().filter_map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Library;

    fn outcome(verdict: Verdict) -> Outcome {
        Outcome {
            topic: "sync".into(),
            program: "sync/a-yes.c".into(),
            library: Library::Mpich,
            repetition: 1,
            seconds: 0.0,
            retried: true,
            verdict,
            command: "farside check".into(),
        }
    }

    #[test]
    fn a_miss_is_counted_and_explained() {
        let missed = outcome(Verdict::FalseNegative { findings: vec![] });
        assert_eq!(
            explain(&missed).unwrap(),
            "MISSED sync/a-yes.c (mpich): nothing reported\n    repeat: farside check"
        );
        let found = outcome(Verdict::TruePositive {
            extra: vec!["x".into()],
            wrong_rule: None,
        });
        assert_eq!(explain(&found), None);
        let table = table(&[missed, found]);
        let row = table.lines().find(|line| line.starts_with("sync")).unwrap();
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(
            cells,
            ["sync", "mpich", "1", "0", "0", "1", "0", "0", "0", "0", "1", "2"]
        );
    }
}
