//! Executions of a Boolean program with finitely many threads: what a counterexample is made of.

use heddle_base::Id;

use crate::diagnostic::line_column;
use crate::explicit::Local;
use crate::flat::{Flat, Instr, LocId, VarId};

/// One state: the values of all variables of all threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valuation {
    /// Globals.
    pub globals: Vec<bool>,
    /// For each thread its location, its locals and its locks.
    pub threads: Vec<(LocId, Vec<bool>)>,
}

/// [BOOLPROG Def. 9] An execution from the initial state on. Thread 0 is the first one, others are numbered as they are created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The states.
    pub states: Vec<Valuation>,
    /// The thread that moves from each state to the next.
    pub movers: Vec<usize>,
}

impl Run {
    /// Number of threads at the end.
    pub fn threads(&self) -> usize {
        self.states.last().map_or(1, |s| s.threads.len())
    }

    /// The thread that is at a bad location in the end, and the location.
    pub fn bad(&self, flat: &Flat) -> Option<(usize, LocId)> {
        let last = self.states.last()?;
        let is_bad = |at: LocId| matches!(flat.locations[at].instr, Instr::Error);
        last.threads.iter().enumerate().map(|(t, (at, _))| (t, *at)).find(|(_, at)| is_bad(*at))
    }

    /// One line a step: who, where, what, and the variables that changed.
    pub fn render(&self, flat: &Flat, file: &str, text: &str) -> String {
        let mut out = String::new();
        for (pair, mover) in self.states.windows(2).zip(&self.movers) {
            let (before, after) = (&pair[0], &pair[1]);
            let location = &flat.locations[before.threads[*mover].0];
            let line = line_column(text, location.span.lo).0;
            let source = text.get(location.span.lo as usize..location.span.hi as usize).unwrap_or("");
            let changes = changes(flat, (before, after), *mover);
            let changes = if changes.is_empty() { String::new() } else { format!("   [{}]", changes.join(", ")) };
            out.push_str(&format!("  thread {mover}  {file}:{line}  {}{changes}\n", source.replace('\n', " ")));
        }
        out
    }
}

fn changes(flat: &Flat, (before, after): (&Valuation, &Valuation), mover: usize) -> Vec<String> {
    let mut changes = Vec::new();
    let bit = |value: bool| u8::from(value);
    for (i, (old, new)) in before.globals.iter().zip(&after.globals).enumerate() {
        if old != new {
            changes.push(format!("{} = {}", flat.vars[VarId::new(i)].name, bit(*new)));
        }
    }
    for (thread, ((_, old), (_, new))) in before.threads.iter().zip(&after.threads).enumerate() {
        for (i, (old, new)) in old.iter().zip(new).enumerate() {
            if old != new {
                let name = &flat.vars[VarId::new(flat.globals + i)].name;
                let whose = if thread == mover { String::new() } else { format!(" of thread {thread}") };
                changes.push(format!("{name}{whose} = {}", bit(*new)));
            }
        }
    }
    if after.threads.len() > before.threads.len() {
        changes.push(format!("thread {} starts", before.threads.len()));
    }
    changes
}

/// An execution of explicit states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// Its steps, in order.
    pub moves: Vec<Move>,
}

/// One step of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who.
    pub thread: usize,
    /// The globals behind it.
    pub globals: u64,
    /// All threads behind it.
    pub data: Vec<Local>,
}

impl Execution {
    /// The same as values.
    pub fn run(&self, flat: &Flat) -> Run {
        let word = |word: u64, count: usize| (0..count).map(|i| word >> i & 1 == 1).collect::<Vec<bool>>();
        let own = flat.vars.len() - flat.globals;
        let valuation = |globals: u64, threads: &[Local]| Valuation {
            globals: word(globals, flat.globals),
            threads: threads.iter().map(|t| (t.loc, word(t.data, own))).collect(),
        };
        let mut states = vec![valuation(0, &[Local { loc: flat.entry(), data: 0 }])];
        states.extend(self.moves.iter().map(|m| valuation(m.globals, &m.data)));
        Run { states, movers: self.moves.iter().map(|m| m.thread).collect() }
    }
}
