//! What is said of bad texts, word by word: line and column, the mistake, the hint.

mod conditions;
mod limits;
mod statements;
mod texts;

use farside_litmus::parse;

/// The errors of a text as `line:column: message (hint)`.
pub(crate) fn errors(text: &str) -> Vec<String> {
    let errors = parse(text).expect_err("a text with mistakes");
    let shown = errors.iter().map(|error| {
        let (line, column) = error.position(text);
        assert!(
            text.get(error.place.clone()).is_some(),
            "a place within the text: {error:?}"
        );
        assert!(error.hint.is_some(), "{error:?} has no hint");
        format!("{line}:{column}: {error}")
    });
    shown.collect()
}

/// Compares the errors of a text made of each part.
pub(crate) fn check(table: &[(&str, &[&str])], text: impl Fn(&str) -> String) {
    for (part, expected) in table {
        assert_eq!(errors(&text(part)), *expected, "{part}");
    }
}

/// One mistake does not hide another one.
#[test]
fn several_errors_of_one_text() {
    let text = "RMA t
{ 0: X = 1; Y = 0; 0: Z; }
 P0          | P1          ;
 put(X@1, Z) | c = get(X@0) ;
 flsh(1)     | a = 1 +     ;
 a = Z       | flush(5)    ;
locations [W;]
exists (0:a = 1 /\\ V = 2)";
    let expected = [
        "2:13: `Y` has no owner (`0: Y = 0` if it is memory of process 0)",
        "4:7: `X` is not at process 1 (process 0 owns it: `X@0`)",
        "4:16: no process owns `c`, so it is a register, and `get` writes a variable (declare it: `{ 1: c = 0; }`)",
        "5:2: there is no statement `flsh` (did you mean `flush`?)",
        "5:28: a register or a number is expected here, not the end of the cell (`a`, `a + 1`, `(a == 1)`)",
        "6:22: there is no process 5 (the processes are 0 to 1)",
        "7:12: no process owns `W` (a condition is about variables and registers `0:a`)",
        "8:20: no process owns `V` (a condition is about variables and registers `0:a`)",
    ];
    assert_eq!(errors(text), expected);
}
