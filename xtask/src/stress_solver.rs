//! `cargo xtask stress solver --seed S --count N [--part terms] [--against 'z3 -in']`: random tests of crate `solver`.
//!
//! Three parts: N random terms of all sorts, evaluated, blasted, solved and compared with another solver; N/2
//! instances of an order theory against brute force; every float operator on 5·N operands, circuits against
//! evaluation and evaluation against the hardware. Every case has its own seed, so the two threads that share the
//! work do not change what is tested. Run it with `--release` for large counts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use heddle_base::Budget;
use heddle_solver::smtlib::ExternalSolver;
use heddle_solver::stress::floats::{Circuit, check_hardware, operators};
use heddle_solver::stress::terms::{Mix, Outcome};
use heddle_solver::stress::{Rng, terms, theory};
use heddle_solver::{FloatFormat, Op, Rounding};

use crate::flags::Flags;

/// Time for one question to either solver.
const QUESTION_TIME: Duration = Duration::from_millis(500);

/// What the command line asks for.
struct Options {
    seed: u64,
    count: u64,
    part: Option<String>,
    against: Option<ExternalSolver>,
}

/// One kind of random tests: what it did, or what disagreed.
type Part = fn(&Options) -> Result<String, String>;

const PARTS: [(&str, Part); 3] = [("terms", stress_terms), ("theory", stress_theory), ("floats", stress_floats)];

/// Runs all parts; the error is a disagreement, or wrong usage.
pub fn run(args: &[String]) -> Result<(), String> {
    let options = parse(args)?;
    println!("seed {}, count {}", options.seed, options.count);
    let chosen = |name: &str| options.part.as_deref().is_none_or(|part| part == name);
    for (name, part) in PARTS.iter().filter(|(name, _)| chosen(name)) {
        let start = Instant::now();
        let report = part(&options)?;
        println!("{name}: {report} in {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

fn parse(args: &[String]) -> Result<Options, String> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut flags = Flags::parse(&words)?;
    let against = flags.text("--against").map(|command| ExternalSolver::new(&command).map_err(|e| e.to_string()));
    let options = Options {
        seed: flags.number("--seed", 1)?,
        count: flags.number("--count", 1000)?,
        part: flags.text("--part"),
        against: against.transpose()?,
    };
    flags.finish()?;
    Ok(options)
}

fn stress_terms(options: &Options) -> Result<String, String> {
    let mixes = [(false, false), (false, true), (true, false), (false, false)];
    let outcomes = in_parallel(options.count, |i| {
        let (floats, arrays) = mixes[i as usize % mixes.len()];
        let mix = Mix { operators: if floats { 8 } else { 20 }, floats, arrays };
        let budget = Budget::unlimited().with_time(QUESTION_TIME);
        if i % 1000 == 999 {
            eprintln!("{} terms", i + 1);
        }
        terms::check(options.seed.wrapping_add(i), mix, options.against.as_ref(), &budget)
    })?;
    let count = |wanted| outcomes.iter().filter(|&&outcome| outcome == wanted).count();
    Ok(format!(
        "{} cases agree, {} not decided in time, {} where the other solver's model is none by its own evaluation",
        count(Outcome::Agreed),
        count(Outcome::OutOfTime),
        count(Outcome::OtherRefutesItself),
    ))
}

fn stress_theory(options: &Options) -> Result<String, String> {
    let instances = options.count / 2;
    let mut total = theory::Counts::default();
    for counts in in_parallel(instances, |i| theory::check(options.seed.wrapping_add(i)))? {
        total.sat += counts.sat;
        total.unsat += counts.unsat;
        total.implied += counts.implied;
        total.explained += counts.explained;
        total.made += counts.made;
    }
    Ok(format!("{instances} instances agree with brute force: {total:?}"))
}

fn stress_floats(options: &Options) -> Result<String, String> {
    let operands = options.count * 5;
    in_parallel(operands, |i| check_hardware(&mut Rng::new(options.seed.wrapping_add(i))))?;
    let mut jobs = Vec::new();
    for format in [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double] {
        let with_format = |op| (format, op);
        jobs.extend(operators(format, Rounding::NearestEven).into_iter().map(with_format));
    }
    let counts = in_parallel(jobs.len() as u64, |i| {
        let (format, op) = jobs[i as usize];
        let start = Instant::now();
        let counts = check_operator(&mut Rng::new(options.seed ^ i << 32), format, op, operands)?;
        eprintln!("{format:?} {op:?}: {:.1} s", start.elapsed().as_secs_f64());
        Ok(counts)
    })?;
    let (random, special) = counts.iter().fold((0, 0), |(r, s), count| (r + count.0, s + count.1));
    Ok(format!(
        "{operands} random operands for each of {} operations: all agree with the hardware where it has them, \
         {random} random and {special} special evaluations of circuits agree with rustc_apfloat",
        jobs.len()
    ))
}

/// Splits the random operands of an operator over the rounding modes; returns how many there were, and how many
/// special ones.
fn check_operator(rng: &mut Rng, format: FloatFormat, op: Op, operands: u64) -> Result<(u64, u64), String> {
    let share = operands.div_ceil(Rounding::ALL.len() as u64);
    let (mut random, mut special) = (0, 0);
    for (i, &mode) in Rounding::ALL.iter().enumerate() {
        let width = [8, 32, 64, 31, 100][i];
        let circuit = Circuit::new(op.with_rounding(mode), format, width).map_err(|e| e.to_string())?;
        for _ in 0..share {
            circuit.check(rng)?;
        }
        random += share;
        special += circuit.check_special()?;
    }
    Ok((random, special))
}

/// Runs jobs on two threads, and returns their results in order, or one of the errors.
fn in_parallel<R: Send>(jobs: u64, run: impl Fn(u64) -> Result<R, String> + Sync) -> Result<Vec<R>, String> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut results = Vec::new();
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= jobs {
                return Ok(results);
            }
            match run(job) {
                Ok(result) => results.push((job, result)),
                Err(error) => {
                    next.store(jobs, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    };
    let halves = std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let mut results = Vec::new();
    for half in halves {
        results.extend(half?);
    }
    results.sort_by_key(|&(job, _)| job);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
