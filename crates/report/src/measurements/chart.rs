//! A figure as SVG: lines over ranks or bytes, both axes logarithmic but that of overlap. A point is a median, the line
//! through it goes from the 5th to the 95th hundredth of the samples. Squares are what the paper prints. What had
//! nothing to do is not drawn: on a logarithmic axis it would squeeze all others. Colours come from the page, so that
//! the same picture is right in light and in dark; the legend stands below, so that on a phone the picture has the
//! width of the screen and its text can be read.

use crate::measurements::text;
use farside_measurements::{Report, Row, paper};
use maud::{Markup, html};

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 300.0;
/// Left, right, top, bottom.
const MARGIN: (f64, f64, f64, f64) = (58.0, 16.0, 10.0, 44.0);
/// Between the middles of two labels of an axis: across, and up.
const BETWEEN: (f64, f64) = (36.0, 15.0);
/// Colours of the page.
const COLOURS: usize = 11;

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
        let of = |digits: &[f64]| -> Vec<f64> {
            let all =
                (first..=last).flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)));
            all.filter(|tick| (self.least..=self.greatest).contains(tick))
                .collect()
        };
        let coarse = of(&[1.0, 2.0, 5.0]);
        // A figure of less than one power of ten would have a label or two.
        if coarse.len() < 4 {
            of(&[1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0])
        } else {
            coarse
        }
    }
}

/// A line of the figure.
struct Line {
    name: String,
    /// Of the page.
    colour: usize,
    is_of_paper: bool,
    /// Where it stands, and the median, the 5th and the 95th hundredth.
    points: Vec<(f64, [f64; 3])>,
}

/// The lines of a study: each series, and after it what the paper prints for it.
fn lines(report: &Report, study: &str, positive: impl Fn(f64) -> f64) -> Vec<Line> {
    let mut lines = Vec::new();
    for (number, name) in report.series(study).into_iter().enumerate() {
        let colour = number % COLOURS;
        let rows = || report.of(study).filter(|row| row.series == name && !row.idle);
        let values = |row: &Row| [row.median, row.low, row.high].map(&positive);
        lines.push(Line {
            name: name.to_owned(),
            colour,
            is_of_paper: false,
            points: rows().map(|row| (row.x as f64, values(row))).collect(),
        });
        let printed = |row: &Row| {
            let time = paper::table_1(name, row.ranks).filter(|_| paper::is_of(&report.place))?;
            Some((row.x as f64, [time; 3]))
        };
        let points: Vec<_> = rows().filter_map(printed).collect();
        if !points.is_empty() {
            lines.push(Line {
                name: format!("{name}, paper"),
                colour,
                is_of_paper: true,
                points,
            });
        }
    }
    lines.retain(|line| !line.points.is_empty());
    lines
}

/// Those of the ticks whose labels do not run into one another, from the first on.
fn apart(ticks: &[f64], place: impl Fn(f64) -> f64, between: f64) -> Vec<f64> {
    let mut kept: Vec<f64> = Vec::new();
    for &tick in ticks {
        if kept
            .last()
            .is_none_or(|last| (place(tick) - place(*last)).abs() >= between)
        {
            kept.push(tick);
        }
    }
    kept
}

/// The figure of a study, with its legend.
pub(super) fn figure(report: &Report, study: &str) -> Markup {
    let is_share = text::y_title(study) == "hundredths";
    let lines = lines(
        report,
        study,
        |value| if is_share { value } else { value.max(1e-3) },
    );
    let all = || lines.iter().flat_map(|line| &line.points);
    let across = Axis::new(all().map(|(x, _)| *x), true, MARGIN.0 + 8.0, WIDTH - MARGIN.1);
    // No point lies on the edge.
    let wider = |value: f64| {
        if is_share {
            [value; 2]
        } else {
            [value / 1.06, value * 1.06]
        }
    };
    let up = Axis::new(
        all().flat_map(|(_, values)| *values).flat_map(wider),
        !is_share,
        HEIGHT - MARGIN.3,
        MARGIN.2,
    );
    let mut places: Vec<f64> = all().map(|(x, _)| *x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let x_title = match text::x_title(study) {
        "bytes" => "bytes of a put",
        _ => "ranks",
    };
    let y_title = if is_share {
        "overlap, hundredths"
    } else {
        "microseconds"
    };
    let label = format!("{study}: {y_title} by {x_title}");
    html! {
        figure {
            svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
                @for tick in apart(&up.ticks(), |tick| up.place(tick), BETWEEN.1) {
                    @let y = up.place(tick);
                    line.grid x1=(MARGIN.0) x2=(WIDTH - MARGIN.1) y1=(digit(y)) y2=(digit(y)) {}
                    text x=(MARGIN.0 - 6.0) y=(digit(y + 4.0)) text-anchor="end" { (tick) }
                }
                @for place in apart(&places, |place| across.place(place), BETWEEN.0) {
                    @let x = digit(across.place(place));
                    line.grid x1=(x) x2=(x) y1=(MARGIN.2) y2=(HEIGHT - MARGIN.3) {}
                    text x=(x) y=(HEIGHT - MARGIN.3 + 16.0) text-anchor="middle" { (short(place as u64)) }
                }
                @let middle = f64::midpoint(MARGIN.0, WIDTH - MARGIN.1);
                text x=(middle) y=(HEIGHT - 8.0) text-anchor="middle" { (x_title) }
                @let turned = format!("translate(14 {}) rotate(-90)", HEIGHT / 2.0);
                text transform=(turned) text-anchor="middle" { (y_title) }
                @for line in &lines {
                    @let middle = |(x, [middle, ..]): &(f64, [f64; 3])| {
                        format!("{},{}", digit(across.place(*x)), digit(up.place(*middle)))
                    };
                    @let middles: Vec<String> = line.points.iter().map(middle).collect();
                    g class=(class(line)) {
                        polyline points=(middles.join(" ")) {}
                        @for &(x, [middle, low, high]) in &line.points {
                            @let x = across.place(x);
                            @if high > low {
                                @let (bottom, top) = (digit(up.place(low)), digit(up.place(high)));
                                line.spread x1=(digit(x)) x2=(digit(x)) y1=(bottom) y2=(top) {}
                            }
                            (point(x, up.place(middle), line.is_of_paper))
                        }
                    }
                }
            }
            ul.legend {
                @for line in &lines {
                    li {
                        svg viewBox="0 0 28 12" aria-hidden="true" {
                            g class=(class(line)) {
                                polyline points="0,6 28,6" {}
                                (point(14.0, 6.0, line.is_of_paper))
                            }
                        }
                        (line.name)
                    }
                }
            }
        }
    }
}

fn class(line: &Line) -> String {
    format!(
        "series s{}{}",
        line.colour,
        if line.is_of_paper { " paper" } else { "" }
    )
}

fn point(x: f64, y: f64, is_of_paper: bool) -> Markup {
    html! {
        @if is_of_paper {
            rect x=(digit(x - 3.5)) y=(digit(y - 3.5)) width="7" height="7" {}
        } @else {
            circle cx=(digit(x)) cy=(digit(y)) r="3" {}
        }
    }
}

/// With one digit after the point.
fn digit(number: f64) -> String {
    format!("{number:.1}")
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
        // Three points, and the legend's two.
        assert_eq!(drawn.matches("<circle").count(), 5);
        assert!(!drawn.contains("rect") && !drawn.contains("spread"), "{drawn}");
    }

    #[test]
    fn spread_is_drawn_and_the_papers_points_and_nothing_for_what_did_nothing() {
        let row = |series: &str, times: &[f64]| Row::new("collectives", series, 64, 64, times.to_vec());
        let report = Report {
            place: "sim:infiniband_2009".to_owned(),
            rows: vec![
                row("barrier", &[40.0, 44.0, 50.0]),
                row("idle", &[0.1]).idle(true),
            ],
            ..Report::default()
        };
        let drawn = figure(&report, "collectives").into_string();
        assert_eq!(drawn.matches("class=\"spread\"").count(), 1, "{drawn}");
        assert_eq!(drawn.matches("<rect").count(), 2, "the point, and the legend's");
        assert!(
            drawn.contains("barrier, paper") && !drawn.contains("idle"),
            "{drawn}"
        );
    }

    #[test]
    fn labels_do_not_run_into_one_another() {
        let kept = apart(&[0.0, 10.0, 30.0, 55.0, 61.0], |tick| tick, 30.0);
        assert_eq!(kept, [0.0, 30.0, 61.0]);
    }
}
