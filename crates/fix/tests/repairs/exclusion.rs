//! Locks around statements.

use super::repaired;
use farside_findings::{Place, Proof, Section, Suggestion};
use farside_fix::Refusal;

/// A lock around what stands in the line of the first place and in the one after it, and around the second place.
fn lock(call: &str, places: &[Place; 2], ends_below: bool) -> Suggestion {
    let below = Place {
        line: places[0].line + u32::from(ends_below),
        column: None,
        ..places[0].clone()
    };
    let section = |from: &Place, to: &Place| Section {
        from: from.clone(),
        to: to.clone(),
    };
    Suggestion {
        call: call.to_owned(),
        after: call.contains("; ").then(|| places[0].clone()),
        sections: vec![section(&places[0], &below), section(&places[1], &places[1])],
        proof: Some(Proof::Verified),
        ..Suggestion::default()
    }
}

const PUT: &str = "MPI_Put(&v, 1, MPI_INT, peer, 0, 1, MPI_INT, win);";

fn with(file: &str, text: &str, call: &str, ends_below: bool) -> Result<String, Refusal> {
    let text = text.replace("PUT", PUT);
    let new = repaired(file, &text, "MPI_Put", &|places| lock(call, places, ends_below))?;
    Ok(new.replace(PUT, "PUT"))
}

/// Lines, each with its end.
fn text(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_critical_section_is_written_around_statements() {
    let before = text(&[
        "void f(int v, int peer, MPI_Win win)",
        "{",
        "    #pragma omp parallel",
        "    {",
        "        if (me == 0) {",
        "            @1PUT",
        "            MPI_Win_flush(peer, win); // done",
        "        } else",
        "            @2v = 2;",
        "    }",
        "}",
    ]);
    let wanted = text(&[
        "void f(int v, int peer, MPI_Win win)",
        "{",
        "    #pragma omp parallel",
        "    {",
        "        if (me == 0) {",
        "            #pragma omp critical(exclusive_access)",
        "            {",
        "                PUT",
        "                MPI_Win_flush(peer, win); // done",
        "            }",
        "        } else",
        "            #pragma omp critical(exclusive_access)",
        "            v = 2;",
        "    }",
        "}",
    ]);
    assert_eq!(with("a.c", &before, "#pragma omp critical", true), Ok(wanted));
    // A name that is there is not taken.
    let other = before.replace("me == 0", "exclusive_access == 0");
    let new = with("a.c", &other, "#pragma omp critical", true).expect("a change");
    assert_eq!(new.matches("critical(exclusive_access_2)").count(), 2, "{new}");
}

#[test]
fn an_operation_is_completed_in_its_section() {
    let before = text(&[
        "void f(int v, int peer, MPI_Win win)",
        "{",
        "    #pragma omp task",
        "    @1PUT",
        "    @2v = 2;",
        "}",
    ]);
    let wanted = text(&[
        "void f(int v, int peer, MPI_Win win)",
        "{",
        "    #pragma omp task",
        "    #pragma omp critical(exclusive_access)",
        "    {",
        "        PUT",
        "        MPI_Win_flush(peer, win);",
        "    }",
        "    #pragma omp critical(exclusive_access)",
        "    v = 2;",
        "}",
    ]);
    let call = "MPI_Win_flush(1, win); #pragma omp critical";
    assert_eq!(with("a.c", &before, call, false), Ok(wanted));
}

#[test]
fn fortran_has_its_own_sections() {
    let before = text(&[
        "subroutine f(v, peer, win)",
        "  @1call MPI_Put(v, 1, MPI_INTEGER, peer, d, 1, MPI_INTEGER, win)",
        "  call MPI_Win_flush(peer, win)",
        "  @2v = 2",
        "end subroutine",
    ]);
    let wanted = text(&[
        "subroutine f(v, peer, win)",
        "  !$omp critical (exclusive_access)",
        "  call MPI_Put(v, 1, MPI_INTEGER, peer, d, 1, MPI_INTEGER, win)",
        "  call MPI_Win_flush(peer, win)",
        "  !$omp end critical (exclusive_access)",
        "  !$omp critical (exclusive_access)",
        "  v = 2",
        "  !$omp end critical (exclusive_access)",
        "end subroutine",
    ]);
    assert_eq!(with("a.f90", &before, "!$omp critical", true), Ok(wanted));
}

#[test]
fn a_mutex_is_declared_before_the_functions() {
    let before = text(&[
        "#include <pthread.h>",
        "static int v;",
        "",
        "/* Stores. */",
        "void *g(void *a)",
        "{",
        "    if (a)",
        "        @2v = 2;",
        "    return a;",
        "}",
        "void f(int peer, MPI_Win win)",
        "{",
        "    @1PUT",
        "    MPI_Win_flush(peer, win);",
        "}",
    ]);
    let wanted = text(&[
        "#include <pthread.h>",
        "static int v;",
        "",
        "static pthread_mutex_t exclusive_access = PTHREAD_MUTEX_INITIALIZER;",
        "",
        "/* Stores. */",
        "void *g(void *a)",
        "{",
        "    if (a)",
        "        {",
        "            pthread_mutex_lock(&exclusive_access);",
        "            v = 2;",
        "            pthread_mutex_unlock(&exclusive_access);",
        "        }",
        "    return a;",
        "}",
        "void f(int peer, MPI_Win win)",
        "{",
        "    pthread_mutex_lock(&exclusive_access);",
        "    PUT",
        "    MPI_Win_flush(peer, win);",
        "    pthread_mutex_unlock(&exclusive_access);",
        "}",
    ]);
    assert_eq!(with("a.c", &before, "mutex", true), Ok(wanted));
    let cxx = before.replace("<pthread.h>", "<thread>");
    let new = with("a.cpp", &cxx, "mutex", true).expect("a change");
    let begins = "#include <thread>\n#include <mutex>\n";
    assert!(
        new.starts_with(begins) && new.contains("static std::mutex exclusive_access;"),
        "{new}"
    );
    let without = with("a.c", &cxx, "mutex", true);
    assert_eq!(without, Err(Refusal::NoLock("a.c".to_owned())));
}

#[test]
fn what_is_no_section_is_refused() {
    let function =
        |body: &str| format!("int f(int v, int peer, MPI_Win win)\n{{\n{body}\n    @2v = 2;\n}}\n");
    let refused = |body: &str| with("a.c", &function(body), "#pragma omp critical", true);
    let jumps = refused("    @1PUT\n    return 1;");
    assert!(matches!(jumps, Err(Refusal::InCondition(_))), "{jumps:?}");
    let leaves = refused("    @1PUT if (v) return 1;\n    MPI_Win_flush(peer, win);");
    assert!(matches!(leaves, Err(Refusal::MayLeave(..))), "{leaves:?}");
    let declares = refused("    @1PUT\n    int w = 1;");
    assert!(matches!(declares, Err(Refusal::Declares(_))), "{declares:?}");
    let elsewhere = refused("    if (v)\n        @1PUT\n    MPI_Win_flush(peer, win);");
    assert!(matches!(elsewhere, Err(Refusal::OtherBlock(_))), "{elsewhere:?}");
    let directive = refused("    #pragma omp single\n    @1PUT\n    MPI_Win_flush(peer, win);");
    assert!(matches!(directive, Err(Refusal::Directive(_))), "{directive:?}");
}
