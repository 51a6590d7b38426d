//! Programs with an answer of their own: the paper's, and those on which the engines once disagreed.

use crate::compare::{Budget, Outcome, compare};
use crate::generate::Drawn;
use farside_pgas::calculus::{Polls, Program};
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::{Limit, Limits, direct};

const BUDGET: Budget = Budget {
    direct: 1_000_000,
    delay: 1_000_000,
    four_parts: 1_000_000,
};

fn program(text: &str) -> Program {
    let settings = Settings {
        ranks: Some(2),
        domain: Some(2),
        api: None,
        polls: Polls::Awaited,
    };
    lower(&parse(text).expect("it parses"), settings).expect("it has a meaning")
}

fn both(text: &str) -> Outcome {
    let drawn = Drawn {
        program: program(text),
        bound: None,
    };
    let compared = compare(&drawn, BUDGET).unwrap_or_else(|why| panic!("{why}\n{text}"));
    compared.outcome
}

fn alone(text: &str, options: &direct::Options) -> direct::Verdict {
    direct::explore(&program(text), options, &|| false).verdict
}

#[test]
fn a_handle_of_an_atomic_operation_without_a_result_is_waited_for_behind_its_queue() {
    let text = "shared x, y, z\nqueue q ordered\nhandle h\nrank 0 { read(z, 1, y, q)\nfetch_add(_, 1, x, 1, q, \
        h)\nwait h\nr = z }";
    assert_eq!(both(text), Outcome::Robust);
}

/// Figure 1 (a).
const FIGURE_1: &str = "shared x = 1, y\nqueue q\nwrite(x, (me + 1) % n, y, q)\nbarrier\nassert y == 1";

#[test]
fn the_shortest_violation_of_figure_1_has_the_nine_events_of_example_9() {
    assert_eq!(both(FIGURE_1), Outcome::NotRobust);
    let direct::Verdict::NotRobust(actions) = alone(
        &FIGURE_1.replace("assert y == 1", "r = y"),
        &direct::Options::default(),
    ) else {
        panic!("Figure 1 is not robust");
    };
    assert_eq!(actions.len(), 9, "{actions:?}");
    assert_eq!(
        both(&FIGURE_1.replace("barrier", "wait q\nbarrier")),
        Outcome::Robust
    );
    assert_eq!(
        both(&FIGURE_1.replace("barrier", "barrier\nwait q")),
        Outcome::NotRobust
    );
}

#[test]
fn a_bound_that_cuts_something_off_never_gives_robust() {
    // Footnote 1: two reads have to be open at once.
    let text = "shared x\nqueue q\nrank 0 { loop { read(x, 0, x, q) } }";
    let up_to = |bound| {
        let options = direct::Options {
            queue_bound: Some(bound),
            ..direct::Options::default()
        };
        alone(text, &options)
    };
    assert_eq!(up_to(1), direct::Verdict::RobustUpTo(1));
    assert!(
        matches!(up_to(2), direct::Verdict::NotRobust(_)),
        "{:?}",
        up_to(2)
    );
    // A bound that is never met cuts nothing off.
    let waits = text.replace("x, q) }", "x, q)\nwait q }");
    let options = direct::Options {
        queue_bound: Some(2),
        ..direct::Options::default()
    };
    assert_eq!(alone(&waits, &options), direct::Verdict::Robust);
}

#[test]
fn limits_are_inconclusive_and_never_robust() {
    let text = FIGURE_1.replace("barrier", "wait q\nbarrier");
    let limited = |states, bytes, stopped| {
        let options = direct::Options {
            queue_bound: None,
            limits: Limits { states, bytes },
        };
        direct::explore(&program(&text), &options, &|| stopped).verdict
    };
    assert_eq!(
        limited(10, 1 << 30, false),
        direct::Verdict::Inconclusive(Limit::States)
    );
    assert_eq!(
        limited(1 << 30, 10, false),
        direct::Verdict::Inconclusive(Limit::Memory)
    );
    assert_eq!(
        limited(1 << 30, 1 << 30, true),
        direct::Verdict::Inconclusive(Limit::Time)
    );
    assert_eq!(limited(1 << 30, 1 << 30, false), direct::Verdict::Robust);
}

#[test]
fn a_fence_holds_a_read_back_in_every_queue() {
    for order in ["ordered", "ordered per target", "unordered"] {
        let text = format!(
            "shared x, y, z\nqueue q {order}\nrank 0 {{ write(x, 1, y, q)\nfence q\nread(z, 1, y, q) }}"
        );
        assert_eq!(both(&text), Outcome::Robust, "{order}");
        assert_eq!(
            both(&text.replace("fence q\n", "")),
            Outcome::NotRobust,
            "{order}"
        );
    }
}
