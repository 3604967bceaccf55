//! Who declares what: variables, procedures, labels, locks, and which procedures are recursive.

use heddle_base::{Id, IndexVec};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Name, Procedure, Program, Start, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::flat::{Scope, VarId, Variable};

use super::Recursion;

/// A call of a recursive procedure, [BOOLPROG §4.3].
#[derive(Clone, Debug)]
pub struct Site {
    /// The global ψ that is 1 when the call has returned.
    pub psi: VarId,
    /// Globals that carry the returned values.
    pub values: Vec<VarId>,
}

/// All that is declared.
pub struct Scopes<'p> {
    pub vars: IndexVec<VarId, Variable>,
    pub globals: usize,
    pub locals: usize,
    pub procedures: FxHashMap<&'p str, usize>,
    /// Number of values that each procedure returns.
    pub returns: Vec<usize>,
    global_names: FxHashMap<&'p str, VarId>,
    local_names: Vec<FxHashMap<&'p str, VarId>>,
    /// Parameters and locals of each procedure.
    pub frames: Vec<Vec<VarId>>,
    /// Locals at each level.
    per_level: usize,
    /// Calls of recursive procedures, by the address of their statement.
    pub sites: FxHashMap<*const Stmt, (usize, Site)>,
}

impl<'p> Scopes<'p> {
    /// Looks at all declarations and calls.
    pub fn of(program: &'p Program, recursion: Recursion, errors: &mut Vec<Diagnostic>) -> Scopes<'p> {
        let mut scopes = Scopes {
            vars: IndexVec::new(),
            globals: 0,
            locals: 0,
            procedures: procedures(program, errors),
            returns: program.procedures.iter().map(|p| returns(p, errors)).collect(),
            global_names: FxHashMap::default(),
            local_names: Vec::new(),
            frames: Vec::new(),
            per_level: 0,
            sites: FxHashMap::default(),
        };
        let locks = lock_names(program);
        no_doubles(program.globals.iter(), "variable", errors);
        for name in program.globals.iter().filter(|n| !locks.contains(n.text.as_str())) {
            let var = scopes.declare(name.text.clone(), Scope::Global);
            scopes.global_names.insert(&name.text, var);
        }
        scopes.recursive_calls(program, recursion, errors);
        scopes.globals = scopes.vars.len();
        for procedure in &program.procedures {
            scopes.procedure(procedure, errors);
        }
        scopes.locals = scopes.vars.len() - scopes.globals;
        if let Recursion::Unroll(depth) = recursion
            && scopes.recursive(program).contains(&true)
        {
            scopes.levels(depth);
        }
        for name in program.globals.iter().filter(|n| locks.contains(n.text.as_str())) {
            let var = scopes.declare(name.text.clone(), Scope::Lock);
            scopes.global_names.insert(&name.text, var);
        }
        scopes
    }

    fn declare(&mut self, name: String, scope: Scope) -> VarId {
        self.vars.push(Variable { name, scope })
    }

    fn procedure(&mut self, procedure: &'p Procedure, errors: &mut Vec<Diagnostic>) {
        no_doubles(procedure.params.iter().chain(&procedure.locals), "variable", errors);
        let mut labels = Vec::new();
        each_statement(&procedure.body, &mut |stmt| labels.extend(&stmt.labels));
        no_doubles(labels.into_iter(), "label", errors);
        let (mut names, mut frame) = (FxHashMap::default(), Vec::new());
        for name in procedure.params.iter().chain(&procedure.locals) {
            let var = self.declare(format!("{}.{}", procedure.name.text, name.text), Scope::Local);
            names.insert(name.text.as_str(), var);
            frame.push(var);
        }
        self.local_names.push(names);
        self.frames.push(frame);
    }

    /// Copies of all locals, one set for each level of inlined recursive calls.
    fn levels(&mut self, depth: u32) {
        let first: Vec<Variable> = self.vars.iter().skip(self.globals).cloned().collect();
        self.per_level = first.len();
        for level in 1..=depth {
            for variable in &first {
                self.declare(format!("{}#{level}", variable.name), Scope::Local);
            }
        }
        self.locals = self.vars.len() - self.globals;
    }

    /// The same variable at a level.
    pub fn at_level(&self, var: VarId, level: u32) -> VarId {
        if self.vars[var].scope == Scope::Local {
            VarId::new(var.index() + level as usize * self.per_level)
        } else {
            var
        }
    }

    /// The variable that a name means in a procedure, at the outermost level.
    pub fn lookup(&self, procedure: usize, name: &Name) -> Result<VarId, Diagnostic> {
        let local = self.local_names[procedure].get(name.text.as_str());
        local.or_else(|| self.global_names.get(name.text.as_str())).copied().ok_or_else(|| {
            let is_procedure = self.procedures.contains_key(name.text.as_str());
            let message = if is_procedure {
                format!("`{name}` is a procedure, not a variable")
            } else {
                format!("`{name}` is not declared")
            };
            Diagnostic::new(name.span, message)
        })
    }

    /// Finds calls of recursive procedures and gives each its globals.
    fn recursive_calls(&mut self, program: &'p Program, recursion: Recursion, errors: &mut Vec<Diagnostic>) {
        let recursive = self.recursive(program);
        for procedure in &program.procedures {
            each_statement(&procedure.body, &mut |stmt| {
                let StmtKind::Call { callee, .. } = &stmt.kind else { return };
                let Some(called) = self.procedures.get(callee.text.as_str()) else { return };
                let called = *called;
                if !recursive[called] {
                    return;
                }
                if recursion == Recursion::Refuse {
                    let message = format!("`{callee}` is recursive, and recursion is not to be over-approximated");
                    errors.push(Diagnostic::new(callee.span, message));
                    return;
                }
                let number = self.sites.len();
                let psi = self.declare(format!("{callee}.returned{number}"), Scope::Global);
                let values = (0..self.returns[called])
                    .map(|i| self.declare(format!("{callee}.value{number}_{i}"), Scope::Global))
                    .collect();
                self.sites.insert(std::ptr::from_ref(stmt), (number, Site { psi, values }));
            });
        }
    }

    /// Which procedures can call themselves, by Tarjan's idea made simple: who reaches itself.
    fn recursive(&self, program: &Program) -> Vec<bool> {
        let calls: Vec<Vec<usize>> = program
            .procedures
            .iter()
            .map(|p| {
                let mut called = Vec::new();
                each_statement(&p.body, &mut |stmt| {
                    if let StmtKind::Call { callee, .. } = &stmt.kind {
                        called.extend(self.procedures.get(callee.text.as_str()).copied());
                    }
                });
                called.sort_unstable();
                called.dedup();
                called
            })
            .collect();
        strongly_connected(&calls)
    }
}

/// For each node whether it lies on a cycle. Tarjan's algorithm with an explicit stack.
fn strongly_connected(edges: &[Vec<usize>]) -> Vec<bool> {
    const UNSEEN: usize = usize::MAX;
    let count = edges.len();
    let (mut index, mut low) = (vec![UNSEEN; count], vec![0; count]);
    let (mut on_stack, mut stack, mut next) = (vec![false; count], Vec::new(), 0);
    let mut cyclic = vec![false; count];
    for root in 0..count {
        if index[root] != UNSEEN {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((node, edge)) = work.pop() {
            if edge == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            } else {
                let child = edges[node][edge - 1];
                if on_stack[child] {
                    low[node] = low[node].min(low[child]);
                }
            }
            if let Some(&child) = edges[node].get(edge) {
                work.push((node, edge + 1));
                if index[child] == UNSEEN {
                    work.push((child, 0));
                }
                continue;
            }
            if low[node] == index[node] {
                let at = stack.iter().rposition(|n| *n == node).expect("it was pushed");
                let component = stack.split_off(at);
                let is_cycle = component.len() > 1 || edges[node].contains(&node);
                for member in component {
                    on_stack[member] = false;
                    cyclic[member] = is_cycle;
                }
            }
        }
    }
    cyclic
}

/// Calls `see` on every statement, those inside others included.
pub fn each_statement<'p>(body: &'p [Stmt], see: &mut impl FnMut(&'p Stmt)) {
    for stmt in body {
        see(stmt);
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|(_, body)| each_statement(body, see));
                each_statement(otherwise, see);
            }
            StmtKind::While { body, .. } | StmtKind::Atomic(body) => each_statement(body, see),
            StmtKind::Skip
            | StmtKind::Goto(_)
            | StmtKind::Return(_)
            | StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Lock(_)
            | StmtKind::Unlock(_)
            | StmtKind::Assume(_)
            | StmtKind::Assert(_)
            | StmtKind::StartThread(_)
            | StmtKind::EndThread => {}
        }
    }
}

fn lock_names(program: &Program) -> FxHashSet<&str> {
    let mut locks = FxHashSet::default();
    for procedure in &program.procedures {
        each_statement(&procedure.body, &mut |stmt| {
            if let StmtKind::Lock(name) | StmtKind::Unlock(name) = &stmt.kind
                && !procedure.params.contains(name)
                && !procedure.locals.contains(name)
            {
                locks.insert(name.text.as_str());
            }
        });
    }
    locks
}

fn procedures<'p>(program: &'p Program, errors: &mut Vec<Diagnostic>) -> FxHashMap<&'p str, usize> {
    no_doubles(program.procedures.iter().map(|p| &p.name), "procedure", errors);
    let table: FxHashMap<&str, usize> =
        program.procedures.iter().enumerate().map(|(i, p)| (p.name.text.as_str(), i)).collect();
    match table.get("main") {
        None => {
            let span = program.procedures.first().map(|p| p.name.span).unwrap_or_default();
            errors.push(Diagnostic::new(span, "there is no procedure `main`"));
        }
        Some(&main) if !program.procedures[main].params.is_empty() => {
            errors.push(Diagnostic::new(program.procedures[main].name.span, "`main` takes no parameters"));
        }
        Some(_) => {}
    }
    table
}

/// The number of values that a procedure returns: as declared, or as its `return` statements agree.
fn returns(procedure: &Procedure, errors: &mut Vec<Diagnostic>) -> usize {
    let mut count = procedure.returns;
    each_statement(&procedure.body, &mut |stmt| {
        let StmtKind::Return(values) = &stmt.kind else { return };
        let wanted = *count.get_or_insert(values.len());
        if wanted != values.len() {
            let message = format!("`{}` returns {wanted} values, here {}", procedure.name, values.len());
            errors.push(Diagnostic::new(stmt.span, message));
        }
    });
    count.unwrap_or(0)
}

fn no_doubles<'p>(names: impl Iterator<Item = &'p Name>, what: &str, errors: &mut Vec<Diagnostic>) {
    let mut seen: FxHashMap<&str, &Name> = FxHashMap::default();
    for name in names {
        if let Some(first) = seen.insert(&name.text, name) {
            let message = format!("the {what} `{name}` is declared twice");
            errors.push(Diagnostic::new(name.span, message).with_note(first.span, "the first declaration is here"));
        }
    }
}

/// What is started as a thread: a label of the procedure, or a procedure.
pub enum Started<'a> {
    /// A label.
    Label(&'a Name),
    /// A procedure with arguments.
    Procedure(&'a Name, &'a [crate::ast::Expr]),
}

/// [`Start`] with its ambiguity resolved: labels first.
pub fn started<'a>(start: &'a Start, has_label: impl Fn(&str) -> bool) -> Started<'a> {
    match start {
        Start::At(name) if has_label(&name.text) => Started::Label(name),
        Start::At(name) => Started::Procedure(name, &[]),
        Start::Call { callee, args } => Started::Procedure(callee, args),
    }
}
