//! `cargo xtask stress races`: litmus programs with the verdict that the standard gives them.
//!
//! [`executions`] enumerates all sequentially consistent executions of a random program and [`happens_before`] computes from
//! the definitions of C11 whether one of them has a race; whether an assertion fails and whether threads can block for ever
//! falls out on the way. Neither shares a line with the machine, the engines or the front end. Every engine must agree on
//! `race`, `assert` and `deadlock`; an engine that gives up is counted.
//!
//! A disagreement is shrunk and stays in `target/stress`; once understood it belongs into `corpus/`.

mod executions;
mod generate;
mod happens_before;
mod litmus;

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use heddle_ir::{Property, PropertySet};
use heddle_task::Task;

use crate::flags::Flags;
use crate::stress::engines::{Answer, Row, Strength};
use crate::stress::{chosen, directory, in_release, load, word};
use executions::{Truth, truth};
use litmus::Litmus;

/// How the command is called.
pub const USAGE: &str =
    "cargo xtask stress races [--count N] [--seed S] [--engines dfs,explore,…] [--property LIST] [--smoke]";

/// Interleavings of a program beyond which it is left out.
const MAX_INTERLEAVINGS: u64 = 30_000;

/// What the truth covers.
const PROPERTIES: [Property; 3] = [Property::Race, Property::Assert, Property::Deadlock];

/// An engine that is wrong about a program.
struct Wrong {
    engine: &'static str,
    property: Property,
    expected: bool,
    answer: Answer,
}

struct Setup {
    engines: Vec<&'static Row>,
    properties: Vec<Property>,
    open: BTreeMap<(&'static str, String), u64>,
}

/// Runs the command.
pub fn run(words: &[&str]) -> Result<(), String> {
    let mut flags = Flags::parse(words).map_err(|error| format!("{error}\nusage: {USAGE}"))?;
    if flags.wants_release() {
        return in_release(&["stress", "races"], words);
    }
    let count = flags.count(200, 60)?;
    let first = flags.number("--seed", 1)?;
    let engines = chosen(flags.text("--engines"))?;
    let asked: PropertySet = flags.text("--property").unwrap_or_else(|| "all".to_owned()).parse()?;
    flags.finish()?;
    let properties = PROPERTIES.into_iter().filter(|&of| asked.contains(of)).collect();
    let mut setup = Setup { engines, properties, open: BTreeMap::new() };
    let (mut too_large, mut wrong, mut tally) = (0, 0, BTreeMap::<Property, u64>::new());
    for seed in first..first + count {
        let litmus = generate::generate(seed);
        let Some(truth) = truth(&litmus, MAX_INTERLEAVINGS) else {
            too_large += 1;
            continue;
        };
        for &property in setup.properties.iter().filter(|&&property| holds(&truth, property)) {
            *tally.entry(property).or_default() += 1;
        }
        if let Some(found) = setup.examine(&litmus, &truth) {
            wrong += 1;
            setup.report(seed, &found, litmus)?;
        }
    }
    let parts: Vec<String> = tally.iter().map(|(property, count)| format!("{count} {property}")).collect();
    println!(
        "races: {count} programs from seed {first}: {wrong} disagreements, {too_large} too large; violated: {}",
        parts.join(", ")
    );
    for ((engine, why), count) in &setup.open {
        println!("  {engine}: {count} questions left open ({why})");
    }
    if wrong > 0 { Err(format!("{wrong} disagreements; they are in target/stress")) } else { Ok(()) }
}

/// Whether a property is violated.
fn holds(truth: &Truth, property: Property) -> bool {
    match property {
        Property::Race => truth.race,
        Property::Assert => truth.assert,
        Property::Deadlock => truth.deadlock,
        _ => unreachable!("only those of PROPERTIES are asked"),
    }
}

impl Setup {
    /// Asks all engines; the first wrong answer.
    fn examine(&mut self, litmus: &Litmus, truth: &Truth) -> Option<Wrong> {
        let text = litmus.text();
        for &property in &self.properties {
            let properties = PropertySet::EMPTY.with(property);
            let expected = holds(truth, property);
            let wrong = |engine, answer| Some(Wrong { engine, property, expected, answer });
            let program = match load(&text, properties) {
                Ok(program) => program,
                Err(why) => return wrong("compiler", Answer::Unknown(why)),
            };
            let task = Task::new(&program, properties);
            for row in &self.engines {
                let answer = match catch_unwind(AssertUnwindSafe(|| row.check(&task))) {
                    Ok(verdict) => Answer::from(verdict),
                    Err(_) => return wrong(row.name, Answer::Unknown("crash".to_owned())),
                };
                match judge(row.strength, expected, &answer) {
                    Judgement::Right => {}
                    Judgement::Open => *self.open.entry((row.name, word(&answer))).or_default() += 1,
                    Judgement::Wrong => return wrong(row.name, answer),
                }
            }
        }
        None
    }

    /// Shrinks and saves a disagreement.
    fn report(&mut self, seed: u64, found: &Wrong, litmus: Litmus) -> Result<(), String> {
        let truth_word = if found.expected { "violated" } else { "not violated" };
        let (engine, property) = (found.engine, found.property);
        println!("seed {seed}: `{property}` is {truth_word}, {engine} says {}", word(&found.answer));
        let engines: Vec<&'static Row> = self.engines.iter().copied().filter(|row| row.name == engine).collect();
        let mut alone = Setup { engines, properties: vec![property], open: BTreeMap::new() };
        let mut same = |candidate: &Litmus| {
            let Some(truth) = truth(candidate, MAX_INTERLEAVINGS) else { return false };
            let now = alone.examine(candidate, &truth);
            now.is_some_and(|now| now.expected == found.expected && now.engine == engine)
        };
        let mut small = litmus;
        while let Some(next) = small.smaller().into_iter().find(|next| next.size() < small.size() && same(next)) {
            small = next;
        }
        let path = directory()?.join(format!("races-{seed}.c"));
        fs::write(&path, small.text()).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("  shrunk: {}\n{}", path.display(), small.text());
        Ok(())
    }
}

enum Judgement {
    Right,
    Open,
    Wrong,
}

fn judge(strength: Strength, violated: bool, answer: &Answer) -> Judgement {
    match answer {
        Answer::Unsafe(_) if violated => Judgement::Right,
        Answer::Safe if !violated => Judgement::Right,
        Answer::Unsafe(_) | Answer::Safe => Judgement::Wrong,
        Answer::TooLarge if strength == Strength::Finds => Judgement::Right,
        Answer::TooLarge => Judgement::Open,
        Answer::Unknown(why) if why.starts_with("unconfirmed") || why == "crash" => Judgement::Wrong,
        // Nothing in these programs loops, waits for a condition or has inputs.
        Answer::Within(_) | Answer::Unknown(_) if strength == Strength::Complete => Judgement::Wrong,
        Answer::Within(_) | Answer::Unknown(_) => Judgement::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::executions::truth;
    use super::litmus::{Litmus, Loc, Mode, Operand, Order, Reg, Stmt};

    fn message(store: Order, load: Order) -> Litmus {
        let (data, flag, reg) = (Loc(0), Loc(1), Reg(0));
        let one = Operand::Const(1);
        let sender = vec![
            Stmt::Write { at: data, value: one, mode: Mode::Plain },
            Stmt::Write { at: flag, value: one, mode: Mode::Atomic(store) },
        ];
        let then = vec![Stmt::Read { to: Reg(1), at: data, mode: Mode::Plain }];
        let receiver = vec![
            Stmt::Read { to: reg, at: flag, mode: Mode::Atomic(load) },
            Stmt::If { reg, equals: 1, then, otherwise: Vec::new() },
            Stmt::AssertNot { first: (Reg(0), 1), second: (Reg(1), 0) },
        ];
        Litmus {
            atomic: vec![false, false],
            threads: vec![sender, receiver],
            before: Vec::new(),
            beside: Vec::new(),
            joined: 2,
            after: Vec::new(),
        }
    }

    #[test]
    fn messages() {
        let told = truth(&message(Order::Release, Order::Acquire), 1000).expect("it is small");
        assert!(!told.race && !told.assert && !told.deadlock);
        let untold = truth(&message(Order::Relaxed, Order::Acquire), 1000).expect("it is small");
        assert!(untold.race && !untold.assert);
    }

    #[test]
    fn limits_are_kept() {
        assert_eq!(truth(&message(Order::Release, Order::Acquire), 2), None);
    }
}
