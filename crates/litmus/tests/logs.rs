//! Logs of the field's form read, and two of them are compared state by state.

use farside_litmus::log::{Difference, LogError, State, compare, read};

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
    let twice = "Test A Allowed\nStates 0\nTest A Allowed\n";
    assert!(matches!(read(twice), Err(LogError::TwiceTheName { line: 3, .. })));
}
