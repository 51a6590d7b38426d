//! Other arguments, and copies that keep two arguments apart.

use super::{finding, if_meant, marked, repaired};
use farside_findings::{Action, Place, Proof, Report, Suggestion};
use farside_fix::{Plan, Refusal};

/// Writes another argument in the call at the first place.
fn with(text: &str, operation: &str, [old, new]: [&str; 2]) -> Result<String, Refusal> {
    let suggestion = |places: &[Place; 2]| Suggestion {
        proof: Some(Proof::Verified),
        ..if_meant([old, new], places)
    };
    repaired("a.c", text, operation, &suggestion)
}

fn main_of(body: &str) -> String {
    format!("int main(void)\n{{\n{body}    @2done();\n}}\n")
}

#[test]
fn a_number_is_written_where_the_text_has_it() {
    let table = [
        (
            "    @1MPI_Get(copy, 4, MPI_INT, 1, 5, 4, MPI_INT, win);\n",
            "MPI_Get",
            ["count 4", "count 3"],
            "    MPI_Get(copy, 3, MPI_INT, 1, 5, 3, MPI_INT, win);\n",
        ),
        (
            "    MPI_Aint where = -1;\n    @1MPI_Put(&v, 1, MPI_INT, 1, where, 1, MPI_INT, win);\n",
            "MPI_Put",
            ["displacement -1", "displacement 0"],
            "    MPI_Aint where = -1;\n    MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);\n",
        ),
        (
            "    @1MPI_Accumulate(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);\n",
            "MPI_Accumulate",
            ["target 0", "target 1"],
            "    MPI_Accumulate(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);\n",
        ),
        (
            "    if (me == 0)\n        @1shmem_int_iput(x, v, 8, 1, 8, 1);\n",
            "shmem_put",
            ["count 8", "count 7"],
            "    if (me == 0)\n        shmem_int_iput(x, v, 8, 1, 7, 1);\n",
        ),
        (
            "    @1shmem_int_p(x, 7, -1);\n",
            "shmem_int_p",
            ["pe -1", "pe 0"],
            "    shmem_int_p(x, 7, 0);\n",
        ),
        (
            "    @1gaspi_write(0, 8, 1, 0, 8190, 8, 0, GASPI_BLOCK);\n",
            "gaspi_write",
            ["offset_remote 8190", "offset_remote 8184"],
            "    gaspi_write(0, 8, 1, 0, 8184, 8, 0, GASPI_BLOCK);\n",
        ),
    ];
    for (text, operation, code, wanted) in table {
        let found = with(&main_of(text), operation, code);
        assert_eq!(found, Ok(main_of(wanted).replace("@2", "")), "{text}");
    }
}

/// A flush that is no party of the finding gets the target, or the window, of the operation.
#[test]
fn a_flush_is_directed_to_what_the_operation_is() {
    let directed = |flush: &str, [old, new]: [&str; 2]| {
        let text = format!("    @1MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);\n    {flush};\n");
        let suggestion = |places: &[Place; 2]| Suggestion {
            at: Some(Place {
                line: places[0].line + 1,
                column: Some(5),
                ..places[0].clone()
            }),
            position: "in the flush".to_owned(),
            ..if_meant([old, new], places)
        };
        repaired("a.c", &main_of(&text), "MPI_Put", &suggestion)
    };
    let window = ["what it is given", "the window of the operation"];
    for (flush, code, wanted) in [
        (
            "MPI_Win_flush(0, win)",
            ["target 0", "target 1"],
            "    MPI_Win_flush(1, win);\n",
        ),
        (
            "MPI_Win_flush_local(0, win)",
            ["target 0", "target 1"],
            "    MPI_Win_flush_local(1, win);\n",
        ),
        (
            "MPI_Win_flush(1 - me, win)",
            ["target 0", "target 1"],
            "    MPI_Win_flush(1, win);\n",
        ),
        ("MPI_Win_flush(1, other)", window, "    MPI_Win_flush(1, win);\n"),
        (
            "MPI_Win_flush_all(other)",
            window,
            "    MPI_Win_flush_all(win);\n",
        ),
    ] {
        let found = directed(flush, code).expect("a repair");
        assert!(found.contains(wanted), "{found}");
    }
    assert!(matches!(
        directed("MPI_Win_flush(2, win)", ["target 0", "target 1"]),
        Err(Refusal::NotWritten(..))
    ));
}

#[test]
fn what_may_have_other_values_elsewhere_is_left() {
    let refused = |text: &str| {
        let found = with(text, "MPI_Put", ["displacement 8", "displacement 7"]);
        assert!(matches!(found, Err(Refusal::NotWritten(..))), "{text}: {found:?}");
    };
    // Another number, an expression, what a loop counts, and what a function is given.
    refused(&main_of(
        "    @1MPI_Put(&v, 1, MPI_INT, 1, 9, 1, MPI_INT, win);\n",
    ));
    refused(&main_of(
        "    @1MPI_Put(&v, 1, MPI_INT, 1, n - 1, 1, MPI_INT, win);\n",
    ));
    refused(&main_of(
        "    for (int i = 0; i <= 8; i++)\n        @1MPI_Put(&v, 1, MPI_INT, 1, i, 1, MPI_INT, win);\n",
    ));
    refused("void f(int i)\n{\n    @1MPI_Put(&v, 1, MPI_INT, 1, i, 1, MPI_INT, win);\n    @2done();\n}\n");
}

#[test]
fn the_beginning_of_an_allocation_is_its_name() {
    let code = ["the address", "the beginning of its allocation"];
    let text = |address: &str, mark: &str| {
        main_of(&format!("    {mark}x = shmem_realloc({address}, 64);\n"))
            .replace("@2", if mark.is_empty() { "" } else { "@2" })
    };
    assert_eq!(
        with(&text("x + 1", "@1"), "shmem_realloc", code),
        Ok(text("x", ""))
    );
    assert_eq!(
        with(&text("&x[2]", "@1"), "shmem_realloc", code),
        Ok(text("x", ""))
    );
    let unknown = with(&text("middle(x)", "@1"), "shmem_realloc", code);
    assert!(matches!(unknown, Err(Refusal::WordsOnly(_))), "{unknown:?}");
}

/// A barrier of some is one of all processes of the window.
#[test]
fn a_barrier_is_made_on_another_communicator() {
    let of_all = |text: &str| {
        let suggestion = |places: &[Place; 2]| Suggestion {
            at: Some(places[0].clone()),
            proof: Some(Proof::Verified),
            ..if_meant(["what it is given", "the communicator of the window"], places)
        };
        let (text, places) = marked("a.c", text);
        let mut found = finding(
            "MPI_Put",
            &[places[1].clone(), places[1].clone()],
            suggestion(&places),
        );
        found.window = Some("created at a.c:3".to_owned());
        found.created = None;
        let report = Report {
            findings: vec![found],
            ..Report::default()
        };
        let plan = Plan::of(&report, &|_| true, &|_| Ok(text.clone()));
        plan.files().next().map(|(_, _, new)| new.to_owned())
    };
    let text = |comm: &str, barrier: &str, put: &str| {
        format!(
            "f(MPI_Comm all, MPI_Comm part)\n{{\n    MPI_Win_allocate(8, 1, MPI_INFO_NULL, {comm}, &x, &win);\n    {put}\n    {barrier}\n}}\n"
        )
    };
    let put = "MPI_Put(v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);";
    let given = |comm: &str| text(comm, "@1MPI_Barrier(part);", &format!("@2{put}"));
    assert_eq!(of_all(&given("all")), Some(text("all", "MPI_Barrier(all);", put)));
    // It is known where the window is made, and not where the barrier is.
    let elsewhere = format!(
        "void g(MPI_Comm other)\n{{\n    MPI_Win_allocate(8, 1, MPI_INFO_NULL, other, &x, &win);\n}}\nvoid f(MPI_Comm part)\n\
         {{\n    @2{put}\n    @1MPI_Barrier(part);\n}}\n"
    );
    assert_eq!(of_all(&elsewhere), None);
}

#[test]
fn what_all_make_is_made_alike() {
    let of = |first: &str, second: &str| {
        let text = format!(
            "int main(void)\n{{\n    int *y, n = 2;\n    if (me == 0)\n        @2y = {second};\n    else\n        @1y = {first};\n}}\n"
        );
        let (text, places) = marked("a.c", &text);
        let mut unequal = finding(
            "shmem_malloc",
            &places,
            Suggestion {
                action: Action::Replace,
                call: "what the other call is given".to_owned(),
                instead_of: Some("what it is given".to_owned()),
                at: Some(places[0].clone()),
                ..Suggestion::default()
            },
        );
        unequal.parties[1].operation = "shmem_calloc".to_owned();
        let report = Report {
            findings: vec![unequal],
            ..Report::default()
        };
        let plan = Plan::of(&report, &|_| true, &|_| Ok(text.clone()));
        plan.files().next().map(|(_, _, new)| new.to_owned())
    };
    let same = |call: &str| {
        format!(
            "int main(void)\n{{\n    int *y, n = 2;\n    if (me == 0)\n        y = {call};\n    else\n        y = {call};\n}}\n"
        )
    };
    assert_eq!(
        of("shmem_malloc(24)", "shmem_malloc(16)"),
        Some(same("shmem_malloc(16)"))
    );
    assert_eq!(
        of("shmem_malloc(24)", "shmem_calloc(n, 8)"),
        Some(same("shmem_calloc(n, 8)"))
    );
    // A name that is not known there, and nothing to be changed.
    assert_eq!(of("shmem_malloc(24)", "shmem_malloc(other)"), None);
    assert_eq!(of("shmem_malloc(16)", "shmem_malloc(16)"), None);
}

/// Keeps the arguments of the call at the first place apart.
fn apart(text: &str, operation: &str, gets: bool) -> Result<String, Refusal> {
    let suggestion = |places: &[Place; 2]| {
        let place = Some(places[0].clone());
        let (call, after, before) = match gets {
            true => ("memcpy(dest, copy, size)", place, None),
            false => ("memcpy(copy, source, size)", None, place),
        };
        Suggestion {
            call: call.to_owned(),
            after,
            before,
            ..Suggestion::default()
        }
    };
    repaired("a.c", text, operation, &suggestion)
}

#[test]
fn a_copy_keeps_two_arguments_apart() {
    let whole = |body: &str| format!("#include <shmem.h>\nvoid f(void)\n{{\n{body}    @2done();\n}}\n");
    let table = [
        (
            "    @1shmem_int_put(x + 2, x, 4, 0);\n",
            "shmem_int_put",
            false,
            "    static int x_copy[4];\n    memcpy(x_copy, x, sizeof x_copy);\n    \
             shmem_int_put(x + 2, x_copy, 4, 0);\n",
        ),
        (
            "    if (me == 0)\n        @1shmem_int_get(x + 2, x, 4, 0); // own\n",
            "shmem_int_get",
            true,
            "    if (me == 0) {\n        static int x_copy[4];\n        shmem_int_get(x_copy, x, 4, 0);\n        \
             memcpy(x + 2, x_copy, sizeof x_copy); // own\n    }\n",
        ),
        (
            "    @1shmem_int_iput(x, x + 2, 2, 3, 2, 0);\n",
            "shmem_int_iput",
            false,
            "    static int x_copy[(2 - 1) * 3 + 1];\n    memcpy(x_copy, x + 2, sizeof x_copy);\n    \
             shmem_int_iput(x, x_copy, 2, 3, 2, 0);\n",
        ),
    ];
    for (text, operation, gets, wanted) in table {
        let wanted = whole(wanted)
            .replace("shmem.h>\n", "shmem.h>\n#include <string.h>\n")
            .replace("@2", "");
        assert_eq!(apart(&whole(text), operation, gets), Ok(wanted), "{text}");
    }
    let unknown = apart(
        &whole("    @1shmem_int_put(x + 2, x, n, 0);\n"),
        "shmem_int_put",
        false,
    );
    assert!(matches!(unknown, Err(Refusal::NoCopy(..))), "{unknown:?}");
}

#[test]
fn a_call_is_repeated_until_it_is_done() {
    let of = |line: &str, code: &str| {
        let suggestion = |places: &[Place; 2]| Suggestion {
            action: Action::Replace,
            call: code.to_owned(),
            at: Some(places[0].clone()),
            ..Suggestion::default()
        };
        let text =
            format!("void f(void)\n{{\n    for (int i = 0; i < 9; i++)\n        {line}\n    @2done();\n}}\n");
        repaired("a.c", &text, "gaspi_write", &suggestion)
    };
    let full = "while (call == GASPI_QUEUE_FULL) gaspi_wait(queue, GASPI_BLOCK)";
    let found = of("@1gaspi_write(0, 0, 1, 1, i, 1, q + 1, wait);", full);
    let wanted = "        while (gaspi_write(0, 0, 1, 1, i, 1, q + 1, wait) == GASPI_QUEUE_FULL)\n            \
                  gaspi_wait(q + 1, GASPI_BLOCK);\n";
    assert!(
        found.as_ref().is_ok_and(|text| text.contains(wanted)),
        "{found:?}"
    );
    let found = of(
        "@1gaspi_write(0, 0, 1, 1, i, 1, 0, GASPI_TEST);",
        "while (call == GASPI_TIMEOUT)",
    );
    assert!(found.is_ok_and(|text| text.contains("GASPI_TEST) == GASPI_TIMEOUT)\n            ;\n")));
    let looked_at = of("@1code = gaspi_write(0, 0, 1, 1, i, 1, 0, wait);", full);
    assert!(matches!(looked_at, Err(Refusal::InCondition(_))), "{looked_at:?}");
}
