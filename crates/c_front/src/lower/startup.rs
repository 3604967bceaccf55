//! Constructors and destructors: functions that run before `main` and when the process exits.
//!
//! Constructors run from the lowest priority to the highest and, where priorities are equal, in the order of the
//! definitions; destructors the other way round. The attribute may stand at any declaration in the file that defines the function.

use heddle_ir::{Callee, FuncId, StepKind};
use rustc_hash::FxHashMap;

use super::builder::Builder;
use super::{Lower, Session};
use crate::ast::{self, Attr};
use crate::intern::Symbol;

/// The priority of what gives none, which is the highest.
const DEFAULT_PRIORITY: u16 = 65535;

/// The priorities of a function that is a constructor, a destructor, or both.
#[derive(Default, Clone, Copy)]
struct Roles {
    constructor: Option<u16>,
    destructor: Option<u16>,
}

/// What the declarations of one file say.
#[derive(Default)]
pub(super) struct UnitStartup {
    roles: FxHashMap<Symbol, Roles>,
    /// Functions that the file defines.
    defined: Vec<(Symbol, FuncId)>,
}

/// The constructors and destructors of the program with their priorities, in the order of their definitions.
#[derive(Default)]
pub(super) struct Startup {
    constructors: Vec<(u16, FuncId)>,
    destructors: Vec<(u16, FuncId)>,
}

impl Lower<'_> {
    /// Notes what attributes of a declaration say.
    pub(super) fn startup_attributes<'a>(&mut self, name: Symbol, attrs: impl Iterator<Item = &'a Attr>) {
        for attr in attrs {
            match *attr {
                Attr::Constructor(priority) => {
                    let priority = self.priority(name, priority);
                    self.startup.roles.entry(name).or_default().constructor = Some(priority);
                }
                Attr::Destructor(priority) => {
                    let priority = self.priority(name, priority);
                    self.startup.roles.entry(name).or_default().destructor = Some(priority);
                }
                _ => {}
            }
        }
    }

    fn priority(&mut self, name: Symbol, priority: Option<ast::ExprId>) -> u16 {
        let Some(expr) = priority else { return DEFAULT_PRIORITY };
        let Some(value) = self.integer_constant(expr, "the priority") else { return DEFAULT_PRIORITY };
        let Ok(value) = value.try_into() else {
            let span = self.ast.exprs[expr].span;
            self.error(span, "priorities go from 0 to 65535");
            return DEFAULT_PRIORITY;
        };
        // Behind the definition gcc takes the attribute and loses its priority.
        let is_defined = self.startup.defined.iter().any(|defined| defined.0 == name);
        if is_defined { DEFAULT_PRIORITY } else { value }
    }

    /// Notes that this file defines a function.
    pub(super) fn startup_defines(&mut self, name: Symbol, id: FuncId) {
        self.startup.defined.push((name, id));
    }

    /// At the end of a file, when all its declarations are known.
    pub(super) fn end_startup(&mut self) {
        let UnitStartup { roles, defined } = std::mem::take(&mut self.startup);
        for (name, id) in defined {
            let Some(roles) = roles.get(&name) else { continue };
            let startup = &mut self.session.startup;
            startup.constructors.extend(roles.constructor.map(|priority| (priority, id)));
            startup.destructors.extend(roles.destructor.map(|priority| (priority, id)));
        }
    }
}

impl Session {
    /// Calls the constructors.
    pub(super) fn call_constructors(&self, b: &mut Builder) {
        let mut constructors = self.startup.constructors.clone();
        constructors.sort_by_key(|&(priority, _)| priority);
        call_all(b, constructors.into_iter());
    }

    /// Calls the destructors.
    pub(super) fn call_destructors(&self, b: &mut Builder) {
        let mut destructors = self.startup.destructors.clone();
        destructors.sort_by_key(|&(priority, _)| priority);
        call_all(b, destructors.into_iter().rev());
    }
}

fn call_all(b: &mut Builder, functions: impl Iterator<Item = (u16, FuncId)>) {
    for (_, function) in functions {
        b.emit(StepKind::Call { dst: None, callee: Callee::Direct(function), args: Vec::new() });
    }
}
