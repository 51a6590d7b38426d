//! Logs of the field's form read, and two of them are compared state by state.

use farside_litmus::log::{Difference, Entry, Log, LogError, State, Witnesses, compare, read};
use farside_verdicts::{Binding, Judgement, Observation, Quantifier, Test, Value, Verdict};
use proptest::collection::btree_map;
use proptest::prelude::*;

/// herd prints this form.
const SIMULATED: &str = "\
Test MP Allowed
States 3
1:a=0; 1:b=0;
1:a=0; 1:b=1;
1:a=1; [x]=1;
No
Witnesses
Positive: 0 Negative: 3
Condition exists (1:a = 1 /\\ 1:b = 0)
Observation MP Never 0 3
Time MP 0.00
Hash=11

Test SB Required
States 0
Undef race: put(X@1, Y) and b = X
";

/// Tools that run tests print this form.
const MEASURED: &str = "\
%%% some machine %%%
Test MP Allowed
Histogram (2 states)
9999  :>1:a=0; 1:b=0;
1     *>1:b=1; 1:a=0;
Ok
Hash=11
Test LB Allowed
Histogram (0 states)
No
";

fn state(text: &str) -> State {
    State::read(text).unwrap()
}

#[test]
fn both_forms_read() {
    let log = read(SIMULATED).unwrap();
    assert_eq!(log.tests.len(), 2);
    let mp = &log.tests[0];
    assert_eq!(
        (
            mp.name.as_str(),
            mp.kind.as_str(),
            mp.verdict.as_str(),
            mp.hash.as_str()
        ),
        ("MP", "Allowed", "No", "11")
    );
    assert_eq!(mp.condition, "exists (1:a = 1 /\\ 1:b = 0)");
    assert_eq!(mp.seconds, "0.00");
    let witnesses = mp.witnesses.expect("they were said");
    assert_eq!(
        (witnesses.positive, witnesses.negative, witnesses.observation()),
        (0, 3, "Never")
    );
    assert!(!mp.bounded);
    assert!(
        mp.states.contains_key(&state("x=1; 1:a=1;")),
        "brackets and order do not matter"
    );
    assert!(log.tests[1].verdict.starts_with("Undef"));
    let measured = read(MEASURED).unwrap();
    assert_eq!(measured.tests[0].states[&state("1:a=0; 1:b=0;")], Some(9999));
}

#[test]
fn what_differs_is_said_by_state() {
    let differences = compare(&read(SIMULATED).unwrap(), &read(MEASURED).unwrap());
    let expected = [
        Difference::Outcomes {
            test: "MP".into(),
            first: vec![state("1:a=1; x=1;")],
            second: vec![],
            verdicts: Some(["No".into(), "Ok".into()]),
        },
        Difference::OnlyFirst { test: "SB".into() },
        Difference::OnlySecond { test: "LB".into() },
    ];
    assert_eq!(differences, expected);
    assert_eq!(compare(&read(SIMULATED).unwrap(), &read(SIMULATED).unwrap()), []);
    let other = SIMULATED.replace("Hash=11", "Hash=12");
    let differences = compare(&read(SIMULATED).unwrap(), &read(&other).unwrap());
    assert_eq!(differences, [Difference::OtherTest { test: "MP".into() }]);
}

#[test]
fn what_is_no_log_is_refused() {
    assert_eq!(read("hello\n"), Err(LogError::NoTest));
    let cut = "Test A Allowed\nStates 2\n0:a=1;\n";
    assert!(matches!(
        read(cut),
        Err(LogError::MissingStates {
            line: 2,
            said: 2,
            found: 1,
            ..
        })
    ));
    assert_eq!(read("Test \n"), Err(LogError::NoName { line: 1 }));
    assert!(State::read("0:a=1; 0:a=2;").is_none(), "two values of one name");
    let twice = "Test A Allowed\nStates 0\nTest A Allowed\n";
    assert!(matches!(read(twice), Err(LogError::TwiceTheName { line: 3, .. })));
}

/// What the command prints reads, and says the same.
#[test]
fn the_command_writes_such_logs() {
    let binding = |name: &str, value| Binding {
        name: name.into(),
        value,
    };
    let state = |a, b, holds| farside_verdicts::State {
        bindings: vec![binding("0:a", a), binding("X", b)],
        holds: Some(holds),
    };
    let judgement = Judgement {
        model: "coreRMA".into(),
        verdict: Verdict::No,
        states: vec![
            state(Value::Known(-1), Value::Undefined, true),
            state(Value::Known(2), Value::Known(0), false),
        ],
        observation: Some(Observation {
            positive: 1,
            negative: 1,
        }),
        bounded: true,
        cause: None,
        seconds: 0.25,
        explanations: vec![],
    };
    let test = Test {
        name: "MP+flush".into(),
        file: "mp.litmus".into(),
        about: vec![],
        source: String::new(),
        hash: "12ab".into(),
        quantifier: Some(Quantifier::NotExists),
        condition: "~exists (0:a = -1)".into(),
        judgements: vec![],
    };
    let text = farside_report::verdicts::text::render(&test, &judgement, farside_report::Color::Never);
    let states = ["0:a=-1; X=T;", "0:a=2; X=0;"];
    let expected = Entry {
        name: "MP+flush".into(),
        kind: "Forbidden".into(),
        states: states.into_iter().map(|text| (self::state(text), None)).collect(),
        verdict: "No".into(),
        bounded: true,
        witnesses: Some(Witnesses {
            positive: 1,
            negative: 1,
        }),
        condition: "~exists (0:a = -1)".into(),
        seconds: "0.250000".into(),
        hash: "12ab".into(),
    };
    assert_eq!(
        read(&text),
        Ok(Log {
            tests: vec![expected]
        }),
        "{text}"
    );
}

fn entries() -> impl Strategy<Value = Entry> {
    let states = btree_map("[0-9]:[a-z]|[a-z]{1,3}", "-?[0-9]{1,4}|T", 0..4).prop_map(|bindings| {
        let text: Vec<String> = bindings
            .iter()
            .map(|(name, value)| format!("{name}={value};"))
            .collect();
        state(&text.join(" "))
    });
    let kind = prop::sample::select(vec!["Allowed", "Forbidden", "Required", ""]);
    let verdict = prop::sample::select(vec!["Ok", "No", "Undef race", "Unknown", ""]);
    let counted = any::<bool>().prop_flat_map(move |counted| {
        let count = any::<u64>().prop_map(move |count| counted.then_some(count));
        btree_map(states.clone(), count, 0..5)
    });
    let witnesses = prop::option::of((any::<u64>(), any::<u64>()));
    let words = (
        "|exists \\(0:a = [0-9]\\)",
        "|[0-9]\\.[0-9]{2}",
        "|[0-1]|[0-9a-f]{32}",
    );
    (kind, counted, verdict, any::<bool>(), witnesses, words).prop_map(
        |(kind, states, verdict, bounded, witnesses, (condition, seconds, hash))| Entry {
            name: String::new(),
            kind: kind.into(),
            states,
            verdict: verdict.into(),
            bounded,
            witnesses: witnesses.map(|(positive, negative)| Witnesses { positive, negative }),
            condition,
            seconds,
            hash,
        },
    )
}

fn logs() -> impl Strategy<Value = Log> {
    btree_map("[A-C]|[A-Za-z][-+A-Za-z0-9_.]{0,8}", entries(), 1..5).prop_map(|entries| Log {
        tests: entries
            .into_iter()
            .map(|(name, entry)| Entry { name, ..entry })
            .collect(),
    })
}

proptest! {
    #[test]
    fn written_logs_read_back(log in logs()) {
        let text = log.to_string();
        prop_assert_eq!(read(&text), Ok(log), "{}", text);
    }

    /// Differences are those of the sets of tests, and are the same the other way round.
    #[test]
    fn comparing_is_symmetric(first in logs(), second in logs()) {
        prop_assert_eq!(compare(&first, &first), []);
        let (there, back) = (compare(&first, &second), compare(&second, &first));
        prop_assert_eq!(there.len(), back.len());
        for difference in there {
            let turned = match difference {
                Difference::OnlyFirst { test } => Difference::OnlySecond { test },
                Difference::OnlySecond { test } => Difference::OnlyFirst { test },
                Difference::OtherTest { test } => Difference::OtherTest { test },
                Difference::Outcomes { test, first, second, verdicts } => Difference::Outcomes {
                    test,
                    first: second,
                    second: first,
                    verdicts: verdicts.map(|[one, other]| [other, one]),
                },
            };
            prop_assert!(back.contains(&turned), "{turned:?} is not in {back:?}");
        }
    }
}
