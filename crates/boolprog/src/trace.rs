//! Executions of a Boolean program with finitely many threads: what a counterexample is made of.

use heddle_base::Id;

use crate::diagnostic::line_column;
use crate::explicit::Local;
use crate::flat::{Flat, LocId, VarId};

/// An execution from the initial state on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// Its steps, in order.
    pub moves: Vec<Move>,
}

/// One step of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who: 0 is the first thread, others are numbered as they are created.
    pub thread: usize,
    /// The location of the instruction that is executed.
    pub from: LocId,
    /// The location behind it.
    pub to: LocId,
    /// The number of the thread that it creates.
    pub child: Option<usize>,
    /// The globals behind it.
    pub globals: u64,
    /// All threads behind it.
    pub data: Vec<Local>,
}

impl Execution {
    /// Number of threads that exist at the end.
    pub fn threads(&self) -> usize {
        1 + self.moves.iter().filter(|m| m.child.is_some()).count()
    }

    /// The bad location that the execution ends in, if it does.
    pub fn bad_location(&self) -> Option<LocId> {
        self.moves.last().map(|m| m.to)
    }

    /// One line a step: who, where, what, and the variables that changed.
    pub fn render(&self, flat: &Flat, file: &str, text: &str) -> String {
        let mut out = String::new();
        let mut globals = 0_u64;
        let mut threads = vec![Local { loc: flat.entry(), data: 0 }];
        for step in &self.moves {
            let span = flat.locations[step.from].span;
            let line = line_column(text, span.lo).0;
            let source = text.get(span.lo as usize..span.hi as usize).unwrap_or("").replace('\n', " ");
            let mut changes = Vec::new();
            for (i, var) in flat.vars.iter().enumerate() {
                let (old, new) = if i < flat.globals {
                    (globals >> i & 1, step.globals >> i & 1)
                } else {
                    let bit = i - flat.globals;
                    (threads[step.thread].data >> bit & 1, step.data[step.thread].data >> bit & 1)
                };
                if old != new {
                    changes.push(format!("{} = {new}", var.name));
                }
            }
            for (other, (before, after)) in threads.iter().zip(&step.data).enumerate() {
                for bit in (0..flat.locals).filter(|_| other != step.thread) {
                    if (before.data ^ after.data) >> bit & 1 == 1 {
                        let name = &flat.vars[VarId::new(flat.globals + bit)].name;
                        changes.push(format!("{name} of thread {other} = {}", after.data >> bit & 1));
                    }
                }
            }
            if let Some(child) = step.child {
                changes.push(format!("thread {child} starts"));
            }
            let changes = if changes.is_empty() { String::new() } else { format!("   [{}]", changes.join(", ")) };
            out.push_str(&format!("  thread {}  {file}:{line}  {source}{changes}\n", step.thread));
            globals = step.globals;
            threads.clone_from(&step.data);
        }
        out
    }
}
