//! Conditions and locations.

use crate::check;

/// What stands after the processes of a test with the variables X and Y and the registers 0:a and 1:b.
const CONDITIONS: &[(&str, &[&str])] = &[
    (
        "exists (1:c = 0)",
        &["5:9: process 1 has no register `c` (it has b)"],
    ),
    (
        "exists (0:b = 0 /\\ 1:a = 0 /\\ 2:a = 1)",
        &[
            "5:9: process 0 has no register `b` (did you mean `1:b`?)",
            "5:20: process 1 has no register `a` (did you mean `0:a`?)",
            "5:31: there is no process 2 (the processes are 0 to 1)",
        ],
    ),
    (
        "exists (a = 0)",
        &["5:9: no process owns `a` (a register is written with its process: `0:a`)"],
    ),
    (
        "exists (0:X = 0)",
        &["5:9: process 0 has no register `X` (`X` is a variable: its final value is written `X`)"],
    ),
    (
        "exists (x = 0)",
        &["5:9: no process owns `x` (did you mean `X`?)"],
    ),
    (
        "exists (Z = 0)",
        &["5:9: no process owns `Z` (a condition is about variables and registers `0:a`)"],
    ),
    (
        "exists (P0:a = 0)",
        &["5:9: a register is written with the number of its process (`0:a`)"],
    ),
    (
        "exists (0:a = b)",
        &["5:15: a number is expected here, not `b` (a value is a number, or `T` for the undefined one)"],
    ),
    (
        "exists (0:a < 1)",
        &["5:13: `=` or `!=` is expected here, not `<` (`0:a = 1`, `X = T`)"],
    ),
    (
        "exists (0:a = 1",
        &["5:16: `)` is expected here, not the end (close what `(` opened)"],
    ),
    (
        "exists 0:a = 1 X",
        &[
            "5:16: the end of the test is expected here, not `X` (the final condition is the last thing in a test)",
        ],
    ),
    (
        "exist (0:a = 1)",
        &[
            "5:1: there is no statement `exist` (did you mean `exists`?)",
            "5:16: the last row is not closed (a row ends with `;`)",
        ],
    ),
    (
        "forall",
        &["5:7: a register `0:a` or a variable is expected here, not the end (`exists (0:a = 1 /\\ X = 2)`)"],
    ),
    (
        "locations [0:q; X",
        &[
            "5:12: process 0 has no register `q` (it has a)",
            "5:18: `]` is expected here, not the end (`locations [0:a; X;]`)",
        ],
    ),
    (
        "~(0:a = 1)",
        &[
            "5:1: a statement is expected here, not `~` (`a = X`, `X = 1`, `put(X@1, Y)`, `flush(1)`)",
            "5:11: the last row is not closed (a row ends with `;`)",
        ],
    ),
    (
        "exists (0:a = 1) exists (0:a = 2)",
        &[
            "5:18: the end of the test is expected here, not `exists` (the final condition is the last thing in a \
             test)",
        ],
    ),
];

#[test]
fn conditions() {
    check(CONDITIONS, |tail| {
        format!("RMA t\n{{ 0: X = 1; 1: Y = 0; }}\n P0 | P1 ;\n a = X | b = Y ;\n{tail}")
    });
}
