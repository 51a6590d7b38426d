//! Statements that no target has are refused by name.

use farside_emit::{Target, Unsupported, emit};

#[test]
fn queues_and_notifications_are_refused() {
    for statement in [
        "put(X@0, S) on 1",
        "notify(N@0)",
        "put_notify(X@0, S, N@0)",
        "S = get_notify(X@0, N)",
        "wait_queue(1)",
        "await(N)",
        "a = take(N)",
    ] {
        let text = format!("RMA r\n{{ 0: X = 0; 0: S = 0; 0: N = 0; }}\nP0 {{ {statement} }}\n");
        let program = farside_litmus::parse(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        for target in [Target::OpenShmem, Target::Mpi3, Target::Portals4] {
            let refused = emit(&[&program], target).expect_err("no target has it");
            assert!(
                matches!(&refused, Unsupported::Statement { statement: named, .. } if named == statement),
                "{refused:?}"
            );
            assert!(refused.to_string().contains("cannot be emitted"), "{refused}");
        }
    }
}
