//! Each rule of each API: the statements that stand for its call. What is promised, and by which source, is in the
//! rules (`robust-tests/DIALECTS.md`); here it stands once more, against change by accident.

use farside_pgas::ast::{Api, Program};
use farside_pgas::calculus::Polls;
use farside_pgas::dialect::{rules, translate};
use farside_pgas::parser::parse;

/// A call, and what stands for it, a statement after the other.
const CALLS: &[(Api, &str, &str)] = &[
    (
        Api::Shmem,
        "shmem_put(&y, &x, 1, 1)",
        "write(x, 1, y, shmem_puts, shmem_put); wait_local shmem_put",
    ),
    (
        Api::Shmem,
        "shmem_put_nbi(&y, &x, 1, 1)",
        "write(x, 1, y, shmem_puts)",
    ),
    (
        Api::Shmem,
        "shmem_p(&y, r, 1)",
        "shmem_value_y = r; write(shmem_value_y, 1, y, shmem_puts, shmem_put); wait_local shmem_put",
    ),
    (
        Api::Shmem,
        "shmem_put_signal(&y, &x, 1, &x, r, SHMEM_SIGNAL_SET, 1)",
        "write(x, 1, y, shmem_puts, shmem_put); wait_local shmem_put; shmem_value_y = r; \
         write_after(shmem_value_y, 1, x, shmem_puts, shmem_put); wait_local shmem_put",
    ),
    (
        Api::Shmem,
        "shmem_put_signal_nbi(&y, &x, 1, &x, 1, SHMEM_SIGNAL_SET, 1)",
        "write(x, 1, y, shmem_puts); write_after(shmem_value_1, 1, x, shmem_puts)",
    ),
    (
        Api::Shmem,
        "shmem_put_signal(&y, &x, 1, &x, 1, SHMEM_SIGNAL_ADD, 1)",
        "write(x, 1, y, shmem_puts, shmem_put); wait_local shmem_put; fence shmem_puts, 1; \
         fetch_add(_, 1, x, 1, shmem_puts)",
    ),
    (
        Api::Shmem,
        "shmem_ctx_put_signal_nbi(2, &y, &x, 1, &x, r, SHMEM_SIGNAL_ADD, 1)",
        "write(x, 1, y, shmem_ctx_puts[2]); fence shmem_ctx_puts[2], 1; fetch_add(_, 1, x, r, shmem_ctx_puts[2])",
    ),
    (
        Api::Shmem,
        "shmem_signal_wait_until(&x, SHMEM_CMP_EQ, 1)",
        "while !(x == 1) {; }",
    ),
    (
        Api::Shmem,
        "shmem_get(&y, &x, 1, 1)",
        "read(y, 1, x, shmem_get); wait shmem_get",
    ),
    (
        Api::Shmem,
        "shmem_get_nbi(&y, &x, 1, 1)",
        "read(y, 1, x, shmem_gets)",
    ),
    (
        Api::Shmem,
        "r = shmem_g(&x, 1)",
        "read(shmem_result_r, 1, x, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (Api::Shmem, "shmem_fence()", "fence shmem_puts"),
    (Api::Shmem, "shmem_quiet()", "wait shmem_puts; wait shmem_gets"),
    (
        Api::Shmem,
        "shmem_barrier_all()",
        "wait shmem_puts; wait shmem_gets; barrier",
    ),
    (Api::Shmem, "shmem_sync_all()", "barrier"),
    (
        Api::Shmem,
        "shmem_wait_until(&x, SHMEM_CMP_EQ, 1)",
        "while !(x == 1) {; }",
    ),
    (Api::Shmem, "r = shmem_test(&x, SHMEM_CMP_NE, 1)", "r = x != 1"),
    (
        Api::Shmem,
        "r = shmem_atomic_fetch_add(&x, 1, 1)",
        "fetch_add(shmem_result_r, 1, x, 1, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "r = shmem_atomic_fetch_inc(&x, 1)",
        "fetch_add(shmem_result_r, 1, x, 1, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "r = shmem_atomic_swap(&x, 1, 1)",
        "swap(shmem_result_r, 1, x, 1, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "r = shmem_atomic_compare_swap(&x, 0, 1, 1)",
        "cas(shmem_result_r, 1, x, 0, 1, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "r = shmem_atomic_fetch(&x, 1)",
        "read(shmem_result_r, 1, x, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "shmem_atomic_set(&x, 1, 1)",
        "swap(_, 1, x, 1, shmem_puts)",
    ),
    (
        Api::Shmem,
        "shmem_atomic_add(&x, 1, 1)",
        "fetch_add(_, 1, x, 1, shmem_puts)",
    ),
    (
        Api::Shmem,
        "shmem_atomic_inc(&x, 1)",
        "fetch_add(_, 1, x, 1, shmem_puts)",
    ),
    (
        Api::Shmem,
        "shmem_ctx_put(0, &y, &x, 1, 1)",
        "write(x, 1, y, shmem_ctx_puts[0], shmem_put); wait_local shmem_put",
    ),
    (
        Api::Shmem,
        "shmem_ctx_put_nbi(1, &y, &x, 1, 1)",
        "write(x, 1, y, shmem_ctx_puts[1])",
    ),
    (
        Api::Shmem,
        "shmem_ctx_put_signal(0, &y, &x, 1, &x, 1, SHMEM_SIGNAL_SET, 1)",
        "write(x, 1, y, shmem_ctx_puts[0], shmem_put); wait_local shmem_put; write_after(shmem_value_1, 1, x, shmem_ctx_puts[0])",
    ),
    (
        Api::Shmem,
        "shmem_ctx_put_signal_nbi(0, &y, &x, 1, &x, r, SHMEM_SIGNAL_SET, 1)",
        "write(x, 1, y, shmem_ctx_puts[0]); shmem_value_y = r; write_after(shmem_value_y, 1, x, shmem_ctx_puts[0], shmem_put); wait_local shmem_put",
    ),
    (
        Api::Shmem,
        "shmem_ctx_p(2, &y, 1, 1)",
        "write(shmem_value_1, 1, y, shmem_ctx_puts[2])",
    ),
    (
        Api::Shmem,
        "shmem_ctx_get(0, &y, &x, 1, 1)",
        "read(y, 1, x, shmem_get); wait shmem_get",
    ),
    (
        Api::Shmem,
        "shmem_ctx_get_nbi(0, &y, &x, 1, 1)",
        "read(y, 1, x, shmem_ctx_gets[0])",
    ),
    (
        Api::Shmem,
        "r = shmem_ctx_g(0, &x, 1)",
        "read(shmem_result_r, 1, x, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (Api::Shmem, "shmem_ctx_fence(3)", "fence shmem_ctx_puts[3]"),
    (
        Api::Shmem,
        "shmem_ctx_quiet(3)",
        "wait shmem_ctx_puts[3]; wait shmem_ctx_gets[3]",
    ),
    (
        Api::Shmem,
        "r = shmem_ctx_atomic_fetch_add(0, &x, 1, 1)",
        "fetch_add(shmem_result_r, 1, x, 1, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "r = shmem_ctx_atomic_fetch_inc(0, &x, 1)",
        "fetch_add(shmem_result_r, 1, x, 1, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "r = shmem_ctx_atomic_swap(0, &x, 1, 1)",
        "swap(shmem_result_r, 1, x, 1, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "r = shmem_ctx_atomic_compare_swap(0, &x, 0, 1, 1)",
        "cas(shmem_result_r, 1, x, 0, 1, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "r = shmem_ctx_atomic_fetch(0, &x, 1)",
        "read(shmem_result_r, 1, x, shmem_get); wait shmem_get; r = shmem_result_r",
    ),
    (
        Api::Shmem,
        "shmem_ctx_atomic_set(1, &x, 1, 1)",
        "swap(_, 1, x, 1, shmem_ctx_puts[1])",
    ),
    (
        Api::Shmem,
        "shmem_ctx_atomic_add(1, &x, 1, 1)",
        "fetch_add(_, 1, x, 1, shmem_ctx_puts[1])",
    ),
    (
        Api::Shmem,
        "shmem_ctx_atomic_inc(1, &x, 1)",
        "fetch_add(_, 1, x, 1, shmem_ctx_puts[1])",
    ),
    (
        Api::Shmem,
        "shmem_ctx_putmem(0, &y, &x, 1, 1)",
        "write(x, 1, y, shmem_ctx_puts[0], shmem_put); wait_local shmem_put",
    ),
    (
        Api::Shmem,
        "shmem_ctx_int_p( q, &y, 1, 1)",
        "write(shmem_value_1, 1, y, q)",
    ),
    (
        Api::Shmem,
        "shmem_ctx_int_get_nbi( q, &y, &x, 1, 1)",
        "read(y, 1, x, q_ctx_gets)",
    ),
    (
        Api::Armci,
        "ARMCI_Put(&x, &y, sizeof(int), 1)",
        "write(x, 1, y, armci[1], armci_put); wait_local armci_put",
    ),
    (
        Api::Armci,
        "ARMCI_NbPut(&x, &y, sizeof(int), 1, &h)\nARMCI_Wait(&h)",
        "write(x, 1, y, armci[1], h); wait_local h",
    ),
    (
        Api::Armci,
        "ARMCI_PutValueInt(r, &y, 1)",
        "armci_value_y = r; write(armci_value_y, 1, y, armci[1], armci_put); wait_local armci_put",
    ),
    (
        Api::Armci,
        "ARMCI_Get(&x, &y, sizeof(int), 1)",
        "read(y, 1, x, armci[1], armci_get); wait armci_get",
    ),
    (
        Api::Armci,
        "ARMCI_NbGet(&x, &y, sizeof(int), 1, &h)\nARMCI_Wait(&h)",
        "read(y, 1, x, armci[1], h); wait h",
    ),
    (
        Api::Armci,
        "r = ARMCI_GetValueInt(&x, 1)",
        "read(armci_result_r, 1, x, armci[1], armci_get); wait armci_get; r = armci_result_r",
    ),
    (
        Api::Armci,
        "ARMCI_NbGet(&x, &y, sizeof(int), 1, NULL)\nARMCI_WaitAll()",
        "read(y, 1, x, armci[1], armci_gets); wait_local armci; wait armci_gets",
    ),
    (Api::Armci, "ARMCI_Fence(1)", "wait armci[1]"),
    (Api::Armci, "ARMCI_AllFence()", "wait armci"),
    (Api::Armci, "ARMCI_Barrier()", "wait armci; barrier"),
    (Api::Armci, "armci_msg_barrier()", "barrier"),
    (
        Api::Armci,
        "ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &r, &x, 1, 1)",
        "fetch_add(armci_result_r, 1, x, 1, armci_rmw); wait armci_rmw; r = armci_result_r",
    ),
    (
        Api::Armci,
        "ARMCI_Rmw(ARMCI_SWAP, &r, &x, 0, 1)",
        "swap(armci_result_r, 1, x, r, armci_rmw); wait armci_rmw; r = armci_result_r",
    ),
    (
        Api::Gasnet,
        "gasnet_put(1, &y, &x, sizeof(int))",
        "write(x, 1, y, gasnet_blocking); wait gasnet_blocking",
    ),
    (
        Api::Gasnet,
        "gasnet_get(&y, 1, &x, sizeof(int))",
        "read(y, 1, x, gasnet_blocking); wait gasnet_blocking",
    ),
    (
        Api::Gasnet,
        "h = gasnet_put_nb(1, &y, &x, sizeof(int))",
        "write(x, 1, y, gasnet_nb, h); wait_local h",
    ),
    (
        Api::Gasnet,
        "h = gasnet_put_nb_bulk(1, &y, &x, sizeof(int))",
        "write(x, 1, y, gasnet_nb, h)",
    ),
    (
        Api::Gasnet,
        "h = gasnet_get_nb(&y, 1, &x, sizeof(int))",
        "read(y, 1, x, gasnet_nb, h)",
    ),
    (Api::Gasnet, "gasnet_wait_syncnb(h)", "wait h"),
    (
        Api::Gasnet,
        "gasnet_put_nbi(1, &y, &x, sizeof(int))",
        "write(x, 1, y, gasnet_puts, gasnet_put); wait_local gasnet_put",
    ),
    (
        Api::Gasnet,
        "gasnet_put_nbi_bulk(1, &y, &x, sizeof(int))",
        "write(x, 1, y, gasnet_puts)",
    ),
    (
        Api::Gasnet,
        "gasnet_get_nbi(&y, 1, &x, sizeof(int))",
        "read(y, 1, x, gasnet_gets)",
    ),
    (Api::Gasnet, "gasnet_wait_syncnbi_puts()", "wait gasnet_puts"),
    (Api::Gasnet, "gasnet_wait_syncnbi_gets()", "wait gasnet_gets"),
    (
        Api::Gasnet,
        "gasnet_wait_syncnbi_all()",
        "wait gasnet_puts; wait gasnet_gets",
    ),
    (
        Api::Gasnet,
        "gasnet_put_val(1, &y, r, sizeof(int))",
        "gasnet_value_y = r; write(gasnet_value_y, 1, y, gasnet_blocking); wait gasnet_blocking",
    ),
    (
        Api::Gasnet,
        "r = gasnet_get_val(1, &y, sizeof(int))",
        "read(gasnet_result_r, 1, y, gasnet_blocking); wait gasnet_blocking; r = gasnet_result_r",
    ),
    (Api::Gasnet, "gasnet_barrier()", "barrier"),
    (
        Api::Gpi,
        "writeDmaGPI(&x, &y, sizeof(int), 1, 0)",
        "write(x, 1, y, gpi_queue[0])",
    ),
    (
        Api::Gpi,
        "readDmaGPI(&x, &y, sizeof(int), 1, 0)",
        "read(x, 1, y, gpi_queue[0])",
    ),
    (Api::Gpi, "waitDmaGPI(0)", "wait gpi_queue[0]"),
    (Api::Gpi, "barrierGPI()", "barrier"),
    (
        Api::Gaspi,
        "gaspi_write(x, 0, 1, y, 0, 1, 0, GASPI_BLOCK)",
        "write(x, 1, y, gaspi_queue[0])",
    ),
    (
        Api::Gaspi,
        "gaspi_read(x, 0, 1, y, 0, 1, 0, GASPI_BLOCK)",
        "read(x, 1, y, gaspi_queue[0])",
    ),
    (Api::Gaspi, "gaspi_wait(0, GASPI_BLOCK)", "wait gaspi_queue[0]"),
    (
        Api::Gaspi,
        "gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK)",
        "barrier",
    ),
    (
        Api::Gaspi,
        "gaspi_notify(y, 1, 0, 1, 0, GASPI_BLOCK)",
        "write_after(gaspi_value_1, 1, y_notify[0], gaspi_queue[0])",
    ),
    (
        Api::Gaspi,
        "gaspi_write_notify(x, 0, 1, y, 0, 1, 0, r, 0, GASPI_BLOCK)",
        "write(x, 1, y, gaspi_queue[0]); gaspi_value_y = r; write_after(gaspi_value_y, 1, y_notify[0], gaspi_queue[0], \
         gaspi_sent); wait_local gaspi_sent",
    ),
    (
        Api::Gaspi,
        "gaspi_notify_waitsome(x, 0, 2, &r, GASPI_BLOCK)",
        "choice {; gaspi_seen_0 = x_notify[0]; while !gaspi_seen_0 {; gaspi_seen_0 = x_notify[0]; }; r = 0; } or {; \
         gaspi_seen_1 = x_notify[1]; while !gaspi_seen_1 {; gaspi_seen_1 = x_notify[1]; }; r = 1; }",
    ),
    (
        Api::Gaspi,
        "gaspi_notify_reset(x, 0, &r)",
        "swap(gaspi_result_r, me, x_notify[0], 0, gaspi_atomic); wait gaspi_atomic; r = gaspi_result_r",
    ),
    (
        Api::Gaspi,
        "gaspi_atomic_fetch_add(x, 0, 1, 1, &r, GASPI_BLOCK)",
        "fetch_add(gaspi_result_r, 1, x, 1, gaspi_atomic); wait gaspi_atomic; r = gaspi_result_r",
    ),
    (
        Api::Gaspi,
        "gaspi_atomic_compare_swap(x, 0, 1, 0, 1, &r, GASPI_BLOCK)",
        "cas(gaspi_result_r, 1, x, 0, 1, gaspi_atomic); wait gaspi_atomic; r = gaspi_result_r",
    ),
    (Api::Gaspi, "gaspi_proc_rank(&r)", "r = me"),
    (Api::Gaspi, "gaspi_proc_num(&r)", "r = n"),
    (
        Api::Gaspi17,
        "gaspi_write(x, 0, 1, y, 0, 1, 0, GASPI_BLOCK)",
        "write(x, 1, y, gaspi_queue[0])",
    ),
    (
        Api::Gaspi17,
        "gaspi_read(x, 0, 1, y, 0, 1, 0, GASPI_BLOCK)",
        "read(x, 1, y, gaspi_queue[0], gaspi_reads[0])",
    ),
    (
        Api::Gaspi17,
        "gaspi_wait(0, GASPI_BLOCK)",
        "wait_local gaspi_queue[0]; wait gaspi_reads[0]",
    ),
    (
        Api::Gaspi17,
        "gaspi_read_notify(x, 0, 1, y, 0, 1, 3, 0, GASPI_BLOCK)",
        "read(x, 1, y, gaspi_notified[3], gaspi_reads[0]); write(gaspi_value_1, me, x_notify[3], gaspi_notified[3])",
    ),
    (
        Api::Gaspi17,
        "gaspi_read(x, 0, 1, y, 0, 1, q, GASPI_BLOCK)\ngaspi_wait(q, GASPI_BLOCK)",
        "read(x, 1, y, q, q_reads); wait_local q; wait q_reads",
    ),
];

#[test]
fn each_call_is_what_its_rule_says() {
    for &(api, call, expected) in CALLS {
        let queue = if call.contains(" q, ") { "\nqueue q" } else { "" };
        let text = format!("shared x, y{queue}\nr = 7\n{call}\n");
        let program = translate(&parse(&text).unwrap(), Some(api), 2, Polls::Awaited)
            .unwrap_or_else(|errors| panic!("{}", errors[0].render("t", &text)));
        let printed = Program {
            declarations: Vec::new(),
            ..program
        }
        .to_string();
        let lines = printed
            .lines()
            .skip(1)
            .map(str::trim)
            .filter(|line| !line.is_empty() && *line != "r = 7");
        assert_eq!(lines.collect::<Vec<_>>().join("; "), expected, "{call}");
    }
}

#[test]
fn each_rule_has_a_call_here() {
    for api in Api::ALL {
        for rule in rules(api) {
            // What the two readings of GASPI share stands once.
            let here = |&&(of, call, _): &&(Api, &str, &str)| {
                (of == api || (api == Api::Gaspi17 && of == Api::Gaspi)) && call.contains(rule.name())
            };
            assert!(
                CALLS.iter().any(|row| here(&row)),
                "{} of {}",
                rule.name(),
                api.name()
            );
        }
    }
}
