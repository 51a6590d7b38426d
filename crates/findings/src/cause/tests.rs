use super::*;
use crate::{Party, Report, Rule, SCHEMA_VERSION};
use Guarantee::{HappensBefore, LocalCompletion, RemoteCompletion};

const FENCE: &[Guarantee] = &[LocalCompletion, RemoteCompletion, HappensBefore];

/// Innermost first: `exchange:5 main:20`.
fn stack(text: &str) -> Vec<Frame> {
    let frame = |word: &str| {
        let (function, line) = word.split_once(':').expect("FUNCTION:LINE");
        Frame {
            function: Some(function.to_owned()),
            place: Some(Place {
                file: format!("{function}.c"),
                line: line.parse().expect("a line"),
                column: None,
            }),
            ..Frame::default()
        }
    };
    text.split(' ').map(frame).collect()
}

fn race(window: &str, from: &str, to: &str, call: &str, needs: &[Guarantee]) -> Finding {
    let stacks = [stack(from), stack(to)];
    let parties = stacks.clone().map(|stack| Party {
        operation: "MPI_Put".into(),
        effect: "writes".into(),
        rank: 0,
        host: None,
        thread: 0,
        strand: None,
        target: None,
        stack,
    });
    let [from, to] = stacks;
    Finding {
        id: crate::finding_id(Rule::RemoteRace, &parties),
        rule: Rule::RemoteRace,
        cause: None,
        severity: Rule::RemoteRace.severity(),
        message: String::new(),
        possible: false,
        arguments: None,
        inputs: None,
        replay: None,
        other_order: false,
        per_node: None,
        parties: parties.into(),
        window: Some(window.into()),
        created: None,
        bytes: None,
        missing: None,
        suggestion: Some(Suggestion {
            call: call.into(),
            gap: Some(Box::new(Gap {
                needs: needs.into(),
                call: call.replace("(1, ", "_all(").replace("(2, ", "_all("),
                only: false,
                from,
                to,
            })),
            ..Suggestion::default()
        }),
        count: 10,
        ranks: crate::Ranks::default(),
        timeline: None,
        scene: None,
        litmus: None,
    }
}

fn report(findings: Vec<Finding>) -> Report {
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        findings,
        ..Report::default()
    };
    report.find_causes();
    report
}

/// What to do, how many findings it explains.
fn causes(findings: Vec<Finding>) -> Vec<(String, u64)> {
    let told = |cause: &Cause| {
        let change = cause.suggestion.clone().unwrap_or_default();
        (format!("{} {}", change.call, change.position), cause.findings)
    };
    report(findings).causes.iter().map(told).collect()
}

#[test]
fn one_missing_fence_explains_all_pairs_around_it() {
    let mut pairs = Vec::new();
    for put in 10..20 {
        for load in 30..40 {
            let (from, to) = (format!("exchange:{put} main:5"), format!("force:{load} main:6"));
            pairs.push(race("halo", &from, &to, "fence", FENCE));
        }
    }
    let told = "fence after exchange.c:19 and before force.c:30, on all ranks";
    assert_eq!(causes(pairs), [(told.to_owned(), 100)]);
}

#[test]
fn gaps_with_no_place_in_common_have_causes_of_their_own() {
    let pairs = vec![
        race("halo", "main:10", "main:20", "fence", FENCE),
        race("halo", "main:30", "main:40", "fence", FENCE),
        race("halo", "main:12", "main:35", "fence", FENCE),
        race("other", "main:10", "main:20", "fence", FENCE),
    ];
    let found = causes(pairs);
    assert_eq!(
        found.iter().map(|(_, findings)| *findings).collect::<Vec<_>>(),
        [1, 2, 1]
    );
    assert!(
        found[1]
            .0
            .starts_with("fence after main.c:30 and before main.c:35"),
        "{found:?}"
    );
}

#[test]
fn a_call_that_gives_more_explains_what_needs_less_and_not_the_other_way_round() {
    let flushed = vec![
        race("w", "main:10", "main:20", "flush_local(1, w)", &[LocalCompletion]),
        race(
            "w",
            "main:11",
            "main:21",
            "flush(1, w)",
            &[LocalCompletion, RemoteCompletion],
        ),
        race(
            "w",
            "main:12",
            "main:22",
            "flush(2, w)",
            &[LocalCompletion, RemoteCompletion],
        ),
    ];
    let told = "flush_all(w) after main.c:12 and before main.c:20";
    assert_eq!(causes(flushed), [(told.to_owned(), 3)]);
    // A line in a loop comes before itself in the next round only.
    let again = |target| {
        let call = format!("flush({target}, w)");
        race("w", "main:12", "main:12", &call, &[RemoteCompletion])
    };
    let told = "flush_all(w) after main.c:12 and before main.c:12 of the next round";
    assert_eq!(causes(vec![again(1), again(2)]), [(told.to_owned(), 2)]);
    // What completes another operation of the round completes that one, too.
    let below = race("w", "main:13", "main:20", "flush(2, w)", &[RemoteCompletion]);
    let told = "flush_all(w) after main.c:13 and before main.c:20";
    assert_eq!(causes(vec![below, again(1)]), [(told.to_owned(), 2)]);
    // Two processes that execute one line have no order by a call below it, nor by one of another function.
    let together = race("w", "main:12", "main:12", "fence", FENCE);
    let fence = race("w", "main:13", "main:20", "fence", FENCE);
    assert_eq!(causes(vec![fence, together]).len(), 2);
    let elsewhere = race(
        "w",
        "step:13 main:30",
        "step:20 main:30",
        "flush(2, w)",
        &[RemoteCompletion],
    );
    let here = race(
        "w",
        "exchange:12 main:10",
        "exchange:12 main:10",
        "flush(1, w)",
        &[RemoteCompletion],
    );
    assert_eq!(causes(vec![elsewhere, here]).len(), 2);
    let apart = vec![
        race("w", "main:12", "main:20", "flush_local(1, w)", &[LocalCompletion]),
        race("w", "main:10", "main:20", "barrier", &[HappensBefore]),
    ];
    assert_eq!(causes(apart).len(), 2);
}

/// A fence was found to be enough for what is read at the target, and the origin's buffer needs more.
#[test]
fn a_call_that_is_enough_for_one_finding_is_not_told_for_all() {
    let both = &[LocalCompletion, RemoteCompletion];
    let mut at_target = race("w", "main:10", "main:20", "quiet()", both);
    if let Some(change) = &mut at_target.suggestion {
        change.call = "fence()".into();
    }
    let at_origin = race("w", "main:10", "main:12", "quiet()", &[LocalCompletion]);
    let told = "quiet() after main.c:10 and before main.c:12";
    assert_eq!(causes(vec![at_target.clone(), at_origin]), [(told.to_owned(), 2)]);
    let told = "fence() after main.c:10 and before main.c:20";
    assert_eq!(causes(vec![at_target.clone(), at_target]), [(told.to_owned(), 2)]);
}

/// A lock that is taken twice needs the call that gives it back: a flush does not end an epoch.
#[test]
fn what_lacks_the_end_of_an_epoch_is_not_explained_by_an_order() {
    let both = &[LocalCompletion, RemoteCompletion];
    let mut twice = race("w", "main:7", "main:10", "unlock(t, w)", both);
    let gap = |finding: &mut Finding| finding.suggestion.as_mut().and_then(|own| own.gap.take());
    let own = gap(&mut twice).map(|gap| Box::new(Gap { only: true, ..*gap }));
    if let Some(change) = &mut twice.suggestion {
        change.gap = own;
    }
    let race = race("w", "main:8", "main:11", "flush(1, w)", both);
    // The unlock orders what the race is about, too.
    let told = "unlock(t, w) after main.c:8 and before main.c:10";
    assert_eq!(causes(vec![twice.clone(), race.clone()]), [(told.to_owned(), 2)]);
    assert_eq!(causes(vec![race.clone(), twice.clone()]), [(told.to_owned(), 2)]);
    // Where that was tried and brings other findings, it explains nothing.
    if let Some(change) = &mut twice.suggestion {
        change.proof = Some(Proof::BringsOthers);
    }
    assert_eq!(causes(vec![twice, race]).len(), 2);
}

/// What is moved is not inserted.
#[test]
fn a_call_that_comes_too_late_for_several_is_moved() {
    let line = |line| {
        let (file, column) = ("main.c".to_owned(), None);
        Some(Place { file, line, column })
    };
    let moved = |to: u32, at: u32| {
        let mut race = race(
            "w",
            "main:6",
            &format!("main:{to}"),
            "wait(r)",
            &[LocalCompletion],
        );
        if let Some(change) = &mut race.suggestion {
            change.action = Action::Move;
            change.call = "unlock_all".into();
            change.position = format!("from main.c:{at} to before main.c:{to}");
            (change.at, change.before) = (line(at), line(to));
        }
        race
    };
    let told = |findings: Vec<Finding>| {
        let cause = report(findings).causes.remove(0);
        let change = cause.suggestion.unwrap_or_default();
        (change.action, format!("{} {}", change.call, change.position))
    };
    let same = "unlock_all from main.c:16 to before main.c:13".to_owned();
    assert_eq!(told(vec![moved(13, 16), moved(13, 16)]), (Action::Move, same));
    let nearer =
        "unlock_all from main.c:16 to after main.c:6 and before main.c:12, on all ranks that make it";
    assert_eq!(
        told(vec![moved(13, 16), moved(12, 16)]),
        (Action::Move, nearer.to_owned())
    );
    // One moves another call: what all have in common is a new one.
    let new = "wait(r) after main.c:6 and before main.c:12".to_owned();
    assert_eq!(told(vec![moved(13, 16), moved(12, 17)]), (Action::Insert, new));
}

#[test]
fn a_gap_round_a_loop_stays_in_the_function_of_the_loop() {
    let next_round = race(
        "w",
        "step:30 main:8",
        "step:10 main:8",
        "barrier",
        &[HappensBefore],
    );
    let same_place = race(
        "w",
        "step:40 main:8",
        "step:5 main:8",
        "barrier",
        &[HappensBefore],
    );
    let told = "barrier after step.c:40 and before step.c:5 of the next round, on all ranks";
    assert_eq!(
        causes(vec![next_round.clone(), same_place]),
        [(told.to_owned(), 2)]
    );
    let outside = race("w", "main:20", "main:30", "barrier", &[HappensBefore]);
    assert_eq!(causes(vec![next_round, outside]).len(), 2);
}

#[test]
fn every_finding_has_one_cause_and_stands_with_its_like() {
    let mut findings = vec![
        race("a", "main:10", "main:20", "fence", FENCE),
        race("b", "main:10", "main:20", "fence", FENCE),
        race("a", "main:11", "main:20", "fence", FENCE),
    ];
    findings[1].suggestion = None;
    let report = report(findings);
    let groups: Vec<(u64, usize)> = report
        .by_cause()
        .map(|(cause, group)| (cause.expect("a cause").findings, group.len()))
        .collect();
    assert_eq!(groups, [(2, 2), (1, 1)]);
    assert_eq!(report.causes[0].count, 20);
}

#[test]
fn five_thousand_findings_take_no_time_to_speak_of() {
    let pairs = (0..5000).map(|n: u32| {
        let (from, to) = (
            format!("f:{} main:5", n % 71),
            format!("f:{} main:5", 100 + n % 97),
        );
        race("w", &from, &to, "fence", FENCE)
    });
    assert_eq!(causes(pairs.collect()).len(), 1);
}

#[test]
fn the_id_depends_neither_on_the_folder_nor_on_the_target_met_first() {
    let id = |folder: &str, call: &str, line: u32| {
        let mut finding = race("halo", "main:10", "main:20", "flush", &[RemoteCompletion]);
        let place = Place {
            file: format!("{folder}/main.c"),
            line,
            column: None,
        };
        finding.suggestion = Some(Suggestion {
            call: call.into(),
            after: Some(place),
            ..Suggestion::default()
        });
        let mut report = report(Vec::new());
        report.program.folder = folder.into();
        report.findings = vec![finding];
        report.find_causes();
        report.causes.remove(0).id
    };
    let expected = id("/one", "MPI_Win_flush(0, win)", 12);
    assert_eq!(id("/two/copy", "MPI_Win_flush(1, win)", 12), expected);
    assert_ne!(id("/one", "MPI_Win_flush(0, win)", 13), expected);
    assert_ne!(id("/one", "MPI_Win_flush_local(0, win)", 12), expected);
}

#[test]
fn one_change_in_one_place_explains_findings_of_several_rules() {
    let changed = |rule: Rule, line: u32| {
        let mut finding = race("halo", "main:10", "main:20", "wait", FENCE);
        let place = Place {
            file: "main.c".into(),
            line,
            column: None,
        };
        finding.rule = rule;
        finding.suggestion = Some(Suggestion {
            action: Action::Replace,
            call: "MPI_Win_wait(win)".into(),
            instead_of: Some("MPI_Win_test".into()),
            at: Some(place),
            ..Suggestion::default()
        });
        finding
    };
    let found = causes(vec![
        changed(Rule::RemoteRace, 12),
        changed(Rule::MixedEpochs, 12),
        changed(Rule::MixedEpochs, 14),
    ]);
    let numbers: Vec<u64> = found.iter().map(|(_, findings)| *findings).collect();
    assert_eq!(numbers, [2, 1]);
}

/// A call that is changed where it stands, or moved up, serves all that come after it, also where no call is missing.
#[test]
fn what_one_change_repairs_has_one_cause() {
    let line = |line| {
        let (file, column) = ("main.c".to_owned(), None);
        Some(Place { file, line, column })
    };
    let changed = |action: Action, before: u32| {
        let mut race = race(
            "w",
            "main:6",
            &format!("main:{before}"),
            "wait",
            &[LocalCompletion],
        );
        if let Some(change) = &mut race.suggestion {
            (change.action, change.gap) = (action, None);
            (change.at, change.after, change.before) = (line(18), None, line(before));
        }
        race
    };
    for action in [Action::Move, Action::Replace, Action::Remove] {
        let causes = report(vec![changed(action, 12), changed(action, 11)]).causes;
        let [cause] = &causes[..] else {
            panic!("{causes:?}");
        };
        assert_eq!(cause.findings, 2);
        if action == Action::Move {
            let change = cause.suggestion.as_ref().expect("the move");
            assert_eq!(change.before, line(11));
        }
    }
}
