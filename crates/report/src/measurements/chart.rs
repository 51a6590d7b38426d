//! A figure as SVG: lines over ranks or bytes, both axes logarithmic but that of overlap. Colours come from the page,
//! so that the same picture is right in light and in dark.

use crate::measurements::text;
use farside_measurements::Report;
use maud::{Markup, html};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 380.0;
/// Left, right, top, bottom.
const MARGIN: (f64, f64, f64, f64) = (62.0, 170.0, 16.0, 46.0);

/// From numbers to places.
struct Axis {
    least: f64,
    greatest: f64,
    is_logarithmic: bool,
    begin: f64,
    end: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, is_logarithmic: bool, begin: f64, end: f64) -> Self {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            least = least.min(value);
            greatest = greatest.max(value);
        }
        if !is_logarithmic {
            (least, greatest) = (0.0, 100.0);
        } else if greatest <= least {
            (least, greatest) = (least / 2.0, greatest * 2.0);
        }
        Self {
            least,
            greatest,
            is_logarithmic,
            begin,
            end,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let share = if self.is_logarithmic {
            (value / self.least).ln() / (self.greatest / self.least).ln()
        } else {
            (value - self.least) / (self.greatest - self.least)
        };
        self.begin + share * (self.end - self.begin)
    }

    /// Round numbers on it.
    fn ticks(&self) -> Vec<f64> {
        if !self.is_logarithmic {
            return (0..=5).map(|step| f64::from(step) * 20.0).collect();
        }
        let first = self.least.log10().floor() as i32;
        let last = self.greatest.log10().ceil() as i32;
        let all = (first..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
        all.filter(|tick| (self.least..=self.greatest).contains(tick))
            .collect()
    }
}

/// The figure of a study.
pub(super) fn figure(report: &Report, study: &str) -> Markup {
    let (x_title, unit) = (text::x_title(study), text::y_title(study));
    let is_share = unit == "hundredths";
    let series = report.series(study);
    let positive = |value: f64| if is_share { value } else { value.max(1e-3) };
    let across = Axis::new(
        report.of(study).map(|row| row.x as f64),
        true,
        MARGIN.0,
        WIDTH - MARGIN.1,
    );
    let up = Axis::new(
        report.of(study).map(|row| positive(row.median)),
        !is_share,
        HEIGHT - MARGIN.3,
        MARGIN.2,
    );
    let mut places: Vec<u64> = report.of(study).map(|row| row.x).collect();
    places.sort_unstable();
    places.dedup();
    let y_title = if is_share {
        "overlap, hundredths"
    } else {
        "microseconds"
    };
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(study) {
            @for tick in up.ticks() {
                @let y = up.place(tick);
                line.grid x1=(MARGIN.0) x2=(WIDTH - MARGIN.1) y1=(y) y2=(y) {}
                text x=(MARGIN.0 - 6.0) y=(y + 4.0) text-anchor="end" { (tick) }
            }
            @for &place in &places {
                @let x = across.place(place as f64);
                line.grid x1=(x) x2=(x) y1=(MARGIN.2) y2=(HEIGHT - MARGIN.3) {}
                text x=(x) y=(HEIGHT - MARGIN.3 + 16.0) text-anchor="middle" { (short(place)) }
            }
            text x=(f64::midpoint(MARGIN.0, WIDTH - MARGIN.1)) y=(HEIGHT - 8.0) text-anchor="middle" { (x_title) }
            text transform=(format!("translate(14 {}) rotate(-90)", HEIGHT / 2.0)) text-anchor="middle" { (y_title) }
            @for (number, name) in series.iter().enumerate() {
                @let points: Vec<(f64, f64)> = report.of(study).filter(|row| row.series == *name)
                    .map(|row| (across.place(row.x as f64), up.place(positive(row.median)))).collect();
                g class=(format!("series s{}", number % 11)) {
                    polyline points=(points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")) {}
                    @for (x, y) in &points { circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="3" {} }
                    @let y = MARGIN.2 + 10.0 + 20.0 * number as f64;
                    line x1=(WIDTH - MARGIN.1 + 14.0) x2=(WIDTH - MARGIN.1 + 38.0) y1=(y) y2=(y) {}
                    text x=(WIDTH - MARGIN.1 + 44.0) y=(y + 4.0) { (name) }
                }
            }
        }
    }
}

fn short(number: u64) -> String {
    match number {
        0..1024 => number.to_string(),
        1024..1_048_576 if number.is_multiple_of(1024) => format!("{}K", number >> 10),
        _ if number.is_multiple_of(1 << 20) => format!("{}M", number >> 20),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_measurements::Row;

    #[test]
    fn points_lie_within_the_figure_and_names_are_escaped() {
        let row = |series: &str, x: u64, time: f64| Row::new("fence & put", series, x as u32, x, vec![time]);
        let report = Report {
            rows: vec![row("a<b", 2, 4.0), row("a<b", 64, 400.0), row("c", 2, 0.0)],
            ..Report::default()
        };
        let drawn = figure(&report, "fence & put").into_string();
        assert!(
            drawn.contains("a&lt;b") && !drawn.contains("NaN") && !drawn.contains("inf"),
            "{drawn}"
        );
        assert_eq!(drawn.matches("<circle").count(), 3);
    }
}
