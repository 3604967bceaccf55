//! `cargo xtask stress bp --seed S --count N`: random Boolean programs; every part of `boolprog` must agree, and the machine must
//! confirm every violation.
//!
//! What agrees with what is listed in `boolprog::stress::oracle`. Here the checker as a whole is added: its verdict against exact
//! exploration, its proofs against the proof checker, its counterexamples against the machine. Run it with `--release`.

use std::time::{Duration, Instant};

use heddle_base::Budget;
use heddle_boolprog::flatten::Recursion;
use heddle_boolprog::stress::generate::generate;
use heddle_boolprog::stress::oracle::{self, Seen};
use heddle_boolprog::{Basis, Settings, Verdict, ast, check, flatten, proof};
use heddle_engines::boolean::{judge, lower};
use heddle_ir::Visibility;
use heddle_ir::analysis::Analysis;

use crate::flags::Flags;

/// How to call it.
pub const USAGE: &str = "cargo xtask stress bp [--seed S] [--count N]";

/// Parametric formulas take part in one of so many programs.
const PARAMETRIC: u64 = 2;

/// What came of all programs.
#[derive(Default)]
struct Sums {
    violated: u64,
    threads: u64,
    ghosts: u64,
    pairs: u64,
    referee: u64,
    large: u64,
    refused: u64,
    undecided: u64,
    judged: u64,
}

/// Runs it; the error is the first disagreement, with the program.
pub fn run(words: &[&str]) -> Result<(), String> {
    let mut flags = Flags::parse(words)?;
    let (seed, count) = (flags.number("--seed", 1)?, flags.count(1000, 30)?);
    flags.finish()?;
    println!("seed {seed}, count {count}");
    let begin = Instant::now();
    let mut sums = Sums::default();
    for seed in seed..seed + count {
        let program = generate(seed);
        one(&program, seed.is_multiple_of(PARAMETRIC), &mut sums)
            .map_err(|error| format!("seed {seed}: {error}\n{program}"))?;
    }
    let Sums { violated, threads, ghosts, pairs, referee, large, refused, undecided, judged } = sums;
    println!(
        "{violated} violated, {judged} of them replayed by the machine; proved: {threads} by thread states, {ghosts} with \
         ghosts, {pairs} by pairs, {referee} by the referee; {undecided} undecided, {large} too large, {refused} refused, \
         in {:.0} s",
        begin.elapsed().as_secs_f64()
    );
    Ok(())
}

fn one(program: &ast::Program, parametric: bool, sums: &mut Sums) -> Result<(), String> {
    let text = program.to_string();
    let program = &heddle_boolprog::parse(&text).map_err(|e| e.render("printed", &text))?;
    let Ok(flat) = flatten(program, Recursion::Threads) else {
        sums.refused += 1;
        return Ok(());
    };
    let Some(seen) = oracle::check(&flat, parametric)? else {
        sums.large += 1;
        return Ok(());
    };
    sums.violated += u64::from(seen.violated);
    sums.threads += u64::from(seen.proved_by_threads);
    sums.ghosts += u64::from(seen.proved_with_ghosts && !seen.proved_by_threads);
    sums.pairs += u64::from(seen.proved_by_pairs && !seen.proved_by_threads && !seen.proved_with_ghosts);
    whole(program, &text, &seen, flat.over_approximates, sums)
}

/// The checker as a whole. With recursion as threads the oracle explores more than the program does.
fn whole(program: &ast::Program, text: &str, seen: &Seen, recursive: bool, sums: &mut Sums) -> Result<(), String> {
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    let settings = Settings { proof: true, ..Settings::default() };
    let report = check(program, &settings, &budget).map_err(|e| format!("{e:?}"))?;
    match &report.verdict {
        Verdict::Safe(_) if seen.violated && !recursive => Err("the checker says SAFE".to_owned()),
        Verdict::Safe(Basis::ThreadStates(Some(found)) | Basis::Pairs(Some(found))) => {
            let flat = flatten(program, Recursion::Threads).map_err(|e| format!("{e:?}"))?;
            proof::check(found, &flat, &Budget::unlimited()).map_err(|r| format!("the proof is refused: {r}"))
        }
        Verdict::Safe(_) => {
            sums.referee += 1;
            Ok(())
        }
        Verdict::Unknown(_) => {
            sums.undecided += 1;
            Ok(())
        }
        Verdict::Unsafe(_) if !seen.violated && !seen.needs_more => Err("the checker says UNSAFE".to_owned()),
        Verdict::Unsafe(run) => {
            let lowered = lower(&report.flat, "random.bp", text)?;
            let sharing = Analysis::new(&lowered.program).sharing;
            let code = heddle_machine::compile(&lowered.program, &Visibility::analysed(&lowered.program, &sharing));
            judge(&report.flat, run, &lowered, &code, &budget).map_err(|e| format!("not confirmed: {e}"))?;
            sums.judged += 1;
            Ok(())
        }
    }
}
