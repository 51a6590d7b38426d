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
