//! What is too large.

use crate::errors;
use farside_litmus::{MOST_BYTES, parse};

/// Not more errors than anybody reads, however many there are.
#[test]
fn errors_are_limited() {
    let mistakes = "$ ; ".repeat(100_000);
    assert_eq!(
        errors(&format!("RMA t {{ 0: X; }} P0 {{ {mistakes} }}")).len(),
        20
    );
    assert_eq!(errors(&format!("RMA t {{ {mistakes} }}")).len(), 20);
}

/// The only error of a text, without its place.
fn only_error(text: &str) -> String {
    let all = errors(text);
    assert_eq!(all.len(), 1, "{all:?}");
    let (_place, message) = all[0].split_once(": ").expect("line:column: message");
    message.to_owned()
}

/// What is too large is refused, and what is as large as it may be is not.
#[test]
fn limits() {
    let of = |body: &str| format!("RMA t {{ 0: X; }} P0 {{ {body} }} exists 0:a = 1");
    let text = of(&"a = X; ".repeat(4096));
    assert!(parse(&text).is_ok());
    let text = of(&"a = X; ".repeat(4097));
    assert_eq!(
        only_error(&text),
        "process 0 has too many statements (at most 4096)"
    );

    let nested = |depth: usize| {
        of(&format!(
            "a = 1; {}{}",
            "if (a) { ".repeat(depth),
            "} ".repeat(depth)
        ))
    };
    assert!(parse(&nested(64)).is_ok());
    assert_eq!(
        only_error(&nested(65)),
        "statements are nested too deeply (at most 64 levels)"
    );
    assert_eq!(
        only_error(&nested(40_000)),
        "statements are nested too deeply (at most 64 levels)"
    );

    let negations = |depth: usize| of(&format!("a = {}1", "!".repeat(depth)));
    assert!(parse(&negations(64)).is_ok());
    assert_eq!(
        only_error(&negations(65)),
        "this expression is nested too deeply (at most 64 levels)"
    );
    assert_eq!(errors(&negations(900_000)).len(), 1);
    let parentheses = |depth: usize| of(&format!("a = {}1{}", "(".repeat(depth), ")".repeat(depth)));
    assert!(parse(&parentheses(65)).is_ok());
    assert_eq!(errors(&parentheses(66)).len(), 1);
    assert_eq!(errors(&parentheses(400_000)).len(), 1);

    let sum = |operators: usize| of(&format!("a = 1{}", " + 1".repeat(operators)));
    assert!(parse(&sum(256)).is_ok());
    let expected = "this expression is too long (at most 256 operators; assign parts of it to registers)";
    assert_eq!(only_error(&sum(257)), expected);

    let condition = |parts: usize| format!("{}{}", of("a = 1"), " /\\ 0:a = 1".repeat(parts));
    assert!(parse(&condition(255)).is_ok());
    assert_eq!(
        only_error(&condition(256)),
        "this condition is too large (at most 256 parts and 64 levels)"
    );
    let deep = |depth: usize| of("a = 1").replace("exists", &format!("exists {}", "~".repeat(depth)));
    assert!(parse(&deep(64)).is_ok());
    assert_eq!(errors(&deep(65)).len(), 1);
    assert_eq!(errors(&deep(900_000)).len(), 1);

    let variables = |number: usize| {
        let declared = (0..number).map(|at| format!("0: X{at}; "));
        format!("RMA t {{ {} }} P0 {{ }}", declared.collect::<String>())
    };
    assert!(parse(&variables(1024)).is_ok());
    assert_eq!(errors(&variables(1025)).len(), 1);

    let processes = |number: usize| {
        let names = (0..number).map(|rank| format!("P{rank} {{ }} "));
        format!("RMA t {{ }} {}", names.collect::<String>())
    };
    assert!(parse(&processes(64)).is_ok());
    assert_eq!(
        only_error(&processes(65)),
        "there are too many processes (at most 64)"
    );

    let comment = |bytes: usize| {
        of(&format!(
            "a = X; //{}\n",
            "x".repeat(bytes - of("a = X; //\n").len())
        ))
    };
    assert!(parse(&comment(MOST_BYTES)).is_ok());
    let expected = "the text has 1048577 bytes: this is no litmus test (a test has at most 1048576)";
    assert_eq!(only_error(&comment(MOST_BYTES + 1)), expected);
}
