//! What is printed parses back to the same program.

use farside_litmus::ast::{Atomicity, BinaryOperator, Expression, Program, Proposition, StatementKind};
use farside_litmus::generate::programs;
use farside_litmus::{Layout, parse, print, print_as, print_statement};
use proptest::prelude::*;

fn check(text: &str, program: &Program) -> Result<(), TestCaseError> {
    let parsed = parse(text);
    prop_assert_eq!(parsed.as_ref(), Ok(program), "{}", text);
    Ok(())
}

proptest! {
    #[test]
    fn printed_programs_parse_back(program in programs()) {
        check(&print(&program), &program)?;
        check(&print_as(&program, Layout::Columns), &program)?;
        check(&print_as(&program, Layout::Sequential), &program)?;
    }

    /// What a test is called, where it comes from, what is asked of it, and how it was laid out do not change its hash;
    /// what it does and shows, does.
    #[test]
    fn a_hash_is_of_what_a_test_does(program in programs(), layout in any::<bool>()) {
        let layout = if layout { Layout::Columns } else { Layout::Sequential };
        let mut other = parse(&print_as(&program, layout)).unwrap();
        other.name.push('2');
        other.about.clear();
        // What the condition shows is shown without it, too.
        other.locations = program.observables();
        other.condition = None;
        prop_assert_eq!(other.hash(), program.hash());
        other.variables[0].value ^= 1;
        prop_assert_ne!(other.hash(), program.hash());
    }

    /// A statement alone is written as in its program.
    #[test]
    fn statements_are_printed_as_in_their_program(program in programs()) {
        let text = print_as(&program, Layout::Sequential);
        for (rank, process) in (0..).map(farside_litmus::ast::Rank).zip(&program.processes) {
            for statement in &process.statements {
                let block = matches!(statement.kind, StatementKind::While { .. } | StatementKind::If { .. });
                let end = if block { " {" } else { ";" };
                let line = format!("\n  {}{end}\n", print_statement(&program, rank, &statement.kind));
                prop_assert!(text.contains(&line), "{line} is not in {text}");
            }
        }
    }
}

fn body(statement: &str) -> String {
    format!("RMA t\n{{ 0: X; }}\nP0 {{ {statement} }}\n")
}

fn statement(text: &str) -> StatementKind {
    let program = parse(&body(text)).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    program.processes[0].statements[0].kind.clone()
}

/// `X = e` for an expression that is as large as the parser lets it be.
fn check_largest(expression: &str) {
    let program = parse(&body(&format!("X = {expression}"))).expect("it is not too large");
    for layout in [Layout::Columns, Layout::Sequential] {
        assert_eq!(
            parse(&print_as(&program, layout)).as_ref(),
            Ok(&program),
            "{expression}"
        );
    }
}

/// Parentheses that only the printer adds do not count against the parser's limits.
#[test]
fn the_largest_expressions_parse_back() {
    check_largest(&format!("{}a", "!".repeat(64)));
    check_largest(&format!("{}3", "-".repeat(64)));
    check_largest(&format!("{}(3)", "-".repeat(63)));
    check_largest(&format!("a || {}a", "!".repeat(63)));
    check_largest(&format!("{}a{}", "(".repeat(64), ")".repeat(64)));
    check_largest(&format!("a{}", " || a".repeat(256)));
    let right = format!("{}a{}", "a - (".repeat(32), ")".repeat(32));
    check_largest(&right);
}

#[test]
fn the_largest_conditions_parse_back() {
    let conditions = [
        format!("{}0:a = 1", "~".repeat(64)),
        format!("({}0:a = 1)", "~".repeat(64)),
        format!("0:a = 1{}", " /\\ 0:a = 1".repeat(255)),
        format!("{}0:a = 1{}", "0:a = 1 /\\ (".repeat(64), ")".repeat(64)),
        format!("{}0:a = 1{}", "~(".repeat(64), ")".repeat(64)),
        format!(
            "(0:a = 1) /\\ {}0:a = 1{}",
            "(0:a = 1 \\/ ".repeat(64),
            ")".repeat(64)
        ),
    ];
    for condition in conditions {
        for tail in [format!("filter {condition}\n"), format!("exists {condition}\n")] {
            let program =
                parse(&format!("{}{tail}", body("a = X"))).unwrap_or_else(|e| panic!("{tail}: {e:?}"));
            assert_eq!(parse(&print(&program)).as_ref(), Ok(&program), "{tail}");
        }
    }
}

#[test]
fn operators_bind_as_in_c() {
    use BinaryOperator::{Add, And, Equal, Multiply, Or, Subtract};
    let number = |n| Box::new(Expression::Number(n));
    let binary = |operator, left, right| Box::new(Expression::Binary(operator, left, right));
    let expected = binary(
        Or,
        binary(
            And,
            binary(
                Equal,
                binary(Add, number(1), binary(Multiply, number(2), number(3))),
                number(7),
            ),
            number(0),
        ),
        binary(Subtract, binary(Subtract, number(5), number(4)), number(-3)),
    );
    let StatementKind::Store { value, .. } = statement("X = (1 + 2 * 3 == 7 && 0 || 5 - 4 - -3)") else {
        panic!("a store");
    };
    assert_eq!(value, *expected);
}

#[test]
fn and_binds_tighter_than_or_in_conditions() {
    let text = format!("{}exists X = 1 \\/ ~X = 2 /\\ X != T", body("X = 1"));
    let program = parse(&text).unwrap();
    let condition = program.condition.expect("a condition");
    let Proposition::Or(left, right) = condition.proposition else {
        panic!("an or");
    };
    assert!(matches!(*left, Proposition::Equal(..)));
    let Proposition::And(negated, undefined) = *right else {
        panic!("an and");
    };
    assert!(matches!(*negated, Proposition::Not(_)));
    assert!(matches!(*undefined, Proposition::NotEqual(..)));
}

/// Both layouts, comments, marks, first values left out, brackets around variables.
#[test]
fn forms_of_the_same_program() {
    let columns = "\u{feff}RMA t (* a comment (* in a comment *) | ; *)
\"about\"
accesses nonatomic
{ 0: X; 1: Y = -1; } // the rest of the line | ;
 P0                       | P1         ;
 while (a != 1) bound 3 { | Y.a = 2    ;
   a = X.a                | flush_all()||;
 }                        ||
;
 put(Y.a@1, X)            | fence(noput|nostore) ;
locations [0:a; X]
filter true
~exists [X] = T /\\ 0:a <> 2";
    let columns = columns
        .replace("flush_all()||;", "flush_all();")
        .replace("||\n;", "|;");
    let sequential = "RMA t
\"about\" accesses nonatomic { 0: X = 0; 1: Y = -1 }
P0 { while (a <> 1) bound 3 { a = X.a; }; put(Y.a@1, X.n) }
P1 { Y.a = 2; flush_all; fence(noput, nostore); }
locations [0:a, X;] filter (true) ~exists (X = T && 0:a != 2)";
    let program = parse(&columns).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(parse(sequential).as_ref(), Ok(&program));
    assert_eq!(program.accesses, Atomicity::NonAtomic);
    let printed = "RMA t
\"about\"
accesses nonatomic
{ 0: X = 0; 1: Y = -1; }
 P0                       | P1                    ;
 while (a != 1) bound 3 { | Y.a = 2               ;
   a = X.a                | flush_all             ;
 }                        | fence(noput, nostore) ;
 put(Y.a@1, X)            |                       ;
locations [0:a; X;]
filter (true)
~exists (X = T /\\ 0:a != 2)
";
    assert_eq!(print(&program), printed);
}

/// Quoted lines and the kind of accesses, before and after the first state; `filter` and `locations`.
#[test]
fn lines_of_the_head_stand_in_any_order() {
    let state = "{ 0: X = 0; 1: Y = 1; }";
    let rest = " P0 | P1 ;\n a = X | Y = 2 ;\n";
    let usual = parse(&format!(
        "RMA t\n\"one\"\n\"two\"\naccesses nonatomic\n{state}\n{rest}locations [0:a; X;]\nfilter (0:a = 1)\nexists (X \
         = 0)\n"
    ))
    .unwrap();
    assert_eq!(usual.accesses, Atomicity::NonAtomic);
    assert_eq!(usual.about, ["one", "two"]);
    for head in [
        format!("accesses nonatomic\n\"one\"\n\"two\"\n{state}"),
        format!("\"one\"\naccesses nonatomic\n\"two\"\n{state}"),
        format!("\"one\"\n{state}\naccesses nonatomic\n\"two\""),
        format!("{state}\n\"one\"\n\"two\"\naccesses nonatomic"),
    ] {
        let text = format!("RMA t\n{head}\n{rest}filter (0:a = 1)\nlocations [0:a; X;]\nexists (X = 0)\n");
        assert_eq!(parse(&text).as_ref(), Ok(&usual), "{text}");
    }
}

#[test]
fn wide_columns_are_printed_one_after_the_other() {
    let statement = format!("X = {}0", "1 + ".repeat(60));
    let text = body(&statement);
    let program = parse(&text).unwrap();
    assert_eq!(print(&program), print_as(&program, Layout::Sequential));
    assert_eq!(parse(&print(&program)).as_ref(), Ok(&program));
}
