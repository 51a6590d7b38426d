//! A task counter: ranks take tasks by fetch_and_op on one word, so that who is faster does more.
//!
//! `farside run -n 4 -- counter TASKS`; or `FARSIDE_TRANSPORT=sim:8 counter TASKS`.

mod program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tasks = std::env::args().nth(1).map_or(Ok(1000), |word| word.parse())?;
    for table in farside::run(|world| program::run(world, tasks))?
        .into_iter()
        .flatten()
    {
        print!("{table}");
    }
    Ok(())
}
