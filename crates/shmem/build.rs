//! Compiles the few lines of C that know `long double`, which Rust has not.

fn main() {
    cc::Build::new()
        .file("src/long_double.c")
        .warnings(true)
        .flag("-std=c11")
        .compile("farside_long_double");
    println!("cargo:rerun-if-changed=src/long_double.c");
}
