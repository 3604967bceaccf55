//! Feeds mutated C to lexer, parser and lowering: no input may panic, hang or overflow the stack.
//!
//! `cargo run --release -p heddle-c-front --example fuzz_front -- [--seconds N] [--inputs N] [--seed N] [--save FILE]
//! FILE…`
//!
//! Inputs are windows of the given files with a few edits each. Errors and the tree are printed to nowhere, so that
//! rendering and dumping are exercised, too. `--save` keeps the input at hand in a file: what a stack overflow leaves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use heddle_base::SourceMap;
use heddle_c_front::ast_dump::dump;
use heddle_c_front::diag::Diagnostics;
use heddle_c_front::intern::Interner;
use heddle_c_front::parse::parse_unit;
use heddle_c_front::render::{RenderConfig, render};
use heddle_c_front::token::KEYWORDS;
use heddle_c_front::{Options as CompileOptions, compile};
use heddle_ir::passes::standard;
use heddle_ir::text::print;
use heddle_ir::verify::verify;

struct Options {
    seconds: u64,
    /// The number of inputs after which it ends, if it has time for as many.
    inputs: u64,
    seed: u64,
    save: Option<PathBuf>,
    files: Vec<String>,
}

fn main() {
    let options = options();
    let texts: Vec<Vec<u8>> = options.files.iter().map(|f| std::fs::read(f).expect("a readable file")).collect();
    assert!(texts.iter().any(|t| !t.is_empty()), "no files to mutate");
    // As small as the stack of a test thread, so that an overflow shows.
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || fuzz(&options, &texts));
    let failures = worker.expect("a thread").join().expect("the fuzzer itself does not panic");
    std::process::exit(if failures == 0 { 0 } else { 1 });
}

fn options() -> Options {
    let mut options = Options { seconds: 10, inputs: u64::MAX, seed: 1, save: None, files: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().expect("a value behind the option");
        match argument.as_str() {
            "--seconds" => options.seconds = value().parse().expect("a number"),
            "--inputs" => options.inputs = value().parse().expect("a number"),
            "--seed" => options.seed = value().parse().expect("a number"),
            "--save" => options.save = Some(value().into()),
            _ => options.files.push(argument),
        }
    }
    options
}

fn fuzz(options: &Options, texts: &[Vec<u8>]) -> u64 {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let begin = Instant::now();
    let (mut bytes, mut failures, mut with_errors, mut slowest) = (0, 0, 0u64, Duration::ZERO);
    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));
    while RUNS.load(Ordering::Relaxed) < options.inputs && begin.elapsed() < Duration::from_secs(options.seconds) {
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let text = mutate(&mut Random::new(options.seed, run), texts);
        if let Some(path) = &options.save {
            std::fs::write(path, &text).expect("the file behind --save can be written");
        }
        bytes += text.len();
        let start = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| check(&text))) {
            Ok(errors) => with_errors += u64::from(errors),
            Err(_) => {
                failures += 1;
                eprintln!("--- seed {} run {run} panics on:\n{text}\n---", options.seed);
            }
        }
        slowest = slowest.max(start.elapsed());
        if start.elapsed() > Duration::from_secs(1) {
            failures += 1;
            eprintln!("--- seed {} run {run} takes {:?} on:\n{text}\n---", options.seed, start.elapsed());
        }
    }
    let runs = RUNS.load(Ordering::Relaxed);
    println!(
        "seed {}: {runs} inputs ({:.1} MB, {with_errors} with errors) in {:.0} s, slowest {slowest:?}, {failures} failures",
        options.seed,
        bytes as f64 / 1e6,
        begin.elapsed().as_secs_f64(),
    );
    failures
}

/// Parses, renders, dumps, lowers and verifies; returns whether there were syntax errors.
fn check(text: &str) -> bool {
    let (mut sources, mut interner, mut diags) = (SourceMap::new(), Interner::default(), Diagnostics::default());
    let start = sources.add_input("fuzz.c", text.to_owned()).expect("room for the input");
    let ast = parse_unit(&mut sources, start, &mut interner, &mut diags);
    for diag in diags.iter() {
        std::hint::black_box(render(diag, &sources, RenderConfig::default()));
    }
    for expr in ast.exprs.iter() {
        assert!(expr.span.lo <= expr.span.hi && expr.span.hi as usize <= text.len(), "a span outside of the text");
    }
    for stmt in ast.stmts.iter() {
        assert!(stmt.span.lo <= stmt.span.hi && stmt.span.hi as usize <= text.len(), "a span outside of the text");
    }
    std::hint::black_box(dump(&ast, &interner));
    let compiled = compile(vec![("fuzz.c".to_owned(), text.to_owned())], CompileOptions::default());
    for diag in compiled.diagnostics.iter() {
        std::hint::black_box(render(diag, &compiled.sources, RenderConfig::default()));
    }
    if let Some(mut program) = compiled.program {
        let errors = verify(&program);
        assert!(errors.is_empty(), "a malformed program: {}", errors[0]);
        standard(&mut program);
        std::hint::black_box(print(&program));
    }
    diags.has_errors()
}

/// A window of some text with a few edits.
fn mutate(random: &mut Random, texts: &[Vec<u8>]) -> String {
    // A small file as a whole, so that some edits hit what is valid, else a window.
    let whole = &texts[random.below(texts.len())];
    let mut bytes = if whole.len() < 6000 { whole.clone() } else { window(random, texts, 3000).to_vec() };
    for _ in 0..random.below(12) {
        let (from, to) = range(random, bytes.len());
        match random.below(9) {
            0 => drop(bytes.drain(from..to)),
            1 => drop(bytes.splice(from..from, window(random, texts, 200).iter().copied())),
            2 => drop(bytes.splice(from..to, window(random, texts, 200).iter().copied())),
            3 => {
                let copy = bytes[from..to].to_vec();
                let times = if copy.len() < 8 { random.below(400) } else { 1 };
                drop(bytes.splice(to..to, copy.repeat(times)));
            }
            4 if from < bytes.len() => bytes[from] = random.below(256) as u8,
            5 => bytes.truncate(to),
            _ => {
                let token = format!(" {} ", token(random));
                drop(bytes.splice(from..from, token.into_bytes()));
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn window<'t>(random: &mut Random, texts: &'t [Vec<u8>], max: usize) -> &'t [u8] {
    let text = &texts[random.below(texts.len())];
    let from = random.below(text.len() + 1);
    // Mostly whole lines, so that much of the input is C.
    let from =
        if random.below(4) > 0 { text[..from].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1) } else { from };
    &text[from..(from + random.below(max)).min(text.len())]
}

fn range(random: &mut Random, len: usize) -> (usize, usize) {
    let from = random.below(len + 1);
    let longest = if random.below(3) == 0 { 60 } else { 6 };
    (from, (from + random.below(longest)).min(len))
}

fn token(random: &mut Random) -> &'static str {
    const OTHERS: &[&str] = &[
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        ":",
        "?",
        ".",
        "...",
        "->",
        "~",
        "!",
        "++",
        "*",
        "&&",
        "=",
        "<<=",
        "<:",
        "%>",
        "#",
        "\\",
        "'",
        "\"",
        "/*",
        "*/",
        "//",
        "0x1p3",
        "1e+",
        "09",
        "'\\x'",
        "L\"\\u00e4\"",
        "u8\"a\"",
        "x",
        "T",
        "\n",
        "\n# 3 \"f.c\"\n",
        "\n#line 4294967295\n",
        "\\\n",
        "typedef int T;",
        "({",
        "})",
        "[[",
        "]]",
        "__attribute__((",
        "))",
    ];
    let index = random.below(KEYWORDS.len() + OTHERS.len());
    KEYWORDS.get(index).map_or_else(|| OTHERS[index - KEYWORDS.len()], |k| k.0)
}

/// Xorshift, started from the seed and the number of the run: each input can be had again.
struct Random(u64);

impl Random {
    fn new(seed: u64, run: u64) -> Random {
        let mut random =
            Random((seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ run.wrapping_mul(0xD6E8_FEB8_6659_FD93)) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }
}
