//! What one process of a random program does, in both languages.

use std::fmt::Write as _;

/// Numbers that look random (SplitMix64, Steele, Lea and Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn of(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    pub(crate) fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

/// A program in both languages.
pub(crate) struct Written {
    pub(crate) pgas: String,
    /// The sources of one program; the first one has `main`.
    pub(crate) c: Vec<String>,
}

/// What one process does in both languages.
#[derive(Default)]
pub(crate) struct Both {
    pub(crate) pgas: String,
    pub(crate) c: String,
    pub(crate) registers: u32,
}

impl Both {
    pub(crate) fn line(&mut self, pgas: &str, c: &str) {
        let _ = writeln!(self.pgas, "{pgas}");
        let _ = writeln!(self.c, "{c}");
    }

    pub(crate) fn register(&mut self) -> String {
        self.registers += 1;
        format!("r{}", self.registers)
    }
}

/// The declaration of all registers.
pub(crate) fn declared(ranks: &[Both]) -> String {
    let many = ranks.iter().map(|both| both.registers).max().unwrap_or(0);
    let mut text = "int r0".to_owned();
    for register in 1..=many {
        let _ = write!(text, ", r{register}");
    }
    text.push_str(";\n");
    text
}

/// The branches of all processes.
pub(crate) fn branches(ranks: &[Both], pgas: &mut String, c: &mut String) {
    for (rank, both) in ranks.iter().enumerate() {
        let _ = write!(pgas, "rank {rank} {{\n{}}}\n", both.pgas);
        let _ = write!(c, "if (me == {rank}) {{\n{}}}\n", both.c);
    }
}
