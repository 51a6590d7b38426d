//! Misuse that does not compile, each with the message that its programmer sees (`tests/misuse/*.stderr`). The cells of
//! thesis Table 4.1 (Ait Kaci 2022) that are marked as errors are `table_4_1_*`; what it permits is in
//! `crates/rma/tests/permitted.rs`.
//!
//! No program that compiles is among them: with one, all that this crate depends on would be built once more, not only
//! checked.
//!
//! After a change of the compiler: `TRYBUILD=overwrite cargo test -p farside-misuse`, and read the difference.

#[test]
fn misuse_does_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/misuse/*.rs");
}
