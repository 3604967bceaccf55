//! `replay [--mutants N] [--seed S]`: every target on its seeds and on N mutants of each, the same ones every time.
//!
//! For those without libFuzzer, and for the gate. Files that are given beside the flags (`TARGET FILE…`) are tried alone, such as
//! what libFuzzer has found.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heddle_fuzz::{TARGETS, Target};

/// Whatever takes longer is taken for endless.
const PATIENCE: Duration = Duration::from_secs(10);

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut mutants, mut seed, mut words) = (100u64, 1u64, Vec::new());
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|text| text.parse().ok()).expect("a number behind the flag");
        match arg.as_str() {
            "--mutants" => mutants = number(),
            "--seed" => seed = number(),
            _ => words.push(arg),
        }
    }
    // The stack of a thread of a test, so that deep nesting shows.
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || match words.split_first() {
        Some((name, files)) => {
            let (_, target) = *TARGETS.iter().find(|(of, _)| of == name).expect("a target of this name");
            files.iter().filter(|file| !tries(target, &std::fs::read(file).expect("a file"), file)).count()
        }
        None => TARGETS.iter().map(|(name, target)| seeds(name, *target, mutants, seed)).sum(),
    });
    let failures = worker.expect("a thread").join().expect("panics are caught");
    std::process::exit(i32::from(failures > 0));
}

/// Tries all seeds of a target and their mutants; the number of failures.
fn seeds(name: &str, target: Target, mutants: u64, seed: u64) -> usize {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name);
    let entries = std::fs::read_dir(&dir).expect("every target has seeds");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    let texts: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).expect("a seed")).collect();
    let (start, mut failures, mut inputs) = (Instant::now(), 0, 0);
    for (file, text) in files.iter().zip(&texts) {
        let mut random = Random(seed ^ text.len() as u64);
        for number in 0..=mutants {
            // The first one is the seed itself.
            let input = if number == 0 { text.clone() } else { mutate(text, &texts, &mut random) };
            inputs += 1;
            failures += usize::from(!tries(target, &input, &format!("{} mutant {number}", file.display())));
        }
    }
    println!("{name}: {} seeds, {inputs} inputs, {failures} failures, {:.1} s", files.len(), start.elapsed().as_secs_f64());
    failures
}

/// Whether a target takes an input; prints it if not.
fn tries(target: Target, input: &[u8], what: &str) -> bool {
    let start = Instant::now();
    let fine = catch_unwind(AssertUnwindSafe(|| target(input))).is_ok() && start.elapsed() < PATIENCE;
    if !fine {
        eprintln!("--- {what} fails after {:?} on:\n{}\n---", start.elapsed(), String::from_utf8_lossy(input));
    }
    fine
}

/// A few edits: bytes changed, parts removed, repeated, or taken from another seed.
fn mutate(text: &[u8], others: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut out = text.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(out.len() + 1);
        let length = (1 + random.below(12)).min(out.len() - at);
        match random.below(5) {
            0 if at < out.len() => out[at] = b"(){}[];,*&=-+<>\"'#0a~\\\n \xff"[random.below(25)],
            1 => drop(out.drain(at..at + length)),
            2 => {
                let part = out[at..at + length].repeat(1 + random.below(40));
                out.splice(at..at, part);
            }
            3 => {
                let other = &others[random.below(others.len())];
                let from = random.below(other.len() + 1);
                let to = (from + random.below(60)).min(other.len());
                out.splice(at..at, other[from..to].iter().copied());
            }
            _ => {
                let number = [0u64, 1, 255, 1 << 31, u64::MAX, 1 << 63][random.below(6)];
                out.splice(at..at, number.to_string().into_bytes());
            }
        }
    }
    out
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}
