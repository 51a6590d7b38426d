//! Texts that are no test, heads and layouts.

use crate::check;

/// Whole texts.
const TEXTS: &[(&str, &[&str])] = &[
    (
        "",
        &["1:1: there is no test in this text (a test begins with `RMA NAME`)"],
    ),
    (
        " \n\n",
        &["1:1: there is no test in this text (a test begins with `RMA NAME`)"],
    ),
    (
        "hello",
        &["1:1: a test begins with `RMA NAME` (the first word says which language this is)"],
    ),
    (
        "C11 t\n{}",
        &["1:1: a test begins with `RMA NAME` (the first word says which language this is)"],
    ),
    (
        "RMA",
        &["1:4: a name of one word is expected after `RMA` (`RMA MP+flush`)"],
    ),
    (
        "RMA \n{}",
        &["1:4: a name of one word is expected after `RMA` (`RMA MP+flush`)"],
    ),
    (
        "RMA a;b\n{}",
        &["1:5: a name of one word is expected after `RMA` (`RMA MP+flush`)"],
    ),
    (
        "RMA two words\n{}",
        &[
            "1:9: `{` is expected here, not `words` (`{ 0: X = 1; 1: Y = 0; }`: the owner of each variable, and its \
             first value)",
        ],
    ),
    (
        "RMA t",
        &[
            "1:6: `{` is expected here, not the end (`{ 0: X = 1; 1: Y = 0; }`: the owner of each variable, and its \
             first value)",
        ],
    ),
    (
        "RMA t\n{ 0: X = 1;",
        &["2:12: `}` is expected here, not the end (close the first state)"],
    ),
    (
        "RMA t\n{ X = 1; 0: Y; }\n P0 ;\n a = X ; put(X@0, Y); exists X = 1",
        &["2:3: `X` has no owner (`0: X = 0` if it is memory of process 0)"],
    ),
    (
        "RMA t\n{ 7: X; }\n P0 ;\n a = X ; X = 1; put(X@7, X);",
        &[
            "2:6: there is no process 7 (there is process 0 only)",
            "4:23: there is no process 7 (there is process 0 only)",
        ],
    ),
    (
        "RMA t\n{ 0: X; 0: X = 2; 0: get = 1; -1: Z; 0: U = 1 2; 0: V = 9223372036854775808; 0 W; 0: = 1}\n P0 ;\n a = \
         X ;",
        &[
            "2:12: `X` is declared twice (each variable has one owner and one first value)",
            "2:22: `get` is a word of the language, not a variable (choose another name)",
            "2:31: a process is expected here (`{ 0: X = 1; 1: Y = 0; }`: the owner of each variable, and its first \
             value)",
            "2:47: `;` or `}` is expected here, not `2` (`{ 0: X = 1; 1: Y = 0; }`: the owner of each variable, and \
             its first value)",
            "2:57: this number is too large (values are 64-bit integers)",
            "2:80: `:` is expected here, not `W` (`{ 0: X = 1; 1: Y = 0; }`: the owner of each variable, and its first \
             value)",
            "2:86: a variable is expected here, not `=` (`{ 0: X = 1; 1: Y = 0; }`: the owner of each variable, and \
             its first value)",
        ],
    ),
    (
        "RMA t\n{ }\n",
        &[
            "3:1: the first process `P0` is expected here, not the end (`P0 | P1 ;` and a row of cells a statement, or \
             `P0 { a = X; } P1 { ... }`)",
        ],
    ),
    (
        "RMA t\n{ }\n P1 ;\n",
        &["3:2: process `P0` is expected here, not `P1` (processes are P0, P1, ... in this order)"],
    ),
    (
        "RMA t\n{ }\n P0 | P0 ;\n",
        &["3:7: process `P1` is expected here, not `P0` (processes are P0, P1, ... in this order)"],
    ),
    (
        "RMA t\n{ }\n P0 | P2 ;\n",
        &["3:7: process `P1` is expected here, not `P2` (processes are P0, P1, ... in this order)"],
    ),
    (
        "RMA t\n{ }\n P0 P1 ;\n",
        &["3:5: `|` or `;` is expected here, not `P1` (`P0 | P1 ;`)"],
    ),
    (
        "RMA t\n{ }\n P0 { a = 1 \n",
        &["3:5: this process is not closed (close it with `}`)"],
    ),
    (
        "RMA t\n{ }\n P0 { a = 1 } P0 { }\n",
        &["3:15: process `P1` is expected here, not `P0` (processes are P0, P1, ... in this order)"],
    ),
    (
        "RMA t\n{ }\n P0 ; a = 1\n",
        &["3:12: the last row is not closed (a row ends with `;`)"],
    ),
    (
        "RMA t\n{ }\n P0 ; a = 1 | b = 2;\n",
        &["3:13: this row has more cells than there are processes (a row ends with `;`)"],
    ),
    (
        "RMA t\n accesses random { 0: X; } P0; a = X;",
        &[
            "2:11: `atomic` or `nonatomic` is expected here, not `random` (`accesses nonatomic`: an access without a \
             mark is not atomic)",
        ],
    ),
    (
        "RMA t\n accesses atomic \"about\" { 0: X; } accesses nonatomic P0; a = X;",
        &["2:36: the kind of accesses is said twice (keep one of the lines that begin with `accesses`)"],
    ),
];

#[test]
fn texts() {
    check(TEXTS, str::to_owned);
}
