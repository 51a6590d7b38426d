//! A test a rule: an outcome that the rule forbids, and that is allowed without it.

use crate::text;
use farside_explore::answer::Outcome;
use farside_explore::{Engine, Limits, outcomes, refusal, witness};
use farside_litmus::ast::{Program, Value};
use farside_models::core_rma::{CoreModel, Rule, Switch};
use farside_models::{Model, parse_model};

fn states(program: &Program, model: &Model) -> Vec<Outcome> {
    let [fast, naive] = [Engine::Fast, Engine::Naive]
        .map(|engine| outcomes(program, model, engine, &Limits::default()).expect("fits"));
    assert_eq!(fast, naive);
    fast.outcomes
}

fn outcome(values: &[Option<i64>]) -> Outcome {
    Outcome(
        values
            .iter()
            .map(|value| value.map_or(Value::Undefined, Value::Known))
            .collect(),
    )
}

fn values(values: &[i64]) -> Outcome {
    outcome(&values.iter().copied().map(Some).collect::<Vec<_>>())
}

/// The outcome is allowed without the rule and forbidden with it; explanations say the same.
fn decides(rule: Rule, program: &str, forbidden: &Outcome) {
    let program = text::read(rule.name(), program);
    let stock = CoreModel::stock();
    let mut weaker = stock.clone();
    weaker.rules.remove(rule);
    let [with, without] = [stock, weaker].map(Model::CoreRma);
    assert!(
        !states(&program, &with).contains(forbidden),
        "{}: {:?}",
        rule.name(),
        states(&program, &with)
    );
    assert!(
        states(&program, &without).contains(forbidden),
        "{}: {:?}",
        rule.name(),
        states(&program, &without)
    );
    let limits = Limits::default();
    let shown = witness(&program, &without, forbidden, &limits).expect("fits");
    assert!(shown.is_some());
    let refused = refusal(&program, &with, forbidden, &limits)
        .expect("fits")
        .expect("forbidden");
    assert!(
        refused.reason.contains(rule.name()),
        "{}: {refused:#?}",
        rule.name()
    );
    assert_eq!(refusal(&program, &without, forbidden, &limits), Ok(None));
    assert_eq!(witness(&program, &with, forbidden, &limits), Ok(None));
}

#[test]
fn r1_a_read_does_not_see_an_overwritten_value() {
    decides(
        Rule::R1,
        "{ 0: X = 0; }
        P0 ;
        X = 1 ;
        X = 2 ;
        a = X ;",
        &values(&[1]),
    );
}

#[test]
fn r2_a_read_is_after_the_write_it_sees() {
    // Message passing by puts that routing orders: having seen the flag, the data is there.
    decides(
        Rule::R2,
        "{ 0: S = 1; 1: X = 0; 1: F = 0; }
        P0          | P1    ;
        put(X@1, S) | f = F ;
        put(F@1, S) | d = X ;",
        &values(&[1, 0]),
    );
}

#[test]
fn c_a_conflict_has_no_value() {
    decides(
        Rule::C,
        "{ 0: X = 0; 1: Y = 1; }
        P0             | P1 ;
        X.n = get(Y@1) |    ;
        a = X          |    ;",
        &values(&[1]),
    );
}

#[test]
fn no_c_a_read_without_conflict_has_the_value_written() {
    let program = text::read(
        "no-C",
        "{ 0: X = 0; }
        P0      ;
        X.n = 1 ;
        a = X.n ;",
    );
    let stock = Model::CoreRma(CoreModel::stock());
    assert_eq!(states(&program, &stock), [values(&[1])]);
    for wrong in [values(&[0]), outcome(&[None])] {
        let refused = refusal(&program, &stock, &wrong, &Limits::default())
            .expect("fits")
            .expect("forbidden");
        assert!(refused.reason.contains("no-C"), "{refused:#?}");
    }
}

#[test]
fn ir_remote_actions_keep_their_order() {
    decides(
        Rule::Ir,
        "{ 0: X = 1; 1: Y = 0; }
        P0           | P1 ;
        put(Y@1, X)  |    ;
        X = get(Y@1) |    ;
        flush(1)     |    ;
        c = X        |    ;",
        &values(&[0]),
    );
}

#[test]
fn ga_an_rga_writes_its_result_last() {
    // The operand is read before the result is written to the same place.
    decides(
        Rule::Ga,
        "{ 0: X = 1; 1: Y = 5; }
        P0              | P1 ;
        X = rga(Y@1, X) |    ;
        flush(1)        |    ;
        X = get(Y@1)    |    ;
        flush(1)        |    ;
        a = X           |    ;",
        &values(&[10]),
    );
}

#[test]
fn cas_f_a_cas_that_fails_writes_what_it_has_read() {
    // P1 sees the result of the cas before it writes what the cas reads.
    decides(
        Rule::CasF,
        "{ 0: Z = 0; 0: C = 7; 0: S = 8; 1: Y = 5; 1: B = 0; }
        P0                 | P1           ;
        Z = cas(Y@1, C, S) | B = get(Z@0) ;
                           | flush(0)     ;
                           | b = B        ;
                           | Y = 9        ;",
        &values(&[9]),
    );
}

#[test]
fn cas_t_a_cas_that_succeeds_writes_what_it_has_read() {
    decides(
        Rule::CasT,
        "{ 0: Z = 0; 0: C = 9; 0: S = 8; 1: Y = 5; 1: B = 0; }
        P0                 | P1           ;
        Z = cas(Y@1, C, S) | B = get(Z@0) ;
                           | flush(0)     ;
                           | b = B        ;
                           | Y = 9        ;",
        &values(&[9]),
    );
}

#[test]
fn f1_a_flush_holds_up_local_actions() {
    decides(
        Rule::F1,
        "{ 0: X = 0; 1: Y = 1; }
        P0           | P1 ;
        X = get(Y@1) |    ;
        flush(1)     |    ;
        a = X        |    ;",
        &values(&[0]),
    );
}

#[test]
fn f2_a_flush_waits_for_remote_actions() {
    decides(
        Rule::F2,
        "{ 0: X = 0; 1: Y = 1; }
        P0           | P1 ;
        X = get(Y@1) |    ;
        flush(1)     |    ;
        a = X        |    ;",
        &values(&[0]),
    );
}

#[test]
fn f3_a_flush_holds_up_remote_actions() {
    // The second get writes after the first one.
    decides(
        Rule::F3,
        "{ 0: X = 0; 1: Y = 1; 1: Z = 2; }
        P0           | P1 ;
        X = get(Y@1) |    ;
        flush(1)     |    ;
        X = get(Z@1) |    ;
        flush(1)     |    ;
        a = X        |    ;",
        &values(&[1]),
    );
}

#[test]
fn pg_a_get_writes_what_it_has_read() {
    decides(
        Rule::Pg,
        "{ 0: Z = 0; 1: Y = 5; 1: B = 0; }
        P0           | P1           ;
        Z = get(Y@1) | B = get(Z@0) ;
                     | flush(0)     ;
                     | b = B        ;
                     | Y = 9        ;",
        &values(&[9]),
    );
}

#[test]
fn lo_local_actions_keep_their_order() {
    decides(
        Rule::Lo,
        "{ 0: X = 0; 1: Y = 0; 0: A = 0; }
        P0           | P1 ;
        X = 1        |    ;
        a = X        |    ;",
        &values(&[0]),
    );
}

#[test]
fn ws_all_agree_on_the_order_of_writes() {
    // Two readers cannot see two writes in different orders.
    decides(
        Rule::Ws,
        "{ 0: X = 0; 1: A = 1; 2: B = 2; 3: C = 0; 3: D = 0; 4: E = 0; 4: G = 0; }
        P0 | P1          | P2          | P3           | P4           ;
           | put(X@0, A) | put(X@0, B) | C = get(X@0) | E = get(X@0) ;
           |             |             | flush(0)     | flush(0)     ;
           |             |             | D = get(X@0) | G = get(X@0) ;
           |             |             | flush(0)     | flush(0)     ;
           |             |             | c = C        | e = E        ;
           |             |             | d = D        | g = G        ;",
        &values(&[1, 2, 2, 1]),
    );
}

/// The outcome is allowed in one and not in the other.
fn differ(program: &str, allows: &Model, forbids: &Model, outcome: &Outcome) {
    let program = text::read("switch", program);
    assert!(
        states(&program, allows).contains(outcome),
        "{:?}",
        states(&program, allows)
    );
    assert!(
        !states(&program, forbids).contains(outcome),
        "{:?}",
        states(&program, forbids)
    );
    assert!(
        witness(&program, allows, outcome, &Limits::default())
            .expect("fits")
            .is_some()
    );
    assert!(
        refusal(&program, forbids, outcome, &Limits::default())
            .expect("fits")
            .is_some()
    );
}

fn with(switch: Switch) -> Model {
    let mut model = CoreModel::stock();
    model.switches.set(switch, true);
    Model::CoreRma(model)
}

#[test]
fn ir_self_orders_what_a_process_sends_to_itself() {
    differ(
        "{ 0: X = 1; 0: Y = 0; }
        P0           ;
        put(Y@0, X)  ;
        X = get(Y@0) ;
        flush(0)     ;
        c = X        ;",
        &Model::CoreRma(CoreModel::stock()),
        &with(Switch::IrSelf),
        &values(&[0]),
    );
}

#[test]
fn put_reads_at_once_comes_before_a_later_write() {
    differ(
        "{ 0: X = 0; 1: Y = 0; }
        P0          | P1    ;
        put(Y@1, X) | b = Y ;
        X = 1       |       ;",
        &Model::CoreRma(CoreModel::stock()),
        &with(Switch::PutReadsAtOnce),
        &values(&[1]),
    );
}

#[test]
fn ga_atomic_lets_nothing_between_operand_and_target() {
    // P0 changes the operand and then the target; the rga sees the old operand and the new target.
    differ(
        "{ 0: X = 1; 0: Y = 0; 0: R = 0; }
        P0              ;
        R = rga(Y@0, X) ;
        X = 10          ;
        Y = 5           ;
        flush(0)        ;
        a = Y           ;",
        &Model::CoreRma(CoreModel::stock()),
        &with(Switch::GaAtomic),
        &values(&[6]),
    );
}

#[test]
fn rmw_remote_only_loses_updates_of_the_processor() {
    // The local write falls between the halves of the rga and is lost.
    let program = "{ 0: X = 0; 1: A = 1; 1: R = 7; }
        P0    | P1              ;
        X = 5 | R = rga(X@0, A) ;
              | flush(0)        ;
              | r = R           ;
        locations [X; 1:r;]";
    // The final value is 1, though 5 has been written: 5 is neither added to nor the last.
    let only = with(Switch::RmwRemoteOnly);
    let read = text::read("rmw", program);
    let more = states(&read, &only);
    let stock = states(&read, &Model::CoreRma(CoreModel::stock()));
    assert_eq!(stock, [values(&[5, 0]), values(&[6, 5])]);
    assert_eq!(more, [values(&[1, 0]), values(&[5, 0]), values(&[6, 5])]);
}

#[test]
fn rmw_remote_only_keeps_remote_atomics_apart() {
    let program = text::read(
        "rmw",
        "{ 0: X = 0; 1: A = 1; 1: R = 0; 2: B = 2; 2: S = 0; }
        P0 | P1              | P2              ;
           | R = rga(X@0, A) | S = rga(X@0, B) ;
        locations [X;]",
    );
    assert_eq!(states(&program, &with(Switch::RmwRemoteOnly)), [values(&[3])]);
}

#[test]
fn orders_of_a_model_file_take_effect() {
    let model = parse_model(
        "model m include coreRMA without IR order IR & (put * get) as mine",
        &|_| None,
    )
    .expect("a model");
    let program = text::read(
        "order",
        "{ 0: X = 1; 1: Y = 0; }
        P0           | P1 ;
        put(Y@1, X)  |    ;
        X = get(Y@1) |    ;
        flush(1)     |    ;
        c = X        |    ;",
    );
    assert_eq!(states(&program, &model), [values(&[1])]);
    let refused = refusal(&program, &model, &values(&[0]), &Limits::default())
        .expect("fits")
        .expect("forbidden");
    assert!(
        refused.cycle.iter().any(|edge| edge.rule == "mine"),
        "{refused:#?}"
    );
}

#[test]
fn requirements_of_a_model_file_take_effect() {
    let model = parse_model(
        "model m include coreRMA empty rf & (init * r) as no-first-values",
        &|_| None,
    )
    .expect("a model");
    let program = text::read(
        "requirement",
        "{ 0: X = 0; 1: Y = 1; }
        P0           | P1 ;
        X = get(Y@1) |    ;
        a = X        |    ;",
    );
    assert_eq!(states(&program, &model), [values(&[1])]);
    let refused = refusal(&program, &model, &values(&[0]), &Limits::default())
        .expect("fits")
        .expect("forbidden");
    assert!(refused.reason.contains("no-first-values"), "{}", refused.reason);
}
