//! The group of a post: another one of the program, or fewer members.

use super::{if_meant, repaired};
use farside_fix::Refusal;

fn with(text: &str, change: [&str; 2]) -> Result<String, Refusal> {
    let text = format!("int main(void)\n{{\n{text}    @2done();\n}}\n");
    repaired("a.c", &text, "MPI_Win_post", &|places| if_meant(change, places))
}

/// Two groups, and a post for the second one.
fn groups(first: &str, second: &str, posted: &str) -> String {
    format!(
        "    MPI_Group a, b;\n    int list[2] = {{0, 2}}, one = 1;\n    MPI_Group_incl(all, {first}, &a);\n    \
         MPI_Group_incl(all, {second}, &b);\n    @1MPI_Win_post({posted}, 0, win);\n    MPI_Group_free(&b);\n"
    )
}

fn written(first: &str, second: &str, posted: &str) -> Result<String, Refusal> {
    let text = groups(first, second, posted).replace("@1", "");
    Ok(format!("int main(void)\n{{\n{text}    done();\n}}\n"))
}

#[test]
fn a_group_of_the_program_takes_its_place() {
    let found = with(&groups("2, list", "1, &one", "b"), ["group {1}", "group {0, 2}"]);
    assert_eq!(found, written("2, list", "1, &one", "a"));
    let found = with(
        &groups("1, (int[]){4}", "1, &one", "b"),
        ["group {1}", "group {4}"],
    );
    assert_eq!(found, written("1, (int[]){4}", "1, &one", "a"));
}

#[test]
fn a_list_has_fewer_members() {
    let found = with(&groups("1, &one", "2, list", "b"), ["group {0, 2}", "group {0}"]);
    assert_eq!(found, written("1, &one", "1, list", "b"));
}

#[test]
fn what_the_text_does_not_tell_is_left() {
    let refused = |text: &str, code: [&str; 2]| {
        let found = with(text, code);
        assert!(matches!(found, Err(Refusal::NotWritten(..))), "{text}: {found:?}");
    };
    // Not the group of the run, no such group, a list that is changed, and a group that others use.
    refused(&groups("1, &one", "2, list", "b"), ["group {0, 1}", "group {0}"]);
    refused(&groups("1, &one", "2, list", "b"), ["group {0, 2}", "group {2}"]);
    let changed = groups("1, &one", "2, list", "b").replace(" one = 1;", " one = 1;\n    list[1] = 3;");
    refused(&changed, ["group {0, 2}", "group {0}"]);
    let used = groups("1, &one", "2, list", "b").replace("MPI_Group_free(&b)", "MPI_Win_start(b, 0, win)");
    let used = used.replace("    @1", "    MPI_Group_size(b, &one);\n    @1");
    refused(&used, ["group {0, 2}", "group {0}"]);
}
