//! Programs of GASPI, with the header of Farside: what a run would show by chance only.

use super::{expect, folder, lint_in};

#[test]
fn a_wait_that_only_tests_may_have_waited_for_nothing() {
    for (wait, status, words) in [
        ("gaspi_wait(0, GASPI_TEST);", 1, "local-race"),
        (
            "while (gaspi_wait(0, GASPI_TEST) != GASPI_SUCCESS);",
            0,
            "no findings",
        ),
    ] {
        let source = format!(
            "#include <GASPI.h>
int main(void) {{
    gaspi_rank_t me; gaspi_pointer_t here; long seen = 0;
    gaspi_proc_init(GASPI_BLOCK); gaspi_proc_rank(&me);
    gaspi_segment_create(0, 1024, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_segment_ptr(0, &here);
    if (me == 0) {{
        gaspi_read(0, 512, 1, 0, 0, 8, 0, GASPI_BLOCK);
        {wait}
        seen = ((long *)here)[64];
        gaspi_wait(0, GASPI_BLOCK);
    }}
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return seen == 77;
}}"
        );
        let folder = folder(&[("program.c", &source)]);
        expect(&lint_in(folder.path(), &["program.c"]), status, &[words]);
    }
}

#[test]
fn how_full_a_queue_is_depends_on_the_library() {
    let program = |asked: &str| {
        format!(
            "#include <GASPI.h>
int main(void) {{
    gaspi_rank_t me, size; gaspi_number_t most, posted;
    gaspi_proc_init(GASPI_BLOCK); gaspi_proc_rank(&me); gaspi_proc_num(&size);
    gaspi_segment_create(0, 1024, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
    gaspi_queue_size_max(&most);
    gaspi_queue_size(0, &posted);
    if ({asked}) gaspi_wait(0, GASPI_BLOCK);
    gaspi_write(0, 0, (me + 1) % size, 0, 512, 8, 0, GASPI_BLOCK);
    gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
    gaspi_wait(0, GASPI_BLOCK);
    gaspi_proc_term(GASPI_BLOCK);
    return 0;
}}"
        )
    };
    for (asked, status) in [("posted + 1 >= most", 0), ("posted > 0", 4)] {
        let folder = folder(&[("program.c", &program(asked))]);
        expect(&lint_in(folder.path(), &["program.c"]), status, &["no findings"]);
    }
}
