//! Sizes and times of typical queries, beside other solvers in the same run.
//!
//! `HEDDLE_BENCH_SOLVERS="z3 -in;bitwuzla"` names the others; each is given the same query as SMT-LIB text. Times are
//! processor times, from the terms to the answer, so other load does not count: ours is the best of up to three runs,
//! that of another solver is its process's, its start included. A query ends after 120 s of the clock.
//! `cargo bench -p heddle-solver --bench solver -- small` runs only what has that word in its name.

use std::hint::black_box;
use std::time::Duration;

use heddle_base::Budget;
use heddle_solver::smtlib::ExternalSolver;
use heddle_solver::{Actions, Answer, Lit, NoTheory, Sat, SatAnswer, Solver, TermId, Terms, Theory};

fn main() {
    // Cargo asks test harnesses questions that have no answer here.
    if std::env::args().any(|a| a == "--list") {
        return;
    }
    // Words on the command line choose by name.
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let chosen = |name: &str| words.is_empty() || words.iter().any(|w| name.contains(w.as_str()));
    let others = other_solvers();
    println!("{:<44} {:>7} {:>9} {:>10}", "query", "vars", "clauses", "time");
    for (name, build) in QUERIES.iter().filter(|(name, _)| chosen(name)) {
        query(name, *build, &others);
    }
    if chosen("small queries") {
        small_queries();
    }
    if chosen("observed literals") {
        observed_literals();
    }
}

fn other_solvers() -> Vec<(String, ExternalSolver)> {
    let commands = std::env::var("HEDDLE_BENCH_SOLVERS").unwrap_or_default();
    let solver = |command: &str| ExternalSolver::new(command).ok().map(|s| (command.to_owned(), s));
    commands.split(';').filter_map(solver).collect()
}

type Build = fn(&mut Terms) -> TermId;

const QUERIES: &[(&str, Build)] = &[
    ("x*12345 = sum of shifts, 32 bits", multiply_constant),
    ("x*y*z = x*(z*y), 8 bits", multiply_associative),
    ("(x*y)/y = x unless overflow, 12 bits", multiply_divide),
    ("x = x/1000*1000 + x%1000, 32 bits", divide_constant),
    ("x/y*y + x%y = x, 12 bits", divide_variable),
    ("factor 2147766287, 32 bits", factor),
    ("chain of 1,000 adders, 32 bits", adders),
    ("100 reads over 1,000 writes, 32 bits", array_reads),
    ("float: x+y = -(-x-y) up to sign, 32 bits", float_commutative),
    ("float: (x+y)-x differs from y, 32 bits", float_absorbs),
];

fn multiply_constant(t: &mut Terms) -> TermId {
    let (x, k) = (t.bv_var("x", 32), t.bv(32, 12345));
    let product = t.mul(x, k);
    let mut sum = t.bv(32, 0);
    for i in (0..32).filter(|i| 12345 >> i & 1 == 1) {
        let by = t.bv(32, i);
        let shifted = t.shl(x, by);
        sum = t.add(sum, shifted);
    }
    t.ne(product, sum)
}

fn multiply_associative(t: &mut Terms) -> TermId {
    let (x, y, z) = (t.bv_var("x", 8), t.bv_var("y", 8), t.bv_var("z", 8));
    let (xy, zy) = (t.mul(x, y), t.mul(z, y));
    let (left, right) = (t.mul(xy, z), t.mul(x, zy));
    t.ne(left, right)
}

fn multiply_divide(t: &mut Terms) -> TermId {
    let (x, y, zero) = (t.bv_var("x", 12), t.bv_var("y", 12), t.bv(12, 0));
    let product = t.mul(x, y);
    let quotient = t.udiv(product, y);
    let (overflow, by_zero, same) = (t.umul_overflows(x, y), t.eq(y, zero), t.eq(quotient, x));
    let fine = t.or_all(&[overflow, by_zero, same]);
    t.not(fine)
}

fn divide_constant(t: &mut Terms) -> TermId {
    let (x, k) = (t.bv_var("x", 32), t.bv(32, 1000));
    division_identity(t, x, k)
}

fn divide_variable(t: &mut Terms) -> TermId {
    let (x, y) = (t.bv_var("x", 12), t.bv_var("y", 12));
    division_identity(t, x, y)
}

fn division_identity(t: &mut Terms, x: TermId, y: TermId) -> TermId {
    let (quotient, rest) = (t.udiv(x, y), t.urem(x, y));
    let product = t.mul(quotient, y);
    let sum = t.add(product, rest);
    t.ne(sum, x)
}

fn factor(t: &mut Terms) -> TermId {
    let (x, y, one) = (t.bv_var("x", 32), t.bv_var("y", 32), t.bv(32, 1));
    let goal = t.bv(32, 2_147_766_287);
    let product = t.mul(x, y);
    let (equal, overflow) = (t.eq(product, goal), t.umul_overflows(x, y));
    let (a, b, fits) = (t.ult(one, x), t.ult(one, y), t.not(overflow));
    t.and_all(&[equal, a, b, fits])
}

fn adders(t: &mut Terms) -> TermId {
    let start = t.bv_var("x", 32);
    let mut sum = start;
    let mut summands = Vec::new();
    for i in 0..1000 {
        let y = t.bv_var(&format!("y{i}"), 32);
        sum = t.add(sum, y);
        summands.push(y);
    }
    let goal = t.bv(32, 0xdead_beef);
    let (reached, small) = (t.eq(sum, goal), t.bv(32, 1000));
    let bounds: Vec<TermId> = summands.iter().map(|&y| t.ult(y, small)).collect();
    let bounded = t.and_all(&bounds);
    t.and(reached, bounded)
}

fn array_reads(t: &mut Terms) -> TermId {
    let mut array = t.array_var("m", 32, 32);
    for i in 0..1000 {
        let (index, value) = (t.bv_var(&format!("i{i}"), 32), t.bv_var(&format!("v{i}"), 32));
        array = t.store(array, index, value);
    }
    let mut all = Vec::new();
    let mut last = t.bv(32, 0);
    for i in 0..100 {
        let index = t.bv_var(&format!("r{i}"), 32);
        let read = t.select(array, index);
        all.push(t.ult(last, read));
        last = read;
    }
    t.and_all(&all)
}

fn float_commutative(t: &mut Terms) -> TermId {
    use heddle_solver::{FloatFormat, Rounding};
    let (x, y) = (t.fp_var("x", FloatFormat::Single), t.fp_var("y", FloatFormat::Single));
    // A difference, so that ordering the operands does not decide it.
    let (minus_x, minus_y) = (t.fp_neg(x), t.fp_neg(y));
    let (left, right) = (t.fp_add(Rounding::Zero, x, y), t.fp_add(Rounding::Zero, minus_x, minus_y));
    let right = t.fp_neg(right);
    let (left, right) = (t.fp_abs(left), t.fp_abs(right));
    t.ne(left, right)
}

fn float_absorbs(t: &mut Terms) -> TermId {
    use heddle_solver::{FloatClass, FloatFormat, Rounding};
    let (x, y) = (t.fp_var("x", FloatFormat::Single), t.fp_var("y", FloatFormat::Single));
    let sum = t.fp_add(Rounding::NearestEven, x, y);
    let back = t.fp_sub(Rounding::NearestEven, sum, x);
    let (nan, same) = (t.fp_is(FloatClass::Nan, back), t.fp_eq(back, y));
    let fine = t.or(nan, same);
    t.not(fine)
}

fn query(name: &str, build: Build, others: &[(String, ExternalSolver)]) {
    let limit = || Budget::unlimited().with_time(Duration::from_secs(120));
    let (mut best, mut report) = (Duration::MAX, String::new());
    let mut runs = 0;
    while runs < 3 && (runs == 0 || best < Duration::from_secs(2)) {
        let start = processor_time();
        let mut terms = Terms::new();
        let goal = build(&mut terms);
        let mut solver = Solver::new();
        let answer = solver.assert(&terms, goal).and_then(|()| solver.solve(&mut terms, &[], &limit()));
        best = best.min(processor_time() - start);
        let counts = solver.statistics().sat;
        report = format!("{:>7} {:>9} {:>10} {}", counts.variables, counts.clauses, show(best), verdict(&answer));
        runs += 1;
    }
    print!("{name:<44} {report}");
    let mut terms = Terms::new();
    let goal = build(&mut terms);
    for (command, other) in others {
        let start = children_time();
        let answer = other.solve(&terms, &[goal], &[], &limit());
        print!("   {command}: {} {}", show(children_time() - start), verdict(&answer));
    }
    println!();
}

fn verdict<E>(answer: &Result<Answer, E>) -> &'static str {
    match answer {
        Ok(Answer::Sat(_)) => "sat",
        Ok(Answer::Unsat(_)) => "unsat",
        Ok(Answer::Unknown(_)) => "unknown",
        Err(_) => "failed",
    }
}

fn show(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// Time that this thread has run, where the system tells, else that of the clock.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse().ok());
    nanoseconds.map_or_else(clock, Duration::from_nanos)
}

/// Time that the processes which we started and which have ended have run, where the system tells, else that of the
/// clock.
fn children_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which may contain anything: user and system time of the children are fields 16 and 17 of all,
    // in hundredths of a second.
    let fields = text.rsplit(')').next().map(|rest| rest.split_whitespace().collect::<Vec<_>>()).unwrap_or_default();
    let ticks = |field: usize| fields.get(field - 3).and_then(|n| n.parse::<u64>().ok());
    let both = ticks(16).zip(ticks(17)).map(|(user, system)| (user + system) * 10);
    both.map_or_else(clock, Duration::from_millis)
}

fn clock() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}

/// What a query costs when it is all but trivial: making a solver, blasting, solving, reading the model.
fn small_queries() {
    const COUNT: u32 = 2000;
    let start = processor_time();
    for i in 0..COUNT {
        let mut t = Terms::new();
        let (x, y) = (t.bv_var("x", 32), t.bv_var("y", 32));
        let (k, ten) = (t.bv(32, u64::from(i)), t.bv(32, 10));
        let sum = t.add(x, y);
        let (equal, small) = (t.eq(sum, k), t.ult(x, ten));
        let goal = t.and(equal, small);
        let mut solver = Solver::new();
        let _ = solver.assert(&t, goal);
        let answer = solver.solve(&mut t, &[], &Budget::unlimited());
        assert!(answer.is_ok_and(|a| a.is_sat()));
    }
    println!("{:<44} {:>28}", "a small query, new solver each", show((processor_time() - start) / COUNT));
    let start = processor_time();
    let mut t = Terms::new();
    let mut solver = Solver::new();
    let (x, y) = (t.bv_var("x", 32), t.bv_var("y", 32));
    let sum = t.add(x, y);
    for i in 0..COUNT {
        let (k, ten) = (t.bv(32, u64::from(i)), t.bv(32, 10));
        let (equal, small) = (t.eq(sum, k), t.ult(x, ten));
        let answer = solver.solve(&mut t, &[equal, small], &Budget::unlimited());
        assert!(answer.is_ok_and(|a| a.is_sat()));
    }
    println!("{:<44} {:>28}", "a small query, one solver for all", show((processor_time() - start) / COUNT));
}

/// A theory that listens and says nothing.
struct Silent(u64);

impl Theory for Silent {
    fn assign(&mut self, lits: &[Lit], _: &mut Actions) {
        self.0 += lits.len() as u64;
    }
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}
}

/// 200,000 variables in random clauses, none of which may be eliminated, with and without a theory that observes
/// them all.
fn observed_literals() {
    let freeze = |sat: &mut Sat<NoTheory>, lit: Lit| sat.freeze(lit);
    let observe = |sat: &mut Sat<Silent>, lit: Lit| {
        sat.observe(lit);
    };
    let (mut plain, mut observed) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        plain = plain.min(random_clauses(Sat::new(NoTheory), |_, _| {}));
        observed = observed.min(random_clauses(Sat::new(Silent(0)), observe));
    }
    let frozen = random_clauses(Sat::new(NoTheory), freeze);
    println!("{:<44} {:>28}", "200,000 literals, no theory", show(plain));
    println!("{:<44} {:>28}", "200,000 literals, no theory, frozen", show(frozen));
    println!("{:<44} {:>28}", "200,000 literals, observed in silence", show(observed));
    println!("{:<44} {:>28}", "overhead", format!("{:.2}x", observed.as_secs_f64() / plain.as_secs_f64()));
}

fn random_clauses<T: Theory>(mut sat: Sat<T>, mark: impl Fn(&mut Sat<T>, Lit)) -> Duration {
    let start = processor_time();
    let lits: Vec<Lit> = (0..200_000).map(|_| sat.new_var()).collect();
    for &lit in &lits {
        mark(&mut sat, lit);
    }
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for _ in 0..600_000 {
        let clause = [(); 3].map(|()| {
            let lit = lits[next() as usize % lits.len()];
            if next() % 2 == 0 { lit } else { !lit }
        });
        sat.add_clause(&clause);
    }
    let answer = sat.solve(&[], &Budget::unlimited().with_time(Duration::from_secs(60)));
    assert_ne!(black_box(answer), SatAnswer::Unsat(vec![]));
    processor_time() - start
}
