//! What is printed where, in which form, with which status.

use crate::command::{command, litmus, stderr, stdout, tests};
use serde_json::Value;
use std::fs;
use std::process::Stdio;

const FIG6: &str = "papers/Fig6.litmus";

#[test]
fn the_fields_form() {
    let output = litmus(&["-q", FIG6]);
    assert_eq!(output.status.code(), Some(0));
    let log = stdout(&output);
    assert!(
        log.starts_with(
            "Test Fig6 Allowed\nStates 2\n0:a=0; 1:b=0;\n0:a=1; 1:b=0;\nOk\nWitnesses\nPositive: 1 Negative: 1\n\
             Condition exists (0:a = 0 /\\ 1:b = 0)\nObservation Fig6 Sometimes 1 1\nTime Fig6 0."
        ),
        "{log}"
    );
    assert!(log.contains("\nHash=") && output.stderr.is_empty());
}

#[test]
fn the_model_that_was_taken_is_said() {
    assert_eq!(stderr(&litmus(&[FIG6])), "farside: Fig6: model coreRMA\n");
    let said = stderr(&litmus(&["papers/Hoefler7a.litmus"]));
    assert_eq!(
        said,
        "farside: Hoefler7a: model mpi3-unified, for only MPI has `fence` (line 7)\n"
    );
    assert_eq!(stderr(&litmus(&["--model", "dmapp", FIG6])), "");
}

#[test]
fn a_violated_condition_is_status_1() {
    let output = litmus(&[
        "-q",
        "--model",
        "coreRMA-no-IR",
        "rules/coreRMA/IR-forbidden.litmus",
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("\nNo\nWitnesses\n"));
}

#[test]
fn a_race_is_printed_with_both_statements() {
    let output = litmus(&["-q", "papers/Hoefler9a.litmus"]);
    assert_eq!(output.status.code(), Some(1));
    let log = stdout(&output);
    for words in [
        "States 0\nUndef race\nRace P0: x = get(y@1) at papers/Hoefler9a.litmus:",
        "\n     P0: p = x at papers/Hoefler9a.litmus:",
        "no consistency order (co) between the two",
    ] {
        assert!(log.contains(words), "{words}\n{log}");
    }
    let invalid = stdout(&litmus(&["-q", "rules/mpi3/valid-6-flush-outside.litmus"]));
    assert!(
        invalid.contains("Undef invalid\nInvalid P0: flush(1) at "),
        "{invalid}"
    );
}

#[test]
fn a_bound_that_hides_states_is_status_4() {
    let folder = tempfile::tempdir().unwrap();
    let test = folder.path().join("poll.litmus");
    let program = |condition: &str| {
        let text = format!(
            "RMA poll\n{{ 0: X = 0; 1: Y = 1; }}\n P0 | P1 ;\n while (a != 1) bound 2 {{ a = X }} | put(X@0, Y) \
             ;\n{condition}\n"
        );
        fs::write(&test, text).unwrap();
        litmus(&[test.as_os_str()])
    };
    let open = program("exists (0:a = 2)");
    assert_eq!(open.status.code(), Some(4), "{}", stderr(&open));
    assert!(stdout(&open).contains("\nLoop poll a loop ended at its bound"));
    // What was found is not taken back by a bound.
    assert_eq!(program("exists (0:a = 1)").status.code(), Some(0));
    assert_eq!(program("~exists (0:a = 1)").status.code(), Some(1));
    assert_eq!(program("forall (0:a = 1)").status.code(), Some(4));
}

/// No execution ends, or the filter leaves none: there is nothing to judge by, under any model and in any form.
#[test]
fn no_state_is_never_ok() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let endless = write(
        "endless.litmus",
        "RMA endless\n{ 0: X = 0; }\n P0 | P1 ;\n while (0 = 0) bound 2 { a = X } | b = 1 ;\n~exists (1:b = 2)\n",
    );
    let filtered = write(
        "filtered.litmus",
        "RMA filtered\n{ 0: X = 0; }\n P0 ;\n a = X ;\nfilter (0:a = 1)\nforall (0:a = 1)\n",
    );
    for (test, why) in [(&endless, "no execution ends"), (&filtered, "passes the filter")] {
        for (model, _) in farside_models::names() {
            let output = litmus(&["-q", "--model", model, test]);
            let told = stdout(&output);
            assert_eq!(output.status.code(), Some(4), "{model}\n{told}");
            assert!(
                told.contains("States 0\nInconclusive\nReason ") && told.contains(why),
                "{told}"
            );
            assert!(!told.contains("Ok"), "{told}");
        }
        let table = litmus(&["-q", "--model", "all", test]);
        assert_eq!(table.status.code(), Some(4));
        let told = stdout(&table);
        assert!(told.contains("inconclusive 0") && !told.contains("Ok"), "{told}");
    }
    let json = litmus(&["-q", "--format", "json", &endless]);
    assert_eq!(json.status.code(), Some(4));
    assert!(stdout(&json).contains("\"verdict\": \"inconclusive\""));
    let both = litmus(&[&endless, &filtered]);
    assert!(
        stderr(&both).contains("2 tests: 2 inconclusive"),
        "{}",
        stderr(&both)
    );

    // Two logs without a state agree on nothing.
    let log = folder.path().join("log");
    litmus(&["-q", &endless, "-o", log.to_str().unwrap()]);
    let same = litmus(&["diff", log.to_str().unwrap(), log.to_str().unwrap()]);
    assert_eq!(same.status.code(), Some(4));
    assert!(
        stdout(&same).contains("endless: inconclusive in both logs"),
        "{}",
        stdout(&same)
    );
}

/// The example of the report: the process that polls is cut before the put, and the race is found and shown.
#[test]
fn a_race_before_a_bound_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let test = folder.path().join("poll.litmus");
    let text = "RMA poll\n{ 0: a = 1; 1: x = 0; }\n P0 | P1 ;\n lock_all | p = 0 ;\n put(x@1, a) | while (p != 1) \
        bound 2 { p = x } ;\n \
                unlock_all | ;\nexists (1:p = 1)\n";
    fs::write(&test, text).unwrap();
    for model in ["mpi3-unified", "mpi3-separate"] {
        let output = litmus(&["-q", "--explain", "--model", model, test.to_str().unwrap()]);
        let told = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("\nUndef race\nRace P0: put(x@1, a) at "), "{told}");
        assert!(told.contains("read x"), "the execution is shown\n{told}");
    }
}

#[test]
fn a_spent_budget_is_status_4() {
    let output = litmus(&["-q", "--steps", "1", "shapes/iriw-get.litmus"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(stdout(&output).contains("\nUnknown\nReason no answer within 1 steps\n"));
}

#[test]
fn a_forbidden_outcome_is_explained_by_its_cycle() {
    let output = litmus(&["-q", "--explain", "rules/coreRMA/IR-forbidden.litmus"]);
    let told = stdout(&output);
    for words in [
        "Explanation IR-forbidden coreRMA: 1:b=1; not allowed\n",
        "  the cycle\n",
        "hb (IR)",
        "hb (R1)",
        "put(X@0, Y)",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
}

#[test]
fn an_allowed_outcome_is_explained_by_an_execution() {
    let told = stdout(&litmus(&["-q", "-e", FIG6]));
    assert!(
        told.contains("Explanation Fig6 coreRMA: 0:a=0; 1:b=0; allowed\n  actions\n"),
        "{told}"
    );
    assert!(told.contains("rf\n") && told.contains("hb (PG)"));
}

#[test]
fn the_outcome_to_explain_can_be_given() {
    let told = stdout(&litmus(&["-q", "--outcome", "0:a=1; 1:b=1;", FIG6]));
    assert!(
        told.contains("Explanation Fig6 coreRMA: 0:a=1; 1:b=1; not allowed\n"),
        "{told}"
    );
    let told = stdout(&litmus(&["-q", "--outcome", "0:a=1", FIG6]));
    assert!(
        told.contains("Explanation Fig6 coreRMA: 0:a=1; 1:b=0; allowed\n"),
        "{told}"
    );
    for (state, words) in [
        ("0:c=1", "no state shows `0:c`; states show 0:a, 1:b"),
        ("0:a", "`0:a` is not NAME=VALUE"),
        ("0:a=x", "`x` is no value"),
        ("", "the state is empty"),
    ] {
        let output = litmus(&["-q", "--outcome", state, FIG6]);
        assert_eq!(output.status.code(), Some(2), "{state}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn without_a_condition_every_outcome_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let test = folder.path().join("x.litmus");
    fs::write(
        &test,
        "RMA x\n{ 0: X = 0; 1: Y = 1; }\n P0 | P1 ;\n a = X | put(X@0, Y) ;\n",
    )
    .unwrap();
    let told = stdout(&litmus(&["-e".as_ref(), test.as_os_str()]));
    assert_eq!(told.matches("Explanation x coreRMA: 0:a=").count(), 2, "{told}");
}

#[test]
fn several_models_make_a_matrix() {
    let told = stdout(&litmus(&[
        "-q",
        "--model",
        "coreRMA",
        "--model",
        "coreRMA-no-IR",
        FIG6,
    ]));
    assert_eq!(
        told.lines().map(str::trim_end).collect::<Vec<_>>(),
        [
            "Test Fig6",
            "Condition exists (0:a = 0 /\\ 1:b = 0)",
            "                 coreRMA         coreRMA-no-IR",
            "0:a=0; 1:b=0; *  yes             yes",
            "0:a=0; 1:b=1;    -               yes",
            "0:a=1; 1:b=0;    yes             yes",
            "0:a=1; 1:b=1;    -               yes",
            "Verdict          Ok Sometimes 2  Ok Sometimes 4",
            "* the condition holds",
            "",
        ]
    );
    let all = stdout(&litmus(&["-q", "--model", "all", "papers"]));
    let head = all.lines().next().unwrap();
    for model in ["coreRMA", "verbs-rc", "rdma-tso", "mpi3-unified", "mpi3-separate"] {
        assert!(head.contains(model), "{head}");
    }
    assert_eq!(all.lines().count(), 19, "{all}");
}

/// What conflicts may be said by a file; less than MPI's is judged as well.
#[test]
fn a_model_of_races_may_be_given() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("mine.model");
    let judge = |text: &str, test: &str| {
        fs::write(
            &model,
            format!("model \"mine\" \"x\"\ninclude \"mpi3-unified\"\n{text}\n"),
        )
        .unwrap();
        stdout(&litmus(&[
            "-q".as_ref(),
            "--model".as_ref(),
            model.as_os_str(),
            test.as_ref(),
        ]))
    };
    let meet = "conflict loc & (accumulate & Target) * (accumulate & Target) \\ same-origin as \"they meet\"";
    let both = "rules/mpi3/conflict-none-accumulate.litmus";
    assert!(judge("", both).contains("\nOk\n"));
    let racy = judge(meet, both);
    assert!(
        racy.contains("Undef race") && racy.contains("they meet"),
        "{racy}"
    );
    // Without what the paper says of fences, what they made defined is a race.
    let fenced = "rules/mpi3/09-defined.litmus";
    assert!(!judge("", fenced).contains("Undef"));
    assert!(judge("without R9", fenced).contains("Undef race"));
}

#[test]
fn a_model_file_may_be_given() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("mine.model");
    fs::write(
        &model,
        "model \"mine\" \"coreRMA without order at the target\"\ninclude \"coreRMA\"\nwithout IR\n",
    )
    .unwrap();
    let output = litmus(&[
        "-q".as_ref(),
        "--model".as_ref(),
        model.as_os_str(),
        FIG6.as_ref(),
    ]);
    assert!(stdout(&output).contains("States 4\n"), "{}", stderr(&output));
    fs::write(&model, "model \"mine\" \"x\"\ninclude \"coreRMA\"\nwithout XY\n").unwrap();
    let output = litmus(&[
        "-q".as_ref(),
        "--model".as_ref(),
        model.as_os_str(),
        FIG6.as_ref(),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("mine.model:3:9"), "{}", stderr(&output));
}

#[test]
fn json_keeps_to_the_printed_schema() {
    let schema = std::process::Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["schema", "litmus"])
        .output()
        .unwrap();
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(schema["title"], "Report");
    let output = litmus(&["-q", "--format", "json", "--explain", "papers"]);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report["schema_version"], 2);
    assert_eq!(report["tests"].as_array().unwrap().len(), 18);
}

#[test]
fn pictures() {
    for (format, begin, end) in [
        ("svg", "<svg", "</svg>\n"),
        ("dot", "digraph \"Fig6 under coreRMA", "}\n"),
        ("html", "<!DOCTYPE html>", "</html>"),
    ] {
        let shown = stdout(&litmus(&["-q", "--format", format, FIG6]));
        assert!(
            shown.starts_with(begin) && shown.ends_with(end),
            "{format}: {shown}"
        );
    }
    // A page explains every outcome, and that which the condition asks for and the model forbids.
    let page = stdout(&litmus(&[
        "-q",
        "--format",
        "html",
        "rules/coreRMA/IR-forbidden.litmus",
    ]));
    assert_eq!(page.matches("<svg").count(), 2);
}

#[test]
fn a_set_does_not_depend_on_threads() {
    let timeless = |threads: &str| {
        let output = litmus(&["-q", "-j", threads, "--model", "coreRMA", "shapes"]);
        let log = stdout(&output);
        let lines = log.lines().filter(|line| !line.starts_with("Time "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let one = timeless("1");
    assert_eq!(one.iter().filter(|line| line.starts_with("Test ")).count(), 37);
    assert_eq!(one, timeless("2"));
    assert_eq!(one, timeless("16"));
}

#[test]
fn a_set_ends_in_a_summary_that_is_not_in_the_log() {
    let output = litmus(&["--model", "coreRMA", "papers/Fig6.litmus", "papers/Fig8.litmus"]);
    assert!(
        stderr(&output).ends_with("2 tests: 2 Ok\n"),
        "{}",
        stderr(&output)
    );
    assert!(!stdout(&output).contains("2 tests"));
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("x.log");
    let output = litmus(&[
        "papers/Fig6.litmus".as_ref(),
        "papers/Fig8.litmus".as_ref(),
        "-o".as_ref(),
        log.as_os_str(),
    ]);
    assert!(stdout(&output).ends_with("2 tests: 2 Ok\n"));
    assert_eq!(fs::read_to_string(&log).unwrap().matches("Test ").count(), 2);
}

#[test]
fn logs_are_compared_by_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let log = |name: &str, model: &str| {
        let path = folder.path().join(name);
        litmus(&[
            "-q",
            "--model",
            model,
            "papers/Fig6.litmus",
            "papers/Fig8.litmus",
            "-o",
            path.to_str().unwrap(),
        ]);
        path.display().to_string()
    };
    let (stock, same, weak) = (
        log("a.log", "coreRMA"),
        log("b.log", "portals4"),
        log("c.log", "coreRMA-no-IR"),
    );
    let output = litmus(&["diff", &stock, &same]);
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(0), "2 tests agree\n")
    );
    let output = litmus(&["diff", &stock, &weak]);
    assert_eq!(output.status.code(), Some(1));
    let told = stdout(&output);
    assert!(
        told.contains(&format!("Fig6:\n  only in {weak}: 0:a=0; 1:b=1;\n")),
        "{told}"
    );
    assert!(told.ends_with("2 of 2 tests differ\n"));
}

#[test]
fn colours_only_where_wanted() {
    assert!(!stdout(&litmus(&["-q", FIG6])).contains('\u{1b}'));
    assert!(stdout(&litmus(&["-q", "--color", "always", FIG6])).contains("\u{1b}["));
}

#[test]
fn a_test_from_stdin() {
    use std::io::Write;
    let mut child = command(&["-q", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = fs::read(tests().join(FIG6)).unwrap();
    child.stdin.take().unwrap().write_all(&text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(stdout(&output).contains("States 2\n"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = command(&["-q", "."])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
    assert_eq!(
        output.status.code(),
        Some(1),
        "the shapes ask for outcomes that are forbidden"
    );
}

#[test]
fn the_models_are_listed() {
    let list = stdout(&litmus(&["--models"]));
    assert!(list.lines().count() >= 13);
    assert!(
        list.starts_with("coreRMA ") && list.contains("\nmpi3-separate "),
        "{list}"
    );
}
