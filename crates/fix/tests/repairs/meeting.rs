//! Barriers of threads, and waits for tasks.

use super::{insert, repaired};
use farside_findings::{Place, Proof, Stand, Stretch, Suggestion};
use farside_fix::Refusal;

/// Lets threads meet between both places.
fn meeting(text: &str, call: &str) -> Result<String, Refusal> {
    let suggestion = |places: &[Place; 2]| Suggestion {
        call: call.to_owned(),
        after: Some(places[0].clone()),
        before: Some(places[1].clone()),
        proof: Some(Proof::Verified),
        stands: call
            .split("; ")
            .map(|call| Stand {
                call: call.to_owned(),
                stretches: vec![match call.starts_with('#') {
                    true => Stretch {
                        after: Some(places[0].clone()),
                        before: Some(places[1].clone()),
                        at_end: true,
                    },
                    false => Stretch::after(places[0].clone()),
                }],
            })
            .collect(),
        ..Suggestion::default()
    };
    let text = text.replace("PUT", "MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);");
    let new = repaired("a.c", &text, "MPI_Put", &suggestion)?;
    Ok(new.replace("MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);", "PUT"))
}

#[test]
fn a_barrier_stands_in_the_block_of_the_region() {
    let text = "void f(MPI_Win win)\n{\n    #pragma omp parallel num_threads(2)\n    {\n        #pragma omp single nowait\n        \
                {\n            @1PUT\n        }\n        #pragma omp single\n        @2v = 2;\n    }\n}\n";
    let wanted = "void f(MPI_Win win)\n{\n    #pragma omp parallel num_threads(2)\n    {\n        \
                  #pragma omp single nowait\n        {\n            PUT\n            MPI_Win_flush(1, win);\n        }\n        \
                  #pragma omp barrier\n        #pragma omp single\n        v = 2;\n    }\n}\n";
    let new = meeting(text, "MPI_Win_flush(1, win); #pragma omp barrier");
    assert_eq!(new.as_deref(), Ok(wanted));
}

#[test]
fn a_barrier_stands_nowhere_else() {
    for (directive, block) in [
        ("#pragma omp parallel sections", "{"),
        ("#pragma omp parallel for", "for (i = 0; i < 2; i++) {"),
        ("#pragma omp parallel\n    #pragma omp single", "{"),
        ("#pragma omp parallel", "if (me == 0) {"),
        ("", "{"),
    ] {
        let text = format!(
            "void f(MPI_Win win)\n{{\n    {directive}\n    {block}\n        @1PUT\n        @2v = 2;\n    }}\n}}\n"
        );
        let refusal = meeting(&text, "#pragma omp barrier");
        assert!(
            matches!(refusal, Err(Refusal::SomeThreads(_))),
            "{text}: {refusal:?}"
        );
    }
}

#[test]
fn a_thread_waits_for_tasks_in_the_block_that_makes_them() {
    let text = "void f(MPI_Win win)\n{\n    #pragma omp single\n    {\n        #pragma omp task shared(v)\n        @1v = 2;\n        \
                a();\n        @2PUT\n    }\n}\n";
    let wanted = "void f(MPI_Win win)\n{\n    #pragma omp single\n    {\n        #pragma omp task shared(v)\n        v = 2;\n        \
                  a();\n        #pragma omp taskwait\n        PUT\n    }\n}\n";
    assert_eq!(meeting(text, "#pragma omp taskwait").as_deref(), Ok(wanted));
    let other = text.replace("task shared", "section shared");
    let refusal = meeting(&other, "#pragma omp taskwait");
    assert!(matches!(refusal, Err(Refusal::Directive(_))), "{refusal:?}");
}

#[test]
fn the_body_of_a_construct_gets_braces() {
    let text = |directive: &str| {
        format!(
            "f()\n{{\n    {directive}\n    @1MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);\n    @2v = 2;\n}}\n"
        )
    };
    let flushed = |directive: &str| {
        repaired("a.c", &text(directive), "MPI_Put", &|places| {
            insert("MPI_Win_flush_local(1, win)", places)
        })
    };
    let put = "MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);";
    let flush = "MPI_Win_flush_local(1, win);";
    for directive in [
        "#pragma omp critical",
        "#pragma omp critical(mine)",
        "#pragma omp single",
    ] {
        let wanted = format!(
            "f()\n{{\n    {directive}\n    {{\n        {put}\n        {flush}\n    }}\n    v = 2;\n}}\n"
        );
        assert_eq!(flushed(directive), Ok(wanted));
    }
    // It holds for nothing below it.
    let wanted = format!("f()\n{{\n    #pragma omp taskwait\n    {put}\n    {flush}\n    v = 2;\n}}\n");
    assert_eq!(flushed("#pragma omp taskwait"), Ok(wanted));
    let refusal = flushed("#pragma omp atomic");
    assert!(matches!(refusal, Err(Refusal::Directive(_))), "{refusal:?}");
}
