//! The syntax tree of a Boolean program, [BOOLPROG Figs. 1 and 2] with the usual sugar.
//!
//! A tree can be made by hand (an abstraction of another language does) as well as by the parser; its `Display` is text
//! that the parser reads back to an equal tree, spans aside. Nothing is checked here: names may be undeclared, numbers of
//! values may disagree. [`flatten`](crate::flatten()) checks.
//!
//! Conjunctions and disjunctions hold any number of operands, so that long ones are no deep trees.

use heddle_base::Span;

/// A name as it stands in the text.
#[derive(Clone, Debug, Default)]
pub struct Name {
    /// The identifier.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name { text: text.to_owned(), span: Span::default() }
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        Name { text, span: Span::default() }
    }
}

/// Names are equal if they are spelled alike.
impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.text == other.text
    }
}

impl Eq for Name {}

/// [BOOLPROG Fig. 2] A program: declarations and procedures. Execution begins in the procedure `main`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Global variables. One that occurs in `lock` or `unlock` is a lock.
    pub globals: Vec<Name>,
    /// The procedures, in the order of the text.
    pub procedures: Vec<Procedure>,
}

/// A procedure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// Its parameters, passed by value.
    pub params: Vec<Name>,
    /// The number of values it returns, if that is declared; else its `return` statements tell.
    pub returns: Option<usize>,
    /// Its local variables. They are zero when the procedure is entered.
    pub locals: Vec<Name>,
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Labels in front of it.
    pub labels: Vec<Name>,
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

impl PartialEq for Stmt {
    fn eq(&self, other: &Stmt) -> bool {
        self.labels == other.labels && self.kind == other.kind
    }
}

impl Eq for Stmt {}

impl From<StmtKind> for Stmt {
    fn from(kind: StmtKind) -> Stmt {
        Stmt { labels: Vec::new(), kind, span: Span::default() }
    }
}

impl Stmt {
    /// The statement with one more label.
    pub fn labelled(mut self, label: impl Into<Name>) -> Stmt {
        self.labels.push(label.into());
        self
    }
}

/// Kinds of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `skip;`
    Skip,
    /// `goto a, b;` One of the labels, by free choice.
    Goto(Vec<Name>),
    /// `return e1, e2;`
    Return(Vec<Expr>),
    /// `x, y := e1, e2 constrain e;` All at once.
    Assign {
        /// What is assigned to.
        targets: Vec<Target>,
        /// As many values.
        values: Vec<Expr>,
        /// The relation between old and new state that must hold; the thread waits while it cannot.
        constrain: Option<Expr>,
    },
    /// `x, y := f(e1, e2);` or `f(e1, e2);`
    Call {
        /// What the returned values are assigned to; empty if they are not used.
        targets: Vec<Target>,
        /// The procedure.
        callee: Name,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `lock l;`
    Lock(Name),
    /// `unlock l;`
    Unlock(Name),
    /// `assume(e);` Waits until `e` holds.
    Assume(Expr),
    /// `assert(e);` The property.
    Assert(Expr),
    /// `start_thread …;`
    StartThread(Start),
    /// `end_thread;`
    EndThread,
    /// `if (e) then … elsif (e) then … else … fi`
    If {
        /// Conditions and what follows from them, the first one that holds.
        arms: Vec<(Expr, Vec<Stmt>)>,
        /// If none holds.
        otherwise: Vec<Stmt>,
    },
    /// `while (e) do … od`
    While {
        /// Evaluated before each round.
        condition: Expr,
        /// One round.
        body: Vec<Stmt>,
    },
    /// `atomic begin … end`: no other thread moves in between.
    Atomic(Vec<Stmt>),
}

/// What a new thread executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// `start_thread L;` A copy of the creating thread (without its locks) at label `L`, [BOOLPROG eq. (7)]. If there is no such label,
    /// the procedure of that name without arguments.
    At(Name),
    /// `start_thread f(e1, e2);` A thread that executes the procedure and ends.
    Call {
        /// The procedure.
        callee: Name,
        /// Its arguments, evaluated by the creating thread.
        args: Vec<Expr>,
    },
}

/// The left side of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The variable.
    pub name: Name,
    /// `x$`: that variable of every other thread.
    pub passive: bool,
}

impl From<&str> for Target {
    fn from(text: &str) -> Target {
        Target { name: text.into(), passive: false }
    }
}

/// [BOOLPROG Fig. 1] An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// `0` or `1`.
    Const(bool),
    /// `x`, `x'`, `x$` or `x$'`.
    Var {
        /// The variable.
        name: Name,
        /// `'`: its value in the next state.
        primed: bool,
        /// `$`: the variable of the passive thread.
        passive: bool,
    },
    /// `*`, a choice of its own, or `*2`, the same for every `*2` of the statement.
    Choice(Option<u32>),
    /// `!e`
    Not(Box<Expr>),
    /// `e1 & e2 & …`
    And(Vec<Expr>),
    /// `e1 | e2 | …`
    Or(Vec<Expr>),
    /// `e1 => e2`
    Implies(Box<Expr>, Box<Expr>),
    /// `e1 = e2`
    Equal(Box<Expr>, Box<Expr>),
    /// `e1 != e2`
    Differs(Box<Expr>, Box<Expr>),
    /// `schoose[e1, e2]`: 1 if `e1`, else 0 if `e2`, else a free choice.
    Schoose(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The variable `name` in the present state.
    pub fn var(name: impl Into<Name>) -> Expr {
        Expr::Var { name: name.into(), primed: false, passive: false }
    }

    /// The variable `name` in the next state.
    pub fn next(name: impl Into<Name>) -> Expr {
        Expr::Var { name: name.into(), primed: true, passive: false }
    }

    /// The passive thread's variable `name` in the present state.
    pub fn passive(name: impl Into<Name>) -> Expr {
        Expr::Var { name: name.into(), primed: false, passive: true }
    }

    /// The negation of `self`.
    pub fn negated(self) -> Expr {
        Expr::Not(Box::new(self))
    }
}
