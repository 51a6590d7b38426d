//! Statements that are moved in their block. In the sources, `@1` stands before the call and `@2` before what it is
//! moved to the other side of.

use super::repaired;
use farside_findings::{Action, Place, Proof, Stand, Stretch, Suggestion};
use farside_fix::Refusal;

/// Moves a call right after the place, or right before it.
fn moved(file: &str, text: &str, call: &str, after: bool) -> Result<String, Refusal> {
    let suggestion = |places: &[Place; 2]| {
        let place = places[1].clone();
        Suggestion {
            action: Action::Move,
            call: call.to_owned(),
            at: Some(places[0].clone()),
            after: Some(place.clone()).filter(|_| after),
            before: Some(place.clone()).filter(|_| !after),
            proof: Some(Proof::Verified),
            stands: vec![Stand {
                call: call.to_owned(),
                stretches: vec![match after {
                    true => Stretch::after(place),
                    false => Stretch::before(place),
                }],
            }],
            ..Suggestion::default()
        }
    };
    repaired(file, text, "MPI_Put", &suggestion)
}

#[test]
fn a_statement_is_moved_whole() {
    let table = [
        (
            "a.c",
            "f()\n{\n    @2seen = x[0];\n\n    /* The data\n       come now. */\n    @1MPI_Recv(&note, 1,\n             0); // why\n    use(seen);\n}\n",
            "MPI_Recv",
            false,
            "f()\n{\n    /* The data\n       come now. */\n    MPI_Recv(&note, 1,\n             0); // why\n    seen = x[0];\n\n    use(seen);\n}\n",
        ),
        (
            "a.c",
            "f()\n{\n    @1MPI_Barrier(comm);\n    if (rank == 0) {\n        MPI_Put(a, win);\n        @2MPI_Win_flush(1, win);\n    }\n    end();\n}\n",
            "MPI_Barrier",
            true,
            "f()\n{\n    if (rank == 0) {\n        MPI_Put(a, win);\n        MPI_Win_flush(1, win);\n    }\n    MPI_Barrier(comm);\n    end();\n}\n",
        ),
        (
            "a.c",
            "f()\n{\n    @1MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, comm);\n    if (rank == 0) {\n        \
             MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);\n        @2MPI_Win_flush(1, win);\n    }\n}\n",
            "MPI_Allreduce",
            true,
            "f()\n{\n    if (rank == 0) {\n        MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);\n        \
             MPI_Win_flush(1, win);\n    }\n    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, comm);\n}\n",
        ),
        (
            "a.c",
            "f()\n{\n    @1gaspi_notify(0, 1, n, 1, q, wait);\n    @2gaspi_write(0, 8, 1, 0, 8, 8, q, wait);\n}\n",
            "gaspi_notify",
            true,
            "f()\n{\n    gaspi_write(0, 8, 1, 0, 8, 8, q, wait);\n    gaspi_notify(0, 1, n, 1, q, wait);\n}\n",
        ),
        (
            "a.f90",
            "program p\n  @2call inner(n)\n  @1CALL MPI_WIN_FENCE(0, win, ierr)\nend program\n",
            "MPI_Win_fence",
            false,
            "program p\n  CALL MPI_WIN_FENCE(0, win, ierr)\n  call inner(n)\nend program\n",
        ),
        (
            "a.f90",
            "program p\n  @2seen = x(1)\n  @1call MPI_Wait(request, &\n      MPI_STATUS_IGNORE, ierr)\nend program\n",
            "MPI_Wait",
            false,
            "program p\n  call MPI_Wait(request, &\n      MPI_STATUS_IGNORE, ierr)\n  seen = x(1)\nend program\n",
        ),
        (
            "a.c",
            "f() { @2a(); @1CHECK(gaspi_wait(0, GASPI_BLOCK)); }\n",
            "gaspi_wait",
            false,
            "f() { CHECK(gaspi_wait(0, GASPI_BLOCK)); a();  }\n",
        ),
    ];
    for (file, text, call, after, wanted) in table {
        assert_eq!(moved(file, text, call, after).as_deref(), Ok(wanted), "{text}");
    }
}

/// An access that was tried after the end of its block, where something is done by what the block declares.
#[test]
fn a_statement_leaves_a_scope() {
    let text = |scope: &str, after: &str| {
        format!("f()\n{{\n    int v, seen;\n    {scope}\n{after}    use(seen);\n}}\n")
    };
    let given = |local: &str, load: &str| text(&format!("{{\n        {local}\n        {load}\n    @2}}"), "");
    let table = [
        ("Epoch epoch(1);\n        get(&v);", "seen = v;"),
        ("get(&v);", "seen = v; // read"),
    ];
    for (local, load) in table {
        let wanted = text(&format!("{{\n        {local}\n    }}"), &format!("    {load}\n"));
        let found = moved("a.cpp", &given(local, &format!("@1{load}")), "LOAD", true);
        assert_eq!(found.as_deref(), Ok(&*wanted));
    }
    // What it reads is gone by then; and a scope that is more than that.
    let found = moved("a.cpp", &given("int v = first();", "@1seen = v;"), "LOAD", true);
    assert!(matches!(found, Err(Refusal::OtherValue(..))), "{found:?}");
    let branch =
        given("get(&v);", "@1seen = v;").replacen("    {\n        get", "    if (me) {\n        get", 1);
    let wanted = text(
        "if (me) {\n        get(&v);\n    }",
        "    if (me) {\n        seen = v;\n    }\n",
    );
    assert_eq!(moved("a.cpp", &branch, "LOAD", true).as_deref(), Ok(&*wanted));
    let branch = branch.replace("get(&v);", "get(&v, &me);");
    let found = moved("a.cpp", &branch, "LOAD", true);
    assert!(matches!(found, Err(Refusal::OtherBlock(_))), "{found:?}");
}

/// What is around a statement goes with it, if it is alone there; else a copy of its condition.
#[test]
fn a_statement_is_moved_with_what_is_around_it() {
    let table = [
        (
            "a.c",
            "f()\n{\n    if (me == 1) {\n        @1x[64] = 5;\n    }\n    for (q = 0; q < 4; q++)\n        wait(q);\n    \
             @2barrier();\n    end();\n}\n",
            "STORE",
            "f()\n{\n    for (q = 0; q < 4; q++)\n        wait(q);\n    barrier();\n    if (me == 1) {\n        x[64] = 5;\n    \
             }\n    end();\n}\n",
        ),
        (
            "a.c",
            "f()\n{\n    if (me == 1)\n        @1x[64] = 5;\n    @2barrier();\n}\n",
            "STORE",
            "f()\n{\n    barrier();\n    if (me == 1)\n        x[64] = 5;\n}\n",
        ),
        (
            "a.c",
            "f()\n{\n    if (me == 0) {\n        if (n > 2) {\n            await(count, 1);\n            /* Both. */\n            \
             @1sum = x[0] +\n                x[1];\n        }\n    }\n    @2barrier();\n}\n",
            "LOAD",
            "f()\n{\n    if (me == 0) {\n        if (n > 2) {\n            await(count, 1);\n        }\n    }\n    barrier();\n    \
             if (me == 0) {\n        if (n > 2) {\n            /* Both. */\n            sum = x[0] +\n                x[1];\n        \
             }\n    }\n}\n",
        ),
        (
            "a.c",
            "f()\n{\n    for (struct part *p = first; p; p = p->next)\n        @1seen += *p->cells;\n    \
             for (struct part *p = first; p; p = p->next)\n        @2fence(p->win);\n    end();\n}\n",
            "LOAD",
            "f()\n{\n    for (struct part *p = first; p; p = p->next)\n        fence(p->win);\n    \
             for (struct part *p = first; p; p = p->next)\n        seen += *p->cells;\n    end();\n}\n",
        ),
        (
            "a.f90",
            "program p\n  if (me == 1) then\n    n = 1\n    @1there = 5\n  end if\n  @2flag = 1\nend program\n",
            "STORE",
            "program p\n  if (me == 1) then\n    n = 1\n  end if\n  flag = 1\n  if (me == 1) then\n    there = 5\n  end if\nend program\n",
        ),
    ];
    for (file, text, call, wanted) in table {
        assert_eq!(moved(file, text, call, true).as_deref(), Ok(wanted), "{text}");
    }
    let text =
        "f()\n{\n    if (me == 0) {\n        await(1);\n        @1sum = x[0];\n    }\n    @2barrier();\n}\n";
    let table = [
        // The condition would be another one.
        ("await(1)", "me = next"),
        ("    @2barrier", "    me++;\n    @2barrier"),
        ("me == 0", "take(me)"),
        ("me == 0", "me = 0"),
        // What is around it does more.
        ("if (me == 0)", "for (i = 0; i < 2; i++)"),
        ("    }\n", "    } else {\n        next();\n    }\n"),
        // What it needs stays there, or others need it.
        ("await(1)", "int *x = there()"),
        ("@2barrier()", "@2use(sum)"),
        ("    @2barrier", "    if (n)\n        return;\n    @2barrier"),
    ];
    for (old, new) in table {
        let found = moved("a.c", &text.replacen(old, new, 1), "LOAD", true);
        assert!(found.is_err(), "{new}: {found:?}");
    }
    assert!(moved("a.c", text, "LOAD", true).is_ok());
}

/// A loop of tests waits as the wait does that it is advised for.
#[test]
fn a_loop_of_tests_is_moved_as_a_wait() {
    let text = "f()\n{\n    int over = 0;\n    @2seen = x[0];\n    while (!over)\n        @1MPI_Win_test(win, &over);\n    end();\n}\n";
    let wanted = "f()\n{\n    int over = 0;\n    while (!over)\n        MPI_Win_test(win, &over);\n    seen = x[0];\n    end();\n}\n";
    assert_eq!(moved("a.c", text, "MPI_Win_wait", false).as_deref(), Ok(wanted));
    let found = moved("a.c", &text.replace("x[0]", "x[over]"), "MPI_Win_wait", false);
    assert!(matches!(found, Err(Refusal::OtherValue(..))), "{found:?}");
}

/// A call of all that was tried within a branch: the branch ends before it, and begins again after it.
#[test]
fn a_call_of_all_is_moved_into_a_branch() {
    let text = "f()\n{\n    MPI_Comm_rank(comm, &rank);\n    if (rank == 0) {\n        @1MPI_Get(&v, 1, win);\n        @2seen = v;\n    }\n    \
                MPI_Win_fence(0, win);\n    end();\n}\n";
    let moved = |text: &str| {
        let suggestion = |places: &[Place; 2]| {
            let line = text.lines().position(|line| line.contains("fence")).unwrap_or(0) as u32 + 1;
            let fence = Place {
                file: "a.c".to_owned(),
                line,
                column: Some(5),
            };
            let call = "MPI_Win_fence".to_owned();
            let stretch = Stretch {
                after: Some(places[0].clone()),
                before: Some(places[1].clone()),
                at_end: true,
            };
            Suggestion {
                action: Action::Move,
                call: call.clone(),
                at: Some(fence),
                before: Some(places[1].clone()),
                proof: Some(Proof::Verified),
                stands: vec![Stand {
                    call,
                    stretches: vec![stretch],
                }],
                ..Suggestion::default()
            }
        };
        repaired("a.c", text, "MPI_Get", &suggestion)
    };
    let wanted = "f()\n{\n    MPI_Comm_rank(comm, &rank);\n    if (rank == 0) {\n        MPI_Get(&v, 1, win);\n    }\n    MPI_Win_fence(0, win);\n    \
                  if (rank == 0) {\n        seen = v;\n    }\n    end();\n}\n";
    assert_eq!(moved(text).as_deref(), Ok(wanted));
    // What comes between the branch and the call may end the program.
    let leaves = text.replace(
        "    MPI_Win_fence",
        "    check(v);\n    if (v) exit(1);\n    MPI_Win_fence",
    );
    assert!(matches!(moved(&leaves), Err(Refusal::MayLeave(..))));
}

#[test]
fn what_would_change_is_refused() {
    let function = |body: &str| format!("f()\n{{\n{body}}}\n");
    let table = [
        // Its arguments would have other values.
        (
            "    @2x[0] = 1;\n    to = 2;\n    @1MPI_Win_flush(to, win);\n",
            false,
            "a.c:4: `to` may have another value",
        ),
        (
            "    @2x[0] = 1;\n    next(&to);\n    @1MPI_Win_flush(to, win);\n",
            false,
            "a.c:4: `to`",
        ),
        (
            "    @2x[0] = 1;\n    int to = 2;\n    @1MPI_Win_flush(to, win);\n",
            false,
            "a.c:4: `to`",
        ),
        // Others would read what it has not written yet.
        (
            "    @1rc = MPI_Win_flush(1, win);\n    check(rc);\n    @2x[0] = 1;\n",
            true,
            "a.c:4: `rc`",
        ),
        // It would not be reached as often.
        (
            "    @1MPI_Win_flush(1, win);\n    if (x[1])\n        return;\n    @2x[0] = 1;\n",
            true,
            "a.c:4: what comes after",
        ),
        (
            "    @2x[0] = 1;\n    if (x[1]) {\n        @1MPI_Win_flush(1, win);\n    }\n",
            false,
            "a.c:3: `x` may have another value",
        ),
        (
            "    if (x[1])\n        @1MPI_Win_flush(1, win);\n    @2x[0] = 1;\n",
            true,
            "a.c:5: `x` may have another value",
        ),
        (
            "    @2x[0] = 1;\n    int rc = @1MPI_Win_flush(1, win);\n",
            false,
            "declares something",
        ),
        (
            "    @2x[0] = 1;\n#ifdef A\n    a();\n#endif\n    @1MPI_Win_flush(1, win);\n",
            false,
            "directive",
        ),
        (
            "    @2x[0] = 1;\n    @1COMPLETE(win);\n",
            false,
            "a macro or another function makes it",
        ),
    ];
    for (body, after, reason) in table {
        let refusal = moved("a.c", &function(body), "MPI_Win_flush", after).unwrap_err();
        assert!(refusal.to_string().contains(reason), "{refusal}\n{body}");
    }
}

/// A load or a store, after what it relies on: a loop that tests, which stays where it is.
#[test]
fn a_statement_that_makes_an_access_is_moved() {
    let text = "f()\n{\n    int flag = 0;\n    @1seen = x[0]; // now\n    while (!flag)\n        @2MPI_Test(&request, &flag, 0);\n    \
                use(seen);\n}\n";
    let wanted = "f()\n{\n    int flag = 0;\n    while (!flag)\n        MPI_Test(&request, &flag, 0);\n    seen = x[0]; // now\n    \
                  use(seen);\n}\n";
    assert_eq!(moved("a.c", text, "LOAD", true).as_deref(), Ok(wanted));
    let table = [
        ("seen = x[0]", "seen = look(x)", "calls a function"),
        ("seen = x[0]", "flag = x[0]", "`flag` may have another value"),
        ("seen = x[0]", "seen = x[flag]", "`flag` may have another value"),
        ("seen = x[0]", "int seen = x[0]", "declares something"),
        (
            "@1seen = x[0];",
            "if (@1x[0])\n        seen = 1;",
            "part of a condition",
        ),
        (
            "MPI_Test(&request, &flag, 0)",
            "MPI_Recv(&x[1], 1, 0)",
            "`x` may have another value",
        ),
    ];
    for (old, new, reason) in table {
        let refusal = moved("a.c", &text.replace(old, new), "LOAD", true).unwrap_err();
        assert!(refusal.to_string().contains(reason), "{refusal}\n{new}");
    }
}

/// `CHECK(call);` is that call with what looks at its error, and goes with it; a loop around the new place that does
/// not have the old one was not around the epoch.
#[test]
fn a_call_whose_error_is_checked_is_moved_out_of_other_loops() {
    let text = |statement: &str| {
        format!(
            "g(MPI_Win w)\n{{\n    for (i = 0; i < 3; i++)\n        for (j = 0; j < 3; j++) @2x[i] += 1;\n}}\nf(MPI_Win w)\n{{\n    \
             @1{statement}\n    MPI_Win_wait(w);\n}}\n"
        )
    };
    let found = moved(
        "a.c",
        &text("CHECK(MPI_Win_complete(w));"),
        "MPI_Win_complete(w)",
        false,
    );
    let wanted = "g(MPI_Win w)\n{\n    CHECK(MPI_Win_complete(w));\n    for (i = 0; i < 3; i++)\n        for (j = 0; j < 3; j++) \
                  x[i] += 1;\n}\nf(MPI_Win w)\n{\n    MPI_Win_wait(w);\n}\n";
    assert_eq!(found.as_deref(), Ok(wanted));
    for statement in [
        "if (MPI_Win_complete(w)) e();",
        "e += MPI_Win_complete(w);",
        "return (MPI_Win_complete(w));",
    ] {
        let refusal = moved("a.c", &text(statement), "MPI_Win_complete(w)", false);
        assert!(
            matches!(refusal, Err(Refusal::InCondition(_))),
            "{statement}: {refusal:?}"
        );
    }
}

#[test]
fn directives_of_the_preprocessor_are_no_directives_of_openmp() {
    let text = "f()\n{\n#if BUG\n    @2x[0] = 1;\n#endif\n    @1MPI_Win_wait(w);\n}\n";
    let refusal = moved("a.c", text, "MPI_Win_wait", false);
    assert!(matches!(refusal, Err(Refusal::Preprocessor(_))), "{refusal:?}");
}
