//! The tables of robust-tests/DIALECTS.md are those of the rules: run with FARSIDE_UPDATE_DIALECTS=1 after a change.

use farside_pgas::ast::Api;
use farside_pgas::dialect::{rules, values, words};
use std::fmt::Write as _;

const HEAD: &str = "\
# How calls are translated

Written by `crates/pgas/tests/dialect_tables.rs` from `crates/pgas/dialects/`, which the translation itself reads. 003 is
paper 003 (Calin, Derevenetc, Majumdar, Meyer, FSTTCS 2013).
SHMEM names may have a type in them (`shmem_int_put`), ARMCI value calls too (`ARMCI_PutValueInt`).

A parameter stands for its argument. A transfer between two arguments is one for each element, if an argument says how
many. `if` is decided when the program is translated: `known(e)`, the value is known before the run; `single(count)`, \
    there
is one element; `given(h)`, the handle is not `NULL`; `of_puts(h)`, the program gives the handle to puts; `is(WORD)`, the
word stands there. `shmem_value[e]` is a cell that holds `e` from the start, `segment_notify` the notifications of the \
    segment
that is given. `wait_handles_of_gets()` waits for each handle that the program gives to gets;
`wait_for_some(a[i], count, into, seen)` waits until one of so many elements is not 0, and gives its index. Cells named
`..._value` and `..._result` are one for each variable that gets what they hold.
";

#[test]
fn the_documented_rules_are_those_of_the_code() {
    let mut text = String::from(HEAD);
    for api in Api::ALL {
        writeln!(
            text,
            "\n## {}\n\n| call | stands for | source |\n|---|---|---|",
            api.name()
        )
        .unwrap();
        for value in values(api) {
            writeln!(
                text,
                "| `{}()` | `{}` | {} |",
                value.name(),
                value.meaning(),
                value.source()
            )
            .unwrap();
        }
        for rule in rules(api) {
            writeln!(
                text,
                "| `{}` | `{}` | {} |",
                rule.form(),
                rule.meaning(),
                rule.source()
            )
            .unwrap();
        }
        for word in words(api) {
            writeln!(text, "| `{}` | | {} |", word.text(), word.kind()).unwrap();
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robust-tests/DIALECTS.md");
    if std::env::var_os("FARSIDE_UPDATE_DIALECTS").is_some() {
        std::fs::write(path, &text).unwrap();
        return;
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == text,
        "run this test with FARSIDE_UPDATE_DIALECTS=1"
    );
}
