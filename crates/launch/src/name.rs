//! Names of jobs.

/// A name that no other job has: `farside-` and 16 random hexadecimal digits.
///
/// # Errors
/// The system has no random bytes.
pub fn fresh() -> std::io::Result<String> {
    Ok(format!("farside-{}", token()?))
}

/// 16 random hexadecimal digits.
pub(crate) fn token() -> std::io::Result<String> {
    let mut bytes = [0; 8];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    Ok(format!("{:016x}", u64::from_ne_bytes(bytes)))
}

/// Turns what a foreign launcher calls its job into letters, digits, `-` and `.`.
pub(crate) fn plain(text: &str) -> String {
    let good = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' {
            c
        } else {
            '-'
        }
    };
    text.chars().map(good).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_plain() {
        let (one, other) = (fresh().expect("random bytes"), fresh().expect("random bytes"));
        assert_ne!(one, other);
        assert_eq!(one, plain(&one));
        assert_eq!(plain("kvs_12_a/b c"), "kvs-12-a-b-c");
    }
}
