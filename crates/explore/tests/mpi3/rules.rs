//! For each rule (9) to (26), and for what is added to them, a program whose verdict changes without it.

use crate::build::*;
use farside_explore::answer::{Answer, Verdict};
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::{Operation, Program, Rank, StatementKind, Value};
use farside_models::mpi3::MemoryModel::{self, Separate, Unified};
use farside_models::mpi3::rules::{RuleName, RuleSet};
use farside_models::{Model, of_mpi};

fn with(program: &Program, model: MemoryModel, rules: RuleSet) -> Answer {
    let races = of_mpi(model).clone().with_rules(rules);
    outcomes(program, &Model::Mpi3(races), Engine::Naive, &Limits::default()).unwrap()
}

fn values(answer: &Answer) -> Vec<Vec<i64>> {
    let number = |value: &Value| match value {
        Value::Known(number) => *number,
        Value::Undefined => panic!("no value is undefined here"),
    };
    let rows = answer.outcomes.iter();
    rows.map(|outcome| outcome.0.iter().map(number).collect())
        .collect()
}

/// Defined by the rule, a race without it.
#[track_caller]
fn orders(rule: RuleName, model: MemoryModel, program: &Program, expected: &[i64]) {
    let all = with(program, model, RuleSet::ALL);
    assert_eq!(all.verdict, Verdict::Defined);
    assert_eq!(values(&all), [expected]);
    let less = with(program, model, RuleSet::ALL.without(rule));
    assert!(matches!(less.verdict, Verdict::Race(_)), "{:?}", less.verdict);
}

#[test]
fn rule_9_a_fence_is_consistent() {
    let program = program(
        &[(0, 7), (1, 5)],
        vec![
            vec![fence(), get(0, 1), fence(), load(0, 0)],
            vec![fence(), fence()],
        ],
    );
    orders(RuleName::R9, Unified, &program, &[5]);
    orders(RuleName::R9, Separate, &program, &[5]);
}

/// What the target sees of a put in the separate model, after a message and a lock of its own.
fn put_then_locked_load() -> Program {
    program(
        &[(0, 1), (1, 7)],
        vec![
            vec![lock_exclusive(1), put(1, 0), unlock(1), send(1)],
            vec![receive(0), lock_exclusive(1), load(0, 1), unlock(1)],
        ],
    )
}

#[test]
fn rules_10_and_11_a_lock_shows_what_took_effect_before() {
    orders(RuleName::R10, Separate, &put_then_locked_load(), &[1]);
    orders(RuleName::R11, Separate, &put_then_locked_load(), &[1]);
}

#[test]
fn rules_12_and_13_an_unlock_completes_and_is_consistent() {
    let fetched = program(
        &[(0, 7), (1, 5)],
        vec![vec![lock_shared(1), get(0, 1), unlock(1), load(0, 0)], vec![]],
    );
    orders(RuleName::R13, Unified, &fetched, &[5]);
    // For what a get has written (14) says the same, for what a put has read it does not.
    let first = vec![lock_shared(1), put(1, 0), unlock(1), store(0, 2)];
    let sent = showing(program(&[(0, 1), (1, 7)], vec![first, vec![]]), &[1]);
    orders(RuleName::R12, Unified, &sent, &[1]);
}

#[test]
fn rule_14_an_unlock_publishes() {
    let program = program(
        &[(0, 7), (1, 5)],
        vec![
            vec![receive(1), lock_shared(1), get(0, 1), unlock(1), load(0, 0)],
            vec![lock_exclusive(1), store(1, 3), unlock(1), send(0)],
        ],
    );
    orders(RuleName::R14, Separate, &program, &[3]);
}

#[test]
fn rule_15_a_flush_completes_at_the_target() {
    let program = program(
        &[(0, 1), (1, 7)],
        vec![
            vec![lock_shared(1), put(1, 0), flush(1), send(1), unlock(1)],
            vec![receive(0), load(0, 1)],
        ],
    );
    orders(RuleName::R15, Unified, &program, &[1]);
    orders(RuleName::R20b, Unified, &program, &[1]);
}

#[test]
fn rules_16_and_17_a_local_flush_frees_the_buffer() {
    let reuse = |flush| {
        let first = vec![lock_shared(1), put(1, 0), flush, store(0, 2), unlock(1)];
        showing(program(&[(0, 1), (1, 7)], vec![first, vec![]]), &[1])
    };
    let one = reuse(StatementKind::FlushLocal(Rank(1)));
    orders(RuleName::R16, Unified, &one, &[1]);
    orders(RuleName::R17, Unified, &reuse(StatementKind::FlushLocalAll), &[1]);
}

#[test]
fn rule_18_a_sync_publishes_and_shows() {
    let publishes = program(
        &[(0, 7), (1, 5)],
        vec![
            vec![receive(1), lock_shared(1), get(0, 1), unlock(1), load(0, 0)],
            vec![store(1, 3), StatementKind::Sync, send(0)],
        ],
    );
    orders(RuleName::R18, Separate, &publishes, &[3]);
    let shows = program(
        &[(0, 1), (1, 7)],
        vec![
            vec![lock_shared(1), put(1, 0), unlock(1), send(1)],
            vec![receive(0), StatementKind::Sync, load(0, 1)],
        ],
    );
    orders(RuleName::R18, Separate, &shows, &[1]);
}

#[test]
fn rule_19_an_operation_reads_what_its_process_stored() {
    let first = vec![store(0, 3), lock_shared(1), put(1, 0), unlock(1)];
    let program = showing(program(&[(0, 1), (1, 7)], vec![first, vec![]]), &[1]);
    orders(RuleName::R19, Unified, &program, &[3]);
}

#[test]
fn rule_20_in_the_unified_model_a_store_is_public() {
    let program = program(
        &[(0, 7), (1, 5)],
        vec![
            vec![receive(1), lock_shared(1), get(0, 1), unlock(1), load(0, 0)],
            vec![store(1, 3), send(0)],
        ],
    );
    orders(RuleName::R20, Unified, &program, &[3]);
}

#[test]
fn rules_21_and_22_races() {
    let first = vec![lock_shared(1), get(0, 1), load(0, 0), unlock(1)];
    let program = program(&[(0, 7), (1, 1)], vec![first, vec![]]);
    assert!(matches!(
        with(&program, Unified, RuleSet::ALL).verdict,
        Verdict::Race(_)
    ));
    let less = with(&program, Unified, RuleSet::ALL.without(RuleName::R22));
    assert_eq!(less.verdict, Verdict::Defined);
    assert_eq!(values(&less), [[1], [7]]);
}

/// (25) says once more, "in other words", what the order in (23) says: each is enough for the other.
#[test]
fn rules_23_and_25_no_read_returns_a_later_write() {
    let program = program(&[(0, 1)], vec![vec![load(0, 0), store(0, 2)]]);
    let all = RuleSet::ALL;
    for rules in [all, all.without(RuleName::R23), all.without(RuleName::R25)] {
        assert_eq!(values(&with(&program, Unified, rules)), [[1]]);
    }
    let neither = all.without(RuleName::R23).without(RuleName::R25);
    assert_eq!(values(&with(&program, Unified, neither)), [[1], [2]]);
}

#[test]
fn rule_24_no_read_returns_a_replaced_value() {
    let program = program(&[(0, 1)], vec![vec![store(0, 2), load(0, 0)]]);
    assert_eq!(values(&with(&program, Unified, RuleSet::ALL)), [[2]]);
    let less = with(&program, Unified, RuleSet::ALL.without(RuleName::R24));
    assert_eq!(values(&less), [[1], [2]]);
}

#[test]
fn rule_26_accumulates_of_one_process_stay_in_order() {
    let first = vec![
        lock_shared(1),
        accumulate(2, 0, Operation::Replace),
        accumulate(2, 1, Operation::Replace),
        unlock(1),
    ];
    let program = showing(program(&[(0, 1), (0, 2), (1, 7)], vec![first, vec![]]), &[2]);
    assert_eq!(values(&with(&program, Unified, RuleSet::ALL)), [[2]]);
    let less = with(&program, Unified, RuleSet::ALL.without(RuleName::R26));
    assert_eq!(values(&less), [[1], [2]]);
}

/// Deviation 4: a get that is complete at its origin has read its target.
#[test]
fn a_read_that_is_done_needs_no_consistency() {
    let program = program(
        &[(0, 7), (1, 5)],
        vec![
            vec![
                lock_shared(1),
                get(0, 1),
                StatementKind::FlushLocal(Rank(1)),
                send(1),
                unlock(1),
                load(0, 0),
            ],
            vec![receive(0), store(1, 3)],
        ],
    );
    orders(RuleName::Read, Unified, &program, &[5]);
    orders(RuleName::Read, Separate, &program, &[5]);
}

/// Deviation 9.
#[test]
fn post_start_complete_wait() {
    let program = program(
        &[(0, 1), (1, 7)],
        vec![
            vec![
                StatementKind::Start(vec![Rank(1)]),
                put(1, 0),
                StatementKind::Complete,
            ],
            vec![
                store(1, 3),
                StatementKind::Post(vec![Rank(0)]),
                StatementKind::Wait,
                load(0, 1),
            ],
        ],
    );
    orders(RuleName::General, Unified, &program, &[1]);
    orders(RuleName::General, Separate, &program, &[1]);
}

/// §3.5: whoever sees the flag sees what came before it.
#[test]
fn what_a_polling_process_has_seen() {
    let program = program(
        &[(0, 4), (0, 1), (1, 7), (1, 0), (1, 9), (1, 9)],
        vec![
            vec![
                lock_shared(1),
                put(2, 0),
                flush(1),
                accumulate(3, 1, Operation::Replace),
                unlock(1),
            ],
            vec![
                lock_shared(1),
                until(
                    0,
                    1,
                    1,
                    vec![get_accumulate(4, 3, 5, Operation::NoOp), flush(1), load(0, 4)],
                ),
                unlock(1),
                load(1, 2),
            ],
        ],
    );
    orders(RuleName::Seen, Unified, &program, &[1, 4]);
}
