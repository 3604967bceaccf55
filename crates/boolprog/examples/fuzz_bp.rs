//! Mutated Boolean programs: parsing, flattening and a short check never panic, and what is printed is read back.
//!
//! `cargo run --release -p heddle-boolprog --features stress --example fuzz_bp -- --seconds N [--seed S] corpus/boolprog/*.bp`

use std::time::{Duration, Instant};

use heddle_base::Budget;
use heddle_boolprog::stress::generate::Random;
use heddle_boolprog::{Proof, Settings, check, parse};

/// Words that mean something.
const WORDS: [&str; 40] = [
    "decl",
    "begin",
    "end",
    "skip;",
    "goto",
    "return",
    "constrain",
    "lock",
    "unlock",
    "assume(",
    "assert(",
    "start_thread",
    "end_thread;",
    "if",
    "then",
    "elsif",
    "else",
    "fi",
    "while",
    "do",
    "od",
    "atomic",
    "schoose[",
    "void",
    "bool<2>",
    ":=",
    ",",
    ";",
    "(",
    ")",
    "*",
    "*1",
    "$",
    "'",
    "&",
    "|",
    "=>",
    "!",
    "main",
    "\u{2227}",
];

fn main() {
    let mut seconds = 10;
    let mut seed = 1;
    let mut texts = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => seconds = args.next().and_then(|n| n.parse().ok()).expect("--seconds N"),
            "--seed" => seed = args.next().and_then(|n| n.parse().ok()).expect("--seed S"),
            file => texts.push(std::fs::read_to_string(file).expect("a readable file")),
        }
    }
    assert!(!texts.is_empty(), "give some .bp files");
    let (mut random, begin) = (Random::new(seed), Instant::now());
    let (mut count, mut parsed, mut checked) = (0_u64, 0_u64, 0_u64);
    while begin.elapsed() < Duration::from_secs(seconds) {
        let text = mutant(&texts, &mut random);
        count += 1;
        let _ = Proof::parse(&text);
        let Ok(program) = parse(&text) else { continue };
        parsed += 1;
        let printed = program.to_string();
        assert_eq!(parse(&printed).as_ref(), Ok(&program), "printed and read back:\n{printed}");
        let budget = Budget::unlimited().with_time(Duration::from_millis(50));
        checked += u64::from(check(&program, &Settings::default(), &budget).is_ok());
    }
    println!("seed {seed}: {count} texts, {parsed} parsed, {checked} checked");
}

fn mutant(texts: &[String], random: &mut Random) -> String {
    let mut text: Vec<char> = texts[random.below(texts.len())].chars().collect();
    for _ in 0..1 + random.below(6) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 => drop(text.splice(at..(at + random.below(20)).min(text.len()), [])),
            1 => drop(text.splice(at..at, WORDS[random.below(WORDS.len())].chars())),
            2 => {
                let other: Vec<char> = texts[random.below(texts.len())].chars().collect();
                let from = random.below(other.len() + 1);
                let to = (from + random.below(80)).min(other.len());
                drop(text.splice(at..at, other[from..to].iter().copied()));
            }
            3 if at < text.len() => text[at] = char::from_u32(random.below(0x250) as u32).unwrap_or('x'),
            4 => {
                let to = (at + random.below(60)).min(text.len());
                let piece: Vec<char> = text[at..to].to_vec();
                drop(text.splice(at..at, piece));
            }
            _ => drop(text.splice(at..at, WORDS[random.below(WORDS.len())].chars().chain([' ']))),
        }
    }
    text.into_iter().collect()
}
