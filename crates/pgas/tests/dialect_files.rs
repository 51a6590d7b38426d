//! Every call of every file of calls is translated, whatever fitting arguments it is given.

use farside_pgas::ast::{Api, Program, StatementKind};
use farside_pgas::calculus::Polls;
use farside_pgas::dialect::{Rule, rules, translate, words};
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use proptest::prelude::*;

const DECLARATIONS: &str = "domain 8\nshared x, y = 1, a[4], b[4]\nregister r, s\nhandle g, k[2]\n";

/// Arguments that fit a parameter of a form.
fn fitting(api: Api, rule: &Rule, parameter: &str) -> Vec<String> {
    let all = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let in_segment = matches!(api, Api::Gaspi | Api::Gaspi17);
    match parameter {
        "h" | "&h" if rule.name() == "ARMCI_Wait" => all(&["g", "&g"]),
        "h" | "&h" => all(&["g", "&g", "k[1]", "&k[0]", "fresh"]),
        "queue" | "ctx" => all(&["0", "1", "63"]),
        "sizeof(int)" | "nelems" | "size" | "count" => all(&["1", "2", "sizeof(int)", "2 * sizeof(int)"]),
        "&id" | "&old" | "&r" => all(&["r", "&r", "&s", "&x"]),
        // A queue goes by it, which must be known before the run.
        "number" => all(&["0", "1", "2"]),
        "id" | "first_id" => all(&["0", "1", "me", "2"]),
        "rank" | "pe" | "proc" | "node" => all(&["0", "1", "me", "1 - me", "r"]),
        "value" | "signal" | "cond" | "comparator" => all(&["0", "1", "r", "me", "n", "r + 1"]),
        "segment" | "local" | "remote" if in_segment => all(&["a", "b"]),
        _ if parameter.starts_with("offset") => all(&["0", "1", "r", "me"]),
        _ if parameter.chars().all(|c| c.is_ascii_uppercase() || c == '_') => {
            let here = words(api).iter().find(|word| word.name() == parameter);
            let kind = here.map(|word| word.kind());
            let of_kind = words(api).iter().filter(|word| Some(word.kind()) == kind);
            let names: Vec<String> = of_kind.map(|word| word.name().to_owned()).collect();
            if names.is_empty() {
                all(&[parameter])
            } else {
                names
            }
        }
        _ => all(&["a", "&a[1]", "b + 1", "&b[r]", "&a[0]"]),
    }
}

/// A call by its form; `choices` chooses the arguments.
fn call(api: Api, rule: &Rule, choices: &[usize]) -> String {
    let (head, arguments) = rule.form().split_once('(').expect("a call has brackets");
    // `r =` stands before the name, if there is a result.
    let head = head.replace("h = ", "g = ");
    let arguments = arguments.strip_suffix(')').expect("they close");
    let given: Vec<String> = arguments
        .split(", ")
        .filter(|parameter| !parameter.is_empty())
        .zip(choices)
        .map(|(parameter, choice)| {
            let fitting = fitting(api, rule, parameter);
            fitting[choice % fitting.len()].clone()
        })
        .collect();
    format!("{head}({})", given.join(", "))
}

fn has_no_call(program: &Program) -> bool {
    let no_call = |kind: &StatementKind| !matches!(kind, StatementKind::Call { .. });
    program.body.iter().all(|statement| no_call(&statement.kind))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_call_of_every_file_is_translated(choices in prop::collection::vec(0_usize..60, 10)) {
        for api in Api::ALL {
            for rule in rules(api) {
                let call = call(api, rule, &choices);
                let before = if rule.name() == "ARMCI_Wait" { "ARMCI_NbPut(a, b, 1, 1, &g)\n" } else { "" };
                let text = format!("{DECLARATIONS}{before}{call}\n");
                let program = parse(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("t", &text)));
                let translated = translate(&program, Some(api), 2, Polls::Awaited)
                    .unwrap_or_else(|errors| panic!("{}", errors[0].render("t", &text)));
                prop_assert!(has_no_call(&translated), "{}", translated);
                prop_assert_eq!(&parse(&translated.to_string()).expect("the calculus can be read"), &translated);
                // All that the meaning names is declared; an index may be one that its array does not have.
                let settings = Settings { api: Some(api), ranks: Some(2), domain: None, polls: Polls::Awaited };
                for error in lower(&program, settings).err().unwrap_or_default() {
                    prop_assert!(error.message.contains("out of range"), "{}", error.render("t", &text));
                }
            }
        }
    }
}

#[test]
fn every_rule_and_word_says_what_it_means_and_every_rule_where_from() {
    for api in Api::ALL {
        for rule in rules(api) {
            assert!(
                !rule.meaning().is_empty() && !rule.source().is_empty(),
                "{}",
                rule.name()
            );
            assert!(rule.form().contains(rule.name()), "{}", rule.form());
        }
        for word in words(api) {
            assert!(word.text().starts_with(word.name()), "{}", word.text());
        }
    }
}
