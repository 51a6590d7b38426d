//! `farside lint --prove`: small programs of which one knows from which number of ranks on they race.

use super::{folder, lint_in};
use serde_json::Value;

const MPI: &str = "
typedef int MPI_Comm, MPI_Win, MPI_Info, MPI_Datatype;
#define WORLD 0x44000000
#define INT 0x4c000405
int MPI_Init(int *, char ***); int MPI_Finalize(void); int MPI_Barrier(MPI_Comm);
int MPI_Comm_rank(MPI_Comm, int *); int MPI_Comm_size(MPI_Comm, int *);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Scan(const void *, void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Win_allocate(long, int, MPI_Info, MPI_Comm, void *, MPI_Win *); int MPI_Win_free(MPI_Win *);
int MPI_Win_fence(int, MPI_Win); int MPI_Win_flush(int, MPI_Win);
int MPI_Win_lock_all(int, MPI_Win); int MPI_Win_unlock_all(MPI_Win);
int MPI_Win_lock(int, int, int, MPI_Win); int MPI_Win_unlock(int, MPI_Win);
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
int MPI_Get(void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
void *malloc(unsigned long);
";

/// A program that does this between two fences; `r` is its rank of `n`, `x` a window of `cells` numbers.
fn fenced(cells: &str, body: &str) -> String {
    format!(
        "{MPI}
int main(int argc, char **argv) {{
int r, n, v = 7, *x; MPI_Win win;
MPI_Init(&argc, &argv);
MPI_Comm_rank(WORLD, &r); MPI_Comm_size(WORLD, &n);
MPI_Win_allocate(({cells}) * sizeof(int), sizeof(int), 0x1c000000, WORLD, &x, &win);
MPI_Win_fence(0, win);
{body}
MPI_Win_fence(0, win);
MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
    )
}

/// What is said of any number of ranks, and the exit status.
fn said(source: &str) -> (Value, Option<i32>) {
    let folder = folder(&[("p.c", source)]);
    let output = lint_in(folder.path(), &["--prove", "--format", "json", "p.c"]);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|wrong| panic!("{wrong}: {}", String::from_utf8_lossy(&output.stderr)));
    (report["any_ranks"].clone(), output.status.code())
}

fn assert_proved(source: &str) {
    let (said, status) = said(source);
    assert_eq!(
        (said["verdict"].as_str(), status),
        (Some("proved"), Some(0)),
        "{said}\n{source}"
    );
}

fn assert_found(source: &str, ranks: u64) {
    let (said, status) = said(source);
    let found = (said["verdict"].as_str(), said["processes"].as_u64(), status);
    assert_eq!(found, (Some("found"), Some(ranks), Some(1)), "{said}\n{source}");
}

/// Neither proved nor found: the reason has these words.
fn assert_neither(source: &str, verdict: &str, words: &str) -> Value {
    let (said, status) = said(source);
    assert_eq!(
        (said["verdict"].as_str(), status),
        (Some(verdict), Some(4)),
        "{said}\n{source}"
    );
    let reason = said["reason"].as_str().unwrap_or_default();
    assert!(reason.contains(words), "{said}\n{source}");
    said
}

const PUT: &str = "MPI_Put(&v, 1, INT,";

#[test]
fn a_ring_is_proved() {
    assert_proved(&fenced("1", &format!("{PUT} (r + 1) % n, 0, 1, INT, win);")));
    assert_proved(&fenced("1", &format!("{PUT} (r + n - 1) % n, 0, 1, INT, win);")));
}

#[test]
fn both_neighbours_need_a_cell_each() {
    let both = |first: &str, second: &str| {
        fenced(
            "2",
            &format!(
                "{PUT} (r + 1) % n, {first}, 1, INT, win); {PUT} (r + n - 1) % n, {second}, 1, INT, win);"
            ),
        )
    };
    assert_proved(&both("0", "1"));
    assert_found(&both("0", "0"), 2);
}

/// The right neighbour, and who is `far` to the right, write the same cell: never the same process, so that they meet
/// wherever both do so; with a condition, from some number of ranks on.
#[test]
fn a_race_that_needs_more_ranks_is_found_with_the_fewest() {
    for ranks in [3, 4, 5] {
        let last = ranks - 1;
        let far = format!("if (r == 0 || r == {last}) {PUT} 1, 0, 1, INT, win);");
        assert_found(&fenced("1", &far), ranks);
        // The neighbour's neighbour's ... store to what the ring has put.
        let ring = format!("{PUT} (r + 1) % n, 0, 1, INT, win); if (n >= {ranks} && r == {last}) x[0] = 1;");
        assert_found(&fenced("1", &ring), ranks);
    }
}

#[test]
fn steps_of_one_and_two_meet_from_three_ranks_on() {
    // With two ranks, `(r + 2) % n` is the process itself, which writes another cell than its neighbour.
    let body =
        format!("{PUT} (r + 1) % n, r % 2, 1, INT, win); if (n > 2) {PUT} (r + 2) % n, 0, 1, INT, win);");
    assert_found(&fenced("2", &body), 3);
}

#[test]
fn a_tree_is_proved_and_one_with_a_wrong_parent_is_not() {
    let tree = |parent: &str| fenced("2", &format!("if (r > 0) {PUT} {parent}, r % 2, 1, INT, win);"));
    assert_proved(&tree("(r - 1) / 2"));
    // Ranks 2 and 4 write one cell of the same parent; 1 and 3 of another one.
    assert_found(&tree("r > 3 ? 0 : (r - 1) / 2"), 5);
}

#[test]
fn a_transpose_is_proved_and_one_that_is_off_by_one_is_not() {
    let transpose = |cell: &str| {
        fenced(
            "n",
            &format!("for (int to = 0; to < n; to++) {PUT} to, {cell}, 1, INT, win);"),
        )
    };
    assert_proved(&transpose("r"));
    assert_found(&transpose("r / 2"), 2);
    // The last two write the same cell.
    assert_found(&transpose("r > 2 ? 2 : r"), 4);
}

#[test]
fn a_master_and_its_workers_are_proved() {
    let workers = |cell: &str| {
        fenced(
            "n",
            &format!("if (r != 0) {PUT} 0, {cell}, 1, INT, win); else x[0] = 1;"),
        )
    };
    assert_proved(&workers("r"));
    assert_found(&workers("r - 1"), 2);
    let master = |cell: &str| {
        fenced(
            "n",
            &format!("if (r == 0) for (int w = 1; w < n; w++) {PUT} w, {cell}, 1, INT, win); else x[1] = 1;"),
        )
    };
    assert_proved(&master("0"));
    assert_found(&master("w / 4"), 5);
}

#[test]
fn rounds_of_a_loop_may_race_with_each_other() {
    let gather = |buffer: &str, after: &str| {
        fenced(
            "1",
            &format!(
                "int *all = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) {{ MPI_Get({buffer}, 1, INT, i, 0, 1, \
                 INT, win); {after} }}"
            ),
        )
    };
    assert_proved(&gather("&all[i]", ""));
    assert_found(&gather("&all[0]", ""), 2);
    // The buffer of one round is that of the next.
    assert_found(&gather("&all[i / 4]", ""), 2);
}

#[test]
fn exclusive_locks_keep_apart_and_shared_ones_do_not() {
    let locked = |kind: u32| {
        format!(
            "{MPI}
int main(int argc, char **argv) {{
int r, v = 7, *x; MPI_Win win;
MPI_Init(&argc, &argv); MPI_Comm_rank(WORLD, &r);
MPI_Win_allocate(sizeof(int), sizeof(int), 0x1c000000, WORLD, &x, &win);
MPI_Win_lock({kind}, 0, 0, win); {PUT} 0, 0, 1, INT, win); MPI_Win_unlock(0, win);
MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
        )
    };
    assert_proved(&locked(234));
    assert_found(&locked(235), 2);
}

#[test]
fn a_line_outside_of_the_class_is_named() {
    let scanned = fenced(
        "1",
        "int sum = 0;\nMPI_Scan(&v, &sum, 1, INT, 0x58000003, WORLD);",
    );
    let said = assert_neither(&scanned, "outside", "MPI_Scan");
    let line = scanned
        .lines()
        .position(|line| line.starts_with("MPI_Scan"))
        .unwrap()
        + 1;
    assert_eq!(said["place"]["line"].as_u64(), Some(line as u64));
    let received = fenced(
        "1",
        &format!("int to = 0; MPI_Bcast(&to, 1, INT, 0, WORLD); if (r == 1) {PUT} to, 0, 1, INT, win);"),
    );
    assert_neither(&received, "outside", "the target depends on data");
    let fetched = fenced(
        "1",
        &format!(
            "int to; MPI_Get(&to, 1, INT, 0, 0, 1, INT, win); MPI_Win_fence(0, win);
if (r == 1) {PUT} to, 0, 1, INT, win);"
        ),
    );
    assert_neither(&fetched, "outside", "the target depends on data");
    let apart = fenced("1", "if (r > 3) MPI_Barrier(WORLD);");
    assert_neither(&apart, "outside", "depends on its rank");
}

/// What one waits for is order that is not looked at: the simulation finds nothing, and no proof is claimed.
#[test]
fn order_that_is_not_looked_at_gives_no_proof() {
    let alone = fenced(
        "1",
        &format!(
            "if (r == 0) {{ {PUT} 0, 0, 1, INT, win); MPI_Win_fence(0, win); x[0] = 1; }} else MPI_Win_fence(0, win);"
        ),
    );
    assert_proved(&alone);
    let same_cell = fenced("1", &format!("if (r * r == 4 * r) {PUT} 0, 0, 1, INT, win);"));
    assert_found(&same_cell, 5);
}
