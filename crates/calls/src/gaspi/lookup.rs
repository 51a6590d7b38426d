//! Functions by their names.

use super::width::*;
use super::*;
use std::collections::HashMap;
use std::sync::LazyLock;

static BY_NAME: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    macro_rules! each {
        ($name:expr, $meaning:expr, [$($width:expr),*], [$($how:expr),*]) => {
            all.insert($name, Function::new($name, $meaning, const { &[$($width),*] }, const { &[$($how),*] }));
        };
    }
    crate::followed_functions_of_gaspi!(each);
    all
});

/// The function of a C name; `None` if it is not followed.
#[must_use]
pub fn of_name(name: &str) -> Option<&'static Function> {
    BY_NAME.get(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_followed_is_found_and_the_rest_is_not() {
        let write = of_name("gaspi_write").expect("it is followed");
        assert_eq!(write.meaning(), Meaning::Request(Direction::Write, Notifies::No));
        assert!(OTHERS.iter().all(|name| of_name(name).is_none()));
    }
}
