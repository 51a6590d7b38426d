//! Prints `shmem.h`: `cargo run -p farside-shmem --example header > crates/shmem/include/shmem.h`.

fn main() {
    print!("{}", farside_shmem::header());
}
