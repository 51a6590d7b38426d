//! A queue of jobs at rank 0: its handler hands out places and jobs; what a job is, ranks put and get themselves.
//!
//! `farside run -n 4 -- jobs JOBS`; or `FARSIDE_TRANSPORT=sim:8 jobs JOBS`; clean under `farside run --check`.

mod program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let jobs = std::env::args().nth(1).map_or(Ok(100), |word| word.parse())?;
    for line in farside::run(|world| program::run(world, jobs))?
        .into_iter()
        .flatten()
    {
        println!("{line}");
    }
    Ok(())
}
