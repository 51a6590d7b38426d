//! The tables of robust-tests/DIALECTS.md are those of the rules: run with FARSIDE_UPDATE_DIALECTS=1 after a change.

use farside_pgas::ast::Api;
use farside_pgas::dialect::{constants, rules};
use std::fmt::Write as _;

#[test]
fn the_documented_rules_are_those_of_the_code() {
    let mut text = String::from(
        "# How calls are translated\n\nWritten by `crates/pgas/tests/dialect_tables.rs` from the rules. 003 is paper 003 (Calin, Derevenetc, \
         Majumdar, Meyer, FSTTCS 2013).\nSHMEM names may have a type in them (`shmem_int_put`), ARMCI value calls too (`ARMCI_PutValueInt`).\n",
    );
    for api in Api::ALL {
        writeln!(
            text,
            "\n## {}\n\n| call | stands for | source |\n|---|---|---|",
            api.name()
        )
        .unwrap();
        for (name, me) in constants(api) {
            writeln!(
                text,
                "| `{name}()` | `{}` | 003 §2.2 |",
                if *me { "me" } else { "n" }
            )
            .unwrap();
        }
        for rule in rules(api) {
            writeln!(text, "| `{}` | `{}` | {} |", rule.form, rule.meaning, rule.source).unwrap();
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
