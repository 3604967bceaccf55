//! A checked Boolean program: one instruction a location, calls inlined, names resolved ([BOOLPROG §2.3]).
//!
//! All threads have the same variables and the same code, as in the paper. A lock is a variable of its own scope: each
//! thread has one, which is 1 while that thread holds the lock ([BOOLPROG §2.3.1], 𝓛).
//!
//! Deviations from the paper. A new thread holds no locks: by eq. (7) as printed it would hold those of its creator, and two
//! holders contradict the exclusiveness that eq. (11) demands. `if`, `while` and `assert` are one instruction
//! ([`Instr::Branch`]) and not a `goto` and several `assume`; the locations that can be reached are the same. A location
//! may be *closed* (inside an atomic section): while a thread is there, no other thread moves.

use heddle_base::{IndexVec, Span, define_id};

define_id!(
    /// A location of the program, an element of L.
    pub LocId, "l"
);
define_id!(
    /// A variable: globals come first, then locals, then locks.
    pub VarId, "v"
);

/// Who sees a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// All threads, V_g.
    Global,
    /// Each thread has its own, V_l.
    Local,
    /// Each thread has its own, and at most one of them is 1: 𝓛.
    Lock,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// `x` for globals and locks, `f.x` for locals of `f`.
    pub name: String,
    /// Who sees it.
    pub scope: Scope,
}

/// A program that was checked by [`flatten`](crate::flatten()).
#[derive(Clone, Debug)]
pub struct Flat {
    /// Globals, locals, locks, in this order.
    pub vars: IndexVec<VarId, Variable>,
    /// Number of globals.
    pub globals: usize,
    /// Number of locals, locks not counted.
    pub locals: usize,
    /// Every location can be reached along the control flow from the entry. The entry is the first one.
    pub locations: IndexVec<LocId, Location>,
    /// Names of procedures.
    pub procedures: Vec<String>,
    /// Recursive calls were replaced by threads ([BOOLPROG §4.3]), so that it can do more than the program.
    pub over_approximates: bool,
    /// Recursive calls were cut off at some depth, so that it can do less than the program.
    pub under_approximates: bool,
}

/// A location: P(l) and what people call it.
#[derive(Clone, Debug)]
pub struct Location {
    /// The instruction.
    pub instr: Instr,
    /// Inside an atomic section, past its beginning.
    pub closed: bool,
    /// The procedure that the text of this location belongs to: an index in [`Flat::procedures`].
    pub procedure: usize,
    /// The first label of its statement.
    pub label: Option<String>,
    /// Its statement.
    pub span: Span,
}

/// An instruction, with the locations behind it.
#[derive(Clone, Debug, PartialEq)]
pub enum Instr {
    /// [BOOLPROG eq. (4)]
    Skip(LocId),
    /// [BOOLPROG eq. (5)]
    Goto(Vec<LocId>),
    /// To a location whose condition holds; the thread waits while none does. `assume` has one of them.
    Branch {
        /// Conditions over the present state and choices.
        arms: Vec<(Ex, LocId)>,
        /// Number of choices in the conditions.
        choices: u32,
    },
    /// [BOOLPROG eq. (6)]
    Assign(Assign, LocId),
    /// [BOOLPROG eq. (8)]
    Lock(VarId, LocId),
    /// [BOOLPROG eq. (9)]
    Unlock(VarId, LocId),
    /// [BOOLPROG eq. (7)]
    Start(Start, LocId),
    /// `end_thread`, the end of a thread.
    End,
    /// A bad location, an element of 𝓑: an assertion has failed.
    Error,
}

/// A constrained assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// Variables and their new values, which are computed in the old state.
    pub targets: Vec<(VarId, Ex)>,
    /// The constraint on old and new state.
    pub constrain: Ex,
    /// What it does to every other thread.
    pub passive: Option<Passive>,
    /// Choices `0..choices` are made once.
    pub choices: u32,
}

/// The part of an assignment that changes the locals of the other threads, each one's alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Passive {
    /// Locals of the passive thread and their new values.
    pub targets: Vec<(VarId, Ex)>,
    /// What must hold for each passive thread.
    pub constrain: Ex,
    /// Further choices, `choices..choices + own`, that are made for each passive thread anew.
    pub choices: u32,
}

/// How a new thread begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Where.
    pub entry: LocId,
    /// Whether it begins with the locals of its creator; else they are zero.
    pub inherits: bool,
    /// Locals of the new thread and their values in the creator's state.
    pub set: Vec<(VarId, Ex)>,
    /// Number of choices in these values.
    pub choices: u32,
}

/// An expression over variables that are resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum Ex {
    /// A constant.
    Const(bool),
    /// A variable.
    Var(VarRef),
    /// A choice ι_j, numbered within its instruction.
    Choice(u32),
    /// Negation.
    Not(Box<Ex>),
    /// Conjunction.
    And(Vec<Ex>),
    /// Disjunction.
    Or(Vec<Ex>),
    /// Equality.
    Iff(Box<Ex>, Box<Ex>),
}

/// An occurrence of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarRef {
    /// The variable.
    pub var: VarId,
    /// In the next state; only of variables that the instruction assigns to.
    pub primed: bool,
    /// Of the passive thread.
    pub passive: bool,
}

impl Ex {
    /// Calls `see` on every variable of the expression.
    pub fn visit(&self, see: &mut impl FnMut(VarRef)) {
        match self {
            Ex::Const(_) | Ex::Choice(_) => {}
            Ex::Var(v) => see(*v),
            Ex::Not(e) => e.visit(see),
            Ex::And(es) | Ex::Or(es) => es.iter().for_each(|e| e.visit(see)),
            Ex::Iff(a, b) => {
                a.visit(see);
                b.visit(see);
            }
        }
    }

    /// Calls `see` on every variable of the expression, to change it.
    pub(crate) fn visit_mut(&mut self, see: &mut impl FnMut(&mut VarRef)) {
        match self {
            Ex::Const(_) | Ex::Choice(_) => {}
            Ex::Var(v) => see(v),
            Ex::Not(e) => e.visit_mut(see),
            Ex::And(es) | Ex::Or(es) => es.iter_mut().for_each(|e| e.visit_mut(see)),
            Ex::Iff(a, b) => {
                a.visit_mut(see);
                b.visit_mut(see);
            }
        }
    }

    /// The value, given those of variables and choices ([BOOLPROG Def. 6]).
    pub fn eval(&self, var: &impl Fn(VarRef) -> bool, choice: &impl Fn(u32) -> bool) -> bool {
        match self {
            Ex::Const(b) => *b,
            Ex::Var(v) => var(*v),
            Ex::Choice(c) => choice(*c),
            Ex::Not(e) => !e.eval(var, choice),
            Ex::And(es) => es.iter().all(|e| e.eval(var, choice)),
            Ex::Or(es) => es.iter().any(|e| e.eval(var, choice)),
            Ex::Iff(a, b) => a.eval(var, choice) == b.eval(var, choice),
        }
    }
}

impl Instr {
    /// The locations that the thread itself may come to.
    pub fn successors(&self) -> Vec<LocId> {
        match self {
            Instr::Skip(next)
            | Instr::Assign(_, next)
            | Instr::Lock(_, next)
            | Instr::Unlock(_, next)
            | Instr::Start(_, next) => vec![*next],
            Instr::Goto(targets) => targets.clone(),
            Instr::Branch { arms, .. } => arms.iter().map(|(_, to)| *to).collect(),
            Instr::End | Instr::Error => Vec::new(),
        }
    }

    /// Calls `see` on every location in the instruction, to change it.
    pub(crate) fn targets_mut(&mut self, see: &mut impl FnMut(&mut LocId)) {
        match self {
            Instr::Skip(next) | Instr::Assign(_, next) | Instr::Lock(_, next) | Instr::Unlock(_, next) => see(next),
            Instr::Start(start, next) => {
                see(next);
                see(&mut start.entry);
            }
            Instr::Goto(targets) => targets.iter_mut().for_each(see),
            Instr::Branch { arms, .. } => arms.iter_mut().for_each(|(_, to)| see(to)),
            Instr::End | Instr::Error => {}
        }
    }

    /// Calls `see` on every location that the thread itself may come to, to change it.
    pub(crate) fn own_targets_mut(&mut self, see: &mut impl FnMut(&mut LocId)) {
        match self {
            Instr::Start(_, next) => see(next),
            Instr::Skip(_)
            | Instr::Goto(_)
            | Instr::Branch { .. }
            | Instr::Assign(..)
            | Instr::Lock(..)
            | Instr::Unlock(..)
            | Instr::End
            | Instr::Error => self.targets_mut(see),
        }
    }

    /// Globals that it may write.
    pub fn written_globals(&self, flat: &Flat) -> Vec<VarId> {
        match self {
            Instr::Assign(assign, _) => {
                assign.targets.iter().map(|(v, _)| *v).filter(|v| flat.scope(*v) == Scope::Global).collect()
            }
            Instr::Skip(_)
            | Instr::Goto(_)
            | Instr::Branch { .. }
            | Instr::Lock(..)
            | Instr::Unlock(..)
            | Instr::Start(..)
            | Instr::End
            | Instr::Error => Vec::new(),
        }
    }

    /// Variables of the thread itself that it reads, in the present or the next state.
    pub fn reads(&self) -> Vec<VarId> {
        let mut reads = Vec::new();
        let mut see = |v: VarRef| {
            if !v.passive {
                reads.push(v.var);
            }
        };
        match self {
            Instr::Assign(assign, _) => {
                assign.targets.iter().for_each(|(_, e)| e.visit(&mut see));
                assign.constrain.visit(&mut see);
                if let Some(passive) = &assign.passive {
                    passive.targets.iter().for_each(|(_, e)| e.visit(&mut see));
                    passive.constrain.visit(&mut see);
                }
            }
            Instr::Branch { arms, .. } => arms.iter().for_each(|(e, _)| e.visit(&mut see)),
            Instr::Start(start, _) => start.set.iter().for_each(|(_, e)| e.visit(&mut see)),
            Instr::Skip(_) | Instr::Goto(_) | Instr::Lock(..) | Instr::Unlock(..) | Instr::End | Instr::Error => {}
        }
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// What it does to other threads' locals.
    pub fn passive(&self) -> Option<&Passive> {
        match self {
            Instr::Assign(assign, _) => assign.passive.as_ref(),
            Instr::Skip(_)
            | Instr::Goto(_)
            | Instr::Branch { .. }
            | Instr::Lock(..)
            | Instr::Unlock(..)
            | Instr::Start(..)
            | Instr::End
            | Instr::Error => None,
        }
    }
}

impl Flat {
    /// Where `main` begins.
    pub fn entry(&self) -> LocId {
        use heddle_base::Id;
        LocId::new(0)
    }

    /// Who sees a variable.
    pub fn scope(&self, var: VarId) -> Scope {
        self.vars[var].scope
    }

    /// Whether some statement changes the locals of other threads.
    pub fn has_passive(&self) -> bool {
        self.locations.iter().any(|l| l.instr.passive().is_some())
    }

    /// `f:L1`, or `f:12` (a line) where there is no label.
    pub fn describe(&self, loc: LocId, text: &str) -> String {
        let location = &self.locations[loc];
        let procedure = &self.procedures[location.procedure];
        match &location.label {
            Some(label) => format!("{procedure}:{label}"),
            None => format!("{procedure}:{}", crate::diagnostic::line_column(text, location.span.lo).0),
        }
    }
}

/// Instructions as text, for `show` and tests.
impl Flat {
    /// An instruction in the syntax of the language, with locations as labels.
    pub fn show(&self, instr: &Instr) -> String {
        let list = |items: Vec<String>| items.join(", ");
        let sets = |set: &[(VarId, Ex)], passive: &str| -> Vec<(String, String)> {
            set.iter().map(|(v, e)| (format!("{}{passive}", self.vars[*v].name), self.show_ex(e))).collect()
        };
        match instr {
            Instr::Skip(next) => format!("skip → {next}"),
            Instr::Goto(targets) => format!("goto {}", list(targets.iter().map(ToString::to_string).collect())),
            Instr::Branch { arms, .. } => {
                list(arms.iter().map(|(e, to)| format!("if {} → {to}", self.show_ex(e))).collect())
            }
            Instr::Assign(assign, next) => {
                let mut all = sets(&assign.targets, "");
                let mut constrain = vec![self.show_ex(&assign.constrain)];
                if let Some(passive) = &assign.passive {
                    all.extend(sets(&passive.targets, "$"));
                    constrain.push(self.show_ex(&passive.constrain));
                }
                constrain.retain(|c| c != "1");
                let (left, right): (Vec<String>, Vec<String>) = all.into_iter().unzip();
                let constrain =
                    if constrain.is_empty() { String::new() } else { format!(" constrain {}", constrain.join(" & ")) };
                format!("{} := {}{constrain} → {next}", list(left), list(right))
            }
            Instr::Lock(lock, next) => format!("lock {} → {next}", self.vars[*lock].name),
            Instr::Unlock(lock, next) => format!("unlock {} → {next}", self.vars[*lock].name),
            Instr::Start(start, next) => {
                let set = sets(&start.set, "").into_iter().map(|(v, e)| format!(" {v} := {e}")).collect::<String>();
                let how = if start.inherits { " as a copy" } else { "" };
                format!("start_thread {}{how}{set} → {next}", start.entry)
            }
            Instr::End => "end_thread".to_owned(),
            Instr::Error => "error".to_owned(),
        }
    }

    /// An expression in the syntax of the language; choices are `*0`, `*1`, ….
    pub fn show_ex(&self, ex: &Ex) -> String {
        let chain = |es: &[Ex], operator: &str| {
            let inside: Vec<String> = es.iter().map(|e| self.show_ex(e)).collect();
            format!("({})", inside.join(operator))
        };
        match ex {
            Ex::Const(b) => u8::from(*b).to_string(),
            Ex::Var(v) => {
                let (passive, primed) = (if v.passive { "$" } else { "" }, if v.primed { "'" } else { "" });
                format!("{}{passive}{primed}", self.vars[v.var].name)
            }
            Ex::Choice(c) => format!("*{c}"),
            Ex::Not(e) => format!("!{}", self.show_ex(e)),
            Ex::And(es) => chain(es, " & "),
            Ex::Or(es) => chain(es, " | "),
            Ex::Iff(a, b) => format!("({} = {})", self.show_ex(a), self.show_ex(b)),
        }
    }
}
