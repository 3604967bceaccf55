//! One program of a family, measured: `family NAME N [wrong] [sat|one|two|exact]…`.

use std::time::Instant;

use heddle_base::Budget;
use heddle_boolprog::stress::families::FAMILIES;
use heddle_boolprog::{Report, Sets, Settings, Tuples, check, parse};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let family = FAMILIES.iter().find(|f| f.name == args[0]).expect("a family");
    let has = |word: &str| args.iter().any(|a| a == word);
    let text = (family.text)(args[1].parse().expect("a number"), has("wrong"));
    if has("text") {
        print!("{text}");
    }
    let begin = Instant::now();
    let program = parse(&text).unwrap_or_else(|e| panic!("{}", e.render("family", &text)));
    let settings = Settings {
        sets: if has("sat") { Sets::Sat } else { Sets::Bdd },
        tuples: if has("one") {
            Tuples::One
        } else if has("two") {
            Tuples::Two
        } else {
            Tuples::Auto
        },
        exact: has("exact"),
        proof: has("proof"),
        ..Settings::default()
    };
    let report = check(&program, &settings, &Budget::unlimited()).unwrap_or_else(|e| panic!("{e:?}"));
    let Report { verdict, statistics, flat } = report;
    let verdict = format!("{verdict:?}");
    println!(
        "{} {} locations {statistics:?} {:?}",
        &verdict[..verdict.len().min(60)],
        flat.locations.len(),
        begin.elapsed()
    );
}
