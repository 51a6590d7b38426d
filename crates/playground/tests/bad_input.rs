//! Bad input of any kind is an answer.

use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

fn raw(question: &str) -> Value {
    serde_json::from_str(&farside_playground::answer(question, &|| Duration::ZERO)).unwrap()
}

fn ask(question: &Value) -> Value {
    raw(&question.to_string())
}

const TEST: &str = "RMA t\n{ 0: X = 0; }\n P0 ;\n a = X ;\nexists (0:a = 1)\n";

fn litmus(text: &str, models: &Value) -> Value {
    ask(&json!({ "ask": "litmus", "file": "t.litmus", "text": text, "models": models }))
}

#[test]
fn what_is_no_question_is_told() {
    for question in [
        "",
        "{",
        "[]",
        "{\"ask\": \"weather\"}",
        "{\"ask\": \"litmus\"}",
        "null",
    ] {
        let answer = raw(question);
        assert_eq!(answer["kind"], "fault", "{question}");
        assert!(
            answer["of"].as_str().unwrap().starts_with("this is no question"),
            "{answer}"
        );
    }
}

#[test]
fn mistakes_of_a_test_have_their_place() {
    let text = TEST.replace("a = X", "put(Q@0, X)");
    let answer = litmus(&text, &json!([]));
    assert_eq!(answer["kind"], "mistakes");
    let mistake = &answer["of"][0];
    assert_eq!(
        (&mistake["line"], &mistake["column"]),
        (&json!(4), &json!(6)),
        "{answer}"
    );
    let start = mistake["start"].as_u64().unwrap() as usize;
    assert_eq!(&text[start..=start], "Q");
}

#[test]
fn a_model_that_is_none_is_told() {
    let answer = litmus(TEST, &json!([{ "named": "corerma" }]));
    assert_eq!(answer, json!({ "kind": "fault", "of": "no such model: corerma" }));
}

#[test]
fn mistakes_of_a_model_have_their_place_there() {
    let own = "model \"mine\" \"\"\ninclude \"coreRMA\"\norder fro as x\n";
    for answer in [
        litmus(TEST, &json!([{ "own": own }])),
        ask(&json!({ "ask": "model", "text": own })),
    ] {
        assert_eq!(answer["kind"], "model-mistakes", "{answer}");
        assert_eq!(answer["of"][0]["line"], 3, "{answer}");
    }
}

#[test]
fn a_model_of_the_user_judges() {
    let own = "model \"mine\" \"\"\ninclude \"coreRMA\"\nwithout IR\n";
    let text = include_str!("../../../litmus-tests/papers/Fig6.litmus");
    let judged = |model: Value| {
        let mut answer = litmus(text, &json!([model]));
        answer["of"]["judgements"][0]["outcomes"].take()
    };
    assert_eq!(
        judged(json!({ "own": own })),
        judged(json!({ "named": "coreRMA-no-IR" }))
    );
    assert_ne!(
        judged(json!({ "own": own })),
        judged(json!({ "named": "coreRMA" }))
    );
}

#[test]
fn an_outcome_that_a_test_cannot_have_is_told() {
    let question = json!({
        "ask": "litmus", "file": "t", "text": TEST, "explain": { "outcome": "7:x=1;" },
    });
    let answer = ask(&question);
    assert_eq!(answer["kind"], "fault");
    assert!(
        answer["of"].as_str().unwrap().contains("no state shows `7:x`"),
        "{answer}"
    );
}

#[test]
fn a_statement_that_the_only_model_lacks_is_a_mistake_and_among_several_no_answer() {
    let text = TEST.replace("a = X", "fence");
    let text = text.replace("exists (0:a = 1)", "");
    let model = json!([{ "named": "coreRMA" }]);
    assert_eq!(litmus(&text, &model)["kind"], "mistakes");
    let compared =
        ask(&json!({ "ask": "litmus", "file": "t", "text": text, "models": model, "compared": true }));
    assert_eq!(
        compared["of"]["report"]["tests"][0]["judgements"][0]["verdict"],
        "unknown"
    );
}

#[test]
fn mistakes_of_a_program_have_their_place() {
    let answer = ask(&json!({ "ask": "robust", "file": "p", "text": "program p\nranks 2\nbarier\n" }));
    assert_eq!(answer["kind"], "mistakes");
    assert_eq!(answer["of"][0]["line"], 3, "{answer}");
}

#[test]
fn edges_that_are_no_cycle_are_told() {
    for edges in ["", "Pod", "PodPP", "PodPP PodPP", "Rfe Rfe Rfe"] {
        let answer = ask(&json!({ "ask": "cycle", "edges": edges }));
        assert_eq!(answer["kind"], "fault", "{edges}: {answer}");
        assert!(!answer["of"].as_str().unwrap().is_empty());
    }
}

proptest! {
    #[test]
    fn any_text_has_an_answer(text in ".{0,200}", cut in 0_usize..200) {
        // Texts that are nearly right come further than others.
        let near: String = TEST.chars().take(cut).chain(text.chars().take(5)).collect();
        for text in [text, near] {
            for question in [
                json!({ "ask": "litmus", "file": "t", "text": text, "explain": "condition" }),
                json!({ "ask": "model", "text": text }),
                json!({ "ask": "cycle", "edges": text }),
                json!({ "ask": "robust", "file": "t", "text": text, "repair": true }),
            ] {
                prop_assert!(ask(&question)["kind"].is_string());
            }
        }
    }
}
