//! Copies of what is sent.

use super::{finding, marked, repaired};
use farside_findings::{Frame, Place, Proof, Report, Suggestion};
use farside_fix::{Plan, Refusal};

/// Lets the call at the first place send a copy.
fn with(file: &str, text: &str, operation: &str) -> Result<String, Refusal> {
    let copy = |places: &[Place; 2]| Suggestion {
        call: "memcpy(copy, origin, size)".to_owned(),
        before: Some(places[0].clone()),
        proof: Some(Proof::Verified),
        ..Suggestion::default()
    };
    repaired(file, text, operation, &copy)
}

/// A function with a line, after two others.
fn text(line: &str) -> String {
    format!("#include <mpi.h>\n#define N 8\nvoid f(MPI_Win win)\n{{\n{line}\n    @2v = 2;\n}}\n")
}

#[test]
fn the_copy_has_the_type_and_the_size_of_what_is_sent() {
    let table = [
        (
            "    @1MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win); // why",
            "MPI_Put",
            "    static int v_copy;\n    memcpy(&v_copy, &v, sizeof v_copy);\n    \
             MPI_Put(&v_copy, 1, MPI_INT, 1, 0, 1, MPI_INT, win); // why",
        ),
        (
            "    if (a)\n        @1MPI_Accumulate(v + 2, 2 * N, MPI_DOUBLE, 1, 0, 2 * N, MPI_DOUBLE, MPI_SUM, win);",
            "MPI_Accumulate",
            "    if (a) {\n        static double v_copy[2 * N];\n        memcpy(v_copy, v + 2, sizeof v_copy);\n        \
             MPI_Accumulate(v_copy, 2 * N, MPI_DOUBLE, 1, 0, 2 * N, MPI_DOUBLE, MPI_SUM, win);\n    }",
        ),
        (
            "    shmem_long_put_nbi(x, v, N, 1); @1shmem_ctx_long_put_nbi(context, x, v, N, 1);",
            "shmem_put_nbi",
            "    shmem_long_put_nbi(x, v, N, 1); static long v_copy_2[N]; memcpy(v_copy_2, v, sizeof v_copy_2); \
             shmem_ctx_long_put_nbi(context, x, v_copy_2, N, 1);",
        ),
    ];
    for (line, operation, wanted) in table {
        let wanted = text(wanted)
            .replace("mpi.h>\n", "mpi.h>\n#include <string.h>\n")
            .replace("@2", "");
        assert_eq!(with("a.c", &text(line), operation), Ok(wanted));
    }
}

#[test]
fn what_is_not_known_is_not_copied() {
    for line in [
        "    @1MPI_Put(&v, n, MPI_INT, 1, 0, n, MPI_INT, win);",
        "    @1MPI_Put(&v, 1, column, 1, 0, 1, column, win);",
        "    @1MPI_Put(next(&v), 1, MPI_INT, 1, 0, 1, MPI_INT, win);",
        "    @1MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win), MPI_Put(&v, 1, MPI_INT, 1, 4, 1, MPI_INT, win);",
    ] {
        let refusal = with("a.c", &text(line), "MPI_Put");
        assert!(matches!(refusal, Err(Refusal::NoCopy(..))), "{line}: {refusal:?}");
    }
    let fortran = "program p\n  @1call MPI_Put(v, 1, MPI_INTEGER, 1, 0, 1, MPI_INTEGER, win, e)\n  @2v = 2\nend program\n";
    assert!(matches!(
        with("a.f90", fortran, "MPI_Put"),
        Err(Refusal::NoCopy(..))
    ));
}

/// What `fix` does with a put in a function that is called so often.
fn in_a_function_called(calls: &str) -> Option<String> {
    let text = format!(
        "#include <mpi.h>\nstruct window {{ void put(double *v, int to) {{\n    if (to < 0) return;\n    \
         @1MPI_Put(v, 1, MPI_DOUBLE, to, 0, 1, MPI_DOUBLE, win);\n}} MPI_Win win; }};\nvoid f()\n{{\n{calls}    @2x[0] = 2;\n}}\n"
    );
    let (text, places) = marked("a.cpp", &text);
    let copy = Suggestion {
        call: "memcpy(copy, origin, size)".to_owned(),
        before: Some(places[0].clone()),
        proof: Some(Proof::Verified),
        ..Suggestion::default()
    };
    let mut finding = finding("MPI_Put", &places, copy);
    let of = |function: &str| Frame {
        function: Some(function.to_owned()),
        place: Some(places[0].clone()),
        ..Frame::default()
    };
    finding.parties[0].stack = vec![of("window::put(double*, int)"), of("f()")];
    let report = Report {
        findings: vec![finding],
        ..Report::default()
    };
    let plan = Plan::of(&report, &|_| true, &|_| Ok(text.clone()));
    plan.files().next().map(|(_, _, new)| new.to_owned())
}

#[test]
fn calls_at_several_places_do_not_share_a_copy() {
    assert!(
        in_a_function_called("    w.put(x, 1);\n").is_some_and(|new| new.contains("static double v_copy;"))
    );
    assert_eq!(in_a_function_called("    w.put(x, 1);\n    w.put(y, 0);\n"), None);
}
