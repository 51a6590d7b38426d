//! The page of figures of a run that was kept: `figures RUN.json > RUN.html`, of what `farside bench --json` wrote.

use farside_report::measurements::html;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args()
        .nth(1)
        .ok_or("usage: figures RUN.json > RUN.html")?;
    let run = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    println!("{}", html::render(&serde_json::from_str(&run)?));
    Ok(())
}
