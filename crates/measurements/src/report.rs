//! The result of a run, as data.

use serde::{Deserialize, Serialize};

/// A fact about the machine or a tool on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about.
    pub name: String,
    /// What the tool said.
    pub value: String,
}

/// A figure, with the samples that it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What was measured; rows of one study are one table, or one figure.
    pub study: String,
    /// A column of the table, a line of the figure.
    pub series: String,
    /// Number of ranks.
    pub ranks: u32,
    /// Where it stands in the figure: ranks, or bytes.
    pub x: u64,
    /// The median of the samples: microseconds; of overlap, hundredths.
    pub median: f64,
    /// The 5th hundredth of the samples.
    pub low: f64,
    /// The 95th hundredth.
    pub high: f64,
    /// In the order in which they were taken.
    pub samples: Vec<f64>,
    /// The design had nothing to do: no figure of a fence, and not to be compared with one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub idle: bool,
}

impl Row {
    /// A row of samples, of which there is one at least.
    #[must_use]
    pub fn new(study: &str, series: &str, ranks: u32, x: u64, samples: Vec<f64>) -> Self {
        let mut sorted = samples.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = share * sorted.len().saturating_sub(1) as f64;
            sorted.get(place.round() as usize).copied().unwrap_or(f64::NAN)
        };
        Self {
            study: study.to_owned(),
            series: series.to_owned(),
            ranks,
            x,
            median: at(0.5),
            low: at(0.05),
            high: at(0.95),
            samples,
            idle: false,
        }
    }

    /// The same, of a design that had nothing to do.
    #[must_use]
    pub fn idle(self, idle: bool) -> Self {
        Self { idle, ..self }
    }
}

/// What a run measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Of farside.
    pub version: String,
    /// The command line.
    pub command: Vec<String>,
    /// Where ranks ran.
    pub place: String,
    /// What it ran on.
    pub machine: Vec<Fact>,
    /// Figures.
    pub rows: Vec<Row>,
    /// What was not run, and why.
    pub left_out: Vec<String>,
    /// What `auto` chose in each row, and why.
    #[serde(default)]
    pub choices: Vec<String>,
}

impl Report {
    /// The studies, in the order in which they were run.
    #[must_use]
    pub fn studies(&self) -> Vec<&str> {
        distinct(self.rows.iter().map(|row| row.study.as_str()))
    }

    /// The rows of a study.
    pub fn of<'r>(&'r self, study: &'r str) -> impl Iterator<Item = &'r Row> {
        self.rows.iter().filter(move |row| row.study == study)
    }

    /// The lines of a study, in the order in which they were run.
    #[must_use]
    pub fn series<'r>(&'r self, study: &'r str) -> Vec<&'r str> {
        distinct(self.of(study).map(|row| row.series.as_str()))
    }

    /// The row at a place.
    #[must_use]
    pub fn row(&self, study: &str, series: &str, x: u64) -> Option<&Row> {
        self.rows
            .iter()
            .find(|row| row.study == study && row.series == series && row.x == x)
    }

    /// Adds a row; the samples of one that is there already are joined with it.
    pub fn add(&mut self, row: Row) {
        let same = |other: &&mut Row| {
            (&other.study, &other.series, other.ranks, other.x) == (&row.study, &row.series, row.ranks, row.x)
        };
        match self.rows.iter_mut().find(same) {
            Some(there) => {
                let samples = there.samples.iter().chain(&row.samples).copied().collect();
                *there = Row::new(&row.study, &row.series, row.ranks, row.x, samples).idle(row.idle);
            }
            None => self.rows.push(row),
        }
    }
}

fn distinct<'r>(names: impl Iterator<Item = &'r str>) -> Vec<&'r str> {
    let mut all = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_median_and_the_spread_of_its_samples() {
        let row = Row::new("s", "a", 2, 2, vec![5.0, 1.0, 3.0, 2.0, 4.0]);
        assert_eq!((row.low, row.median, row.high), (1.0, 3.0, 5.0));
        assert_eq!(row.samples[0], 5.0);
    }
}
