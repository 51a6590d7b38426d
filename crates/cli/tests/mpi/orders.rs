//! Receives from any source take the messages that they could have taken, in runs of their own.

use crate::setting::{Check, MPICH, Mpi, on_each, programs};
use crate::stdout;
use serde_json::Value;

fn command(mpi: Mpi, mode: &str) -> Vec<String> {
    let mut words = mpi.command("orders", mode);
    let ranks = words.iter().position(|word| word == "2").unwrap();
    words[ranks] = "3".to_owned();
    words
}

fn line_of(mark: &str) -> u64 {
    let mut lines = include_str!("orders.c").lines();
    lines.position(|line| line.contains(mark)).unwrap() as u64 + 1
}

fn report(mpi: Mpi, options: &[&str], mode: &str, status: i32) -> Value {
    let options: Vec<&str> = [&["--format", "json", "--no-trials"], options].concat();
    serde_json::from_str(&stdout(&Check::new(&options).expect(&command(mpi, mode), status))).unwrap()
}

#[test]
fn a_race_that_another_match_makes_is_found_and_found_again() {
    on_each(|mpi| {
        for mode in ["recv", "irecv"] {
            assert_eq!(
                report(mpi, &[], mode, 0)["findings"],
                Value::Array(Vec::new()),
                "{mode}"
            );
            let found = report(mpi, &["--orders", "4"], mode, 1);
            let [finding] = &found["findings"].as_array().unwrap()[..] else {
                panic!("{mode}: {found:#}");
            };
            let lines: Vec<&Value> = finding["parties"].as_array().unwrap().iter().map(line).collect();
            assert_eq!(lines, [line_of("the put"), line_of("the load")]);
            assert_eq!(
                (&found["runs"]["tried"], &found["runs"]["left"]),
                (&1.into(), &0.into())
            );
            let replay = finding["replay"].as_str().unwrap();
            let again = report(mpi, &["--replay", replay], mode, 1);
            assert_eq!(again["findings"][0]["id"], finding["id"], "{mode}");
        }
    });
}

fn line(party: &Value) -> &Value {
    &party["stack"][0]["place"]["line"]
}

#[test]
fn what_no_match_makes_is_not_found() {
    on_each(|mpi| {
        // Rank 0 hears from both before it reads: another match, and no race.
        let both = report(mpi, &["--orders", "4"], "both", 0);
        assert_eq!(both["runs"]["tried"], 1, "{both:#}");
        // Rank 2 sends because rank 0 has received: it could not have been first.
        let answer = report(mpi, &["--orders", "4"], "answer", 0);
        assert_eq!(
            (&answer["runs"]["tried"], &answer["runs"]["left"]),
            (&0.into(), &0.into())
        );
        // A message that does not come is not waited for for ever.
        report(mpi, &["--replay", "0.1=2"], "answer", 0);
    });
}

/// Whoever gives the lock back takes it again at once, if all are equally fast, and has completed its put by then.
#[test]
fn a_lock_that_is_given_back_too_early() {
    // Open MPI ends a program at its first compare-and-swap of a process on itself.
    if programs().1.iter().all(|mpi| mpi.name != MPICH.name) {
        return;
    }
    let options = ["--format", "json", "--no-trials", "--orders", "8"];
    let output = Check::new(&options).expect(&MPICH.command("steal", ""), 1);
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(
        (&found["runs"]["tried"], &found["runs"]["speeds"]),
        (&8.into(), &8.into())
    );
    let findings = found["findings"].as_array().unwrap();
    assert!(
        findings.iter().all(|finding| finding["rule"] == "remote-race"),
        "{found:#}"
    );
}

/// Two threads are ordered by who comes first to a lock or an atomic variable: in runs of other speeds it is the other.
#[test]
fn threads_that_come_to_a_lock_in_another_order() {
    let lines = |text: &str| -> Vec<usize> {
        let marks =
            ["// the put", "// the store"].map(|mark| text.lines().position(|line| line.ends_with(mark)));
        marks.into_iter().flatten().map(|line| line + 1).collect()
    };
    let known = lines(include_str!("turns.c"));
    on_each(|mpi| {
        for mode in ["lock", "atomic"] {
            let options = ["--format", "json", "--no-trials", "--orders", "8"];
            let output = Check::new(&options).expect(&mpi.command("turns", mode), 1);
            let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
            let [finding] = &found["findings"].as_array().unwrap()[..] else {
                panic!("{mode}: {found:#}");
            };
            let mut told: Vec<u64> = finding["parties"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|party| line(party).as_u64())
                .collect();
            told.sort_unstable();
            let mut known: Vec<u64> = known.iter().map(|line| *line as u64).collect();
            known.sort_unstable();
            assert_eq!(told, known, "{mode}: {found:#}");
        }
    });
}
