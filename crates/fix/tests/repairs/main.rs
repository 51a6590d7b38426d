//! What the repair of a finding makes of a source. In the sources, `@1` stands right before the first party and `@2`
//! right before the second one.

mod argument;
mod attach;
mod callers;
mod calls;
mod exclusion;
mod group;
mod meeting;
mod moves;
mod second_buffer;
mod wait;
mod written;

use farside_findings::{
    Action, Creation, Finding, Frame, Party, Place, Proof, Report, Rule, Severity, Stand, Stretch, Suggestion,
};
use farside_fix::{Plan, Refusal, changes};

/// A source without its marks, and the places where they were.
fn marked(file: &str, text: &str) -> (String, [Place; 2]) {
    let mut text = text.to_owned();
    let mut place = |mark: &str| {
        let at = text.find(mark).unwrap_or(0);
        text = text.replacen(mark, "", 1);
        let before = &text[..at];
        Place {
            file: file.to_owned(),
            line: before.matches('\n').count() as u32 + 1,
            column: Some((at - before.rfind('\n').map_or(0, |end| end + 1)) as u32 + 1),
        }
    };
    // A mark that is found later must not move one that was found before in its line.
    let second = place("@2");
    let first = place("@1");
    (text, [first, second])
}

/// Another argument in the call at the first place, if that was meant.
fn if_meant([old, new]: [&str; 2], places: &[Place; 2]) -> Suggestion {
    Suggestion {
        action: Action::Replace,
        call: new.to_owned(),
        instead_of: Some(old.to_owned()),
        at: Some(places[0].clone()),
        position: "if that is what was meant".to_owned(),
        ..Suggestion::default()
    }
}

/// A race of an operation and an access, with a suggestion.
fn finding(operation: &str, places: &[Place; 2], suggestion: Suggestion) -> Finding {
    let party = |operation: &str, rank: u32, place: &Place| Party {
        operation: operation.to_owned(),
        effect: String::new(),
        rank,
        host: None,
        thread: 0,
        strand: None,
        target: operation.contains('_').then_some(1),
        stack: vec![Frame {
            function: Some("main".to_owned()),
            place: Some(place.clone()),
            ..Frame::default()
        }],
    };
    Finding {
        id: "0123456789".to_owned(),
        rule: Rule::RemoteRace,
        cause: None,
        severity: Severity::Error,
        message: String::new(),
        possible: false,
        arguments: None,
        inputs: None,
        replay: None,
        other_order: false,
        per_node: None,
        parties: vec![party(operation, 0, &places[0]), party("LOAD", 1, &places[1])],
        window: Some("win".to_owned()),
        // No line of the source, so only the name is known.
        created: Some(Creation {
            call: "MPI_Win_create".to_owned(),
            place: Place::default(),
        }),
        bytes: None,
        missing: None,
        suggestion: Some(suggestion),
        count: 1,
        ranks: Default::default(),
        timeline: None,
        scene: None,
        litmus: None,
    }
}

fn insert(call: &str, places: &[Place; 2]) -> Suggestion {
    Suggestion {
        call: call.to_owned(),
        after: Some(places[0].clone()),
        before: Some(places[1].clone()),
        ..Suggestion::default()
    }
}

/// The source after the repair, or why there is none.
fn repaired(
    file: &str,
    text: &str,
    operation: &str,
    suggestion: &dyn Fn(&[Place; 2]) -> Suggestion,
) -> Result<String, Refusal> {
    let (text, places) = marked(file, text);
    let report = Report {
        findings: vec![finding(operation, &places, suggestion(&places))],
        ..Report::default()
    };
    let plan = Plan::of(&report, &|_| true, &|_| Ok(text.clone()));
    if let Some((_, refusal)) = plan.refused().first() {
        assert_eq!(plan.files().count(), 0);
        return Err(refusal.clone());
    }
    let new = plan.files().next().map(|(_, _, new)| new.to_owned());
    Ok(new.expect("a file changes"))
}

#[test]
fn calls_are_inserted_where_they_belong() {
    let put = "MPI_Put(&v, 1, MPI_INT, peer, 0, 1, MPI_INT, win);";
    let wrap = |body: &str| {
        let body = body.replace("PUT", put);
        format!(
            "int main(void)\n{{\n    int rank, v, peer = 1;\n    MPI_Win win;\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n{body}}}\n"
        )
    };
    let table = [
        // One rank, with the target of the operation.
        (
            "MPI_Win_flush(1, win)",
            "    if (rank == 0)\n        @1PUT\n    @2use(x[0]);\n",
            "    if (rank == 0) {\n        PUT\n        MPI_Win_flush(peer, win);\n    }\n    use(x[0]);\n",
        ),
        // One rank, and all ranks after its branch.
        (
            "MPI_Win_flush(1, win); MPI_Barrier(comm)",
            "    if (rank == 0)\n        @1PUT\n    if (rank == 1)\n        @2use(x[0]);\n",
            "    if (rank == 0) {\n        PUT\n        MPI_Win_flush(peer, win);\n    }\n    \
             MPI_Barrier(MPI_COMM_WORLD);\n    if (rank == 1)\n        use(x[0]);\n",
        ),
        // Two branches of one `if`, and the ranks that take neither.
        (
            "MPI_Win_fence(0, win)",
            "    if (rank == 0) {\n        @1PUT\n    } else if (rank == 1) {\n        @2use(x[0]);\n    }\n",
            "    if (rank == 0) {\n        PUT\n        MPI_Win_fence(0, win);\n    } else if (rank == 1) {\n        \
             MPI_Win_fence(0, win);\n        use(x[0]);\n    } else {\n        MPI_Win_fence(0, win);\n    }\n",
        ),
        // One branch that asks for the rank.
        (
            "MPI_Win_fence(0, win)",
            "    if (rank == 0) {\n        @1PUT // first\n        @2v = 2;\n    }\n",
            "    if (rank == 0) {\n        PUT // first\n    }\n    MPI_Win_fence(0, win);\n    if (rank == 0) {\n        \
             v = 2;\n    }\n",
        ),
        // From one round to the next.
        (
            "MPI_Win_fence(0, win)",
            "    for (int i = 0; i < 3; i++) {\n        if (rank == 1)\n            @2use(x[0]);\n        if (rank == 0)\n            \
             @1PUT\n    }\n",
            "    for (int i = 0; i < 3; i++) {\n        if (rank == 1)\n            use(x[0]);\n        if (rank == 0)\n            \
             PUT\n        MPI_Win_fence(0, win);\n    }\n",
        ),
    ];
    for (call, text, wanted) in table {
        let found = repaired("a.c", &wrap(text), "MPI_Put", &|places| insert(call, places));
        assert_eq!(found.as_deref(), Ok(&*wrap(wanted)), "{text}");
    }
}

#[test]
fn fortran_has_call_and_an_error() {
    let text = "program p\n  use mpi\n  integer :: win, ierr\n  call MPI_Init(ierr)\n  \
                if (rank == 0) @1call MPI_Put(a, 1, MPI_INTEGER, 1, disp, 1, MPI_INTEGER, win, ierr)\n  @2print *, a\nend program\n";
    let wanted = "program p\n  use mpi\n  integer :: win, ierr\n  call MPI_Init(ierr)\n  if (rank == 0) then\n    \
                  call MPI_Put(a, 1, MPI_INTEGER, 1, disp, 1, MPI_INTEGER, win, ierr)\n    \
                  call MPI_Win_flush(1, win, ierr)\n  end if\n  call MPI_Barrier(MPI_COMM_WORLD, ierr)\n  print *, a\nend program\n";
    let found = repaired("a.f90", text, "MPI_Put", &|places| {
        insert("MPI_Win_flush(1, win); MPI_Barrier(comm)", places)
    });
    assert_eq!(found.as_deref(), Ok(wanted));
}

#[test]
fn other_interfaces_have_their_own_arguments() {
    let shmem = "void f(shmem_ctx_t c)\n{\n    @1shmem_ctx_int_put(c, x, v, 4, 1);\n    @2use(x[0]);\n}\n";
    let found = repaired("a.c", shmem, "shmem_ctx_put", &|places| {
        insert("shmem_ctx_quiet(context)", places)
    });
    assert!(found.unwrap().contains("4, 1);\n    shmem_ctx_quiet(c);\n"));
    let gaspi = "void f(void)\n{\n    int q = 0;\n    @1gaspi_read(0, 0, 1, 0, 0, 8, q, GASPI_BLOCK);\n    @2use(x[0]);\n}\n";
    let found = repaired("a.cpp", gaspi, "gaspi_read", &|places| {
        insert("gaspi_wait(queue, GASPI_BLOCK)", places)
    });
    assert!(
        found
            .unwrap()
            .contains("GASPI_BLOCK);\n    gaspi_wait(q, GASPI_BLOCK);\n")
    );
}

#[test]
fn a_notification_is_posted_and_awaited() {
    let text = "void f(int me, long *x)\n{\n    gaspi_notify_waitsome(0, 65000, 1, &id, GASPI_BLOCK);\n    if (me == 0)\n        \
                @1gaspi_write(1, 0, 1, 0, 512, 8, q, GASPI_BLOCK);\n    if (me == 1)\n        @2use(x[64]);\n}\n";
    let notify = |places: &[Place; 2]| Suggestion {
        before: None,
        ..insert(
            "gaspi_notify(segment, 1, notification, value, queue, GASPI_BLOCK)",
            places,
        )
    };
    let found = repaired("a.c", text, "gaspi_write", &notify).unwrap();
    // 0x0123 less than the last number.
    assert!(
        found.contains("q, GASPI_BLOCK);\n        gaspi_notify(0, 1, 65244, 1, q, GASPI_BLOCK);\n    }\n"),
        "{found}"
    );
    assert!(
        found.contains("gaspi_notify_waitsome(0, 65244, 1, &notified, GASPI_BLOCK);\n"),
        "{found}"
    );
    let round = text.replace("if (me == 0)", "while (me == 0)");
    let refusal = repaired("a.c", &round, "gaspi_write", &notify).unwrap_err();
    assert_eq!(refusal, Refusal::InLoop("gaspi_notify".to_owned()));
    let sum = text.replace(
        "        @2use",
        "        for (int i = 0; i < 4; i++)\n            @2use",
    );
    let found = repaired("a.c", &sum, "gaspi_write", &notify).unwrap();
    assert!(
        found.contains("        }\n        for (int i = 0; i < 4; i++)\n            use"),
        "{found}"
    );
    let range = text.replace("65000, 1, &id", "0, n, &id");
    let refusal = repaired("a.c", &range, "gaspi_write", &notify).unwrap_err();
    assert!(matches!(refusal, Refusal::Placeholder(what, _) if what == "notification"));
}

/// A notification that is posted already is awaited where the other access stands.
#[test]
fn a_notification_that_is_posted_is_awaited() {
    let text = "void f(int me, long *x)\n{\n    if (me == 0) {\n        gaspi_write(1, 0, 1, 0, 512, 8, q, GASPI_BLOCK);\n        \
                @1gaspi_notify(3, 1, 5, 1, q, GASPI_BLOCK);\n    }\n    if (me == 1)\n        @2use(x[64]);\n}\n";
    let wait = |places: &[Place; 2]| {
        insert(
            "gaspi_notify_waitsome(segment, 5, 1, &first, GASPI_BLOCK)",
            places,
        )
    };
    let awaited = |text: &str| repaired("a.c", text, "gaspi_write", &wait);
    let found = awaited(text).expect("a repair");
    let calls = "            gaspi_notify_waitsome(3, 5, 1, &notified, GASPI_BLOCK);\n            \
                 gaspi_notify_reset(3, notified, &notified_by);\n        }\n        use(x[64]);\n";
    assert!(found.contains(calls), "{found}");
    assert_eq!(found.matches("gaspi_notify(").count(), 1, "{found}");
    let with_data = text.replace(
        "gaspi_notify(3, 1, 5, 1,",
        "gaspi_write_notify(1, 8, 1, 3, 520, 8, 5, 1,",
    );
    assert!(awaited(&with_data).expect("a repair").contains(calls));
    let other = text.replace("gaspi_notify(3", "tell(3");
    assert!(matches!(awaited(&other), Err(Refusal::NoCall(..))));
}

/// The target alone waits for a notification before a call that others make as well.
#[test]
fn a_notification_is_told_before_a_call_that_is_there() {
    let text = "void f(void)\n{\n    gaspi_proc_rank(&me);\n    if (me == 0) {\n        \
                @1gaspi_write(1, 0, 1, 0, 512, 8, q, GASPI_BLOCK);\n    }\n    gaspi_barrier(all, wait);\n    \
                if (me == 2)\n        @2seen = x[64];\n}\n";
    let told = |places: &[Place; 2]| {
        let barrier = Place {
            line: places[0].line + 2,
            column: Some(5),
            ..places[0].clone()
        };
        let notify = "gaspi_notify(segment, 1, notification, value, queue, GASPI_BLOCK)".to_owned();
        let awaited = "gaspi_notify_waitsome(segment, notification, 1, &first, GASPI_BLOCK)".to_owned();
        let stand = |call, stretch| Stand {
            call,
            stretches: vec![stretch],
        };
        Suggestion {
            before: Some(barrier.clone()),
            proof: Some(Proof::Verified),
            stands: vec![
                stand(notify.clone(), Stretch::after(places[0].clone())),
                stand(awaited, Stretch::before(barrier)),
            ],
            ..insert(&notify, places)
        }
    };
    let found = repaired("a.c", text, "gaspi_write", &told).expect("a repair");
    let waits = "    if (me == 1) {\n        gaspi_notification_id_t notified;\n        \
                 gaspi_notification_t notified_by;\n        \
                 gaspi_notify_waitsome(0, 65244, 1, &notified, GASPI_BLOCK);\n        \
                 gaspi_notify_reset(0, notified, &notified_by);\n    }\n    gaspi_barrier(all, wait);\n";
    assert!(found.contains(waits), "{found}");
    assert!(
        found.contains("        gaspi_notify(0, 1, 65244, 1, q, GASPI_BLOCK);\n    }\n"),
        "{found}"
    );
}

/// Where a third process has to learn that the data came: its target alone waits for the notification, and all meet.
#[test]
fn a_notification_is_told_to_all() {
    let text = "void f(void)\n{\n    gaspi_proc_rank(&me);\n    if (me == 0) {\n        \
                @1gaspi_write(1, 0, 1, 0, 512, 8, q, GASPI_BLOCK);\n    }\n    if (me == 2)\n        @2seen = x[64];\n}\n";
    let told = |places: &[Place; 2]| {
        insert(
            "gaspi_notify(segment, 1, notification, value, queue, GASPI_BLOCK); \
             gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK)",
            places,
        )
    };
    let wanted = "    if (me == 1) {\n        gaspi_notification_id_t notified;\n        \
                  gaspi_notification_t notified_by;\n        \
                  gaspi_notify_waitsome(0, 65244, 1, &notified, GASPI_BLOCK);\n        \
                  gaspi_notify_reset(0, notified, &notified_by);\n    }\n    \
                  gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);\n    if (me == 2)\n";
    let found = repaired("a.c", text, "gaspi_write", &told).unwrap();
    assert!(
        found.contains("        gaspi_notify(0, 1, 65244, 1, q, GASPI_BLOCK);\n    }\n"),
        "{found}"
    );
    assert!(found.contains(wanted), "{found}");
    // Who that is, is not known from a name.
    let named = text
        .replace("512, 8", "512 * next, 8")
        .replace("(1, 0, 1, 0,", "(1, 0, next, 0,");
    let refusal = repaired("a.c", &named, "gaspi_write", &told).unwrap_err();
    assert!(matches!(refusal, Refusal::Placeholder(what, _) if what == "next"));
}

/// Methods are those of what the operation is a method of, and of the world; a target that is no number is all.
#[test]
fn rust_has_receivers_and_errors() {
    let text = "fn f(all: &World) -> Result<()> {\n    window.lock_all(|epoch| {\n        @1epoch.put(&mine, next, 0)?;\n        \
                @2all.send(1, 0, &[0])\n    })\n}\n";
    let told = |call: &'static str| move |places: &[Place; 2]| insert(call, places);
    let found = repaired("a.rs", text, "put", &told("epoch.flush(1); world.barrier()"));
    let wanted =
        "        epoch.put(&mine, next, 0)?;\n        epoch.flush_all()?;\n        all.barrier()?;\n";
    assert!(
        found.as_ref().is_ok_and(|found| found.contains(wanted)),
        "{found:?}"
    );
    let value = text.replace(
        "0)?;\n        @2",
        "0)\n    });\n    window.lock_all(|_| {\n        @2",
    );
    for (text, call, wanted) in [
        (text, "Ok(()) })?; window.fence(|epoch| {", "ends one closure"),
        (text, "request.wait()", "`request` in `request.wait`"),
        (&text.replace('?', ""), "epoch.flush(1)", "takes an error"),
        (&value, "epoch.flush(1)", "the value of its block"),
    ] {
        let refusal = repaired("a.rs", text, "put", &told(call))
            .unwrap_err()
            .to_string();
        assert!(refusal.contains(wanted), "{refusal}");
    }
}

/// Others may jump to a label: before what is added, or after it.
#[test]
fn nothing_is_written_beside_a_label() {
    let text =
        "      program p\n      do 10 i = 1, 2\n   10 @1call MPI_Put(a, 1, win)\n      @2a = 1\n      end\n";
    let flush = |places: &[Place; 2]| insert("MPI_Win_flush_local_all(win)", places);
    let refusal = repaired("a.f", text, "MPI_Put", &flush).unwrap_err();
    assert!(matches!(refusal, Refusal::Labelled(place) if place.line == 3));
}

#[test]
fn code_is_replaced_and_moved() {
    let text = "void f(MPI_Win win)\n{\n    @1MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win); // begin\n    @2x[0] = 1;\n    \
                MPI_Win_wait(win);\n}\n";
    let replaced = repaired("a.c", text, "MPI_Win_fence", &|places| Suggestion {
        action: Action::Replace,
        call: "MPI_MODE_NOPUT".to_owned(),
        instead_of: Some("MPI_MODE_NOPUT | MPI_MODE_NOSTORE".to_owned()),
        at: Some(places[0].clone()),
        ..Suggestion::default()
    });
    assert!(
        replaced
            .unwrap()
            .contains("    MPI_Win_fence(MPI_MODE_NOPUT, win); // begin\n")
    );
    let moved = repaired("a.c", text, "MPI_Win_fence", &|places| Suggestion {
        action: Action::Move,
        call: "MPI_Win_wait(win)".to_owned(),
        at: Some(Place {
            line: 5,
            column: None,
            ..places[0].clone()
        }),
        before: Some(places[1].clone()),
        ..Suggestion::default()
    });
    assert!(
        moved
            .unwrap()
            .ends_with("// begin\n    MPI_Win_wait(win);\n    x[0] = 1;\n}\n")
    );
}

#[test]
fn what_is_not_sure_is_refused() {
    let flush = "MPI_Win_flush(1, win)";
    let table = [
        (
            "a.c",
            "void f(MPI_Win win)\n{\n    return @1MPI_Put(a, b, c, 1, e, f, g, win);\n    @2x();\n}\n",
            flush,
            "a `return`",
        ),
        (
            "a.c",
            "// DO NOT EDIT\nvoid f(void)\n{\n    @1a();\n    @2b();\n}\n",
            flush,
            "generated (DO NOT EDIT)",
        ),
        (
            "a.txt",
            "@1a();\n@2b();\n",
            flush,
            "no language that can be edited",
        ),
        (
            "a.c",
            "void f(int r)\n{\n    MPI_Comm_rank(c, &r);\n    if (r < 2) {\n        @1a();\n        @2b();\n    } else {\n        d();\n    }\n}\n",
            "MPI_Barrier(comm)",
            "only for some",
        ),
        (
            "a.c",
            "void f(void)\n{\n    @1a();\n}\nvoid g(void)\n{\n    @2b();\n}\n",
            "MPI_Barrier(comm)",
            "no function has both",
        ),
        (
            "a.c",
            "void f(void)\n{\n    @1a();\n    @2b();\n}\n",
            "MPI_Win_start(group, 0, win)",
            "what stands for `group`",
        ),
        (
            "a.c",
            "void f(void)\n{\n    @1a();\n    @2b();\n}\n",
            "order the threads",
            "is no code",
        ),
        (
            "a.c",
            "void f(MPI_Win win)\n{\n#pragma omp atomic\n    @1MPI_Put(a, b, c, 1, e, f, g, win);\n    @2x();\n}\n",
            flush,
            "a directive of OpenMP",
        ),
    ];
    for (file, text, call, why) in table {
        let operation = if call == flush { "MPI_Put" } else { "LOAD" };
        let refusal = repaired(file, text, operation, &|places| insert(call, places)).unwrap_err();
        assert!(refusal.to_string().contains(why), "{refusal}");
    }
}

#[test]
fn an_operation_loses_its_request() {
    let text = "void f(int v, MPI_Win win)\n{\n    MPI_Request one = MPI_REQUEST_NULL, two;\n    \
                @1MPI_Rget(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &one);\n    MPI_Wait(&one, MPI_STATUS_IGNORE);@2\n}\n";
    let without = |text: &str| {
        repaired("a.c", text, "MPI_Rget", &|places| Suggestion {
            action: Action::Replace,
            call: "MPI_Get".to_owned(),
            instead_of: Some("MPI_Rget".to_owned()),
            at: Some(places[0].clone()),
            ..Suggestion::default()
        })
    };
    let new = without(text).expect("a change");
    assert!(
        new.contains("    MPI_Get(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);\n"),
        "{new}"
    );
    // Nobody knows what is waited for then.
    let other = without(&text.replace("&one", "&two"));
    assert!(matches!(other, Err(Refusal::WordsOnly(_))), "{other:?}");
}

#[test]
fn a_put_may_write_at_once() {
    let text = "void f(int v, MPI_Win win)\n{\n    @1MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);@2\n}\n";
    let new = repaired("a.c", text, "MPI_Put", &|places| Suggestion {
        action: Action::Replace,
        call: "MPI_Accumulate(..., MPI_REPLACE, win)".to_owned(),
        instead_of: Some("MPI_Put".to_owned()),
        at: Some(places[0].clone()),
        ..Suggestion::default()
    });
    let new = new.expect("a change");
    let wanted = "MPI_Accumulate(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);";
    assert!(new.contains(wanted), "{new}");
}

#[test]
fn a_constant_goes_out_of_an_expression() {
    let text = "void f(int rank, MPI_Win win)\n{\n    \
                @1MPI_Win_fence(rank == 0 ? MPI_MODE_NOPRECEDE : 0, win);@2\n}\n";
    let without = |text: &str| {
        repaired("a.c", text, "MPI_Win_fence", &|places| Suggestion {
            action: Action::Replace,
            call: "0".to_owned(),
            instead_of: Some("MPI_MODE_NOPRECEDE".to_owned()),
            at: Some(places[0].clone()),
            ..Suggestion::default()
        })
    };
    let new = without(text).expect("a change");
    assert!(new.contains("MPI_Win_fence(rank == 0 ? 0 : 0, win);"), "{new}");
    let twice = without(&text.replace(": 0", ": MPI_MODE_NOPRECEDE"));
    assert!(matches!(twice, Err(Refusal::NotWritten(..))), "{twice:?}");
}

#[test]
fn both_locks_are_checked() {
    let text = "void f(MPI_Win w)\n{\n    @1MPI_Win_lock(MPI_LOCK_SHARED, 1, MPI_MODE_NOCHECK, w);\n    g(w);\n    \
                @2MPI_Win_lock_all(MPI_MODE_NOCHECK | MPI_MODE_OTHER, w);\n}\n";
    let checked = |text: &str| {
        repaired("a.c", text, "MPI_Win_lock", &|places| Suggestion {
            action: Action::Replace,
            call: "0".to_owned(),
            instead_of: Some("MPI_MODE_NOCHECK".to_owned()),
            at: Some(places[0].clone()),
            position: "and in the other lock".to_owned(),
            ..Suggestion::default()
        })
    };
    let both = checked(text).expect("a change");
    assert!(both.contains("MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, w);"), "{both}");
    assert!(both.contains("MPI_Win_lock_all(MPI_MODE_OTHER, w);"), "{both}");
    let one = checked(&text.replace("MPI_MODE_NOCHECK | MPI_MODE_OTHER", "0")).expect("a change");
    assert!(one.contains("MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, w);"), "{one}");
    assert!(one.contains("MPI_Win_lock_all(0, w);"), "{one}");
}

#[test]
fn locks_that_a_suggestion_names_become_exclusive_and_a_call_goes() {
    let text = "void f(MPI_Win w)\n{\n    @1MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, w);\n    @2x();\n    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, v);\n    \
                MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w);\n}\n";
    let other = Place {
        file: "a.c".to_owned(),
        line: 6,
        column: None,
    };
    let changed = |action, call: &str, instead_of: Option<&str>, before: Option<&Place>| {
        repaired("a.c", text, "MPI_Win_lock", &|places| Suggestion {
            action,
            call: call.to_owned(),
            instead_of: instead_of.map(str::to_owned),
            at: Some(places[0].clone()),
            before: before.cloned(),
            ..Suggestion::default()
        })
    };
    let kind = ["MPI_LOCK_EXCLUSIVE", "MPI_LOCK_SHARED"];
    let exclusive = |before| changed(Action::Replace, kind[0], Some(kind[1]), before).unwrap();
    let one = exclusive(None);
    assert!(one.contains("MPI_LOCK_EXCLUSIVE, 1, 0, w"), "{one}");
    // Another lock of the window is not of the finding.
    assert!(one.contains("MPI_LOCK_SHARED, 0, 0, w"), "{one}");
    let both = exclusive(Some(&other));
    assert_eq!(both.matches("MPI_LOCK_EXCLUSIVE").count(), 2, "{both}");
    assert!(both.contains("MPI_LOCK_EXCLUSIVE, 0, 0, w"), "{both}");
    assert!(both.contains("MPI_LOCK_SHARED, 1, 0, v"), "{both}");
    let removed = changed(Action::Remove, "MPI_Win_lock", None, None).unwrap();
    assert!(
        removed.starts_with("void f(MPI_Win w)\n{\n    x();\n"),
        "{removed}"
    );
}

/// Members of a class are declared below; what the statement of the operation names is known beside it.
#[test]
fn what_a_statement_names_is_known_beside_it() {
    let text = "struct epoch {\n    void put() {\n        @1MPI_Put(a, b, c, 1, e, f, g, win_);\n    }\n    void use() {\n        \
                @2x();\n    }\n    MPI_Win win_;\n};\n";
    let new = repaired("a.cpp", text, "MPI_Put", &|places| {
        insert("MPI_Win_flush(1, win)", places)
    });
    assert!(new.is_ok_and(|new| new.contains("win_);\n        MPI_Win_flush(1, win_);\n")));
}

/// What a loop declares is not known after it.
#[test]
fn names_of_a_loop_end_with_it() {
    let text = "void f(struct part *first)\n{\n    for (struct part *p = first; p; p = p->next)\n        \
                @1MPI_Put(a, b, c, 1, e, f, g, p->win);\n    for (struct part *p = first; p; p = p->next)\n        \
                @2use(p);\n}\n";
    let refusal = repaired("a.c", text, "MPI_Put", &|places| {
        insert("MPI_Win_fence(0, win)", places)
    });
    assert!(matches!(refusal, Err(Refusal::Unknown(name, _)) if name == "p->win"));
}

/// What was verified at other places than the one where it can be written is not written; what else helps is.
#[test]
fn a_call_is_written_where_it_was_tried() {
    let text = "void f(MPI_Win win)\n{\n    if (a) {\n        @1MPI_Put(a, b, c, 1, e, f, g, win);\n        x();\n    }\n    y();\n    @2z();\n}\n";
    let line = |places: &[Place; 2], line| Place {
        line,
        column: None,
        ..places[0].clone()
    };
    let barrier = |places: &[Place; 2], from, to| Suggestion {
        proof: Some(Proof::Verified),
        stands: vec![Stand {
            call: "MPI_Barrier(comm)".to_owned(),
            stretches: vec![Stretch {
                after: Some(line(places, from)),
                before: Some(line(places, to)),
                at_end: false,
            }],
        }],
        ..insert("MPI_Barrier(comm)", places)
    };
    let told = |from, to| repaired("a.c", text, "MPI_Put", &|places| barrier(places, from, to));
    let with = |line: &str| {
        let call = format!("{line}\n    MPI_Barrier(MPI_COMM_WORLD);\n");
        marked("a.c", text).0.replace(&format!("{line}\n"), &call)
    };
    // Right after the put is within its branch.
    assert_eq!(told(4, 5), Err(Refusal::NotThere("MPI_Barrier(comm)".to_owned())));
    assert_eq!(told(5, 7), Ok(with("    }")));
    assert_eq!(told(7, 8), Ok(with("    y();")));
    let flush = |places: &[Place; 2]| Suggestion {
        proof: Some(Proof::Verified),
        stands: vec![Stand {
            call: "MPI_Win_flush(1, win)".to_owned(),
            stretches: vec![Stretch::after(line(places, 4))],
        }],
        ..insert("MPI_Win_flush(1, win)", places)
    };
    let other = repaired("a.c", text, "MPI_Put", &|places| Suggestion {
        others: vec![flush(places)],
        ..barrier(places, 4, 5)
    });
    assert!(
        other
            .unwrap()
            .contains("f, g, win);\n        MPI_Win_flush(1, win);\n")
    );
    let in_vain = repaired("a.c", text, "MPI_Put", &|places| Suggestion {
        proof: Some(Proof::Blocks),
        ..insert("MPI_Barrier(comm)", places)
    });
    assert_eq!(in_vain, Err(Refusal::InVain));
}

#[test]
fn changes_are_told_by_line_and_column() {
    let text = "void f(MPI_Win win)\n{\n    @1MPI_Put(a, b, c, 1, e, f, g, win);\n    @2x();\n}\n";
    let (text, places) = marked("a.c", text);
    let finding = finding("MPI_Put", &places, insert("MPI_Win_flush(1, win)", &places));
    let found = changes(&finding, &|_| Ok(text.clone())).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].from, found[0].to), ((3, 39), (3, 39)));
    assert_eq!(found[0].text, "\n    MPI_Win_flush(1, win);");
}

/// No loop of the function leads from its end to its beginning, but those who call it do.
#[test]
fn a_barrier_before_the_next_call_stands_at_the_end_of_the_function() {
    let call = "MPI_Barrier(MPI_COMM_WORLD)";
    let tried = |verified: bool| {
        move |places: &[Place; 2]| Suggestion {
            proof: verified.then_some(Proof::Verified),
            stands: vec![Stand {
                call: call.to_owned(),
                stretches: vec![Stretch {
                    after: Some(places[0].clone()),
                    before: None,
                    at_end: false,
                }],
            }],
            ..insert(call, places)
        }
    };
    let text = "f(MPI_Win win)\n{\n    int rank;\n    MPI_Comm_rank(comm, &rank);\n    @2MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);\n    if (rank == 0) {\n        @1*count = \
                0;\n    }\n    a();\n}\n";
    let found = repaired("a.c", text, "STORE", &tried(true));
    let wanted = "    }\n    MPI_Barrier(MPI_COMM_WORLD);\n    a();\n}\n";
    assert!(
        found.as_ref().is_ok_and(|text| text.ends_with(wanted)),
        "{found:?}"
    );
    let refusal = repaired("a.c", text, "STORE", &tried(false));
    assert!(matches!(refusal, Err(Refusal::NothingBetween(_))), "{refusal:?}");
}

#[test]
fn what_was_not_tried_is_told_apart() {
    let text = "f(MPI_Win win)\n{\n    @1MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);\n    @2v = 2;\n}\n";
    let (text, places) = marked("a.c", text);
    for verified in [true, false] {
        let suggestion = Suggestion {
            proof: verified.then_some(Proof::Verified),
            stands: vec![Stand {
                call: "MPI_Win_flush(1, win)".to_owned(),
                stretches: vec![Stretch::after(places[0].clone())],
            }],
            ..insert("MPI_Win_flush(1, win)", &places)
        };
        let report = Report {
            findings: vec![finding("MPI_Put", &places, suggestion)],
            ..Report::default()
        };
        let plan = Plan::of(&report, &|_| true, &|_| Ok(text.clone()));
        assert_eq!(plan.repaired().len(), 1);
        assert_eq!(plan.unverified().is_empty(), verified);
    }
}

#[test]
fn one_call_serves_the_findings_of_a_place() {
    let text = "void f(void)\n{\n    @1shmem_int_p(&x, 1, 1);\n    @2z();\n}\n";
    let (text, places) = marked("a.c", text);
    let verified = |call: &str, cost: u64| Suggestion {
        proof: Some(Proof::Verified),
        cost: Some(cost),
        stands: vec![Stand {
            call: call.to_owned(),
            stretches: vec![Stretch::after(places[0].clone())],
        }],
        ..insert(call, &places)
    };
    let moved = Suggestion {
        action: Action::Move,
        call: "z".to_owned(),
        at: Some(places[1].clone()),
        ..verified("z", 0)
    };
    let (fence, quiet) = (verified("shmem_fence()", 100), verified("shmem_quiet()", 20_800));
    let one = Suggestion {
        others: vec![quiet.clone(), moved],
        ..fence
    };
    let told = |suggestions: &[&Suggestion]| {
        let findings = suggestions
            .iter()
            .enumerate()
            .map(|(number, suggestion)| Finding {
                id: format!("{number:010}"),
                ..finding("shmem_put", &places, (*suggestion).clone())
            });
        let report = Report {
            findings: findings.collect(),
            ..Report::default()
        };
        let plan = Plan::of(&report, &|_| true, &|_| Ok(text.clone()));
        assert!(plan.refused().is_empty());
        plan.files().next().map(|(_, _, new)| new.to_owned()).unwrap()
    };
    let with = |call: &str| text.replace("1, 1);\n", &format!("1, 1);\n    {call};\n"));
    // What the report tells first comes before what costs nothing.
    assert_eq!(told(&[&one]), with("shmem_fence()"));
    assert_eq!(told(&[&one, &quiet, &one]), with("shmem_quiet()"));
}
