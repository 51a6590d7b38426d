//! What is said of epochs of which one end was forgotten.

use super::{MPI, expect, folder, lint_in};

/// Each of two ranks puts to the other one, twice; `ends` ends the epochs in a function of its own, before what was put
/// is used in a loop.
fn exchange(ends: &str) -> String {
    format!(
        "{MPI}
typedef int MPI_Group;
int MPI_Comm_group(MPI_Comm, MPI_Group *); int MPI_Group_incl(MPI_Group, int, const int *, MPI_Group *);
int MPI_Win_post(MPI_Group, int, MPI_Win); int MPI_Win_start(MPI_Group, int, MPI_Win); int printf(const char *, ...);
int MPI_Win_complete(MPI_Win); int MPI_Win_wait(MPI_Win); int MPI_Win_unlock(int, MPI_Win);
static int other, value = 1, *base, sum;
static void begin(MPI_Group group, MPI_Win win)
{{
    MPI_Win_post(group, 0, win);
    MPI_Win_start(group, 0, win);
    MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, win);
}}
static void end(MPI_Win win)
{{
{ends}
}}
static void use(void)
{{
    for (int i = 0; i < 4; i++) sum += base[i];
}}
int main(int argc, char **argv)
{{
    int rank; MPI_Win win; MPI_Group all, group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &group);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
for (int round = 0; round < 2; round++) {{
        begin(group, win);
        end(win);
        use();
    }}
    MPI_Win_free(&win);
    printf(\"%d\", sum);
    MPI_Finalize();
    return 0;
}}
"
    )
}

#[test]
fn a_complete_that_is_nowhere_is_inserted() {
    let source = exchange("    MPI_Win_wait(win);");
    let folder = folder(&[("x.c", &source)]);
    let said = lint_in(folder.path(), &["-n", "2", "x.c"]);
    let line = source
        .lines()
        .position(|line| line == "    MPI_Win_wait(win);")
        .unwrap()
        + 1;
    let advice = format!("insert `MPI_Win_complete(win)` before x.c:{line}");
    expect(&said, 1, &["deadlock", &advice]);
    // One that is there, too late, is moved.
    let source = exchange("    MPI_Win_wait(win);\n    MPI_Win_complete(win);");
    let folder = super::folder(&[("x.c", &source)]);
    let said = lint_in(folder.path(), &["-n", "2", "x.c"]);
    expect(&said, 1, &["deadlock", "move `MPI_Win_complete` up to"]);
}

/// Before the own access epoch has ended, the other rank would wait for that, too.
#[test]
fn a_wait_that_is_nowhere_comes_after_the_own_complete() {
    let source = exchange("    MPI_Win_complete(win);");
    let folder = folder(&[("x.c", &source)]);
    let text = lint_in(folder.path(), &["-n", "2", "x.c"]);
    let complete = source
        .lines()
        .position(|line| line == "    MPI_Win_complete(win);");
    let line = complete.unwrap() + 1;
    let advice = format!("insert `MPI_Win_wait(win)` after x.c:{line}");
    let verified = format!("(verified right after x.c:{line})");
    expect(&text, 1, &[&advice, &verified]);
    let text = super::said(&text);
    let helps = text.lines().filter(|line| line.contains("= help:"));
    for line in helps {
        assert!(line.contains(&advice) && line.contains(&verified), "{text}");
    }
}

/// Both ranks complete what they started before they post: nothing is wrong with the groups. Where there is no post at
/// all, it is missing.
#[test]
fn a_post_that_comes_too_late_is_a_deadlock_and_no_mismatch() {
    let text = |post: &str| {
        format!(
            "{MPI}
typedef int MPI_Group;
int MPI_Comm_group(MPI_Comm, MPI_Group *); int MPI_Group_incl(MPI_Group, int, const int *, MPI_Group *);
int MPI_Win_start(MPI_Group, int, MPI_Win); int MPI_Win_complete(MPI_Win);
int MPI_Win_post(MPI_Group, int, MPI_Win); int MPI_Win_wait(MPI_Win);
int main(int argc, char **argv)
{{
    int rank, other, *base; MPI_Win win; MPI_Group all, group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &group);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_start(group, 0, win);
    MPI_Win_complete(win);
    {post}
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}}
"
        )
    };
    for (post, is_late) in [
        ("MPI_Win_post(group, 0, win); MPI_Win_wait(win);", true),
        ("", false),
    ] {
        let folder = folder(&[("x.c", &text(post))]);
        let output = lint_in(folder.path(), &["-n", "2", "x.c"]);
        expect(&output, 1, &["error[deadlock]"]);
        assert_eq!(!super::said(&output).contains("group-mismatch"), is_late);
    }
}

/// Rank 0 puts to the same bytes in each round, by `operation` in a function of its own or in the loop.
fn rounds_of_fences(operation: &str, round: &str) -> String {
    format!(
        "{MPI}
int MPI_Win_fence(int, MPI_Win);
static int rank, *base, value = 1;
static void one(MPI_Win win) {{ {operation} }}
int main(int argc, char **argv)
{{
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3; i++) {{
        {round}
    }}
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}}
"
    )
}

/// The other rank does nothing in the loop, and makes the fence as often: after the `if`, in the function that all
/// call.
#[test]
fn a_fence_is_tried_where_all_ranks_come_by() {
    let put = "MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);";
    for (operation, round) in [
        (put, "if (rank == 0) one(win);".to_owned()),
        ("", format!("if (rank == 0) {put}")),
        (&format!("if (rank == 0) {put}"), "one(win);".to_owned()),
    ] {
        let source = rounds_of_fences(operation, &round);
        let folder = folder(&[("x.c", &source)]);
        let line = 1 + source.lines().position(|line| line.trim() == round).unwrap();
        let said = lint_in(folder.path(), &["-n", "2", "x.c"]);
        let verified = format!("(verified right after x.c:{line})");
        expect(
            &said,
            1,
            &["insert `MPI_Win_fence(0, win)` after x.c:", &verified],
        );
        let report = ["-n", "2", "--format", "json", "-o", "report.json", "x.c"];
        lint_in(folder.path(), &report);
        let farside = env!("CARGO_BIN_EXE_farside");
        let fixed = std::process::Command::new(farside)
            .args(["fix", "report.json", "--apply"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        expect(&fixed, 0, &["+        MPI_Win_fence(0, win);"]);
        expect(&lint_in(folder.path(), &["-n", "2", "x.c"]), 0, &["no findings"]);
    }
}

/// A fence after the function comes after all of its puts.
#[test]
fn a_fence_is_not_tried_further_out_than_a_loop() {
    let puts = "for (int k = 0; k < 2; k++) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);";
    let source = rounds_of_fences(puts, "if (rank == 0) one(win);");
    let folder = folder(&[("x.c", &source)]);
    let said = super::said(&lint_in(folder.path(), &["-n", "2", "x.c"]));
    assert!(!said.contains("(verified"), "{said}");
}
