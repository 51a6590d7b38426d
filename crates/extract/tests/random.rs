//! Random programs, written in the language of `.pgas` files and in C: what is followed of the C program must be as
//! robust as the other, which never was C.

mod reading;

use farside_pgas::ast::Program;
use farside_pgas::parser::parse;
use reading::{followed, is_robust, verdict};
use std::fmt::Write as _;

/// Numbers that look random (SplitMix64, Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

/// A program of two processes in both languages.
#[derive(Default)]
struct Both {
    pgas: String,
    c: String,
    registers: u32,
}

/// Where puts and loads go.
const PLACES: [&str; 5] = ["x", "y", "z", "a[0]", "a[1]"];

/// What all programs in C begin with.
const HEAD: &str = "#include <shmem.h>
volatile int x, y, z, a[3];
static void put(volatile int *to, int at, int value, int pe) {
    shmem_int_p((int *)to + at, value, pe);
}
static void clear(volatile int *to, int pe) {
    for (int i = 0; i < 2; i++)
        put(to, i, 0, pe);
}
static void fill(volatile int *to, int pe) {
    int i = 0;
    do
        put(to++, 0, 1, pe);
    while (++i < 2);
}
int main(void) {
shmem_init();
shmem_ctx_t c[2];
shmem_ctx_create(0, &c[0]);
shmem_ctx_create(SHMEM_CTX_SERIALIZED, &c[1]);
";

impl Both {
    fn line(&mut self, pgas: &str, c: &str) {
        let _ = writeln!(self.pgas, "{pgas}");
        let _ = writeln!(self.c, "{c}");
    }

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

    fn register(&mut self) -> String {
        self.registers += 1;
        format!("r{}", self.registers)
    }

    fn statement(&mut self, random: &mut Random, depth: u32) {
        let (x, y) = (random.one_of(&PLACES), random.one_of(&PLACES));
        let (pe, value) = (random.below(2), random.below(2));
        match random.below(16) {
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

    fn of(seed: u64) -> (String, String) {
        let mut random = Random(seed);
        let mut ranks = Vec::new();
        for _ in 0..2 {
            let mut both = Self::default();
            for _ in 0..3 + random.below(3) {
                both.statement(&mut random, 1);
            }
            ranks.push(both);
        }
        let mut pgas = "program random\napi shmem\nranks 2\ndomain 2\nshared x, y, z, a[3]\n".to_owned();
        let mut c = HEAD.to_owned();
        c.push_str("int r0 = shmem_my_pe()");
        for register in 1..=ranks.iter().map(|both| both.registers).max().unwrap() {
            let _ = write!(c, ", r{register}");
        }
        c.push_str(";\n");
        for (rank, both) in ranks.iter().enumerate() {
            let _ = write!(pgas, "rank {rank} {{\n{}}}\n", both.pgas);
            let _ = write!(c, "if (r0 == {rank}) {{\n{}}}\n", both.c);
        }
        c.push_str("return 0;\n}\n");
        (pgas, c)
    }
}

#[test]
fn c_is_as_robust_as_the_program_that_it_was_written_as() {
    let programs: u64 = std::env::var("FARSIDE_PROGRAMS").map_or(150, |many| many.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("random.c");
    let (mut yes, mut no) = (0, 0);
    for seed in 0..programs {
        let (pgas, c) = Both::of(seed);
        std::fs::write(&file, &c).unwrap();
        let program: Program = parse(&pgas).unwrap_or_else(|errors| panic!("{errors:?}\n{pgas}"));
        let expected = if is_robust(&program).unwrap() { "yes" } else { "no" };
        let extract = followed(&file, 2, 0, &[]);
        assert_eq!(extract.notes(), [], "seed {seed}\n{c}\n{}", extract.all_ways());
        assert_eq!(
            verdict(&extract),
            expected,
            "seed {seed}\n{pgas}\n{c}\n{}",
            extract.all_ways()
        );
        let printed = extract.all_ways().to_string();
        assert_eq!(
            parse(&printed).as_ref(),
            Ok(extract.all_ways()),
            "seed {seed}\n{printed}"
        );
        *(if expected == "yes" { &mut yes } else { &mut no }) += 1;
    }
    // Both answers occur, so that neither can be given without looking.
    assert!(
        yes * 10 > programs && no * 10 > programs,
        "{yes} robust, {no} not"
    );
}
