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
int MPI_Win_create_dynamic(MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_create(void *, long, int, MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_attach(MPI_Win, void *, long);
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

/// Programs that a window is declared for.
const MORE: &str = "
typedef int MPI_Group;
#define MPI_LONG 0x4c000807
int MPI_Info_create(MPI_Info *); int MPI_Info_set(MPI_Info, const char *, const char *);
int MPI_Comm_group(MPI_Comm, MPI_Group *); int MPI_Group_incl(MPI_Group, int, const int *, MPI_Group *);
int MPI_Win_post(MPI_Group, int, MPI_Win); int MPI_Win_start(MPI_Group, int, MPI_Win);
int MPI_Win_complete(MPI_Win); int MPI_Win_wait(MPI_Win); int MPI_Win_test(MPI_Win, int *);
int MPI_Win_fence(int, MPI_Win); int printf(const char *, ...);
";

/// What the info says that a window is made with (MPI-4.1 §12.2.1).
#[test]
fn what_an_info_promises_is_looked_at() {
    let text = |(key, unit, epoch): (&str, &str, &str)| {
        format!(
            "{MPI}{MORE}
int main(int argc, char **argv) {{
    int rank, *base; MPI_Win win; MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, \"{key}\", \"true\");
    MPI_Win_allocate(64, {unit}, info, MPI_COMM_WORLD, &base, &win);
    {epoch}
    MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
        )
    };
    let locks = "MPI_Win_lock_all(0, win); MPI_Win_unlock_all(win);";
    let fences = "MPI_Win_fence(0, win); MPI_Win_fence(0, win);";
    for (program, status, said) in [
        (("no_locks", "4", locks), 1, "whose info says `no_locks`"),
        (("no_locks", "4", fences), 0, "no findings"),
        (("same_size", "4", locks), 0, "no findings"),
        (
            ("same_disp_unit", "rank ? 4 : 1", fences),
            1,
            "`same_disp_unit` denies",
        ),
        (("same_disp_unit", "4", fences), 0, "no findings"),
    ] {
        let folder = folder(&[("info.c", &text(program))]);
        expect(&lint_in(folder.path(), &["info.c"]), status, &[said]);
    }
}

/// From then on, it promises what an info promises that a window is made with (MPI-4.1 §12.2.7).
#[test]
fn what_an_info_promises_later_is_looked_at() {
    let text = |epochs: &str| {
        format!(
            "{MPI}{MORE}int MPI_Win_set_info(MPI_Win, MPI_Info);
int main(int argc, char **argv) {{
    int *base; MPI_Win win; MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, \"no_locks\", \"true\");
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    {epochs}
    MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
        )
    };
    let (set, locks) = (
        "MPI_Win_set_info(win, info);",
        "MPI_Win_lock_all(0, win); MPI_Win_unlock_all(win);",
    );
    let back = "MPI_Info_set(info, \"no_locks\", \"false\"); MPI_Win_set_info(win, info);";
    for (epochs, status, said) in [
        (format!("{set}{locks}"), 1, "whose info says `no_locks`"),
        (format!("{locks}{set}"), 0, "no findings"),
        (format!("{set}{back}{locks}"), 0, "no findings"),
    ] {
        let folder = folder(&[("info.c", &text(&epochs))]);
        expect(&lint_in(folder.path(), &["info.c"]), status, &[said]);
    }
}

/// Nobody waits for a lock that need not be acquired (MPI-4.1 §12.5.6): that the promise does not hold is all that is
/// wrong.
#[test]
fn locks_without_check_do_not_wait() {
    let program = format!(
        "{MPI}{MORE}
#define MPI_LOCK_EXCLUSIVE 234
#define MPI_MODE_NOCHECK 1024
int MPI_Win_lock(int, int, int, MPI_Win); int MPI_Win_unlock(int, MPI_Win);
int MPI_Barrier(MPI_Comm);
int main(int argc, char **argv) {{
    int rank, *base; MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, MPI_MODE_NOCHECK, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, MPI_MODE_NOCHECK, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock(rank, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
    );
    let folder = folder(&[("locks.c", &program)]);
    let output = lint_in(folder.path(), &["--ranks", "2", "locks.c"]);
    expect(&output, 1, &["violated-assertion"]);
    let said = said(&output);
    assert!(!said.contains("deadlock"), "{said}");
}

/// Memory of a window ends after the window, or after it was detached (MPI-4.1 §12.2.4, §12.2.5).
#[test]
fn memory_of_a_window_outlives_it() {
    let text = |make: &str, body: &str| {
        format!(
            "{MPI}{MORE}void *malloc(unsigned long); void free(void *); void *realloc(void *, unsigned long);
int MPI_Win_create_dynamic(MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_attach(MPI_Win, void *, MPI_Aint); int MPI_Win_detach(MPI_Win, const void *);
static void make(MPI_Win *win, int *p) {{ int local[16]; {make} }}
int main(int argc, char **argv) {{
    MPI_Win win; int *p = malloc(64);
    MPI_Init(&argc, &argv);
    make(&win, p);
    MPI_Win_fence(0, win); MPI_Win_fence(0, win);
    {body}
    MPI_Finalize(); return 0; }}"
        )
    };
    let create = "MPI_Win_create(p, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win); local[0] = 1;";
    let local = "MPI_Win_create(local, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win);";
    let dynamic = "MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win); MPI_Win_attach(*win, p, 64);";
    let free = "MPI_Win_free(&win);";
    for (make, body, wrong) in [
        (create, format!("{free} free(p);"), None),
        (
            create,
            format!("free(p); {free}"),
            Some("free by rank 0 ends memory"),
        ),
        (
            create,
            format!("p = realloc(p, 128); {free}"),
            Some("realloc by rank 0 ends memory"),
        ),
        (
            local,
            format!("{free} free(p);"),
            Some("return by rank 0 ends memory"),
        ),
        (dynamic, format!("MPI_Win_detach(win, p); free(p); {free}"), None),
        (dynamic, format!("free(p); {free}"), Some("since MPI_Win_attach")),
    ] {
        let folder = folder(&[("memory.c", &text(make, &body))]);
        let output = lint_in(folder.path(), &["memory.c"]);
        match wrong {
            Some(wrong) => expect(&output, 1, &["error[invalid-free]", wrong]),
            None => expect(&output, 0, &["no findings"]),
        }
    }
}

/// A test whose answer nobody looks at.
#[test]
fn a_test_of_an_exposure_epoch_is_to_be_a_wait() {
    let text = |end: &str| {
        format!(
            "{MPI}{MORE}
int main(int argc, char **argv) {{
    int rank, over = 0, value = 7, *base; MPI_Win win; MPI_Group world, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int peer = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world); MPI_Group_incl(world, 1, &peer, &other);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_post(other, 0, win);
    MPI_Win_start(other, 0, win);
    MPI_Put(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    {end}
    printf(\"%d\", *base);
    MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
        )
    };
    let replace = "replace `MPI_Win_test` by `MPI_Win_wait(win)` at test.c:";
    for (end, status, said) in [
        ("MPI_Win_test(win, &over);", 1, replace),
        ("while (!over) MPI_Win_test(win, &over);", 0, "no findings"),
        ("MPI_Win_wait(win);", 0, "no findings"),
    ] {
        let folder = folder(&[("test.c", &text(end))]);
        expect(
            &lint_in(folder.path(), &["--ranks", "2", "test.c"]),
            status,
            &[said],
        );
    }
}
