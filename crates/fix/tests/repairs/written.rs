//! Which window and which target a call is given: one that compiles there, and is that of the finding.

use super::{finding, insert, marked, repaired};
use farside_findings::{Action, Creation, Finding, Place, Report, Suggestion};
use farside_fix::{Plan, Refusal, as_written};

/// The source with a flush after the first place.
fn flushed(text: &str) -> Result<String, Refusal> {
    repaired("a.c", text, "MPI_Put", &|places| {
        insert("MPI_Win_flush_all(win)", places)
    })
}

/// The source with a fence between both places.
fn fenced(text: &str) -> Result<String, Refusal> {
    repaired("a.c", text, "MPI_Put", &|places| {
        insert("MPI_Win_fence(0, win)", places)
    })
}

fn put(window: &str) -> String {
    format!("@1MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, {window});")
}

#[test]
fn an_element_is_written_where_its_number_is_the_same() {
    let text = |window: &str, between: &str| {
        format!(
            "f(MPI_Win *win, int i)\n{{\n    {}\n    {between}\n    @2v = 2;\n}}\n",
            put(window)
        )
    };
    for window in ["win[0]", "win[i]", "g->halo.win[1]"] {
        let new = flushed(&text(window, "a();").replace("(MPI_Win", "(struct grid *g, MPI_Win"));
        let wanted = format!("    MPI_Win_flush_all({window});\n    a();");
        assert!(new.is_ok_and(|new| new.contains(&wanted)), "{window}");
    }
}

#[test]
fn an_element_is_another_one_where_its_number_is() {
    let text = |head: &str, window: &str| {
        format!(
            "f(MPI_Win *wins, struct list *now, int n)\n{{\n    int i;\n    {head} {{\n        {}\n    }}\n    \
             @2a(v);\n}}\n",
            put(window)
        )
    };
    let refused = [
        ("for (i = 0; i < n; i++)", "wins[i]"),
        ("for (; now; now = now->next)", "now->win"),
        ("while (n--)", "wins[n]"),
    ];
    for (head, window) in refused {
        let refusal = fenced(&text(head, window));
        assert!(
            matches!(&refusal, Err(Refusal::Another(name, _)) if name == window),
            "{refusal:?}"
        );
    }
    let refusal = fenced(&text("for (int k = 0; k < n; k++)", "wins[k]"));
    assert!(matches!(refusal, Err(Refusal::Unknown(..))), "{refusal:?}");
    for (head, window) in [
        ("for (i = 0; i < n; i++)", "wins[n]"),
        ("while (a())", "now->win"),
    ] {
        let new = fenced(&text(head, window)).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert!(
            new.contains(&format!("    }}\n    MPI_Win_fence(0, {window});\n")),
            "{new}"
        );
    }
}

#[test]
fn what_a_program_calls_its_window_is_no_variable() {
    let text = "f(double *win)\n{\n    @1put(v);\n    a();\n    @2v = 2;\n}\n";
    let (text, places) = marked("a.c", text);
    let fenced = |created: bool| {
        let found = finding("MPI_Put", &places, insert("MPI_Win_fence(0, win)", &places));
        let report = Report {
            findings: vec![Finding {
                created: found.created.clone().filter(|_| created),
                ..found
            }],
            ..Report::default()
        };
        let plan = Plan::of(&report, &|_| true, &|_| Ok(text.clone()));
        plan.refused().first().map(|(_, refusal)| refusal.clone())
    };
    assert_eq!(fenced(true), None);
    let refusal = fenced(false);
    assert!(matches!(refusal, Some(Refusal::Placeholder(..))), "{refusal:?}");
}

/// Epochs of a window may not overlap (MPI-4.1 §12.5).
#[test]
fn no_fence_stands_under_a_lock_of_its_window() {
    let text = |lock: &str, unlock: &str| {
        format!(
            "f(MPI_Win win, MPI_Win w)\n{{\n    {lock}\n    {}\n    {unlock}\n    @2a(v);\n}}\n",
            put("win")
        )
    };
    let refusal = fenced(&text("MPI_Win_lock_all(0, win);", ""));
    assert!(matches!(refusal, Err(Refusal::UnderLock(..))), "{refusal:?}");
    let new = fenced(&text("MPI_Win_lock_all(0, win);", "MPI_Win_unlock_all(win);"));
    let wanted = "    MPI_Win_unlock_all(win);\n    MPI_Win_fence(0, win);\n";
    assert!(new.as_ref().is_ok_and(|new| new.contains(wanted)), "{new:?}");
    assert!(fenced(&text("MPI_Win_lock_all(0, w);", "")).is_ok());
}

/// What a suggestion says is what its repair writes, and means the same when the report is read again.
fn said(call: &str, text: &str) -> Option<String> {
    let (text, places) = marked("a.c", text);
    let found = Finding {
        created: Some(Creation {
            call: "MPI_Win_create".to_owned(),
            place: Place {
                file: "src/grid.c".to_owned(),
                line: 12,
                column: None,
            },
        }),
        ..finding("MPI_Put", &places, insert(call, &places))
    };
    let own = found.suggestion.clone().expect("a suggestion");
    let read = |file: &str| match file {
        "a.c" => Ok(text.clone()),
        _ => Err(Refusal::NoSuggestion),
    };
    let named = as_written(&found, &own, &read);
    let plan = |suggestion| {
        let findings = vec![Finding {
            suggestion: Some(suggestion),
            ..found.clone()
        }];
        let report = Report {
            findings,
            ..Report::default()
        };
        Plan::of(&report, &|_| true, &read)
    };
    if let Some(named) = &named {
        assert_eq!(plan(named.clone()), plan(own));
    }
    named.map(|named| named.call)
}

/// Of a statement that goes to several targets, each has its own flush.
#[test]
fn a_suggestion_names_the_target_as_the_source_does() {
    let text = |target: &str| {
        let put = format!("@1MPI_Put(&v, 1, MPI_INT, {target}, 0, 1, MPI_INT, w);");
        format!("f(MPI_Win w, int i)\n{{\n    {put}\n    @2a(v);\n}}\n")
    };
    let flush = |target: &str| said("MPI_Win_flush_local(0, win)", &text(target));
    assert_eq!(flush("i").as_deref(), Some("MPI_Win_flush_local(i, w)"));
    assert_eq!(
        flush("(i + 1) % 4").as_deref(),
        Some("MPI_Win_flush_local((i + 1) % 4, w)")
    );
    // What changes when it is written again stays a number.
    assert_eq!(flush("i++").as_deref(), Some("MPI_Win_flush_local(0, w)"));
}

/// Where no expression keeps its value, the line is told that made the window.
#[test]
fn a_suggestion_names_the_window_as_the_source_does() {
    let text = |head: &str, window: &str| {
        let put = put(window);
        format!(
            "f(MPI_Win *wins, MPI_Win w, struct list *p, int i)\n{{\n    {head} {{\n        {put}\n    }}\n    @2a(v);\n}}\n"
        )
    };
    let flush = |window: &str| said("MPI_Win_flush(1, win)", &text("if (i)", window));
    assert_eq!(flush("wins[i]").as_deref(), Some("MPI_Win_flush(1, wins[i])"));
    assert_eq!(
        flush("p->halo.win").as_deref(),
        Some("MPI_Win_flush(1, p->halo.win)")
    );
    assert_eq!(
        flush("wins[at(i, 1)]").as_deref(),
        Some("MPI_Win_flush(1, wins[at(i, 1)])")
    );
    assert_eq!(flush("win"), None);
    let fence = |head: &str, window: &str| said("MPI_Win_fence(0, win)", &text(head, window));
    let far = "MPI_Win_fence(0, the window of grid.c:12)";
    assert_eq!(fence("for (i = 0; i < 3; i++)", "wins[i]").as_deref(), Some(far));
    assert_eq!(
        fence("for (int k = 0; k < 3; k++)", "wins[k]").as_deref(),
        Some(far)
    );
    assert_eq!(fence("while (a())", "w").as_deref(), Some("MPI_Win_fence(0, w)"));
    assert_eq!(said("shmem_barrier_all()", &text("while (a())", "w")), None);
}

/// What is replaced is named as it is written, and so is what takes its place: it may complete others as well.
#[test]
fn a_call_that_is_replaced_is_named_as_it_is_written() {
    let text = "f(struct g *g)\n{\n    @1MPI_Put(&v, 1, MPI_INT, q, 0, 1, MPI_INT, g->win);\n    \
                @2CHECK(MPI_Win_flush_local(p, g->win));\n}\n";
    let (text, places) = marked("a.c", text);
    let own = Suggestion {
        action: Action::Replace,
        call: "MPI_Win_flush(1, win)".to_owned(),
        instead_of: Some("MPI_Win_flush_local(1, win)".to_owned()),
        at: Some(places[1].clone()),
        ..Suggestion::default()
    };
    let found = finding("MPI_Put", &places, own.clone());
    let named = as_written(&found, &own, &|_| Ok(text.clone())).expect("another name");
    assert_eq!(named.call, "MPI_Win_flush(p, g->win)");
    assert_eq!(
        named.instead_of.as_deref(),
        Some("MPI_Win_flush_local(p, g->win)")
    );
}
