//! Model files: the shipped ones, errors, hostile texts.

use farside_models::core_rma::{Rule, Switch};
use farside_models::{Model, ModelError, named, names, parse_model};
use proptest::prelude::*;

fn errors(text: &str) -> Vec<ModelError> {
    parse_model(text, &|_| None).err().unwrap_or_default()
}

fn first(text: &str) -> String {
    errors(text).first().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn every_shipped_model_reads_and_says_what_the_table_says() {
    for &(name, about) in names() {
        let model = named(name).unwrap_or_else(|| {
            panic!(
                "{name}: {:?}",
                errors(farside_models::file::text(name).unwrap_or_default())
            )
        });
        assert_eq!(model.name(), name);
        let said = match &model {
            Model::CoreRma(model) => &model.about,
            Model::Mpi3(model) => model.about(),
        };
        assert_eq!(said, about);
    }
    assert!(named("coreRma").is_none());
}

#[test]
fn stock_core_rma_is_all_rules_and_barriers_are_all_that_its_file_adds() {
    let Some(Model::CoreRma(model)) = named("coreRMA") else {
        panic!("shipped");
    };
    let mut stock = farside_models::core_rma::CoreModel::stock();
    stock.about.clone_from(&model.about);
    assert!(matches!(model.orders.as_slice(), [order] if order.is_of_barriers()));
    stock.orders.clone_from(&model.orders);
    assert_eq!(model, stock);
}

#[test]
fn variants_differ_where_their_names_say() {
    let core = |name| match named(name) {
        Some(Model::CoreRma(model)) => model,
        other => panic!("{other:?}"),
    };
    assert!(!core("coreRMA-no-IR").has(Rule::Ir));
    assert!(core("dmapp").switches.has(Switch::PutReadsAtOnce));
    assert!(core("coreRMA-IR-self").switches.has(Switch::IrSelf));
    assert!(core("rmw-remote-only").switches.has(Switch::RmwRemoteOnly));
    assert!(core("coreRMA-GA-atomic").switches.has(Switch::GaAtomic));
    assert!(!core("verbs-rc").has(Rule::Ir) && core("verbs-rc").orders.len() == 2);
    assert!(core("rdma-tso").orders.iter().any(|order| order.dynamic));
}

#[test]
fn errors_have_place_and_hint() {
    assert_eq!(
        first("model \"m\"\ninclude \"coreRMA\"\norder po ;; hb"),
        "3:11: expected a set or a relation, found `;`"
    );
    assert_eq!(
        first("model \"m\"\ninclude \"coreRM\""),
        "2:9: there is no model \"coreRM\" (did you mean \"coreRMA\"?)"
    );
    assert_eq!(
        first("model m include coreRMA order Remote ; po"),
        "1:31: this is a set, but a relation is needed (`[S]` makes a relation of a set, `S * T` of two)"
    );
    assert_eq!(
        first("model m include coreRMA order same-statment"),
        "1:31: `same-statment` is not known (did you mean `same-statement`?)"
    );
    assert_eq!(
        first("rules all").split(" (").next(),
        Some("1:1: a model file begins with its name, found `rules`")
    );
    assert!(first("model m include coreRMA order (R * W) \\ hb").contains("must grow with hb"));
    assert!(first("model m include coreRMA order R1").contains("depends on what is read from where"));
    assert!(first("model m rules R1").contains("no-C is missing"));
    assert!(first("model m include coreRMA without no-C").contains("cannot be switched off"));
    assert!(first("model m include coreRMA let po = hb").contains("has a meaning already"));
    assert!(first("model m include coreRMA order po (* open").contains("does not end"));
    assert!(first("").contains("begins with its name"));
}

#[test]
fn several_errors_are_reported_at_once() {
    let found = errors("model m\nrules all\norder frob\nswitch GA-atomc\nacyclic R\nempty ( po");
    let lines: Vec<usize> = found.iter().map(|error| error.line).collect();
    assert_eq!(lines, [3, 4, 5, 6], "{found:?}");
}

#[test]
fn a_model_cannot_include_itself() {
    let text = "model m include \"loop\"";
    let found = parse_model(text, &|name| (name == "loop").then(|| text.to_owned())).err();
    assert!(format!("{found:?}").contains("includes itself"), "{found:?}");
}

#[test]
fn errors_in_an_included_file_name_it() {
    let found = parse_model("model m include other", &|name| {
        (name == "other").then(|| "model other rules R9".to_owned())
    });
    assert_eq!(found.unwrap_err()[0].file.as_deref(), Some("other"));
}

#[test]
fn nesting_and_size_are_bounded() {
    let head = "model m include coreRMA order ";
    for deep in [
        format!("{head}{}po{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{head}{}R", "[".repeat(100_000)),
        format!("{head}po{}", "+ ".repeat(100_000)),
        format!("{head}po{}", " \\ po".repeat(100_000)),
        format!("{head}{}po", "domain ".repeat(100_000)),
    ] {
        let found = first(&deep);
        assert!(
            found.contains("nest at most"),
            "{}",
            found.chars().take(200).collect::<String>()
        );
    }
    let names = (1..300)
        .map(|i| format!("let d{i} = d{} | d{}\n", i - 1, i - 1))
        .collect::<String>();
    assert!(first(&format!("model m include coreRMA let d0 = po {names}")).contains("nest at most"));
    assert_eq!(errors(&format!("{head}po{}", " | po".repeat(100_000))), []);
    assert!(first(&"x".repeat(10_000_000)).contains("at most"));
    assert!(errors(&"\u{1F480}".repeat(100_000)).len() <= 20);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC*") {
        let _ = parse_model(&text, &|_| None);
    }

    #[test]
    fn no_row_of_tokens_makes_it_panic(words in proptest::collection::vec(0..WORDS.len(), 0..60)) {
        let text: Vec<&str> = words.into_iter().map(|word| WORDS[word]).collect();
        let _ = parse_model(&format!("model m include coreRMA {}", text.join(" ")), &|_| None);
    }
}

const WORDS: [&str; 40] = [
    "model",
    "include",
    "rules",
    "without",
    "switch",
    "accesses",
    "let",
    "order",
    "acyclic",
    "irreflexive",
    "empty",
    "as",
    "po",
    "hb",
    "rf",
    "R",
    "W",
    "IR",
    "R1",
    "x",
    "=",
    "|",
    "&",
    "\\",
    ";",
    "*",
    "+",
    "?",
    "^-1",
    "(",
    ")",
    "[",
    "]",
    "{}",
    "0",
    "domain",
    "range",
    "\"t\"",
    "~",
    "(*",
];
