//! Programs with GASPI: two calls have a meaning of their own in C, notifications of reads and of writes.

use crate::both::{Both, Random, Written, branches, declared};

/// Notifications.
const NOTIFICATIONS: u64 = 6;

const HEAD: &str = "#include <GASPI.h>
int main(void) {
gaspi_proc_init(GASPI_BLOCK);
gaspi_rank_t me;
gaspi_proc_rank(&me);
gaspi_segment_create(0, 12, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
gaspi_pointer_t pointer;
gaspi_segment_ptr(0, &pointer);
volatile int *m = pointer;
gaspi_notification_id_t first;
gaspi_notification_t old;
gaspi_atomic_value_t before;
";

/// Where an operation takes what it transfers, and where to.
fn sides(random: &mut Random) -> (u64, u64) {
    let own = random.below(3);
    (own, (own + 1 + random.below(2)) % 3)
}

/// One call that is written alike in both languages, but for its first arguments, which say what it transfers.
fn transfer(both: &mut Both, call: &str, (own, other): (u64, u64), pe: usize, rest: &str) {
    both.line(
        &format!("{call}(m, {own}, {pe}, m, {other}, 1, {rest}, GASPI_BLOCK)"),
        &format!(
            "{call}(0, {}, {pe}, 0, {}, 4, {rest}, GASPI_BLOCK);",
            4 * own,
            4 * other
        ),
    );
}

fn await_notification(both: &mut Both, id: u64) {
    let r = both.register();
    both.line(
        &format!("gaspi_notify_waitsome(m, {id}, 1, &{r}, GASPI_BLOCK)"),
        &format!("gaspi_notify_waitsome(0, {id}, 1, &first, GASPI_BLOCK);"),
    );
    both.line(
        &format!("gaspi_notify_reset(m, {id}, &{r})"),
        "gaspi_notify_reset(0, first, &old);",
    );
}

fn step(ranks: &mut [Both], random: &mut Random, next: &mut u64) {
    let (from, pe) = (random.below(2) as usize, random.below(2) as usize);
    let (x, value, queue) = (random.below(3), random.below(2), random.below(2));
    let between = sides(random);
    match random.below(10) {
        0 | 1 => transfer(&mut ranks[from], "gaspi_write", between, pe, &queue.to_string()),
        2 => transfer(&mut ranks[from], "gaspi_read", between, pe, &queue.to_string()),
        3 if *next < NOTIFICATIONS => {
            let id = *next;
            *next += 1;
            transfer(
                &mut ranks[from],
                "gaspi_read_notify",
                between,
                pe,
                &format!("{id}, {queue}"),
            );
            if random.below(3) == 0 {
                step(ranks, random, next);
            }
            if random.below(6) > 0 {
                await_notification(&mut ranks[from], id);
            }
            load(&mut ranks[from], between.0);
        }
        4 | 5 if *next < NOTIFICATIONS => {
            let id = *next;
            *next += 1;
            match random.below(3) {
                0 => {
                    let call = format!("gaspi_notify({{}}, {}, {id}, 1, {queue}, GASPI_BLOCK)", 1 - from);
                    ranks[from].line(&call.replace("{}", "m"), &format!("{};", call.replace("{}", "0")));
                }
                _ => transfer(
                    &mut ranks[from],
                    "gaspi_write_notify",
                    between,
                    1 - from,
                    &format!("{id}, 1, {queue}"),
                ),
            }
            if random.below(3) == 0 {
                step(ranks, random, next);
            }
            await_notification(&mut ranks[1 - from], id);
            load(&mut ranks[1 - from], between.1);
        }
        6 => ranks[from].line(
            &format!("gaspi_wait({queue}, GASPI_BLOCK)"),
            &format!("gaspi_wait({queue}, GASPI_BLOCK);"),
        ),
        7 => {
            for both in ranks {
                let call = "gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK)";
                both.line(call, &format!("{call};"));
            }
        }
        8 => ranks[from].line(&format!("m[{x}] = {value}"), &format!("m[{x}] = {value};")),
        _ => load(&mut ranks[from], x),
    }
}

/// A load, and a store if what is read is 1.
fn load(both: &mut Both, x: u64) {
    let r = both.register();
    both.line(&format!("{r} = m[{x}]"), &format!("{r} = m[{x}];"));
    both.line(
        &format!("if {r} == 1 {{ m[{}] = 1 }}", (x + 1) % 3),
        &format!("if ({r} == 1) m[{}] = 1;", (x + 1) % 3),
    );
}

pub(crate) fn written(seed: u64) -> Written {
    let mut random = Random::of(seed);
    let mut ranks = [Both::default(), Both::default()];
    let mut next = 0;
    for _ in 0..4 + random.below(4) {
        step(&mut ranks, &mut random, &mut next);
    }
    let mut pgas = "program random\napi gaspi17\nranks 2\ndomain 2\nshared m[3]\n".to_owned();
    let mut c = format!("{HEAD}{}", declared(&ranks));
    branches(&ranks, &mut pgas, &mut c);
    c.push_str("return 0;\n}\n");
    Written { pgas, c: vec![c] }
}
