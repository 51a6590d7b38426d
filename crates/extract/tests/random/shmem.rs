//! Programs with OpenSHMEM: contexts, signals, local completion, loops, and functions of another source.

use crate::both::{Both, Random, Written, branches, declared};

/// Where puts and loads go.
const PLACES: [&str; 5] = ["x", "y", "z", "a[0]", "a[1]"];

/// What all programs in C begin with.
const HEAD: &str = "#include <shmem.h>
#include <stdint.h>
volatile int x, y, z, a[3], f;
volatile uint64_t s, t;
void put(volatile int *to, int at, int value, int pe);
void clear(volatile int *to, int pe);
void fill(volatile int *to, int pe);
int main(void) {
shmem_init();
int me = shmem_my_pe();
shmem_ctx_t c[2];
shmem_ctx_create(0, &c[0]);
shmem_ctx_create(SHMEM_CTX_SERIALIZED, &c[1]);
";

/// Functions that programs in C call, of a source of their own or of the one with `main`.
const FUNCTIONS: &str = "#include <shmem.h>
void put(volatile int *to, int at, int value, int pe) {
    shmem_int_p((int *)to + at, value, pe);
}
void clear(volatile int *to, int pe) {
    for (int i = 0; i < 2; i++)
        put(to, i, 0, pe);
}
void fill(volatile int *to, int pe) {
    int i = 0;
    do
        put(to++, 0, 1, pe);
    while (++i < 2);
}
";

impl Both {
    /// A call on the default context, or on one of two others: numbers in one language, handles in the other.
    fn on_context(&mut self, random: &mut Random, call: &str, arguments: &str) {
        let context = random.below(4);
        if context >= 2 {
            let call = format!("shmem_{call}({arguments})");
            return self.line(&call, &format!("{call};"));
        }
        let rest = match arguments {
            "" => String::new(),
            some => format!(", {some}"),
        };
        self.line(
            &format!("shmem_ctx_{call}({context}{rest})"),
            &format!("shmem_ctx_{call}(c[{context}]{rest});"),
        );
    }

    fn statement(&mut self, random: &mut Random, depth: u32) {
        let (x, y) = (random.one_of(&PLACES), random.one_of(&PLACES));
        let (pe, value) = (random.below(2), random.below(2));
        match random.below(20) {
            0 | 1 => self.on_context(random, "int_p", &format!("&{x}, {value}, {pe}")),
            2 if x != y => self.on_context(random, "int_put", &format!("&{x}, &{y}, 1, {pe}")),
            3 if x != y => self.on_context(random, "int_get_nbi", &format!("&{x}, &{y}, 1, {pe}")),
            4 => self.on_context(random, "fence", ""),
            5 | 6 => self.on_context(random, "quiet", ""),
            7 => self.line(&format!("{x} = {value}"), &format!("{x} = {value};")),
            8 => self.on_context(random, "int_atomic_set", &format!("&{x}, {value}, {pe}")),
            9 => {
                let r = self.register();
                let call = format!("shmem_int_atomic_compare_swap(&{x}, 0, 1, {pe})");
                self.conditional(&r, &call, random, depth);
            }
            10 => {
                let r = self.register();
                let call = format!("shmem_int_g(&{x}, {pe})");
                self.conditional(&r, &call, random, depth);
            }
            11 => {
                let r = self.register();
                self.conditional(&r, x, random, depth);
            }
            // A loop of known length is as long as it is written.
            12 => {
                let puts = [0, 1].map(|at| format!("shmem_int_p(&a[{at}], {value}, {pe})"));
                let function = if value == 0 { "clear" } else { "fill" };
                self.line(&puts.join("\n"), &format!("{function}(a, {pe});"));
            }
            // One that asks another process stays one.
            13 => {
                let r = self.register();
                let get = format!("shmem_int_g(&{x}, {pe})");
                self.line(
                    &format!("{r} = {get}\nwhile {r} == 0 {{ {r} = {get} }}"),
                    &format!("while ({get} == 0)\n    ;"),
                );
            }
            14 => self.line(
                &format!("while {x} == 0 {{ }}"),
                &format!("while ({x} == 0)\n    ;"),
            ),
            // The source is in use until the quiet, or not.
            15 if x != y => {
                self.on_context(random, "int_put_nbi", &format!("&{x}, &{y}, 1, {pe}"));
                self.line(&format!("{y} = {value}"), &format!("{y} = {value};"));
            }
            16 | 17 if x != y => {
                let (call, signal) = (
                    random.one_of(&["int_put_signal", "int_put_signal_nbi"]),
                    random.one_of(&["s", "t"]),
                );
                let arguments = format!("&{x}, &{y}, 1, &{signal}, 1, SHMEM_SIGNAL_SET, {pe}");
                self.on_context(random, call, &arguments);
            }
            18 => {
                let signal = random.one_of(&["s", "t"]);
                let call = format!("shmem_signal_wait_until(&{signal}, SHMEM_CMP_EQ, 1)");
                self.line(&call, &format!("{call};"));
                let r = self.register();
                self.conditional(&r, x, random, depth);
            }
            _ => self.line(
                &format!("shmem_int_wait_until(&{x}, SHMEM_CMP_EQ, 1)"),
                &format!("shmem_int_wait_until(&{x}, SHMEM_CMP_EQ, 1);"),
            ),
        }
    }

    /// A value that is read, and what is done if it is 1; one of both is a statement, so that it matters.
    fn conditional(&mut self, r: &str, read: &str, random: &mut Random, depth: u32) {
        self.line(&format!("{r} = {read}"), &format!("{r} = {read};"));
        if depth > 0 {
            self.line(&format!("if {r} == 1 {{"), &format!("if ({r} == 1) {{"));
            let x = random.one_of(&PLACES);
            self.line(
                &format!("shmem_int_p(&{x}, 1, 0)"),
                &format!("shmem_int_p(&{x}, 1, 0);"),
            );
            self.statement(random, depth - 1);
            self.line("}", "}");
            // As a value, as an index and as a process.
            let pe = random.below(2);
            match random.below(4) {
                0 => self.line(
                    &format!("shmem_int_p(&{x}, 1 - {r}, {pe})"),
                    &format!("shmem_int_p(&{x}, 1 - {r}, {pe});"),
                ),
                1 => self.line(
                    &format!("shmem_int_p(&a[{r} + 1], {r}, {pe})"),
                    &format!("put(a + {r}, 1, {r}, {pe});"),
                ),
                2 => self.line(
                    &format!("shmem_int_p(&{x}, 1, {r})"),
                    &format!("shmem_int_p(&{x}, 1, {r});"),
                ),
                _ => self.line(&format!("a[{r}] = 1"), &format!("a[{r}] = 1;")),
            }
        }
    }
}

/// A value and a flag that says that it is there, if something between orders them.
fn hand_over(ranks: &mut [Both], random: &mut Random) {
    let from = random.below(2) as usize;
    let to = 1 - from;
    let value = random.one_of(&PLACES);
    let giver = &mut ranks[from];
    let call = random.one_of(&["int_put", "int_put_nbi", "int_get_nbi"]);
    match call {
        // What was read is handed over by a store that the other one reads.
        "int_get_nbi" => {
            giver.on_context(random, call, &format!("&{value}, &z, 1, {to}"));
            giver.on_context(random, "quiet", "");
        }
        call => giver.on_context(random, call, &format!("&{value}, &a[2], 1, {to}")),
    }
    let between = random.one_of(&["fence", "quiet", "quiet"]);
    giver.on_context(random, between, "");
    giver.on_context(random, "int_atomic_set", &format!("&f, 1, {to}"));
    let taker = &mut ranks[to];
    taker.line(
        "shmem_int_wait_until(&f, SHMEM_CMP_EQ, 1)",
        "shmem_int_wait_until(&f, SHMEM_CMP_EQ, 1);",
    );
    let r = taker.register();
    taker.conditional(&r, value, random, 0);
}

pub(crate) fn written(seed: u64) -> Written {
    let mut random = Random::of(seed);
    let mut ranks = Vec::new();
    for _ in 0..2 {
        let mut both = Both::default();
        for _ in 0..3 + random.below(3) {
            both.statement(&mut random, 1);
        }
        ranks.push(both);
    }
    if random.below(3) == 0 {
        ranks = vec![Both::default(), Both::default()];
        for both in &mut ranks {
            both.statement(&mut random, 1);
        }
        hand_over(&mut ranks, &mut random);
        for both in &mut ranks {
            both.statement(&mut random, 0);
        }
    }
    let mut pgas = "program random\napi shmem\nranks 2\ndomain 2\nshared x, y, z, a[3], f, s, t\n".to_owned();
    let mut c = format!("{HEAD}{}", declared(&ranks));
    branches(&ranks, &mut pgas, &mut c);
    c.push_str("return 0;\n}\n");
    let c = match random.below(2) {
        0 => vec![c, FUNCTIONS.to_owned()],
        _ => vec![format!("{c}{FUNCTIONS}")],
    };
    Written { pgas, c }
}
