//! The programs printed in Dan et al. 2016, against all outcomes of an independent enumerator.

use crate::text;
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::Value;
use farside_models::named;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../litmus-tests/papers"))
}

/// `(0,T)`
fn tuple(text: &str) -> Vec<Value> {
    text.trim_matches(['(', ')'])
        .split(',')
        .map(|value| match value {
            "T" => Value::Undefined,
            number => Value::Known(number.parse().expect("a number")),
        })
        .collect()
}

#[test]
fn every_row_of_the_table_has_exactly_its_outcomes() {
    let table = include_str!("expected.tsv");
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [test, model, registers, expected] = columns[..] else {
            panic!("a row of four columns: {row}");
        };
        let text = fs::read_to_string(folder().join(format!("{test}.litmus"))).expect(test);
        let mut program = text::read(test, &text);
        program.locations = registers
            .split(',')
            .map(|item| text::observable(&program, item))
            .collect();
        program.condition = None;
        let expected: BTreeSet<Vec<Value>> = expected.split(' ').map(tuple).collect();
        let model = named(model).expect(model);
        for engine in [Engine::Naive, Engine::Fast] {
            let answer = outcomes(&program, &model, engine, &Limits::default()).expect(test);
            let found: BTreeSet<Vec<Value>> = answer.outcomes.into_iter().map(|outcome| outcome.0).collect();
            assert_eq!(found, expected, "{test} under {} by {engine:?}", model.name());
        }
        rows += 1;
    }
    assert_eq!(rows, 26);
}
