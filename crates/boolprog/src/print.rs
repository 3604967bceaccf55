//! Boolean programs as text, in a form that the parser reads back.

use std::fmt::{self, Display, Formatter, Write};

use crate::ast::{Expr, Name, Procedure, Program, Start, Stmt, StmtKind, Target};

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, if self.passive { "$" } else { "" })
    }
}

/// `items` with commas between them.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for chunk in self.globals.chunks(16) {
            writeln!(f, "decl {};", List(chunk))?;
        }
        for procedure in &self.procedures {
            write!(f, "\n{procedure}")?;
        }
        Ok(())
    }
}

impl Display for Procedure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.returns {
            None => {}
            Some(0) => f.write_str("void ")?,
            Some(1) => f.write_str("bool ")?,
            Some(n) => write!(f, "bool<{n}> ")?,
        }
        writeln!(f, "{}({}) begin", self.name, List(&self.params))?;
        for chunk in self.locals.chunks(16) {
            writeln!(f, "  decl {};", List(chunk))?;
        }
        block(f, &self.body, 1)?;
        writeln!(f, "end")
    }
}

fn block(f: &mut Formatter<'_>, body: &[Stmt], depth: usize) -> fmt::Result {
    body.iter().try_for_each(|stmt| statement(f, stmt, depth))
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_str("  "))
}

fn statement(f: &mut Formatter<'_>, stmt: &Stmt, depth: usize) -> fmt::Result {
    indent(f, depth)?;
    for label in &stmt.labels {
        write!(f, "{label}: ")?;
    }
    match &stmt.kind {
        StmtKind::Skip => writeln!(f, "skip;"),
        StmtKind::Goto(labels) => writeln!(f, "goto {};", List(labels)),
        StmtKind::Return(values) if values.is_empty() => writeln!(f, "return;"),
        StmtKind::Return(values) => writeln!(f, "return {};", List(values)),
        StmtKind::Assign { targets, values, constrain } => {
            write!(f, "{} := {}", List(targets), List(values))?;
            if let Some(constrain) = constrain {
                write!(f, " constrain {constrain}")?;
            }
            writeln!(f, ";")
        }
        StmtKind::Call { targets, callee, args } => {
            if !targets.is_empty() {
                write!(f, "{} := ", List(targets))?;
            }
            writeln!(f, "{callee}({});", List(args))
        }
        StmtKind::Lock(lock) => writeln!(f, "lock {lock};"),
        StmtKind::Unlock(lock) => writeln!(f, "unlock {lock};"),
        StmtKind::Assume(condition) => writeln!(f, "assume({condition});"),
        StmtKind::Assert(condition) => writeln!(f, "assert({condition});"),
        StmtKind::StartThread(Start::At(label)) => writeln!(f, "start_thread {label};"),
        StmtKind::StartThread(Start::Call { callee, args }) => {
            writeln!(f, "start_thread {callee}({});", List(args))
        }
        StmtKind::EndThread => writeln!(f, "end_thread;"),
        StmtKind::If { arms, otherwise } => {
            for (i, (condition, body)) in arms.iter().enumerate() {
                if i > 0 {
                    indent(f, depth)?;
                }
                writeln!(f, "{} ({condition}) then", if i == 0 { "if" } else { "elsif" })?;
                block(f, body, depth + 1)?;
            }
            if !otherwise.is_empty() {
                indent(f, depth)?;
                writeln!(f, "else")?;
                block(f, otherwise, depth + 1)?;
            }
            indent(f, depth)?;
            writeln!(f, "fi")
        }
        StmtKind::While { condition, body } => {
            writeln!(f, "while ({condition}) do")?;
            block(f, body, depth + 1)?;
            indent(f, depth)?;
            writeln!(f, "od")
        }
        StmtKind::Atomic(body) => {
            writeln!(f, "atomic begin")?;
            block(f, body, depth + 1)?;
            indent(f, depth)?;
            writeln!(f, "end")
        }
    }
}

impl Display for Expr {
    /// Every operand that is no atom stands in parentheses: nobody has to know precedences.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Const(value) => f.write_char(if *value { '1' } else { '0' }),
            Expr::Var { name, primed, passive } => {
                write!(f, "{name}{}{}", if *passive { "$" } else { "" }, if *primed { "'" } else { "" })
            }
            Expr::Choice(None) => f.write_char('*'),
            Expr::Choice(Some(number)) => write!(f, "*{number}"),
            Expr::Not(e) => write!(f, "!{}", Operand(e)),
            Expr::And(operands) => chain(f, operands, " & ", '1'),
            Expr::Or(operands) => chain(f, operands, " | ", '0'),
            Expr::Implies(a, b) => write!(f, "{} => {}", Operand(a), Operand(b)),
            Expr::Equal(a, b) => write!(f, "{} = {}", Operand(a), Operand(b)),
            Expr::Differs(a, b) => write!(f, "{} != {}", Operand(a), Operand(b)),
            Expr::Schoose(a, b) => write!(f, "schoose[{a}, {b}]"),
        }
    }
}

fn chain(f: &mut Formatter<'_>, operands: &[Expr], operator: &str, neutral: char) -> fmt::Result {
    if operands.is_empty() {
        return f.write_char(neutral);
    }
    for (i, operand) in operands.iter().enumerate() {
        write!(f, "{}{}", if i == 0 { "" } else { operator }, Operand(operand))?;
    }
    Ok(())
}

struct Operand<'a>(&'a Expr);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            e @ (Expr::Const(_) | Expr::Var { .. } | Expr::Choice(_) | Expr::Not(_) | Expr::Schoose(..)) => e.fmt(f),
            e @ (Expr::And(_) | Expr::Or(_) | Expr::Implies(..) | Expr::Equal(..) | Expr::Differs(..)) => {
                write!(f, "({e})")
            }
        }
    }
}
