//! Calls that are left out, or made earlier.

use super::{finding, insert, marked, repaired};
use farside_findings::{Action, Place, Report, Rule, Suggestion};
use farside_fix::{Plan, Refusal};

fn without(file: &str, text: &str, call: &str) -> Result<String, Refusal> {
    repaired(file, text, "shmem_clear_lock", &|places| Suggestion {
        action: Action::Remove,
        call: call.to_owned(),
        at: Some(places[0].clone()),
        ..Suggestion::default()
    })
}

#[test]
fn a_call_alone_under_a_condition_is_left_out() {
    let table = [
        (
            "f()\n{\n    a();\n    if (me == 0)\n        @1shmem_clear_lock(&lock);\n    @2b();\n}\n",
            "f()\n{\n    a();\n    b();\n}\n",
        ),
        (
            "f()\n{\n    if (next() == 0)\n        @1shmem_clear_lock(&lock);\n    @2b();\n}\n",
            "f()\n{\n    if (next() == 0)\n        { }\n    b();\n}\n",
        ),
        (
            "f()\n{\n    if (me)\n        a();\n    else\n        @1shmem_clear_lock(&lock);\n    @2b();\n}\n",
            "f()\n{\n    if (me)\n        a();\n    else\n        { }\n    b();\n}\n",
        ),
        (
            "f()\n{\n    for (i = 0; i < 3; i++)\n        if (me == i)\n            @1shmem_clear_lock(&lock);\n    @2b();\n}\n",
            "f()\n{\n    for (i = 0; i < 3; i++)\n        if (me == i)\n            { }\n    b();\n}\n",
        ),
    ];
    for (text, wanted) in table {
        let new = without("a.c", text, "shmem_clear_lock");
        assert_eq!(new.as_deref(), Ok(wanted), "{text}");
    }
    // Without braces the next statement would be under the condition.
    let fortran = "program p\n  if (next()) @1call shmem_clear_lock(lock)\n  @2b = 1\nend program\n";
    let refusal = without("a.f90", fortran, "shmem_clear_lock");
    assert!(matches!(refusal, Err(Refusal::InCondition(_))), "{refusal:?}");
}

/// Moves the next call below the second place up, which ends what the call at the first place begins.
fn earlier(text: &str, call: &str, ends: bool) -> Result<String, Refusal> {
    repaired("a.c", text, "MPI_Win_lock", &|places: &[Place; 2]| Suggestion {
        action: Action::Move,
        call: call.to_owned(),
        after: Some(places[0].clone()).filter(|_| ends),
        before: Some(places[1].clone()),
        ..Suggestion::default()
    })
}

#[test]
fn the_end_of_an_epoch_comes_before_its_process_waits() {
    let text = |between: &str| {
        format!(
            "f()\n{{\n    @1MPI_Win_lock(MPI_LOCK_EXCLUSIVE, mine, 0, win);\n    a();\n    \
             @2MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);\n    {between}\n    MPI_Win_unlock(next, win);\n    \
             MPI_Win_unlock(mine, win); // done\n}}\n"
        )
    };
    let put = |target: &str| text(&format!("MPI_Put(&v, 1, MPI_INT, {target}, 0, 1, MPI_INT, win);"));
    let new = earlier(&put("next"), "MPI_Win_unlock", true).expect("a change");
    assert!(
        new.contains(
            "    a();\n    MPI_Win_unlock(mine, win); // done\n    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next"
        ),
        "{new}"
    );
    let needed = earlier(&put("mine"), "MPI_Win_unlock", true);
    assert!(matches!(needed, Err(Refusal::Needed(..))), "{needed:?}");
    let left = earlier(&text("if (b) return;"), "MPI_Win_unlock", true);
    assert!(matches!(left, Err(Refusal::MayLeave(..))), "{left:?}");
    let nowhere = earlier(&put("next"), "MPI_Win_complete", true);
    assert!(matches!(nowhere, Err(Refusal::OtherBlock(_))), "{nowhere:?}");
}

#[test]
fn a_window_is_exposed_before_its_process_waits() {
    let text = "f()\n{\n    @2MPI_Win_start(to, 0, win); MPI_Put(&v, win); MPI_Win_complete(win);\n    \
                MPI_Win_post(from, 0, other);\n    MPI_Win_post(from, 0, win);\n    @1MPI_Win_wait(win);\n}\n";
    let wanted = "f()\n{\n    MPI_Win_post(from, 0, win);\n    MPI_Win_start(to, 0, win); MPI_Put(&v, win); \
                  MPI_Win_complete(win);\n    MPI_Win_post(from, 0, other);\n    MPI_Win_wait(win);\n}\n";
    assert_eq!(earlier(text, "MPI_Win_post", false).as_deref(), Ok(wanted));
}

#[test]
fn a_call_comes_while_the_library_is_there() {
    let moved = |text: &str| {
        repaired("a.c", text, "shmem_int_p", &|places: &[Place; 2]| Suggestion {
            action: Action::Move,
            call: "shmem_int_p".to_owned(),
            at: Some(places[0].clone()),
            ..Suggestion::default()
        })
    };
    let late =
        "f()\n{\n    shmem_init();\n    shmem_finalize();\n    @1shmem_int_p(x, 4, me);\n    @2a();\n}\n";
    let in_time =
        "f()\n{\n    shmem_init();\n    shmem_int_p(x, 4, me);\n    shmem_finalize();\n    a();\n}\n";
    assert_eq!(moved(late).as_deref(), Ok(in_time));
    let early = "f()\n{\n    @1shmem_int_p(x, 4, 0);\n    shmem_init();\n    @2a();\n}\n";
    let in_time = "f()\n{\n    shmem_init();\n    shmem_int_p(x, 4, 0);\n    a();\n}\n";
    assert_eq!(moved(early).as_deref(), Ok(in_time));
}

#[test]
fn what_has_to_be_symmetric_becomes_static() {
    let made = |text: &str| {
        repaired("a.c", text, "shmem_int_put", &|places: &[Place; 2]| Suggestion {
            call: "static".to_owned(),
            before: Some(places[0].clone()),
            ..Suggestion::default()
        })
    };
    let text = "int main(void)\n{\n    int v[8] = {1}, *x = 0, seen = LAST;\n    long own = 0;\n    \
                if (me)\n        @1shmem_int_put(v, x, seen, own);\n    @2a();\n}\n";
    let wanted = text
        .replace("    int v", "    static int v")
        .replace("@1", "")
        .replace("@2", "");
    assert_eq!(made(text), Ok(wanted));
    let address = text.replace("put(v", "put(&own");
    let wanted = address
        .replace("    long", "    static long")
        .replace("@1", "")
        .replace("@2", "");
    assert_eq!(made(&address), Ok(wanted));
    for value in ["take(1)", "{1, me}", "sizeof v"] {
        let other = made(&text.replace("= {1}", &format!("= {value}")));
        assert!(
            matches!(other, Err(Refusal::Placeholder(..))),
            "{value}: {other:?}"
        );
    }
    let refusal = made(&text.replace("main", "other"));
    assert!(matches!(refusal, Err(Refusal::NotOnce(_))), "{refusal:?}");
    let pointer = made(&text.replace("put(v", "put(x"));
    assert!(matches!(pointer, Err(Refusal::Placeholder(..))), "{pointer:?}");
}

#[test]
fn what_the_text_does_not_tell_the_target_of_is_flushed_to_all() {
    let wrap = |body: &str| format!("int main(void)\n{{\n    MPI_Win win;\n{body}}}\n");
    let text = wrap("    @1SEND(v);\n    @2v = 0;\n");
    let found = repaired("a.c", &text, "MPI_Put", &|places| {
        insert("MPI_Win_flush_local(1, win)", places)
    });
    let wanted = wrap("    SEND(v);\n    MPI_Win_flush_local_all(win);\n    v = 0;\n");
    assert_eq!(found, Ok(wanted));
    // A function of a library, of which the report has the caller.
    let text = "void f(MPI_Win win)\n{\n    @1put(win);\n    @2x();\n}\n";
    let found = repaired("a.c", text, "MPI_Put", &|places| {
        insert("MPI_Win_flush(1, win)", places)
    });
    let wanted = "void f(MPI_Win win)\n{\n    put(win);\n    MPI_Win_flush_all(win);\n    x();\n}\n";
    assert_eq!(found.as_deref(), Ok(wanted));
}

#[test]
fn a_check_of_an_error_is_followed_by_a_call() {
    let put = "MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win)";
    let wrap = |body: &str| format!("int main(void)\n{{\n    MPI_Win win;\n{body}}}\n");
    let flushed = |text: &str| {
        repaired("a.c", &wrap(text), "MPI_Put", &|places| {
            insert("MPI_Win_flush_local(1, win)", places)
        })
    };
    let found = flushed(&format!(
        "    if (@1{put} != 0)\n        return 1;\n    @2v = 0;\n"
    ));
    let wanted = wrap(&format!(
        "    if ({put} != 0)\n        return 1;\n    MPI_Win_flush_local(1, win);\n    v = 0;\n"
    ));
    assert_eq!(found, Ok(wanted));
    // A branch that does something might need the call itself.
    for text in [
        format!("    if (@1{put} != 0)\n        v = 1;\n    @2v = 0;\n"),
        format!("    while (@1{put} != 0)\n        return 1;\n    @2v = 0;\n"),
        format!("    if (@1{put} != 0)\n        return 1;\n    else\n        done();\n    @2v = 0;\n"),
    ] {
        let found = flushed(&text);
        assert!(matches!(found, Err(Refusal::InCondition(_))), "{text}: {found:?}");
    }
}

/// What is made of a source whose processes are in collective calls at the two places.
fn in_one_order(text: &str, operations: [&str; 2]) -> Result<String, Refusal> {
    let (text, places) = marked("a.c", text);
    let words = Suggestion {
        position: "call collectives in the same order".to_owned(),
        ..Suggestion::default()
    };
    let mut found = finding(operations[0], &places, words);
    found.rule = Rule::CollectiveMismatch;
    found.parties[1].operation = operations[1].to_owned();
    let report = Report {
        findings: vec![found],
        ..Report::default()
    };
    let plan = Plan::of(&report, &|_| true, &|_| Ok(text.clone()));
    match plan.refused().first() {
        Some((_, refusal)) => Err(refusal.clone()),
        None => Ok(plan.files().next().expect("a change").2.to_owned()),
    }
}

#[test]
fn collective_calls_are_made_in_one_order() {
    let text = |between: &str, comm: &str| {
        format!(
            "f(int me, int *v, MPI_Comm c, MPI_Comm d)\n{{\n    if (me == 0) {{\n        \
             @1MPI_Bcast(v, 1, MPI_INT, 0, c);\n        MPI_Barrier(c);\n    }} else {{\n        \
             @2MPI_Barrier(c);\n        {between}\n        MPI_Bcast(v, 1, MPI_INT, 0, {comm});\n    }}\n}}\n"
        )
    };
    let names = ["MPI_Bcast", "MPI_Barrier"];
    let new = in_one_order(&text("a();", "c"), names).expect("a change");
    let wanted =
        "else {\n        MPI_Bcast(v, 1, MPI_INT, 0, c);\n        MPI_Barrier(c);\n        a();\n    }";
    assert!(new.contains(wanted), "{new}");
    // Neither can pass what gives its buffer a value.
    let sent = text("v[0] = 2;", "c")
        .replace(
            "\n        MPI_Barrier(c);\n    } else",
            "\n        w = 1;\n        MPI_Reduce(&w, &s, 1, MPI_INT, MPI_SUM, 0, c);\n    } else",
        )
        .replace(
            "@2MPI_Barrier(c)",
            "@2MPI_Reduce(&w, &s, 1, MPI_INT, MPI_SUM, 0, c)",
        );
    let refusal = in_one_order(&sent, ["MPI_Bcast", "MPI_Reduce"]);
    assert!(matches!(refusal, Err(Refusal::OtherValue(..))), "{refusal:?}");
    // A call on another communicator is not waited for.
    let other = text("a();", "d").replace("\n        MPI_Barrier(c);\n    } else", "\n    } else");
    let refusal = in_one_order(&other, names);
    assert!(matches!(refusal, Err(Refusal::WordsOnly(_))), "{refusal:?}");
    // Windows, by their names.
    let fences = |low: &str, high: &str| {
        format!(
            "f(int me, MPI_Win low, MPI_Win high)\n{{\n    if (me == 0) {{\n        @1MPI_Win_fence(0, low);\n        \
             MPI_Win_fence(0, high);\n    }} else {{\n        @2MPI_Win_fence(0, {high});\n        \
             MPI_Win_fence(0, {low});\n    }}\n}}\n"
        )
    };
    let names = ["MPI_Win_fence", "MPI_Win_fence"];
    let new = in_one_order(&fences("low", "high"), names).expect("a change");
    assert!(
        new.contains("else {\n        MPI_Win_fence(0, low);\n        MPI_Win_fence(0, high);\n"),
        "{new}"
    );
}

/// A collective call that only some ranks make: what stands below is for all, and is not what is missing.
#[test]
fn a_collective_call_leaves_a_branch() {
    let text = |branch: &str, after: &str| {
        format!(
            "f()\n{{\n    MPI_Comm_rank(comm, &rank);\n    {branch}{after}    @2MPI_Barrier(comm);\n    MPI_Win_fence(0, win);\n}}\n"
        )
    };
    let names = ["MPI_Win_fence", "MPI_Barrier"];
    let branch = "if (rank == 0) {\n        put(v);\n        @1MPI_Win_fence(0, win);\n    }\n";
    let wanted = text(
        "if (rank == 0) {\n        put(v);\n    }\n",
        "    MPI_Win_fence(0, win);\n",
    )
    .replace("@2", "");
    assert_eq!(in_one_order(&text(branch, ""), names).as_deref(), Ok(&*wanted));
    // What is below is moved up instead: others make other calls, or the condition is one of all.
    for (old, new) in [
        ("    }\n", "    } else {\n        a();\n    }\n"),
        ("rank == 0", "n == 0"),
    ] {
        let found = in_one_order(&text(&branch.replace(old, new), ""), names);
        let stays = |new: String| new.contains("put(v);\n        MPI_Win_fence(0, win);\n    }");
        assert!(found.is_ok_and(stays), "{new}");
    }
    // The window is one of the branch.
    let own = branch.replace("put(v)", "MPI_Win win = next(v)");
    let found = in_one_order(&text(&own, ""), names);
    assert!(matches!(found, Err(Refusal::OtherValue(..))), "{found:?}");
}
