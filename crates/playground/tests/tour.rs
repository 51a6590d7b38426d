//! What the tour says of its stops, the engines say as well.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn ask(question: &Value) -> Value {
    let answer = farside_playground::answer(&question.to_string(), &|| Duration::ZERO);
    serde_json::from_str(&answer).unwrap()
}

fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn stops() -> Vec<Value> {
    serde_json::from_str(&text("playground/tour.json")).unwrap()
}

/// What a model says of the example of a claim.
fn judgement(claim: &Value, example: &str) -> Value {
    let mut test = text(example);
    // What the reader is asked to change.
    if let Some([from, to]) = claim["edit"].as_array().map(Vec::as_slice) {
        let (from, to) = (from.as_str().unwrap(), to.as_str().unwrap());
        assert!(test.contains(from), "{example} has no `{from}`");
        test = test.replacen(from, to, 1);
    }
    let question = json!({
        "ask": "litmus", "file": example, "text": test, "models": [{"named": claim["model"]}],
    });
    let answer = ask(&question);
    assert_eq!(answer["kind"], "litmus", "{example}: {answer}");
    answer["of"]["judgements"][0].clone()
}

fn holds(claim: &Value, example: &str) -> bool {
    if let Some(verdict) = claim["verdict"].as_str() {
        let answer = ask(&json!({ "ask": "robust", "file": example, "text": text(example) }));
        return answer["of"]["report"]["programs"][0]["verdict"] == verdict;
    }
    let judgement = judgement(claim, example);
    let allowed = |state: &str| {
        let mut outcomes = judgement["outcomes"].as_array().unwrap().iter();
        outcomes.any(|outcome| outcome["state"] == state && outcome["mark"] != "forbidden")
    };
    match (&claim["allows"], &claim["forbids"], &claim["headline"]) {
        (Value::String(state), Value::Null, Value::Null) => allowed(state),
        (Value::Null, Value::String(state), Value::Null) => {
            // A race or a mistake in the state would forbid everything.
            judgement["outcomes"]
                .as_array()
                .is_some_and(|all| !all.is_empty())
                && !allowed(state)
        }
        (Value::Null, Value::Null, Value::String(headline)) => judgement["headline"] == *headline,
        _ => panic!("{claim}: a claim says one thing"),
    }
}

#[test]
fn every_claim_of_the_tour_holds() {
    for stop in stops() {
        let example = stop["example"].as_str().unwrap();
        let claims = stop["claims"].as_array().unwrap();
        assert!(!claims.is_empty(), "{example}: a stop claims something");
        for claim in claims {
            let example = claim["example"].as_str().unwrap_or(example);
            assert!(holds(claim, example), "{example}: {claim}");
        }
    }
}

#[test]
fn a_state_that_is_forbidden_under_one_model_is_written_as_another_allows_it() {
    for stop in stops() {
        let claims = stop["claims"].as_array().unwrap();
        for claim in claims.iter().filter(|claim| claim["forbids"].is_string()) {
            let elsewhere = claims.iter().any(|other| other["allows"] == claim["forbids"]);
            let example = stop["example"].as_str().unwrap();
            let by_some_model = || {
                let names = farside_models::names().iter();
                let mut claims = names.map(|(name, _)| json!({"model": name, "allows": claim["forbids"]}));
                claims.any(|claim| holds(&claim, example))
            };
            assert!(
                elsewhere || by_some_model(),
                "{example}: {claim}: no model has this state"
            );
        }
    }
}
