//! Statements.

use crate::check;

/// The first cell of a test with the variables `0: X` and `1: Y`.
const STATEMENTS: &[(&str, &[&str])] = &[
    (
        "a = Y",
        &[
            "4:6: `Y` belongs to process 1: process 0 cannot access it directly (`Z = get(Y@1)` or `put(Y@1, Z)` with \
             a variable Z of process 0)",
        ],
    ),
    (
        "Y = 1",
        &[
            "4:2: `Y` belongs to process 1: process 0 cannot access it directly (`Z = get(Y@1)` or `put(Y@1, Z)` with \
             a variable Z of process 0)",
        ],
    ),
    (
        "put(X@1, X)",
        &["4:7: `X` is not at process 1 (process 0 owns it: `X@0`)"],
    ),
    (
        "put(Y@0, X)",
        &["4:7: `Y` is not at process 0 (process 1 owns it: `Y@1`)"],
    ),
    (
        "put(Y@7, X)",
        &["4:8: there is no process 7 (the processes are 0 to 1)"],
    ),
    (
        "notify(Y)",
        &["4:10: `@` is expected here, not `)` (the target names its process: `Y@1`)"],
    ),
    (
        "notify(Y@1, 0)",
        &["4:14: a notification is not 0 (0 says that nothing came)"],
    ),
    (
        "put_notify(Y@1, X, X@0)",
        &["4:21: the flag lies at another process than the data (a flag of process 1)"],
    ),
    (
        "await(Y)",
        &[
            "4:8: `Y` belongs to process 1: process 0 cannot access it directly (`Z = get(Y@1)` or `put(Y@1, Z)` with \
             a variable Z of process 0)",
        ],
    ),
    (
        "take(X)",
        &["4:2: no statement begins with `take` (its result goes to a register: `a = take(N)`)"],
    ),
    (
        "wait_queue(64)",
        &["4:13: there is no queue 64 (queues are 0 to 63)"],
    ),
    (
        "put(Y@1, X) on Q",
        &[
            "4:17: a queue is expected here, not `Q` (queues are written as numbers: `put(X@1, Y) on 2`, `wait_queue(2)`)",
        ],
    ),
    (
        "flush(1) on 2",
        &[
            "4:11: the statement ends before `on` (statements are separated by `;`, or stand in rows of their own)",
        ],
    ),
    (
        "put(Y, X)",
        &["4:7: `@` is expected here, not `,` (the target names its process: `Y@1`)"],
    ),
    (
        "put(Y@1, Y)",
        &[
            "4:11: `Y` belongs to process 1: process 0 cannot access it directly (`Z = get(Y@1)` or `put(Y@1, Z)` with \
             a variable Z of process 0)",
        ],
    ),
    (
        "put(Y@1, 3)",
        &[
            "4:11: a variable is expected here, not `3` (calls move values between variables: `X = 3; put(Y@1, X)`)",
        ],
    ),
    (
        "put(Z@1, X)",
        &["4:6: no process owns `Z` (declare it in the first state: `{ 0: Z = 0; }`)"],
    ),
    (
        "put(Y@1, Xx)",
        &["4:11: no process owns `Xx` (did you mean `X`?)"],
    ),
    (
        "put Y@1, X",
        &["4:6: `(` is expected here, not `Y` (`put(X@1, Y)`: X at process 1 receives Y)"],
    ),
    (
        "pot(Y@1, X)",
        &["4:2: there is no statement `pot` (did you mean `put`?)"],
    ),
    (
        "foo(Y@1, X)",
        &["4:2: there is no statement `foo` (`put(X@1, Y)`, `X = get(Y@1)`, `flush(1)`, `fence`, ...)"],
    ),
    (
        "fluss",
        &["4:8: `=` is expected here, not the end of the cell (did you mean `flush`?)"],
    ),
    (
        "flush",
        &["4:8: `(` is expected here, not the end of the cell (`flush(1)`)"],
    ),
    (
        "flush(2)",
        &["4:8: there is no process 2 (the processes are 0 to 1)"],
    ),
    (
        "flush(Y)",
        &["4:8: a process is expected here, not `Y` (processes are written as numbers: `flush(1)`)"],
    ),
    (
        "flush_all(1)",
        &["4:12: `)` is expected here, not `1` (this call has no arguments)"],
    ),
    (
        "put(Y@1, X",
        &["4:13: `)` is expected here, not `|` (`put(X@1, Y)`: X at process 1 receives Y)"],
    ),
    (
        "put(Y@1 X)",
        &[
            "4:10: `,` is expected here, not `X` (arguments are separated by `,`; numbers stand in variables of the \
             process)",
        ],
    ),
    (
        "X = get(Y@1, X)",
        &["4:13: `)` is expected here, not `,` (`X = get(Y@1)`)"],
    ),
    (
        "X = cas(Y@1, X)",
        &[
            "4:16: `,` is expected here, not `)` (arguments are separated by `,`; numbers stand in variables of the \
             process)",
        ],
    ),
    (
        "a = get(Y@1)",
        &[
            "4:2: no process owns `a`, so it is a register, and `get` writes a variable (declare it: `{ 0: a = 0; }`)",
        ],
    ),
    (
        "get(Y@1)",
        &["4:2: `get` needs a variable for its result (`X = get(...)`)"],
    ),
    (
        "X = fetch_and_op(Y@1, X, add)",
        &["4:27: `add` is not an operation (one of sum, prod, min, max, band, bor, bxor, replace, no_op)"],
    ),
    (
        "X = fetch_and_op(Y@1, X, prd)",
        &["4:27: `prd` is not an operation (did you mean `prod`?)"],
    ),
    (
        "fence(nosuch)",
        &["4:8: `nosuch` is not an assertion (one of nostore, noput, noprecede, nosucceed)"],
    ),
    (
        "a = X + 1",
        &[
            "4:6: `X` is a variable: an expression has only registers and numbers (read it into a register first: `r = \
             X`)",
        ],
    ),
    (
        "a = X || 1",
        &[
            "4:8: this row has more cells than there are processes (a row ends with `;`; the operator `||` stands in \
             parentheses)",
        ],
    ),
    (
        "a = b +",
        &[
            "4:10: a register or a number is expected here, not the end of the cell (`a`, `a + 1`, `(a == 1)`)",
        ],
    ),
    (
        "a = (1",
        &["4:9: `)` is expected here, not `|` (close what `(` opened)"],
    ),
    (
        "a = 1)",
        &[
            "4:7: the statement ends before `)` (statements are separated by `;`, or stand in rows of their own)",
        ],
    ),
    (
        "X.b = 1",
        &["4:4: `a` or `n` is expected here, not `b` (`X.a` is an atomic access, `X.n` one that is not)"],
    ),
    (
        "X.n@0 = 1",
        &["4:5: `=` is expected here, not `@` (`X = 1`, `X = get(Y@1)`)"],
    ),
    (
        "a = X@0",
        &["4:7: only the target of a call is written with `@` (`X`: it is the process' own)"],
    ),
    (
        "a = Y@1",
        &[
            "4:7: only the target of a call is written with `@` (`Z = get(Y@1)` with a variable Z of process 0)",
        ],
    ),
    (
        "put = 1",
        &["4:6: `(` is expected here, not `=` (`put(X@1, Y)`: X at process 1 receives Y)"],
    ),
    (
        "T = 1",
        &["4:2: no statement begins with `T` (`T` is a word of the language and names no register)"],
    ),
    (
        "else",
        &["4:2: no statement begins with `else` (it follows the `}` of an `if`)"],
    ),
    (
        "while (a) bound 65 {",
        &["4:18: this bound is too large (at most 64 turns)"],
    ),
    (
        "while a {",
        &["4:8: `(` is expected here, not `a` (`while (a != 1) bound 3 { ... }`)"],
    ),
    (
        "if (a) a = 1",
        &["4:9: `{` is expected here, not `a` (the statements of a block stand in braces)"],
    ),
    (
        "}",
        &["4:2: this `}` closes nothing (in columns each statement of a block has a row of its own)"],
    ),
    ("if (a) {", &["4:9: this block is not closed (close it with `}`)"]),
    (
        "a = 99999999999999999999",
        &["4:6: this number is too large (values are 64-bit integers)"],
    ),
    (
        "a = 9223372036854775808",
        &["4:6: this number is too large (values are 64-bit integers)"],
    ),
    (
        "a = 1 b = 2",
        &[
            "4:8: the statement ends before `b` (statements are separated by `;`, or stand in rows of their own)",
        ],
    ),
    (
        "a = $",
        &["4:6: no statement has such characters (names have letters, digits, `_` and `'`)"],
    ),
    (
        "a = éé",
        &["4:6: no statement has such characters (names have letters, digits, `_` and `'`)"],
    ),
    (
        "a = \"x",
        &[
            "4:6: this text is not closed on its line (close it with `\"`)",
            "4:18: the last row is not closed (a row ends with `;`)",
        ],
    ),
    (
        "(* a = 1",
        &["4:2: this comment is not closed (close it with `*)`)"],
    ),
    (
        "post()",
        &["4:7: a process is expected here, not `)` (processes are written as numbers: `flush(1)`)"],
    ),
    ("send(0, 1)", &["4:8: `)` is expected here, not `,` (`send(1)`)"]),
    (
        "1 = a",
        &["4:2: a statement is expected here, not `1` (`a = X`, `X = 1`, `put(X@1, Y)`, `flush(1)`)"],
    ),
    (
        "abbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb = 1",
        &["4:2: this name is too long (at most 64 characters)"],
    ),
    (
        "a == 1",
        &["4:4: `=` is expected here, not `==` (`a = X`, `X = 1`, `put(X@1, Y)`, `flush(1)`)"],
    ),
    (
        "a",
        &["4:4: `=` is expected here, not the end of the cell (`a = X`, `X = 1`, `put(X@1, Y)`, `flush(1)`)"],
    ),
];

#[test]
fn statements() {
    check(STATEMENTS, |statement| {
        format!("RMA t\n{{ 0: X = 1; 1: Y = 0; }}\n P0 | P1 ;\n {statement} | b = Y ;\nexists (1:b = 0)")
    });
}
