//! What a program's entry can reach by name: functions and globals that a reachable body or initialiser mentions.
//!
//! A cheap over-approximation of what can be executed.

use heddle_base::IndexVec;

use crate::expr::{Base, Expr};
use crate::program::{ConstValue, FuncId, GlobalId, Program};
use crate::step::{Callee, StepKind};

/// The functions and globals that are mentioned.
#[derive(Clone, Debug)]
pub struct Mentioned {
    /// Whether a function is.
    pub functions: IndexVec<FuncId, bool>,
    /// Whether a global is.
    pub globals: IndexVec<GlobalId, bool>,
}

impl Mentioned {
    /// What the program's entry reaches.
    pub fn from_entry(program: &Program) -> Self {
        let mut found = Mentioned {
            functions: IndexVec::from_elem(false, program.functions.len()),
            globals: IndexVec::from_elem(false, program.globals.len()),
        };
        let mut todo = vec![Base::Func(program.entry)];
        while let Some(base) = todo.pop() {
            let seen = match base {
                Base::Func(func) => std::mem::replace(&mut found.functions[func], true),
                Base::Global(global) => std::mem::replace(&mut found.globals[global], true),
                Base::Slot(_) => true,
            };
            if !seen {
                mentions(program, base, &mut todo);
            }
        }
        found
    }
}

fn mentions(program: &Program, base: Base, out: &mut Vec<Base>) {
    match base {
        Base::Func(func) => {
            let function = &program.functions[func];
            for expr in function.exprs.iter() {
                if let Expr::Addr { base, .. } = *expr {
                    out.push(base);
                }
            }
            for step in function.steps.iter() {
                if let StepKind::Call { callee: Callee::Direct(target), .. }
                | StepKind::Spawn { callee: Callee::Direct(target), .. } = step.kind
                {
                    out.push(Base::Func(target));
                }
            }
        }
        Base::Global(global) => {
            for item in &program.globals[global].init {
                match item.value {
                    ConstValue::Global { global, .. } => out.push(Base::Global(global)),
                    ConstValue::Func(func) => out.push(Base::Func(func)),
                    ConstValue::Scalar { .. } | ConstValue::Bytes(_) => {}
                }
            }
        }
        Base::Slot(_) => {}
    }
}
