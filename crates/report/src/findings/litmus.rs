//! The words for litmus tests of findings, for all forms.

use super::phrases::counted;
use farside_findings::{LitmusRun, LitmusTest};

/// What a test is and shows, in a line.
pub(crate) fn in_short(test: &LitmusTest) -> String {
    let Some(model) = &test.model else {
        return "none".to_owned();
    };
    format!("a race by {model}, none with the repair{}", wrong(test))
}

/// Where wrong values can be seen.
fn wrong(test: &LitmusTest) -> String {
    let networks = |has: &dyn Fn(&str) -> bool| {
        let names = test.networks.iter().filter(|name| has(name));
        names.cloned().collect::<Vec<_>>().join(", ")
    };
    let any = |of: fn(&farside_findings::LitmusOutcome) -> &Vec<String>| {
        networks(&|name| {
            let mut outcomes = test.outcomes.iter().filter(|outcome| outcome.wrong);
            outcomes.any(|outcome| of(outcome).iter().any(|known| known == name))
        })
    };
    let (broken, repaired) = (any(|outcome| &outcome.models), any(|outcome| &outcome.repaired));
    let broken = match broken.as_str() {
        "" if test.networks.is_empty() => return String::new(),
        "" => "; no network shows a wrong value".to_owned(),
        broken => format!("; wrong values by {broken}"),
    };
    match repaired.as_str() {
        "" => broken,
        repaired => format!("{broken}; with the repair by {repaired}"),
    }
}

/// What runs showed.
pub(crate) fn run(run: &LitmusRun) -> String {
    if let Some(why) = &run.not_run {
        return format!("not run on {}: {why}", run.target);
    }
    format!(
        "wrong values seen {} of {} on {}; with the repair {} of {}",
        counted(run.wrong, "time", "times"),
        run.runs,
        run.target,
        run.repaired_wrong,
        run.repaired_runs
    )
}
