//! Parses preprocessed files, each on its own, and reports errors and speed.
//!
//! `cargo run --release -p heddle-c-front --example parse_files -- [--repeat N] FILE…`

use std::time::{Duration, Instant};

use heddle_base::SourceMap;
use heddle_c_front::diag::Diagnostics;
use heddle_c_front::intern::Interner;
use heddle_c_front::parse::parse_unit;

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut repeat = 1;
    if files.first().is_some_and(|f| f == "--repeat") {
        repeat = files[1].parse().expect("a number behind --repeat");
        files.drain(..2);
    }
    let (mut bytes, mut failed) = (0, 0);
    let mut times: Vec<Duration> = Vec::new();
    for file in &files {
        let text = String::from_utf8_lossy(&std::fs::read(file).expect("a readable file")).into_owned();
        bytes += text.len();
        let mut best = Duration::MAX;
        for round in 0..repeat {
            let mut sources = SourceMap::new();
            let start = sources.add_input(file, text.clone()).expect("room for the file");
            let (mut interner, mut diags) = (Interner::default(), Diagnostics::default());
            let begin = Instant::now();
            let ast = parse_unit(&mut sources, start, &mut interner, &mut diags);
            best = best.min(begin.elapsed());
            std::hint::black_box(ast);
            if round == 0 && diags.has_errors() {
                failed += 1;
                for diag in diags.iter().take(3) {
                    println!("{}: {}", sources.display(sources.loc(diag.span.lo)), diag.message);
                    println!("    {}", sources.line_at(diag.span.lo));
                }
            }
        }
        times.push(best);
    }
    times.sort();
    let total: Duration = times.iter().sum();
    println!(
        "{} files, {failed} with errors, {:.1} MB in {:.1} ms: {:.1} MB/s, median {:.3} ms",
        files.len(),
        bytes as f64 / 1e6,
        total.as_secs_f64() * 1e3,
        bytes as f64 / 1e6 / total.as_secs_f64(),
        times.get(times.len() / 2).map_or(0.0, |t| t.as_secs_f64() * 1e3),
    );
}
