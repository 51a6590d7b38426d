//! Misuse that does not compile, each with the message that its programmer sees (`tests/misuse/*.stderr`), and what the
//! same rules permit. The cells of thesis Table 4.1 (Ait Kaci 2022) that are marked as errors are `table_4_1_*`.
//!
//! After a change of the compiler: `TRYBUILD=overwrite cargo test -p farside --test misuse`, and read the difference.

#[test]
fn misuse_does_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/misuse/*.rs");
    cases.pass("tests/permitted/*.rs");
}
