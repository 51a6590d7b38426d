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
