//! Each call becomes what its rule says.

use farside_pgas::ast::Api;
use farside_pgas::calculus::Polls;
use farside_pgas::dialect::{rules, translate};
use farside_pgas::parser::parse;

/// The statements that stand for `body` in a program of that API.
fn translated(api: Api, declarations: &str, body: &str) -> String {
    let text = format!("{declarations}\n{body}\n");
    let program = parse(&text).unwrap_or_else(|errors| panic!("{}", errors[0].render("t", &text)));
    let program = translate(&program, Some(api), 2, Polls::Awaited)
        .unwrap_or_else(|errors| panic!("{}", errors[0].render("t", &text)));
    let printed = program.to_string();
    let again =
        parse(&printed).unwrap_or_else(|errors| panic!("{}\n{printed}", errors[0].render("t", &printed)));
    assert_eq!(again, program, "the calculus itself can be read");
    let body = farside_pgas::ast::Program {
        declarations: Vec::new(),
        ..program
    }
    .to_string();
    body.lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn puts_of_shmem_are_local_only_and_quiet_completes_them() {
    assert_eq!(
        translated(
            Api::Shmem,
            "shared x, y",
            "shmem_int_put(&y, &x, 1, 1)\nshmem_put_nbi(&y, &x, 1, \
             1)\nshmem_fence()\nshmem_barrier_all()\nshmem_sync_all()"
        ),
        "write(x, 1, y, shmem_puts, shmem_put)\nwait_local shmem_put\nwrite(x, 1, y, shmem_puts)\nfence shmem_puts\n\
         wait shmem_puts\nwait shmem_gets\nbarrier\nbarrier"
    );
}

#[test]
fn a_wait_of_armci_is_local_for_puts_and_full_for_gets() {
    assert_eq!(
        translated(
            Api::Armci,
            "shared x, y\nhandle g, h",
            "ARMCI_NbPut(&x, &y, sizeof(int), 1, &h)\nARMCI_NbGet(&y, &x, sizeof(int), 1, \
             &g)\nARMCI_Wait(&h)\nARMCI_Wait(&g)\nARMCI_Fence(1)"
        ),
        "write(x, 1, y, armci[1], h)\nread(x, 1, y, armci[1], g)\nwait_local h\nwait g\nwait armci[1]"
    );
}

#[test]
fn a_bulk_put_of_gasnet_leaves_its_source_in_use() {
    assert_eq!(
        translated(
            Api::Gasnet,
            "shared x, y",
            "h = gasnet_put_nb(1, &y, &x, sizeof(int))\nh = gasnet_put_nb_bulk(1, &y, &x, \
             sizeof(int))\ngasnet_wait_syncnb(h)"
        ),
        "write(x, 1, y, gasnet_nb, h)\nwait_local h\nwrite(x, 1, y, gasnet_nb, h)\nwait h"
    );
}

#[test]
fn queues_of_gpi_and_gaspi_are_numbered_and_a_notification_is_behind_its_data() {
    assert_eq!(
        translated(
            Api::Gpi,
            "shared x, y[2]",
            "writeDmaGPI(&x, &y[1], sizeof(int), 1, 2)\nwaitDmaGPI(2)"
        ),
        "write(x, 1, y[1], gpi_queue[2])\nwait gpi_queue[2]"
    );
    assert_eq!(
        translated(
            Api::Gaspi,
            "shared x[2], y[2]",
            "gaspi_write_notify(x, 0, 1, y, 0, 2, 3, 1, 0, GASPI_BLOCK)\ngaspi_notify_waitsome(y, 3, 1, &id, \
             GASPI_BLOCK)"
        ),
        "write(x[0], 1, y[0], gaspi_queue[0])\nwrite(x[1], 1, y[1], gaspi_queue[0])\n\
         write_after(gaspi_value_1, 1, y_notify[3], gaspi_queue[0])\nwhile !y_notify[3] {\n}\nid = 3"
    );
}

#[test]
fn every_rule_has_its_calls_checked_for_their_number() {
    for api in Api::ALL {
        for rule in rules(api) {
            let text = format!("{}(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)\n", rule.name());
            let errors =
                translate(&parse(&text).unwrap(), Some(api), 2, Polls::Awaited).expect_err(rule.name());
            assert!(
                errors[0]
                    .hint
                    .as_deref()
                    .is_some_and(|hint| hint.contains(rule.form())),
                "{errors:?}"
            );
        }
    }
}
