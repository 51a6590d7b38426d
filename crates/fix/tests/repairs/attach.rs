//! Memory that is attached to a dynamic window.

use super::repaired;
use farside_findings::{Place, Suggestion};
use farside_fix::Refusal;

fn attach(places: &[Place; 2]) -> Suggestion {
    Suggestion {
        call: "MPI_Win_attach(win, base, size)".to_owned(),
        before: Some(places[1].clone()),
        ..Suggestion::default()
    }
}

/// A program that makes memory by `made`, and takes the address of `given`; `ends` are its last statements.
fn program([made, given, ends]: [&str; 3]) -> String {
    format!(
        "static int field[8], other[8];\nint main(void)\n{{\n    MPI_Win win;\n    MPI_Aint at;\n    int n = 4;\n    \
         {made}\n    MPI_Get_address({given}, &at);\n    @2MPI_Bcast(&at, 1, MPI_AINT, 1, MPI_COMM_WORLD);\n    \
         @1MPI_Put(&v, 1, MPI_INT, 1, at, 1, MPI_INT, win);\n    {ends}\n}}\n"
    )
}

#[test]
fn what_has_its_address_told_is_attached_as_large_as_it_is() {
    let end = "MPI_Win_free(&win);";
    let table = [
        ("", "field", "field, sizeof field"),
        ("", "&field[2]", "field, sizeof field"),
        ("double x;", "&x", "&x, sizeof x"),
        ("double *x;", "&x", "&x, sizeof x"),
        ("double *x = malloc(n * sizeof *x);", "x", "x, n * sizeof *x"),
        (
            "int *x = calloc(n + 1, sizeof(int));",
            "x + 1",
            "x, (n + 1) * sizeof(int)",
        ),
        (
            "int *x = malloc(n * sizeof(int)); int i = 0; for (i = 0; i < n; i++) x[i] = 0;",
            "x",
            "x, n * sizeof(int)",
        ),
        (
            "int *x; MPI_Alloc_mem(64, MPI_INFO_NULL, &x); x[0] = 1;",
            "x",
            "x, 64",
        ),
    ];
    for (made, given, attached) in table {
        let text = program([made, given, end]);
        let line = format!("    MPI_Win_attach(win, {attached});\n");
        let wanted = text.replace("    @2", &format!("{line}    ")).replace("@1", "");
        assert_eq!(
            repaired("a.c", &text, "MPI_Put", &attach),
            Ok(wanted),
            "{made} {given}"
        );
    }
    let vector = program(["std::vector<double> x(n);", "x.data()", end]);
    let new = repaired("a.cpp", &vector, "MPI_Put", &attach).expect("a repair");
    assert!(
        new.contains("MPI_Win_attach(win, x.data(), x.size() * sizeof x[0]);"),
        "{new}"
    );
}

#[test]
fn what_is_freed_first_is_detached_first() {
    let made = "int *x = malloc(64);";
    let text = program([made, "x", "free(x);\n    MPI_Win_free(&win);"]);
    let new = repaired("a.c", &text, "MPI_Put", &attach).expect("a repair");
    assert!(
        new.contains("    MPI_Win_detach(win, x);\n    free(x);\n"),
        "{new}"
    );
    let text = program([made, "x", "MPI_Win_free(&win);\n    free(x);"]);
    let new = repaired("a.c", &text, "MPI_Put", &attach).expect("a repair");
    assert!(!new.contains("MPI_Win_detach"), "{new}");
}

#[test]
fn memory_that_the_text_does_not_tell_is_not_attached() {
    let unknown =
        |what: &str| Refusal::Placeholder(what.to_owned(), "MPI_Win_attach(win, base, size)".to_owned());
    let end = "MPI_Win_free(&win);";
    let table = [
        // A size that is another one by then, or is told by nothing.
        ("int *x = malloc(n); n = 2;", "x", "size"),
        ("int *x = malloc(n); x = next(x);", "x", "size"),
        ("int *x = mine();", "x", "size"),
        ("if (n) field[0] = 1;", "grid->cells", "size"),
        // What is an address by its type alone, and what is kept in an array of addresses.
        ("double *const x = malloc(n);", "x", "size"),
        ("buffer_t x = make();", "x", "size"),
        ("int *x[2]; x[1] = malloc(n);", "x[1]", "size"),
        // Two variables have their addresses told, or one that is attached.
        ("MPI_Get_address(other, &at);", "field", "base"),
        ("MPI_Win_attach(win, field, 4);", "field", "base"),
    ];
    for (made, given, what) in table {
        let text = program([made, given, end]);
        let refused = repaired("a.c", &text, "MPI_Put", &attach);
        let is_it = match &refused {
            Err(Refusal::Unknown(name, _)) => given.starts_with("grid") && name == given,
            Err(refusal) => *refusal == unknown(what),
            Ok(_) => false,
        };
        assert!(is_it, "{made} {given}: {refused:?}");
    }
}
