//! What the machine of paper 002 must have done: Table 1 beside the model that is fitted to it, and how far other
//! models are from it. Prints tables of Markdown; nothing is measured, and the figures are the same each time.

use farside_measure::table_1::{Algorithm, Column, Fit, Term, fit};

const ALL: fn(Column, u32) -> bool = |_, _| true;

fn main() {
    let best = choices()
        .filter_map(|algorithms| Some((algorithms, fit(algorithms, &Term::BEST, ALL)?)))
        .min_by(|left, right| left.1.worst(ALL).total_cmp(&right.1.worst(ALL)));
    let Some((algorithms, fitted)) = best else { return };
    println!("| cost | us |\n|---|---|");
    for (term, constant) in fitted.constants() {
        println!("| {} | {constant:.2} |", term.name());
    }
    figures(&fitted);
    println!("\n| algorithms: barrier, allreduce, reduce-scatter | worst of 18 figures, % |\n|---|---|");
    for choice in choices() {
        let worst = fit(choice, &Term::BEST, ALL).map_or(f64::NAN, |fit| fit.worst(ALL));
        println!(
            "| {} | {:.0} |",
            choice.map(Algorithm::name).join(", "),
            100.0 * worst
        );
    }
    println!("\n| the first of these | worst of 18 figures, % |\n|---|---|");
    for left_out in Term::BEST {
        let terms: Vec<Term> = Term::BEST.into_iter().filter(|term| *term != left_out).collect();
        let worst = fit(algorithms, &terms, ALL).map_or(f64::NAN, |fit| fit.worst(ALL));
        println!(
            "| without the cost of {} | {:.0} |",
            left_out.name(),
            100.0 * worst
        );
    }
    let network = fit(algorithms, &Term::OF_THE_NETWORK, ALL).map_or(f64::NAN, |fit| fit.worst(ALL));
    println!(
        "| with the costs of the virtual network | {:.0} |",
        100.0 * network
    );
    println!("\n| fitted without the figures of | worst of these, % |\n|---|---|");
    for ranks in [2, 4, 8, 16, 32, 64] {
        left_out(algorithms, &format!("{ranks} ranks"), |_, other| other == ranks);
    }
    left_out(algorithms, "32 and 64 ranks", |_, ranks| ranks > 16);
    for column in Column::ALL {
        left_out(algorithms, column.name(), |other, _| other == column);
    }
}

/// All choices of an algorithm for each column.
fn choices() -> impl Iterator<Item = [Algorithm; 3]> {
    let [barriers, allreduces, scatters] = Column::ALL.map(Algorithm::of);
    barriers.into_iter().flat_map(move |barrier| {
        allreduces
            .into_iter()
            .flat_map(move |allreduce| scatters.map(|scatter| [barrier, allreduce, scatter]))
    })
}

/// The table of the paper, and beside each figure the model's.
fn figures(fit: &Fit) {
    let names = Column::ALL.map(|column| format!("{} | paper | %", column.name()));
    println!("\n| ranks | {} |\n|---|{}", names.join(" | "), "---|".repeat(9));
    for row in 0..6 {
        let cells = Column::ALL.map(|column| {
            let (ranks, paper) = column.figures()[row];
            let predicted = fit.prediction(column, ranks);
            format!(
                "{predicted:.1} | {paper:.2} | {:+.0}",
                (100.0 * (predicted / paper - 1.0)).round() + 0.0
            )
        });
        println!("| {} | {} |", Column::Barrier.figures()[row].0, cells.join(" | "));
    }
}

/// A line: how well figures are predicted that the fit has not seen.
fn left_out(algorithms: [Algorithm; 3], name: &str, is_left_out: impl Fn(Column, u32) -> bool) {
    let fitted = fit(algorithms, &Term::BEST, |column, ranks| {
        !is_left_out(column, ranks)
    });
    let worst = fitted.map_or(f64::NAN, |fit| fit.worst(&is_left_out));
    println!("| {name} | {:.0} |", 100.0 * worst);
}
