use crate::reports;
use farside_report::Color;
use farside_report::verdicts::{dot, explanation, html, json, matrix, svg, text};
use farside_verdicts::{Cause, Report, Verdict};
use std::path::Path;

/// Leaves what was rendered in the tests' folder, to be looked at.
fn keep(name: &str, text: &str) {
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), text).unwrap();
}

#[test]
fn states_in_the_fields_form() {
    let report = reports::full();
    let test = &report.tests[0];
    assert_eq!(
        text::render(test, &test.judgements[0], Color::Never),
        "Test Fig6 Allowed\nStates 2\n0:a=0; 1:b=0;\n0:a=1; 1:b=0;\nOk\nWitnesses\nPositive: 1 Negative: 1\n\
         Condition exists (0:a = 0 /\\ 1:b = 0)\nObservation Fig6 Sometimes 1 1\nTime Fig6 0.000012\n\
         Hash=0123456789abcdef0123456789abcdef\n\n"
    );
}

#[test]
fn a_race_names_both_statements_and_the_missing_order() {
    let report = reports::full();
    let test = &report.tests[0];
    let block = text::render(test, &test.judgements[1], Color::Never);
    assert!(
        block.contains(
            "States 0\nUndef race\nRace P0: X = get(Y@1) at Fig6.litmus:5\n     P0: a = X at Fig6.litmus:6\n     \
             no consistency order (co) between the two; a get's buffer is read before the get is complete\n"
        ),
        "{block}"
    );
    assert!(!block.contains("Observation"));
}

#[test]
fn colours_are_asked_for() {
    let report = reports::full();
    let test = &report.tests[0];
    let plain = text::render(test, &test.judgements[0], Color::Never);
    let coloured = text::render(test, &test.judgements[0], Color::Always);
    assert!(!plain.contains('\u{1b}') && coloured.contains("\u{1b}["));
}

#[test]
fn a_refusal_shows_its_cycle() {
    let report = reports::full();
    let test = &report.tests[0];
    let told = explanation::render(test, &test.judgements[0], Color::Never);
    for words in [
        "Explanation Fig6 coreRMA: 0:a=0; 1:b=1; not allowed\n  IR and R1 order",
        "  the cycle\n    e P1 ew write X, 0  -- hb (IR) -->  f P1 er read X, 1\n",
        "    f P1 er read X, 1   -- hb (R1) -->  e P1 ew write X, 0\n",
        "    i    P1     r      read Y, 1   b = Y\n",
        "    e -> c  rf\n    e -> c  hb (R2)\n",
    ] {
        assert!(told.contains(words), "{words}\n--\n{told}");
    }
    // Program order and the first values' place are not news.
    assert!(!told.contains(" po\n") && !told.contains("a -> c  hb"));
}

#[test]
fn a_matrix_has_a_line_a_test_and_a_column_a_model() {
    let report = reports::full();
    assert_eq!(
        matrix::render(&report.tests, Color::Never),
        "Test    coreRMA         mpi3-unified\n\
         Fig6    Ok Sometimes 2  race\n\
         dense   No Sometimes 2  -\n"
    );
    assert_eq!(matrix::counts(&report.tests), "1 Ok, 1 No, 1 with a race");
}

#[test]
fn outcomes_by_models() {
    let mut strong = reports::judgement("coreRMA", Verdict::No, Vec::new());
    strong.states.remove(0);
    let weak = reports::judgement("verbs-paper", Verdict::Ok, Vec::new());
    let test = reports::test("Fig6", vec![strong, weak, reports::undefined()]);
    assert_eq!(
        matrix::outcomes(&test, Color::Never),
        "Test Fig6\nCondition exists (0:a = 0 /\\ 1:b = 0)\n\
         \x20                coreRMA         verbs-paper     mpi3-unified\n\
         0:a=0; 1:b=0; *  -               yes             -\n\
         0:a=1; 1:b=0;    yes             yes             -\n\
         Verdict          No Sometimes 1  Ok Sometimes 2  race\n\
         * the condition holds\n"
    );
}

#[test]
fn json_comes_back_and_keeps_to_the_schema() {
    let report = reports::full();
    let shown = json::render(&report);
    let value: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let schema: serde_json::Value = serde_json::from_str(json::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&value));
    assert_eq!(serde_json::from_value::<Report>(value.clone()).unwrap(), report);
    let mut wrong = value;
    wrong["tests"][0]["judgements"][0]["verdict"] = "perhaps".into();
    assert!(!validator.is_valid(&wrong));
}

#[test]
fn an_undefined_value_is_null_in_json_and_t_in_text() {
    let mut report = reports::full();
    let state = &mut report.tests[0].judgements[0].states[0];
    state.bindings = reports::bindings("0:a=T; 1:b=0;");
    let value: serde_json::Value = serde_json::from_str(&json::render(&report)).unwrap();
    let bindings = &value["tests"][0]["judgements"][0]["states"][0]["bindings"];
    assert!(bindings[0]["value"].is_null() && bindings[1]["value"] == 0);
    let test = &report.tests[0];
    assert!(text::render(test, &test.judgements[0], Color::Never).contains("\n0:a=T; 1:b=0;\n"));
}

#[test]
fn a_picture_has_a_box_an_action_and_marks_the_cycle() {
    let report = reports::report(vec![reports::test(
        "Fig6",
        vec![reports::judgement(
            "coreRMA",
            Verdict::Ok,
            vec![reports::refused()],
        )],
    )]);
    let picture = svg::render(&report);
    keep("refused.svg", &picture);
    assert_eq!(picture.matches("<g class=\"action").count(), 7);
    assert_eq!(picture.matches("<g class=\"action marked\"").count(), 2);
    assert_eq!(
        picture.matches("class=\"edge cycle\"").count(),
        3,
        "two edges, one legend"
    );
    assert!(
        picture.contains(">IR</text>") && picture.contains(">P0</text>") && picture.contains(">P1</text>")
    );
    // First values are read, but have no box.
    assert!(picture.contains(">first</text>") && !picture.contains("first values"));
}

#[test]
fn everything_is_in_the_page() {
    let report = reports::full();
    let page = html::render(&report);
    keep("full.html", &page);
    keep("full.svg", &svg::render(&report));
    assert_eq!(page.matches("<svg class=\"execution\"").count(), 3);
    for words in [
        "0:a=0; 1:b=1;",
        "not allowed",
        "X = get(Y@1)",
        "no consistency order (co) between the two",
        "Ok Sometimes 2",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("http:") && !page.contains("https:"));
}

#[test]
fn texts_of_a_test_are_no_markup() {
    let hostile = "</pre><script>alert(1)</script>\"'&\n";
    let mut report = reports::full();
    let test = &mut report.tests[0];
    test.name = hostile.to_owned();
    test.file = hostile.to_owned();
    test.source = hostile.to_owned();
    test.about = vec![hostile.to_owned()];
    for action in test.judgements[0].explanations[0]
        .execution
        .iter_mut()
        .flat_map(|e| &mut e.actions)
    {
        action.text = hostile.to_owned();
        action.source = hostile.to_owned();
    }
    for edge in test.judgements[0].explanations[0]
        .execution
        .iter_mut()
        .flat_map(|e| &mut e.edges)
    {
        edge.rule = hostile.to_owned();
    }
    for text in [html::render(&report), svg::render(&report)] {
        assert!(!text.contains("<script") && text.contains("&lt;script"));
    }
    let graph = dot::render(&report);
    // Every line of the graph ends as the renderer ends it.
    assert!(
        graph.lines().all(|line| line.ends_with(['{', '}', ';'])),
        "{graph}"
    );
}

#[test]
fn a_graph_has_a_cluster_a_process() {
    let graph = dot::render(&reports::full());
    keep("full.dot", &graph);
    assert_eq!(graph.matches("digraph ").count(), 3);
    assert!(graph.contains("subgraph cluster_0 {") && graph.contains("a4 -> a5 [label=\"hb IR\""));
    assert!(graph.contains("label=\"put(X@0, Y)\\ner: read Y, 0\""));
    assert_eq!(graph.matches('{').count(), graph.matches('}').count());
}

#[test]
fn edges_to_nowhere_and_empty_executions_are_drawn() {
    let mut explanation = reports::refused();
    let execution = explanation.execution.as_mut().unwrap();
    execution.edges.push(reports::edge("3 99 hb"));
    let mut empty = reports::refused();
    empty.execution.as_mut().unwrap().actions.clear();
    let report = reports::report(vec![reports::test(
        "x",
        vec![reports::judgement("m", Verdict::Ok, vec![explanation, empty])],
    )]);
    assert!(svg::render(&report).contains("</svg>"));
    assert!(html::render(&report).contains("not allowed"));
    let test = &report.tests[0];
    assert!(explanation::render(test, &test.judgements[0], Color::Never).contains("not allowed"));
}

#[test]
fn a_test_without_a_state_is_inconclusive_in_every_form() {
    let mut report = reports::full();
    let judgement = &mut report.tests[0].judgements[0];
    judgement.bounded = true;
    judgement.states.clear();
    judgement.observation = None;
    judgement.verdict = Verdict::Inconclusive;
    judgement.cause = Some(Cause::NoState {
        reason: "no execution ends".to_owned(),
    });
    let test = &report.tests[0];
    let block = text::render(test, &test.judgements[0], Color::Never);
    assert!(
        block.contains("States 0\nInconclusive\nReason no execution ends\nLoop Fig6 "),
        "{block}"
    );
    assert!(!block.contains("Ok") && !block.contains("Observation"), "{block}");
    assert!(matrix::render(&report.tests, Color::Never).contains("inconclusive 0+"));
    assert!(matrix::counts(&report.tests).contains("1 inconclusive"));
    let page = html::render(&report);
    assert!(page.contains("inconclusive: no state") && page.contains("no execution ends"));
    assert!(json::render(&report).contains("\"verdict\": \"inconclusive\""));
}

#[test]
fn a_loop_bound_and_a_missing_answer_are_said() {
    let mut report = reports::full();
    let judgement = &mut report.tests[0].judgements[0];
    judgement.bounded = true;
    judgement.verdict = Verdict::Unknown;
    judgement.cause = Some(Cause::Unknown {
        reason: "no answer within 10 steps".to_owned(),
    });
    let test = &report.tests[0];
    let block = text::render(test, &test.judgements[0], Color::Never);
    assert!(
        block.contains("Unknown\nReason no answer within 10 steps\nLoop Fig6 "),
        "{block}"
    );
    assert!(html::render(&report).contains("no answer within 10 steps"));
}
