//! Statements, each given the location behind it.

use heddle_base::Span;

use crate::ast::{Expr, Name, Start as StartSyntax, Stmt, StmtKind, Target};
use crate::diagnostic::Diagnostic;
use crate::flat::{Assign, Ex, Instr, LocId, Scope, Start, VarId};

use super::expr::{Choices, Context};
use super::scopes::{Site, Started, started};
use super::{Exit, Flattener, Instance, Pending, Recursion};

impl<'p> Flattener<'p> {
    /// Lays out statements that are followed by `next`; the first location.
    pub(super) fn block(&mut self, of: &Instance<'p>, body: &'p [Stmt], next: LocId, closed: bool) -> LocId {
        body.iter().rev().fold(next, |next, stmt| {
            let at = self.statement(of, stmt, next, closed);
            if self.full {
                return at;
            }
            for label in &stmt.labels {
                let alias = of.labels[label.text.as_str()];
                self.locations[alias].instr = Instr::Skip(at);
                let location = &mut self.locations[at];
                if location.span == stmt.span && location.label.is_none() && location.procedure == of.index {
                    location.label = Some(label.text.clone());
                }
            }
            at
        })
    }

    fn statement(&mut self, of: &Instance<'p>, stmt: &'p Stmt, next: LocId, closed: bool) -> LocId {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Skip => self.emit(of, span, closed, Instr::Skip(next)),
            StmtKind::EndThread => self.emit(of, span, closed, Instr::End),
            StmtKind::Goto(labels) => {
                let targets = labels.iter().map(|label| self.label(of, label)).collect();
                self.emit(of, span, closed, Instr::Goto(targets))
            }
            StmtKind::Return(values) => {
                let mut choices = Choices::default();
                let values: Vec<Ex> = values.iter().map(|e| self.present(of, e, &mut choices)).collect();
                self.leave_with(of, &values, choices.own, span, closed)
            }
            StmtKind::Assign { targets, values, constrain } => {
                let assign = self.assign(of, targets, values, constrain.as_ref(), span);
                self.emit(of, span, closed, Instr::Assign(assign, next))
            }
            StmtKind::Call { targets, callee, args } => self.call(of, stmt, (targets, callee, args), next, closed),
            StmtKind::Lock(name) => match self.lock(of, name) {
                Some(lock) => self.emit(of, span, closed, Instr::Lock(lock, next)),
                None => next,
            },
            StmtKind::Unlock(name) => match self.lock(of, name) {
                Some(lock) => self.emit(of, span, closed, Instr::Unlock(lock, next)),
                None => next,
            },
            StmtKind::Assume(condition) => {
                let mut choices = Choices::default();
                let arms = vec![(self.present(of, condition, &mut choices), next)];
                self.emit(of, span, closed, Instr::Branch { arms, choices: choices.own })
            }
            StmtKind::Assert(condition) => {
                let error = self.emit(of, span, closed, Instr::Error);
                self.branch(of, condition, (next, error), span, closed)
            }
            StmtKind::StartThread(start) => self.start(of, start, span, next, closed),
            StmtKind::If { arms, otherwise } => {
                let mut no = self.block(of, otherwise, next, closed);
                for (condition, body) in arms.iter().rev() {
                    let yes = self.block(of, body, next, closed);
                    no = self.branch(of, condition, (yes, no), span, closed);
                }
                no
            }
            StmtKind::While { condition, body } => {
                let head = self.emit(of, span, closed, Instr::End);
                let first = self.block(of, body, head, closed);
                let mut choices = Choices::default();
                let condition = self.present(of, condition, &mut choices);
                let arms = vec![(condition.clone(), first), (Ex::Not(Box::new(condition)), next)];
                if !self.full {
                    self.locations[head].instr = Instr::Branch { arms, choices: choices.own };
                }
                head
            }
            StmtKind::Atomic(body) => {
                // The end is closed too: leaving is the section's last step. Sections in sections are one.
                let end = self.emit(of, span, true, Instr::Skip(next));
                let first = self.block(of, body, end, true);
                self.emit(of, span, closed, Instr::Skip(first))
            }
        }
    }

    fn branch(&mut self, of: &Instance<'p>, condition: &Expr, to: (LocId, LocId), span: Span, closed: bool) -> LocId {
        let mut choices = Choices::default();
        let condition = self.present(of, condition, &mut choices);
        let arms = vec![(condition.clone(), to.0), (Ex::Not(Box::new(condition)), to.1)];
        self.emit(of, span, closed, Instr::Branch { arms, choices: choices.own })
    }

    fn label(&mut self, of: &Instance<'p>, label: &Name) -> LocId {
        match of.labels.get(label.text.as_str()) {
            Some(at) => *at,
            None => {
                let message = format!("`{}` has no label `{label}`", of.procedure.name);
                self.error(Diagnostic::new(label.span, message));
                heddle_base::Id::new(0)
            }
        }
    }

    fn lock(&mut self, of: &Instance<'p>, name: &Name) -> Option<VarId> {
        match self.scopes.lookup(of.index, name) {
            Ok(var) if self.scopes.vars[var].scope == Scope::Lock => Some(var),
            Ok(_) => {
                let message = format!("`{name}` is a local variable; a lock must be global");
                self.error(Diagnostic::new(name.span, message));
                None
            }
            Err(error) => {
                self.error(error);
                None
            }
        }
    }

    /// The variable on the left of `:=`.
    fn target(&mut self, of: &Instance<'p>, name: &Name) -> Option<VarId> {
        match self.scopes.lookup(of.index, name) {
            Ok(var) if self.scopes.vars[var].scope == Scope::Lock => {
                self.error(Diagnostic::new(name.span, format!("`{name}` is a lock and cannot be assigned to")));
                None
            }
            Ok(var) => Some(self.scopes.at_level(var, of.level)),
            Err(error) => {
                self.error(error);
                None
            }
        }
    }

    /// The variables that take the values of a call.
    fn call_targets(&mut self, of: &Instance<'p>, targets: &[Target]) -> Vec<VarId> {
        let mut vars = Vec::new();
        for target in targets {
            if target.passive {
                let message = "a call cannot assign to variables of other threads";
                self.error(Diagnostic::new(target.name.span, message));
            }
            let var = self.target(of, &target.name);
            if var.is_some_and(|v| vars.contains(&v)) {
                self.error(Diagnostic::new(target.name.span, format!("`{}` is assigned to twice", target.name)));
            }
            vars.extend(var);
        }
        vars
    }

    fn assign(
        &mut self,
        of: &Instance<'p>,
        targets: &[Target],
        values: &[Expr],
        constrain: Option<&Expr>,
        span: Span,
    ) -> Assign {
        if targets.len() != values.len() {
            let message = format!("{} values for {} variables", values.len(), targets.len());
            self.error(Diagnostic::new(span, message));
        }
        let mut vars: Vec<(VarId, bool)> = Vec::new();
        for target in targets {
            let Some(var) = self.target(of, &target.name) else { return self.constrained(of, &[], &[], None) };
            if target.passive && self.scopes.vars[var].scope != Scope::Local {
                let message = format!("`{}` is not local, so there is no `{}$`", target.name, target.name);
                self.error(Diagnostic::new(target.name.span, message));
            }
            if vars.contains(&(var, target.passive)) {
                self.error(Diagnostic::new(target.name.span, format!("`{}` is assigned to twice", target.name)));
            }
            vars.push((var, target.passive));
        }
        self.constrained(of, &vars, values, constrain)
    }

    /// What a call's arguments do to the variables of the callee: parameters get values, the rest is zero.
    fn frame(
        &mut self,
        of: &Instance<'p>,
        callee: &Name,
        args: &[Expr],
        choices: &mut Choices,
    ) -> Option<(usize, Vec<(VarId, Ex)>)> {
        let Some(&index) = self.scopes.procedures.get(callee.text.as_str()) else {
            self.error(Diagnostic::new(callee.span, format!("there is no procedure `{callee}`")));
            return None;
        };
        let procedure = &self.program.procedures[index];
        if procedure.params.len() != args.len() {
            let message = format!("`{callee}` takes {} arguments, here {}", procedure.params.len(), args.len());
            let note = "it is declared here";
            self.error(Diagnostic::new(callee.span, message).with_note(procedure.name.span, note));
            return None;
        }
        let values: Vec<Ex> = args.iter().map(|e| self.present(of, e, choices)).collect();
        let vars = self.scopes.frames[index].clone();
        let zeros = std::iter::repeat(Ex::Const(false));
        Some((index, vars.into_iter().zip(values.into_iter().chain(zeros)).collect()))
    }

    fn call(
        &mut self,
        of: &Instance<'p>,
        stmt: &'p Stmt,
        (targets, callee, args): (&[Target], &Name, &[Expr]),
        next: LocId,
        closed: bool,
    ) -> LocId {
        let vars = self.call_targets(of, targets);
        let mut choices = Choices::default();
        let Some((index, frame)) = self.frame(of, callee, args, &mut choices) else { return next };
        let wanted = self.scopes.returns[index];
        if !targets.is_empty() && targets.len() != wanted {
            let message = format!("`{callee}` returns {wanted} values for {} variables", targets.len());
            self.error(Diagnostic::new(stmt.span, message));
            return next;
        }
        let mut level = of.level;
        if let Some((number, site)) = self.scopes.sites.get(&std::ptr::from_ref(stmt)).cloned() {
            if let Recursion::Unroll(depth) = self.recursion {
                level += 1;
                if level > depth {
                    self.cut_off = true;
                    return self.emit(of, stmt.span, closed, Instr::Branch { arms: Vec::new(), choices: 0 });
                }
            }
            if self.recursion == Recursion::Threads {
                let set = Start { entry: next, inherits: false, set: frame, choices: choices.own };
                return self.recursive_call(of, (number, &site), (index, set), &vars, (stmt.span, next, closed));
            }
        }
        let exit = Exit::Caller { targets: vars, next };
        let entry = self.instance(index, exit, closed, of.in_site, level);
        let frame: Vec<(VarId, Ex)> = frame.into_iter().map(|(v, e)| (self.scopes.at_level(v, level), e)).collect();
        if frame.is_empty() {
            return entry;
        }
        let assign = Assign { targets: frame, constrain: Ex::Const(true), passive: None, choices: choices.own };
        self.emit(of, stmt.span, closed, Instr::Assign(assign, entry))
    }

    /// [BOOLPROG §4.3, Fig. 5] ψ := 0; start_thread φ; x, ψ := values, 0 constrain ψ. Parameters are set in the new
    /// thread and not in the caller, which may need its own.
    fn recursive_call(
        &mut self,
        of: &Instance<'p>,
        (number, site): (usize, &Site),
        (index, mut start): (usize, Start),
        targets: &[VarId],
        (span, next, closed): (Span, LocId, bool),
    ) -> LocId {
        if closed {
            self.error(Diagnostic::new(span, "a recursive procedure is called inside an atomic section"));
            return next;
        }
        cov_mark::hit!(recursive_call);
        let phi = match self.sites.get(&number) {
            Some(phi) => *phi,
            None => {
                let phi = self.alias(index);
                self.sites.insert(number, phi);
                let exit = Exit::Site { psi: site.psi, values: site.values.clone() };
                self.pending.push(Pending { at: phi, index, exit, in_site: true });
                phi
            }
        };
        let value = |v: VarId| Ex::Var(crate::flat::VarRef { var: v, primed: false, passive: false });
        let mut taken: Vec<(VarId, Ex)> =
            targets.iter().zip(&site.values).map(|(target, v)| (*target, value(*v))).collect();
        taken.push((site.psi, Ex::Const(false)));
        let wait = Assign { targets: taken, constrain: value(site.psi), passive: None, choices: 0 };
        let wait = self.emit(of, span, false, Instr::Assign(wait, next));
        start.entry = phi;
        let start = self.emit(of, span, false, Instr::Start(start, wait));
        let clear = Assign {
            targets: vec![(site.psi, Ex::Const(false))],
            constrain: Ex::Const(true),
            passive: None,
            choices: 0,
        };
        self.emit(of, span, false, Instr::Assign(clear, start))
    }

    fn start(&mut self, of: &Instance<'p>, start: &'p StartSyntax, span: Span, next: LocId, closed: bool) -> LocId {
        let start = match started(start, |label| of.labels.contains_key(label)) {
            Started::Label(label) => {
                if of.in_site {
                    let message = "a thread that is started at a label of a recursive procedure cannot return";
                    self.error(Diagnostic::new(span, message));
                }
                // Whether the label lies in a section is known when all is laid out.
                let entry = of.labels[label.text.as_str()];
                self.open_labels.push((entry, label.span));
                Start { entry, inherits: true, set: Vec::new(), choices: 0 }
            }
            Started::Procedure(callee, args) => {
                let mut choices = Choices::default();
                let Some((index, mut set)) = self.frame(of, callee, args, &mut choices) else { return next };
                // Zero is what the variables of a new thread have anyway.
                set.retain(|(_, e)| *e != Ex::Const(false));
                let entry = self.thread_entry(index);
                Start { entry, inherits: false, set, choices: choices.own }
            }
        };
        self.emit(of, span, closed, Instr::Start(start, next))
    }

    pub(super) fn thread_entry(&mut self, index: usize) -> LocId {
        if let Some(entry) = self.threads.get(&index) {
            return *entry;
        }
        let entry = self.alias(index);
        self.threads.insert(index, entry);
        self.pending.push(Pending { at: entry, index, exit: Exit::Thread, in_site: false });
        entry
    }

    /// The end of a body without a `return`.
    pub(super) fn leave(&mut self, of: &Instance<'p>, values: &[Ex], span: Span, closed: bool) -> LocId {
        self.leave_with(of, values, 0, span, closed)
    }

    /// `return values`.
    fn leave_with(&mut self, of: &Instance<'p>, values: &[Ex], choices: u32, span: Span, closed: bool) -> LocId {
        match of.exit.clone() {
            Exit::Caller { targets, next } if targets.is_empty() || values.is_empty() => {
                self.emit(of, span, closed, Instr::Skip(next))
            }
            Exit::Caller { targets, next } => {
                let targets = targets.into_iter().zip(values.iter().cloned()).collect();
                let assign = Assign { targets, constrain: Ex::Const(true), passive: None, choices };
                self.emit(of, span, closed, Instr::Assign(assign, next))
            }
            Exit::Thread => self.emit(of, span, closed, Instr::End),
            Exit::Site { psi, values: into } => {
                let end = self.emit(of, span, false, Instr::End);
                let mut targets: Vec<(VarId, Ex)> = into.into_iter().zip(values.iter().cloned()).collect();
                targets.push((psi, Ex::Const(true)));
                let assign = Assign { targets, constrain: Ex::Const(true), passive: None, choices };
                let at = self.emit(of, span, closed, Instr::Assign(assign, end));
                self.returns.push(at);
                at
            }
        }
    }

    /// An expression in which only the present state occurs.
    fn present(&mut self, of: &Instance<'p>, expr: &Expr, choices: &mut Choices) -> Ex {
        self.expression(of, expr, Context::Present, choices)
    }
}
