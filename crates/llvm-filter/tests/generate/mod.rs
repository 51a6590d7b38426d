//! Random loop nests in C. All accesses stay within the arena of `recorder.h`, whatever the nest.
//!
//! The compiler does not know that all of the arena exists, else it may load from there what no statement asks for.
//! Every statement adds to what it stores to, so that no access is dead: an optimiser may drop the others, and rightly.

use std::fmt::Write as _;

/// Bytes of the arena that one pointer may reach.
const REACH: i64 = 1 << 17;

/// Numbers that look random, and are the same in each run (xorshift, Marsaglia 2003).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// One of `0..sides`.
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % sides
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.roll(all.len() as u64) as usize]
    }
}

/// A variable of a loop and its smallest and largest value.
struct Variable {
    name: String,
    low: i64,
    high: i64,
}

/// A pointer that a kernel gets.
struct Memory {
    name: &'static str,
    unit: &'static str,
    size: i64,
}

const UNITS: [(&str, i64); 5] = [
    ("unsigned char", 1),
    ("unsigned short", 2),
    ("unsigned", 4),
    ("unsigned long", 8),
    ("double", 8),
];

struct Kernel<'d> {
    dice: &'d mut Dice,
    memories: Vec<Memory>,
    /// Values of the arguments n, m and w, which the compiler does not know.
    arguments: [i64; 3],
    text: String,
    variables: Vec<Variable>,
    breaks: bool,
    /// Loops around with few rounds, of which the compiler knows the number.
    literal: usize,
}

/// A program of `kernels` functions, called with arguments that the compiler does not know.
pub(crate) fn program(dice: &mut Dice, kernels: usize) -> String {
    let mut text = "#include \"recorder.h\"\n#include <stdlib.h>\n".to_owned();
    let mut main = String::new();
    for number in 0..kernels {
        let memories = ["a", "b", "c"]
            .map(|name| {
                let &(unit, size) = dice.one_of(&UNITS);
                Memory { name, unit, size }
            })
            .into();
        let deep = dice.roll(3) != 0;
        let length = if deep { 24 } else { 1500 };
        let arguments = [
            dice.roll(length) as i64,
            dice.roll(length) as i64,
            *dice.one_of(&[1, 3, 64, 100, 513]),
        ];
        let mut kernel = Kernel {
            dice,
            memories,
            arguments,
            text: String::new(),
            variables: Vec::new(),
            breaks: false,
            literal: 0,
        };
        kernel.nest(if deep { 3 } else { 1 });
        let parameters: Vec<String> = kernel
            .memories
            .iter()
            .map(|memory| format!("{} *{}", memory.unit, memory.name))
            .collect();
        let Kernel {
            memories, text: body, ..
        } = kernel;
        let _ = write!(
            text,
            "__attribute__((noinline)) static void kernel{number}({}, int n, int m, long w)\n{{\n{body}}}\n\n",
            parameters.join(", ")
        );
        let starts: Vec<String> = memories
            .iter()
            .map(|memory| {
                let place = dice.roll((crate::ARENA - REACH) as u64 / 8) as i64 * 8;
                format!("({} *)(start + {place})", memory.unit)
            })
            .collect();
        let [n, m, w] = arguments;
        let _ = writeln!(
            main,
            "    kernel{number}({}, {n} + zero, {m} + zero, {w} + zero);\n    synchronise();",
            starts.join(", ")
        );
    }
    let _ = write!(
        text,
        "int main(int argc, char **argv)\n{{\n    int zero = atoi(argv[3]);\n    char *volatile start = arena;\n    watch(atoi(argv[1]), atoi(argv[2]));\n{main}    return 0;\n}}\n"
    );
    text
}

impl Kernel<'_> {
    fn indent(&mut self) {
        let depth = 4 * (self.variables.len() + 1);
        let _ = write!(self.text, "{:depth$}", "");
    }

    /// A loop with statements and, as long as there is depth left, loops in it.
    fn nest(&mut self, depth: usize) {
        let name = ["i", "j", "k"][self.variables.len()].to_owned();
        let (bound, value) = self.bound();
        let step = *self.dice.one_of(&[1, 1, 1, 2, 3, 7]);
        let kind = *self.dice.one_of(&["int", "long", "unsigned", "short"]);
        self.indent();
        let _ = match self.dice.roll(4) {
            0 if kind != "unsigned" => writeln!(
                self.text,
                "for ({kind} {name} = ({bound}) - 1; {name} >= 0; {name} -= {step}) {{"
            ),
            1 => writeln!(
                self.text,
                "for ({kind} {name} = 0; {name} != ({bound}); {name}++) {{"
            ),
            2 => writeln!(
                self.text,
                "for ({kind} {name} = 0; {name} < ({bound}) && {name} < 1000; {name} += {step}) {{"
            ),
            _ => writeln!(
                self.text,
                "for ({kind} {name} = 0; {name} < ({bound}); {name} += {step}) {{"
            ),
        };
        self.variables.push(Variable {
            name,
            low: 0,
            high: (value - 1).max(0),
        });
        // In loops that are unrolled as a whole, what the last round asks before it would break is of no use.
        let literal = usize::from(bound == "4");
        self.literal += literal;
        let breaks = self.dice.roll(6) == 0 && self.literal == 0;
        let outer = std::mem::replace(&mut self.breaks, breaks);
        for _ in 0..=self.dice.roll(2) {
            self.statement();
        }
        if depth > 1 {
            for _ in 0..=self.dice.roll(2) {
                self.nest(depth - 1);
            }
            if self.dice.roll(2) == 0 {
                self.statement();
            }
        }
        self.breaks = outer;
        self.literal -= literal;
        self.variables.pop();
        self.indent();
        self.text.push_str("}\n");
    }

    /// A bound that is not negative, and the largest value that it may have.
    fn bound(&mut self) -> (String, i64) {
        let [n, m, _] = self.arguments;
        let outer = self
            .variables
            .last()
            .map(|variable| (variable.name.clone(), variable.high));
        match (self.dice.roll(8), outer) {
            (0, Some((name, high))) => (format!("(int){name} + 1"), high + 1),
            (1, Some((name, high))) => (format!("(int){name}"), high),
            (2, _) => ("n < m ? n : m".to_owned(), n.min(m)),
            (3, _) => ("13".to_owned(), 13),
            (6, Some((name, high))) if high < 9 => (format!("9 - (int){name}"), 9),
            (6 | 7, _) => ("4".to_owned(), 4),
            (4, _) => ("m".to_owned(), m),
            _ => ("n".to_owned(), n),
        }
    }

    fn statement(&mut self) {
        let (target, first, second) = (self.place(), self.place(), self.place());
        self.indent();
        let condition = match self.dice.roll(5) {
            0 => format!("if ((int)({}) % 3 == 1)\n        ", self.place()),
            1 => format!("if ({} % 5 != 2)\n        ", self.variables[0].name),
            _ => String::new(),
        };
        let value = match self.dice.roll(3) {
            0 => "1".to_owned(),
            1 => first,
            _ => format!("{first} + {second}"),
        };
        let _ = writeln!(self.text, "{condition}{target} += {value};");
        if self.breaks && self.dice.roll(2) == 0 {
            let place = self.place();
            self.indent();
            let _ = writeln!(self.text, "if ({place} > 9)\n        break;");
        }
    }

    /// An element, by an index that is affine in the variables; or sometimes not quite.
    fn place(&mut self) -> String {
        let which = self.dice.roll(self.memories.len() as u64) as usize;
        let cap = REACH / self.memories[which].size;
        let width = self.arguments[2];
        let mut terms = String::new();
        let (mut low, mut high) = (0, 0);
        for number in 0..self.variables.len() {
            let (factor, value) = match self.dice.roll(10) {
                0..4 => ("1", 1),
                4 => ("2", 2),
                5 => ("-1", -1),
                6 => ("w", width),
                7 => ("-3", -3),
                8 => ("32", 32),
                _ => continue,
            };
            let variable = &self.variables[number];
            let reach = [variable.low * value, variable.high * value];
            let (least, most) = (reach[0].min(reach[1]), reach[0].max(reach[1]));
            if high + most - low - least >= cap / 2 {
                continue;
            }
            low += least;
            high += most;
            let widen = *self.dice.one_of(&["long", "int"]);
            let _ = write!(terms, " + ({widen}){} * {factor}", variable.name);
        }
        let start = -low + self.dice.roll(16) as i64;
        let name = self.memories[which].name;
        match self.dice.roll(12) {
            0 => format!("{name}[(unsigned char)({start}{terms})]"),
            1 => format!("{name}[({start}{terms}) & 0x3ff]"),
            _ => format!("{name}[{start}{terms}]"),
        }
    }
}
