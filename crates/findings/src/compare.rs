//! Findings that `farside lint` made of the sources, beside what a run of the program showed.
//!
//! Promise: a prediction is confirmed by a finding whose accesses stand in the same lines and are of the same
//! operations, in any order; of several, by one that breaks the same rule. Paths are the same if one of them ends with
//! the other, for a compiler records them as it was given them. Whether a line was executed is said only where it is
//! known: a recording holds all calls of the program that matter here, but of its loads and stores those alone that met
//! memory which was watched at that time.

use crate::{Finding, Party, Place, PredictedAccess, Prediction, Predictions, Report};

/// Compares the findings of a lint report with a run that came to the places of `executed`.
pub fn compare(file: &str, predicted: &Report, run: &Report, executed: &[Place]) -> Predictions {
    let mut met = vec![false; run.findings.len()];
    let findings = predicted
        .findings
        .iter()
        .map(|finding| {
            let same: Vec<usize> = (0..run.findings.len())
                .filter(|index| same_places(finding, &run.findings[*index]))
                .collect();
            same.iter().for_each(|index| met[*index] = true);
            let by_rule = |index: &&usize| run.findings[**index].rule == finding.rule;
            let found = same.iter().find(by_rule).or(same.first());
            Prediction {
                id: finding.id.clone(),
                rule: finding.rule,
                accesses: finding
                    .parties
                    .iter()
                    .map(|party| access(party, executed))
                    .collect(),
                confirmed_by: found.map(|index| run.findings[*index].id.clone()),
            }
        })
        .collect();
    let unpredicted = run.findings.iter().zip(met).filter(|(_, met)| !met);
    Predictions {
        file: file.to_owned(),
        findings,
        unpredicted: unpredicted.map(|(finding, _)| finding.id.clone()).collect(),
    }
}

fn access(party: &Party, executed: &[Place]) -> PredictedAccess {
    let place = party.place();
    let came = place.is_some_and(|place| executed.iter().any(|other| same_place(place, other)));
    PredictedAccess {
        operation: party.operation.clone(),
        place: place.cloned(),
        executed: match (came, place) {
            (true, _) => Some(true),
            (false, Some(_)) if is_call(&party.operation) => Some(false),
            _ => None,
        },
    }
}

fn same_places(left: &Finding, right: &Finding) -> bool {
    let mut rest: Vec<&Party> = right.parties.iter().collect();
    left.parties.len() == right.parties.len()
        && left.parties.iter().all(|party| {
            let found = rest.iter().position(|other| same_party(party, other));
            found.map(|index| rest.swap_remove(index)).is_some()
        })
}

/// Library functions have other names in the sources and in the code (`memcpy`, `memmove`, stores); calls of MPI do
/// not.
fn same_party(left: &Party, right: &Party) -> bool {
    let operations =
        left.operation == right.operation || !is_call(&left.operation) && !is_call(&right.operation);
    let places = left.place().zip(right.place());
    operations && places.is_some_and(|(left, right)| same_place(left, right))
}

fn is_call(operation: &str) -> bool {
    operation.to_ascii_uppercase().starts_with("MPI_")
}

fn same_place(left: &Place, right: &Place) -> bool {
    let parts = |place: &Place| -> Vec<String> {
        let parts = place
            .file
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".");
        parts.rev().map(str::to_owned).collect()
    };
    left.line == right.line && parts(left).iter().zip(&parts(right)).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, Rule, finding_id};

    fn place(file: &str, line: u32) -> Place {
        Place {
            file: file.into(),
            line,
            column: None,
        }
    }

    fn finding(rule: Rule, parties: &[(&str, &str, u32)]) -> Finding {
        let party = |(operation, file, line): &(&str, &str, u32)| Party {
            operation: (*operation).into(),
            effect: String::new(),
            rank: 0,
            host: None,
            thread: 0,
            strand: None,
            target: None,
            stack: vec![Frame {
                place: Some(place(file, *line)),
                ..Frame::default()
            }],
        };
        let parties: Vec<Party> = parties.iter().map(party).collect();
        Finding {
            id: finding_id(rule, &parties),
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
            ranks: crate::Ranks::default(),
            timeline: None,
            scene: None,
            litmus: None,
        }
    }

    fn report(findings: Vec<Finding>) -> Report {
        Report {
            findings,
            ..Report::default()
        }
    }

    #[test]
    fn the_same_lines_confirm_in_any_order_and_under_any_prefix_of_the_path() {
        let predicted = report(vec![finding(
            Rule::LocalRace,
            &[
                ("MPI_Put", "/home/me/src/halo.c", 5),
                ("STORE", "/home/me/src/halo.c", 6),
            ],
        )]);
        let compare_with = |parties: &[(&str, &str, u32)]| {
            let run = report(vec![finding(Rule::RemoteRace, parties)]);
            let result = compare("l", &predicted, &run, &[]);
            (
                result.findings[0].confirmed_by.is_some(),
                result.unpredicted.len(),
            )
        };
        for (parties, confirmed) in [
            ([("STORE", "src/halo.c", 6), ("MPI_Put", "src/halo.c", 5)], true),
            (
                [("memcpy", "./src/halo.c", 6), ("MPI_Put", "src/halo.c", 5)],
                true,
            ),
            ([("STORE", "src/halo.c", 7), ("MPI_Put", "src/halo.c", 5)], false),
            ([("STORE", "lib/halo.c", 6), ("MPI_Put", "lib/halo.c", 5)], false),
            ([("STORE", "src/halo.c", 6), ("MPI_Get", "src/halo.c", 5)], false),
        ] {
            let expected = (confirmed, usize::from(!confirmed));
            assert_eq!(compare_with(&parties), expected, "{parties:?}");
        }
    }

    #[test]
    fn of_two_findings_in_the_same_lines_the_one_with_the_same_rule_confirms() {
        let lines = [("MPI_Put", "a.c", 5), ("STORE", "a.c", 6)];
        let run = report(vec![
            finding(Rule::RemoteRace, &lines),
            finding(Rule::LocalRace, &lines),
        ]);
        let predicted = report(vec![finding(Rule::LocalRace, &lines)]);
        let result = compare("l", &predicted, &run, &[]);
        assert_eq!(
            result.findings[0].confirmed_by.as_ref(),
            Some(&run.findings[1].id)
        );
        assert!(result.unpredicted.is_empty());
    }

    #[test]
    fn whether_a_place_was_executed_is_said_where_it_is_known() {
        let lines = [("MPI_Put", "a.c", 5), ("STORE", "a.c", 6)];
        let predicted = report(vec![finding(Rule::LocalRace, &lines)]);
        let executed = |places: &[Place]| {
            let result = compare("l", &predicted, &Report::default(), places);
            result.findings[0].executed()
        };
        assert_eq!(executed(&[]), Some(false), "a call is always recorded");
        assert_eq!(executed(&[place("a.c", 5)]), None, "a store is not");
        assert_eq!(executed(&[place("a.c", 5), place("a.c", 6)]), Some(true));
    }
}
