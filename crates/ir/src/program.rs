//! Programs, functions and what they declare.

use heddle_base::{IndexVec, Loc, SourceMap, define_id};

use crate::expr::{Expr, ExprId, result_type, type_of};
use crate::layout::{Layout, LayoutId};
use crate::property::Property;
use crate::step::{Step, StepId};
use crate::ty::{DataModel, Ty};

define_id!(
    /// A function of the program.
    pub FuncId, "f"
);
define_id!(
    /// A global object of the program: a variable of static or thread storage, or a string literal.
    pub GlobalId, "g"
);
define_id!(
    /// A register of a function.
    pub RegId, "r"
);
define_id!(
    /// A local of a function that lives in memory.
    pub SlotId, "m"
);
define_id!(
    /// A source of arbitrary values.
    pub InputId, "in"
);
define_id!(
    /// Something that is checked.
    pub CheckId, "c"
);

/// A whole program, linked.
#[derive(Clone, Debug)]
pub struct Program {
    /// Sizes of basic types.
    pub model: DataModel,
    /// All functions. One that has neither body nor model has a body that returns an arbitrary value.
    pub functions: IndexVec<FuncId, Function>,
    /// All global objects.
    pub globals: IndexVec<GlobalId, Global>,
    /// All layouts.
    pub layouts: IndexVec<LayoutId, Layout>,
    /// All sources of arbitrary values.
    pub inputs: IndexVec<InputId, Input>,
    /// All things checked by `assert` steps.
    pub checks: IndexVec<CheckId, Check>,
    /// The function that the first thread runs; it has no parameters, calls `main` and ends the process.
    pub entry: FuncId,
    /// The texts that places refer to.
    pub sources: SourceMap,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, unique in the program: a `static` function that clashes with another has `name.2`, `name.3`, ….
    pub name: String,
    /// Registers that receive the arguments. A variadic function has one more at the end: a pointer to its variable
    /// arguments, which lie side by side in memory as va_arg reads them.
    pub params: Vec<RegId>,
    /// Whether it takes variable arguments.
    pub variadic: bool,
    /// The type of the result.
    pub ret: Option<Ty>,
    /// Its registers.
    pub regs: IndexVec<RegId, Reg>,
    /// Its locals in memory.
    pub slots: IndexVec<SlotId, Slot>,
    /// Its expressions. Operands stand before what uses them.
    pub exprs: IndexVec<ExprId, Expr>,
    /// Its steps, from the first. The last one does not fall through.
    pub steps: IndexVec<StepId, Step>,
    /// Where it is defined.
    pub loc: Loc,
    /// Whether it comes from a library model and not from the user's files.
    pub model: bool,
    /// Whether it has no body in the files nor in the models.
    pub external: bool,
}

/// A register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reg {
    /// Its type.
    pub ty: Ty,
    /// The C variable it stands for; none for a temporary.
    pub name: Option<String>,
}

/// A local that lives in memory. It is alive from the start of a call, with arbitrary contents; `live` makes it anew and
/// `dead` ends its life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The C variable it stands for, or a name for a temporary.
    pub name: String,
    /// Its shape.
    pub layout: LayoutId,
    /// Where it is declared.
    pub loc: Loc,
}

/// A global object.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// Its name, unique in the program (see [`Function::name`]); a local static is `function.name`, a literal `str.N`.
    pub name: String,
    /// Its shape. A struct with a flexible array member may be larger: see `size`.
    pub layout: LayoutId,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Initial contents; what is not named is zero.
    pub init: Vec<InitItem>,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// Whether writing to it is undefined: string literals and `const` objects.
    pub constant: bool,
    /// Whether no file defines it: its contents are arbitrary then.
    pub external: bool,
    /// Where it is declared.
    pub loc: Loc,
    /// Whether it comes from a library model.
    pub model: bool,
}

/// A piece of a global's initial contents.
#[derive(Clone, PartialEq, Debug, Hash)]
pub struct InitItem {
    /// Bytes from the start.
    pub offset: u64,
    /// What is there.
    pub value: ConstValue,
}

/// A constant in memory.
#[derive(Clone, PartialEq, Debug, Hash)]
pub enum ConstValue {
    /// A scalar.
    Scalar {
        /// Its type.
        ty: Ty,
        /// Its bits.
        bits: u128,
    },
    /// The address of a global.
    Global {
        /// Of which.
        global: GlobalId,
        /// Bytes into it.
        offset: i64,
    },
    /// The address of a function.
    Func(FuncId),
    /// Bytes, such as a string literal's.
    Bytes(Vec<u8>),
}

/// A source of arbitrary values: every execution of a `havoc` step with it takes a new one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its name, unique in the program, for input vectors: `x`, `nondet_int.2`, `argc`.
    pub name: String,
    /// The type of its values.
    pub ty: Ty,
    /// Where it comes from.
    pub kind: InputKind,
    /// Where it is read.
    pub loc: Loc,
}

/// Where arbitrary values come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// `__VERIFIER_nondet_*`, `rand` and the like: meant to be arbitrary.
    Nondet,
    /// A local that was never given a value.
    Uninit,
    /// The result of a function that has neither body nor model.
    External,
    /// An argument of `main`.
    Argument,
    /// The value of an inline assembler statement's output.
    Asm,
}

/// Something that an `assert` step checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The property it belongs to.
    pub property: Property,
    /// What is wrong when it fails, as the user reads it: `assertion x == 1`, `division by zero`.
    pub message: String,
}

impl Function {
    /// The type of an expression of this function.
    pub fn type_of(&self, expr: ExprId) -> Ty {
        type_of(&self.exprs, &|reg| self.regs[reg].ty, expr)
    }

    /// Drops the expressions that no step uses. Operands stand before what uses them, before and after.
    pub fn drop_unused_exprs(&mut self) {
        let mut used = IndexVec::<ExprId, bool>::from_elem(false, self.exprs.len());
        for step in self.steps.iter_mut() {
            step.kind.for_each_operand_mut(|operand| used[*operand] = true);
        }
        for id in self.exprs.ids().rev() {
            if used[id] {
                self.exprs[id].operands().for_each(|operand| used[operand] = true);
            }
        }
        let mut moved = IndexVec::<ExprId, ExprId>::with_capacity(self.exprs.len());
        let mut kept = IndexVec::<ExprId, Expr>::new();
        for (id, expr) in self.exprs.iter_enumerated() {
            moved.push(kept.next_id());
            if used[id] {
                let mut expr = *expr;
                expr.for_each_operand_mut(|operand| *operand = moved[*operand]);
                kept.push(expr);
            }
        }
        self.exprs = kept;
        for step in self.steps.iter_mut() {
            step.kind.for_each_operand_mut(|operand| *operand = moved[*operand]);
        }
    }

    /// The types of all expressions.
    pub fn expr_types(&self) -> IndexVec<ExprId, Ty> {
        let mut types: IndexVec<ExprId, Ty> = IndexVec::with_capacity(self.exprs.len());
        for (id, expr) in self.exprs.iter_enumerated() {
            // Operands come first in the arena, so their types are known by now.
            let ty = match *expr {
                Expr::Unary(_, arg) | Expr::Binary(_, arg, _) | Expr::Ite { then: arg, .. } if arg < id => {
                    result_type(expr, types[arg])
                }
                _ => self.type_of(id),
            };
            types.push(ty);
        }
        types
    }
}

impl InputKind {
    /// All of them.
    pub const ALL: [InputKind; 5] =
        [InputKind::Nondet, InputKind::Uninit, InputKind::External, InputKind::Argument, InputKind::Asm];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            InputKind::Nondet => "nondet",
            InputKind::Uninit => "uninit",
            InputKind::External => "external",
            InputKind::Argument => "argument",
            InputKind::Asm => "asm",
        }
    }
}
