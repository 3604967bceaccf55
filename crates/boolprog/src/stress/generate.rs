//! Small random Boolean programs, and a random number generator to draw them with.

use crate::ast::{Expr, Procedure, Program, Start, Stmt, StmtKind, Target};

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n as u64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// What a program is made of: drawn first, so that programs differ more than the statements of one do.
struct Generator {
    random: Random,
    globals: Vec<&'static str>,
    locals: Vec<&'static str>,
    locks: Vec<&'static str>,
    passive: bool,
    sections: bool,
    recursive: bool,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed);
    random.number();
    let (globals, locals, locks) = (1 + random.below(2), random.below(3), random.below(3));
    let passive = locals > 0 && random.chance(20);
    let sections = random.chance(30);
    let recursive = !passive && random.chance(10);
    Generator {
        random,
        globals: ["g", "h"][..globals].to_vec(),
        locals: ["x", "y"][..locals].to_vec(),
        locks: ["l", "m"][..locks].to_vec(),
        passive,
        sections,
        recursive,
    }
    .program()
}

impl Generator {
    fn program(&mut self) -> Program {
        let worker = Procedure {
            name: "f".into(),
            locals: self.locals.iter().map(|l| (*l).into()).collect(),
            body: self.body(3, 1),
            ..Procedure::default()
        };
        let mut main_body = self.block(2, 1);
        let start = || StmtKind::StartThread(Start::Call { callee: "f".into(), args: Vec::new() });
        if self.random.chance(70) {
            main_body.push(Stmt::from(start()).labelled("again"));
            main_body.push(StmtKind::Goto(vec!["again".into()]).into());
        } else {
            for _ in 0..1 + self.random.below(2) {
                main_body.push(start().into());
            }
            main_body.extend(self.block(2, 0));
        }
        let main = Procedure {
            name: "main".into(),
            locals: self.locals.iter().map(|l| (*l).into()).collect(),
            body: main_body,
            ..Procedure::default()
        };
        let mut procedures = vec![worker, main];
        if self.recursive {
            procedures.push(self.recursive_procedure());
        }
        Program { globals: self.globals.iter().chain(&self.locks).map(|g| (*g).into()).collect(), procedures }
    }

    fn recursive_procedure(&mut self) -> Procedure {
        let again = StmtKind::Call { targets: Vec::new(), callee: "r".into(), args: Vec::new() };
        let arms = vec![(Expr::Choice(None), vec![again.into()])];
        let (before, after) = (self.plain(), self.plain());
        Procedure {
            name: "r".into(),
            locals: self.locals.iter().map(|l| (*l).into()).collect(),
            body: vec![before, StmtKind::If { arms, otherwise: Vec::new() }.into(), after],
            ..Procedure::default()
        }
    }

    fn body(&mut self, length: usize, depth: usize) -> Vec<Stmt> {
        let mut body = self.block(length, depth);
        body.push(StmtKind::Assert(self.expression(1)).into());
        if self.random.chance(40) {
            body.extend(self.block(2, 0));
        }
        body
    }

    fn block(&mut self, length: usize, depth: usize) -> Vec<Stmt> {
        (0..1 + self.random.below(length)).flat_map(|_| self.statement(depth)).collect()
    }

    /// One statement, or several that belong together.
    fn statement(&mut self, depth: usize) -> Vec<Stmt> {
        match self.random.below(14) {
            0 | 1 if !self.locks.is_empty() => {
                let lock = self.locks[self.random.below(self.locks.len())];
                let mut all = vec![StmtKind::Lock(lock.into()).into()];
                all.extend(self.block(2, depth.saturating_sub(1)));
                // Now and then a lock is not released, or a wrong one.
                if self.random.chance(90) {
                    all.push(StmtKind::Unlock(lock.into()).into());
                }
                all
            }
            2 if depth > 0 => {
                let arms = vec![(self.expression(1), self.block(2, depth - 1))];
                let otherwise = if self.random.chance(40) { self.block(1, depth - 1) } else { Vec::new() };
                vec![StmtKind::If { arms, otherwise }.into()]
            }
            3 if depth > 0 => {
                vec![StmtKind::While { condition: self.expression(1), body: self.block(2, depth - 1) }.into()]
            }
            4 if self.sections => {
                let body: Vec<Stmt> = (0..2).map(|_| self.plain()).collect();
                vec![StmtKind::Atomic(body).into()]
            }
            5 => vec![StmtKind::Assume(self.expression(1)).into()],
            6 => vec![StmtKind::Assert(self.expression(2)).into()],
            7 if self.passive => vec![self.broadcast()],
            8 if self.recursive => {
                vec![StmtKind::Call { targets: Vec::new(), callee: "r".into(), args: Vec::new() }.into()]
            }
            _ => vec![self.plain()],
        }
    }

    /// An assignment.
    fn plain(&mut self) -> Stmt {
        let targets: Vec<Target> = if self.random.chance(15) {
            vec![self.variable().into(), self.other().into()]
        } else {
            vec![self.variable().into()]
        };
        let mut names: Vec<Target> = Vec::new();
        for target in targets {
            if !names.contains(&target) {
                names.push(target);
            }
        }
        let values = names.iter().map(|_| self.expression(1)).collect();
        let constrain = self.random.chance(15).then(|| {
            let name = self.variable();
            let next = Expr::next(name);
            Expr::Or(vec![next, self.expression(0)])
        });
        StmtKind::Assign { targets: names, values, constrain }.into()
    }

    /// An assignment with a passive part.
    fn broadcast(&mut self) -> Stmt {
        let local = self.locals[self.random.below(self.locals.len())];
        let own = self.globals[self.random.below(self.globals.len())];
        let value = if self.random.chance(50) { Expr::passive(local) } else { Expr::Choice(None) };
        let value = if self.random.chance(50) { Expr::And(vec![value, self.expression(0)]) } else { value };
        let targets = vec![own.into(), Target { name: local.into(), passive: true }];
        let constrain = self.random.chance(40).then(|| {
            let after = Expr::Var { name: local.into(), primed: true, passive: true };
            Expr::Or(vec![after, Expr::next(own)])
        });
        StmtKind::Assign { targets, values: vec![self.expression(1), value], constrain }.into()
    }

    fn variable(&mut self) -> &'static str {
        let all = self.globals.len() + self.locals.len();
        let i = self.random.below(all);
        if i < self.globals.len() { self.globals[i] } else { self.locals[i - self.globals.len()] }
    }

    fn other(&mut self) -> &'static str {
        self.globals[self.random.below(self.globals.len())]
    }

    fn expression(&mut self, depth: usize) -> Expr {
        match self.random.below(if depth == 0 { 6 } else { 10 }) {
            0 => Expr::Const(self.random.chance(50)),
            1 => Expr::Choice(None),
            2..=4 => Expr::var(self.variable()),
            5 => Expr::var(self.variable()).negated(),
            6 => Expr::And(vec![self.expression(depth - 1), self.expression(depth - 1)]),
            7 => Expr::Or(vec![self.expression(depth - 1), self.expression(depth - 1)]),
            8 => Expr::Equal(Box::new(self.expression(depth - 1)), Box::new(self.expression(depth - 1))),
            _ => Expr::Schoose(Box::new(self.expression(depth - 1)), Box::new(self.expression(depth - 1))),
        }
    }
}
