//! What states show, and when a proposition holds in them.

use farside_litmus::ast::{Program, Quantifier, Value};
use farside_litmus::parse;

fn program(tail: &str) -> Program {
    let text = format!("RMA t\n{{ 0: X; 1: Y; }}\n P0 | P1 ;\n a = X | c = Y ;\n b = X | ;\n{tail}");
    parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn shown(program: &Program) -> Vec<String> {
    let names = program.observables().into_iter();
    names.map(|what| program.observable_name(what)).collect()
}

#[test]
fn a_state_shows_what_the_condition_names_then_the_locations() {
    assert_eq!(
        shown(&program("exists (1:c = 1 /\\ (X = 2 \\/ ~0:b = 1) /\\ 1:c = 2)")),
        ["1:c", "X", "0:b"]
    );
    assert_eq!(
        shown(&program("locations [0:a; Y; 1:c;] forall 1:c = 1")),
        ["1:c", "0:a", "Y"]
    );
    assert_eq!(shown(&program("locations [Y;]")), ["Y"]);
}

#[test]
fn without_either_it_shows_all_registers() {
    assert_eq!(shown(&program("")), ["0:a", "0:b", "1:c"]);
    assert_eq!(shown(&program("exists true")), ["0:a", "0:b", "1:c"]);
}

#[test]
fn states_are_written_as_in_the_field() {
    let program = program("exists (0:a = 1 /\\ X = T)");
    let values = [Value::Known(-1), Value::Undefined];
    assert_eq!(program.state(&program.observables(), &values), "0:a=-1; X=T;");
}

/// `T` equals only `T`: paper 000's undefined value is an outcome of its own.
#[test]
fn the_undefined_value_equals_itself_only() {
    let holds = |condition: &str, value: Value| {
        let program = program(&format!("exists {condition}"));
        let condition = program.condition.expect("a condition");
        condition.proposition.holds(&|_| value)
    };
    for (condition, of_undefined, of_one) in [
        ("0:a = T", true, false),
        ("0:a != T", false, true),
        ("0:a = 1", false, true),
        ("0:a != 1", true, false),
        ("~(0:a = 1)", true, false),
        ("0:a = 1 \\/ true", true, true),
        ("0:a = 1 /\\ false", false, false),
        ("0:a = 1 \\/ 0:a = T", true, true),
        ("0:a = 1 /\\ 0:a != T", false, true),
        ("~(0:a = 1 \\/ 0:a = 2)", true, false),
        ("true \\/ true /\\ false", true, true),
    ] {
        assert_eq!(holds(condition, Value::Undefined), of_undefined, "{condition}");
        assert_eq!(holds(condition, Value::Known(1)), of_one, "{condition}");
    }
}

#[test]
fn quantifiers_are_written_as_they_are_read() {
    for quantifier in [Quantifier::Exists, Quantifier::NotExists, Quantifier::Forall] {
        let condition = program(&format!("{quantifier} (X = 1)"))
            .condition
            .expect("a condition");
        assert_eq!(condition.quantifier, quantifier);
    }
}
