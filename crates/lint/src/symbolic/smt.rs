//! Numbers and operators in SMT-LIB 2: bit vectors.

use crate::ir::{Arithmetic, Predicate};

/// A number of 64 bits.
pub(super) fn constant(value: u64) -> String {
    format!("#x{value:016x}")
}

/// The low bits of a number.
pub(super) fn low(value: &str, bits: u32) -> String {
    match bits {
        64.. => value.to_owned(),
        bits => format!("((_ extract {} 0) {value})", bits - 1),
    }
}

/// A number of so many bits in 64.
pub(super) fn wide(value: &str, bits: u32) -> String {
    match bits {
        64.. => value.to_owned(),
        1 => format!("((_ zero_extend 63) {value})"),
        bits => format!("((_ sign_extend {}) {value})", 64 - bits),
    }
}

/// The operator on bit vectors.
pub(super) fn operation(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Add => "bvadd",
        Arithmetic::Sub => "bvsub",
        Arithmetic::Mul => "bvmul",
        Arithmetic::UDiv => "bvudiv",
        Arithmetic::URem => "bvurem",
        Arithmetic::SDiv => "bvsdiv",
        Arithmetic::SRem => "bvsrem",
        Arithmetic::And => "bvand",
        Arithmetic::Or => "bvor",
        Arithmetic::Xor => "bvxor",
        Arithmetic::Shl => "bvshl",
        Arithmetic::LShr => "bvlshr",
        Arithmetic::AShr => "bvashr",
    }
}

/// The quotient of a number and a power of two, rounded to zero. A division by any number is a large circuit, which
/// solvers take much longer for.
pub(super) fn shifted(value: &str, power: u32) -> String {
    let (sign, less) = (constant(63), constant((1 << power) - 1));
    let power = constant(u64::from(power));
    format!("(bvashr (bvadd {value} (bvand (bvashr {value} {sign}) {less})) {power})")
}

/// Sign-extended numbers of one width are in the order of these without a sign, too.
pub(super) fn relation(predicate: Predicate) -> Option<&'static str> {
    Some(match predicate {
        Predicate::Eq => "=",
        Predicate::Ult => "bvult",
        Predicate::Ule => "bvule",
        Predicate::Slt => "bvslt",
        Predicate::Sle => "bvsle",
        Predicate::Ne | Predicate::Ugt | Predicate::Uge | Predicate::Sgt | Predicate::Sge => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    /// As a solver computes it, for each power and numbers on both sides of its multiples.
    #[test]
    fn a_shifted_number_is_the_quotient() {
        let mut script = String::new();
        let mut asked = 0;
        for power in 0..63 {
            let by = 1_i64 << power;
            for value in [
                0,
                1,
                -1,
                by,
                -by,
                by - 1,
                1 - by,
                by + 1,
                -by - 1,
                i64::MAX,
                i64::MIN,
            ] {
                let value = constant(value as u64);
                let quotient = shifted(&value, power);
                let _ = writeln!(
                    script,
                    "(simplify (= {quotient} (bvsdiv {value} {})))",
                    constant(by as u64)
                );
                asked += 1;
            }
        }
        let mut solver = Command::new("z3")
            .arg("-in")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("z3 is there: scripts/setup");
        let mut commands = solver.stdin.take().expect("a pipe");
        let writer = std::thread::spawn(move || commands.write_all(script.as_bytes()));
        let said = solver.wait_with_output().expect("z3 ends");
        writer.join().expect("no panic").expect("z3 reads");
        let said = String::from_utf8_lossy(&said.stdout);
        assert_eq!(
            said.lines().filter(|line| *line == "true").count(),
            asked,
            "{said}"
        );
    }
}
