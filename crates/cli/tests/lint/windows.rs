//! Windows are named as the sources write what holds them, or not by a name at all; memory that is attached to them.

use super::{MPI, body, expect, folder, lint_in, said};
use serde_json::Value;

#[test]
fn elements_have_their_numbers_and_members_no_name() {
    let of = |[global, local]: [&str; 2], window: &str| {
        let body = body("").replace("MPI_Win win;", local);
        let text = format!(
            "{MPI}
{global}
int main(int argc, char **argv) {{ MPI_Init(&argc, &argv);
{}
MPI_Finalize(); return 0; }}",
            body.replace("win)", &format!("{window})"))
        );
        let folder = folder(&[("a.c", &text)]);
        let output = lint_in(folder.path(), &["--format", "json", "a.c"]);
        let json: Value = serde_json::from_slice(&output.stdout).expect("a report");
        json["findings"][0]["window"].as_str().map(str::to_owned)
    };
    for (declared, window) in [
        ("MPI_Win win;", "win"),
        ("MPI_Win win[3];", "win[2]"),
        ("MPI_Win win[2][3];", "win[1][2]"),
    ] {
        for places in [[declared, ""], ["", declared]] {
            assert_eq!(of(places, window).as_deref(), Some(window));
        }
    }
    for (declared, window) in [
        ("struct { MPI_Win win; } only;", "only.win"),
        ("struct { int n; MPI_Win win[2]; } halo;", "halo.win[0]"),
    ] {
        for places in [[declared, ""], ["", declared]] {
            let name = of(places, window);
            assert!(
                name.as_deref()
                    .is_some_and(|name| name.starts_with("created at ")),
                "{name:?}"
            );
        }
    }
}

/// An address is one in the memory of the process that told it (MPI-4.1 §12.2.4).
#[test]
fn an_address_of_another_process_is_not_attached() {
    let text = |target: &str| {
        format!(
            "{MPI}
#include <stdlib.h>
typedef long MPI_Aint;
int MPI_Win_create_dynamic(MPI_Info, MPI_Comm, MPI_Win *); int MPI_Win_attach(MPI_Win, void *, MPI_Aint);
int MPI_Win_detach(MPI_Win, const void *); int MPI_Get_address(const void *, MPI_Aint *); int MPI_Barrier(MPI_Comm);
int MPI_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Comm_size(MPI_Comm, int *);
#define MPI_LONG 0x4c000807
int main(int argc, char **argv) {{
    int rank, size; MPI_Win win; MPI_Aint own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *box = malloc(64), next = (rank + 1) % size;
    MPI_Aint *address = malloc(size * sizeof *address);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, box, 64);
    MPI_Get_address(box, &own);
    MPI_Allgather(&own, 1, MPI_LONG, address, 1, MPI_LONG, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Put(&rank, 1, MPI_INT, next, address[{target}], 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, box);
    MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
        )
    };
    for (target, status, said) in [("next", 0, "no findings"), ("rank", 1, "unmatched-attach")] {
        let folder = folder(&[("dynamic.c", &text(target))]);
        expect(&lint_in(folder.path(), &["dynamic.c"]), status, &[said]);
    }
}

/// The call that makes a window tells others nothing of memory that is allocated, and stored to, afterwards.
#[test]
fn memory_is_not_attached_before_it_is_allocated() {
    let program = "#include <mpi.h>
#include <stdlib.h>
static int made;
static double *cell(MPI_Win win, double value) {
    double *new = malloc(sizeof *new);
    *new = value;
    if (made++ < 2) MPI_Win_attach(win, new, sizeof *new);
    return new;
}
static MPI_Win counter(void) {
    MPI_Win win;
    char *memory;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    return win;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win win, other;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    other = counter();
    double got;
    for (int i = 0; i < 3; i++) {
        MPI_Aint mine, theirs[8];
        for (int k = 0; k < 3; k++) MPI_Get_address(cell(win, i), &mine);
        MPI_Allgather(&mine, 1, MPI_AINT, theirs, 1, MPI_AINT, MPI_COMM_WORLD);
        int next = (rank + 1) % size;
        MPI_Get(&got, 1, MPI_DOUBLE, next, theirs[next], 1, MPI_DOUBLE, win);
        MPI_Win_flush(next, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Win_free(&other);
    MPI_Finalize();
}
";
    let folder = folder(&[("program.c", program)]);
    let output = lint_in(folder.path(), &["program.c"]);
    expect(
        &output,
        1,
        &[
            "unmatched-attach",
            "help: attach that memory to the window before",
        ],
    );
    assert!(
        !said(&output).contains("insert `MPI_Win_attach"),
        "{}",
        said(&output)
    );
}
