//! Ranks find one another and exchange a few bytes by name, whoever has started them:
//!
//! ```sh
//! cargo build -p farside-launch --example hello
//! farside run -n 4 target/debug/examples/hello
//! mpirun -n 4 target/debug/examples/hello
//! target/debug/examples/hello
//! ```
//!
//! `hello BYTES` exchanges values of that length (4,096 if nothing is said), and checks every byte.

use std::process::ExitCode;

fn main() -> ExitCode {
    let bytes = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(4096);
    match hello(bytes) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("hello: {error}");
            ExitCode::FAILURE
        }
    }
}

fn hello(bytes: usize) -> Result<String, farside_launch::Error> {
    let job = farside_launch::connect()?;
    let value = |rank: u32| -> Vec<u8> { (0..bytes).map(|i| (i + 31 * rank as usize) as u8).collect() };
    job.publish("greeting", &value(job.rank()))?;
    job.fence()?;
    let mut good = 0;
    for rank in 0..job.size() {
        good += u32::from(job.lookup(rank, "greeting")? == value(rank));
    }
    job.fence()?;
    let line = format!(
        "rank {} of {} has {good} values of {bytes} bytes, job {}",
        job.rank(),
        job.size(),
        job.job()
    );
    job.finish()?;
    Ok(line)
}
