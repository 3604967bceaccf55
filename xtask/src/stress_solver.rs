//! `cargo xtask stress solver --seed S --count N [--part terms] [--against 'z3 -in']`: random tests of crate `solver`.
//!
//! Three parts: N random terms of all sorts, evaluated, blasted, solved and compared with another solver; N/2
//! instances of an order theory against brute force; every float operator on 5·N operands, circuits against
//! evaluation and evaluation against the hardware. Run it with `--release` for large counts.

use std::time::{Duration, Instant};

use heddle_base::Budget;
use heddle_solver::smtlib::ExternalSolver;
use heddle_solver::stress::floats::{Circuit, check_hardware, operators};
use heddle_solver::stress::terms::{Mix, Outcome};
use heddle_solver::stress::{Rng, terms, theory};
use heddle_solver::{FloatFormat, Op, Rounding};

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
    let mut options = Options { seed: 1, count: 1000, part: None, against: None };
    let mut args = args.iter();
    while let Some(flag) = args.next() {
        let value = args.next().ok_or_else(|| format!("{flag} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|e| format!("{flag} {value}: {e}"));
        match flag.as_str() {
            "--seed" => options.seed = number()?,
            "--count" => options.count = number()?,
            "--part" => options.part = Some(value.clone()),
            "--against" => options.against = Some(ExternalSolver::new(value).map_err(|e| e.to_string())?),
            _ => return Err(format!("unknown flag {flag}")),
        }
    }
    Ok(options)
}

fn stress_terms(options: &Options) -> Result<String, String> {
    let mixes = [(false, false), (false, true), (true, false), (false, false)];
    let (mut agreed, mut out_of_time) = (0, 0);
    for i in 0..options.count {
        let (floats, arrays) = mixes[i as usize % mixes.len()];
        let mix = Mix { operators: if floats { 8 } else { 20 }, floats, arrays };
        let budget = Budget::unlimited().with_time(QUESTION_TIME);
        match terms::check(options.seed.wrapping_add(i), mix, options.against.as_ref(), &budget)? {
            Outcome::Agreed => agreed += 1,
            Outcome::OutOfTime => out_of_time += 1,
        }
        if i % 1000 == 999 {
            eprintln!("{} terms", i + 1);
        }
    }
    Ok(format!("{agreed} cases agree, {out_of_time} not decided in time"))
}

fn stress_theory(options: &Options) -> Result<String, String> {
    let mut total = theory::Counts::default();
    for i in 0..options.count / 2 {
        let counts = theory::check(options.seed.wrapping_add(i))?;
        total.sat += counts.sat;
        total.unsat += counts.unsat;
        total.implied += counts.implied;
        total.explained += counts.explained;
        total.made += counts.made;
    }
    Ok(format!("{} instances agree with brute force: {total:?}", options.count / 2))
}

fn stress_floats(options: &Options) -> Result<String, String> {
    let mut rng = Rng::new(options.seed);
    let operands = options.count * 5;
    for _ in 0..operands {
        check_hardware(&mut rng)?;
    }
    let (mut random, mut special) = (0, 0);
    for format in [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double] {
        for op in operators(format, Rounding::NearestEven) {
            let (r, s) = check_operator(&mut rng, format, op, operands.div_ceil(3))?;
            (random, special) = (random + r, special + s);
        }
        eprintln!("{format:?} done");
    }
    Ok(format!(
        "{operands} operands an operation: all agree with the hardware, {random} random and {special} special \
         evaluations of circuits agree with rustc_apfloat"
    ))
}

/// Splits the random operands over the rounding modes. Remainders of wide formats take long division of thousands
/// of steps, so they get fewer.
fn check_operator(rng: &mut Rng, format: FloatFormat, op: Op, operands: u64) -> Result<(u64, u64), String> {
    let share = match (op, format) {
        (Op::FpRem, FloatFormat::Double | FloatFormat::Quad) => operands.div_ceil(50),
        _ => operands,
    };
    let mut special = 0;
    for (i, &mode) in Rounding::ALL.iter().enumerate() {
        let width = [8, 32, 64, 31, 100][i];
        let circuit = Circuit::new(with_mode(op, mode), format, width).map_err(|e| e.to_string())?;
        for _ in 0..share.div_ceil(5) {
            circuit.check(rng)?;
        }
        special += circuit.check_special()?;
    }
    Ok((share, special))
}

fn with_mode(op: Op, mode: Rounding) -> Op {
    match op {
        Op::FpAdd(_) => Op::FpAdd(mode),
        Op::FpMul(_) => Op::FpMul(mode),
        Op::FpDiv(_) => Op::FpDiv(mode),
        Op::FpFma(_) => Op::FpFma(mode),
        Op::FpSqrt(_) => Op::FpSqrt(mode),
        Op::FpRound(_) => Op::FpRound(mode),
        Op::FpFromFp(format, _) => Op::FpFromFp(format, mode),
        Op::FpFromSigned(format, _) => Op::FpFromSigned(format, mode),
        Op::FpFromUnsigned(format, _) => Op::FpFromUnsigned(format, mode),
        Op::FpToSigned(width, _) => Op::FpToSigned(width, mode),
        Op::FpToUnsigned(width, _) => Op::FpToUnsigned(width, mode),
        other => other,
    }
}
