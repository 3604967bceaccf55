//! Inputs that are only ever compared with constants, and few values that stand for all of theirs.
//!
//! The value of such an input is copied from register to register, given to functions and returned, perhaps widened, and in
//! the end compared with constants. Constants cut the numbers of its type into intervals, in the signed and in the unsigned order; all values in
//! the same intervals decide all comparisons alike, so one value of each is enough for any statement about all executions.
//!
//! **Limit:** a value that is stored in memory, calculated with, or compared with another variable is not followed.

use std::collections::BTreeSet;

use heddle_base::IndexVec;
use rustc_hash::FxHashMap;

use crate::value::{bits_of, truncate};
use crate::{
    Base, BinOp, Callee, CastOp, ConstValue, Expr, ExprId, FuncId, Function, InputId, InputKind, Program, RegId,
    StepKind, Ty,
};

/// Values that stand for all values of an input; none for inputs that are used in other ways.
pub fn compared_inputs(program: &Program) -> Vec<(InputId, Vec<u128>)> {
    let mut flow = Flow {
        program,
        held: FxHashMap::default(),
        constants: IndexVec::from_elem(BTreeSet::new(), program.inputs.len()),
        used: IndexVec::from_elem(false, program.inputs.len()),
    };
    for (id, input) in program.inputs.iter_enumerated() {
        let integer = matches!(input.ty, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64);
        flow.used[id] = !integer || input.kind == InputKind::Uninit;
    }
    flow.find_holders();
    flow.find_uses();
    let found = program.inputs.ids().filter(|&input| !flow.used[input]);
    found.map(|input| (input, representatives(program.inputs[input].ty, &flow.constants[input]))).collect()
}

/// The ends of all intervals that the constants make, in both orders.
fn representatives(ty: Ty, constants: &BTreeSet<u128>) -> Vec<u128> {
    let bits = bits_of(ty);
    let mut all = BTreeSet::new();
    let middle = 1u128 << (bits - 1);
    for &constant in constants.iter().chain(&[0, middle]) {
        for value in [constant, constant.wrapping_add(1), constant.wrapping_sub(1)] {
            all.insert(truncate(value, bits));
        }
    }
    all.into_iter().collect()
}

struct Flow<'p> {
    program: &'p Program,
    /// The inputs whose values a register may hold.
    held: FxHashMap<(FuncId, RegId), BTreeSet<InputId>>,
    constants: IndexVec<InputId, BTreeSet<u128>>,
    /// Whether an input is used in another way.
    used: IndexVec<InputId, bool>,
}

impl Flow<'_> {
    /// Where values are copied to, until nothing is new.
    fn find_holders(&mut self) {
        loop {
            let mut more = false;
            for (func, function) in self.program.functions.iter_enumerated() {
                for step in function.steps.iter() {
                    more |= match &step.kind {
                        StepKind::Havoc { dst, input } => self.held.entry((func, *dst)).or_default().insert(*input),
                        StepKind::Assign { dst, value } => self.copy(func, *value, func, *dst),
                        StepKind::Call { dst, callee: Callee::Direct(callee), args } => {
                            self.pass(func, *dst, *callee, args)
                        }
                        _ => false,
                    };
                }
            }
            if !more {
                return;
            }
        }
    }

    /// Arguments to parameters, and what is returned to the register that gets it.
    fn pass(&mut self, func: FuncId, dst: Option<RegId>, callee: FuncId, args: &[ExprId]) -> bool {
        let called = &self.program.functions[callee];
        let mut more = false;
        for (&arg, &param) in args.iter().zip(&called.params) {
            more |= self.copy(func, arg, callee, param);
        }
        for step in called.steps.iter() {
            if let (StepKind::Return { value: Some(value) }, Some(dst)) = (&step.kind, dst) {
                more |= self.copy(callee, *value, func, dst);
            }
        }
        more
    }

    fn copy(&mut self, from: FuncId, value: ExprId, to: FuncId, dst: RegId) -> bool {
        let source = &self.program.functions[from];
        let Expr::Reg(reg) = source.exprs[value] else { return false };
        let Some(inputs) = self.held.get(&(from, reg)).cloned() else { return false };
        if source.regs[reg].ty != self.program.functions[to].regs[dst].ty {
            inputs.into_iter().for_each(|input| self.used[input] = true);
            return false;
        }
        let held = self.held.entry((to, dst)).or_default();
        let before = held.len();
        held.extend(inputs);
        held.len() > before
    }

    /// The inputs whose value an expression is, widened or not.
    fn value_of(&self, func: FuncId, function: &Function, expr: ExprId) -> BTreeSet<InputId> {
        match function.exprs[expr] {
            Expr::Reg(reg) => self.held.get(&(func, reg)).cloned().unwrap_or_default(),
            Expr::Cast { op: CastOp::ZExt | CastOp::SExt, arg, .. } => self.value_of(func, function, arg),
            _ => BTreeSet::new(),
        }
    }

    /// Everything else that is done with values.
    fn find_uses(&mut self) {
        for (func, function) in self.program.functions.iter_enumerated() {
            for expr in function.exprs.iter() {
                self.use_in(func, function, expr);
            }
            for step in function.steps.iter() {
                let copied = match &step.kind {
                    StepKind::Assign { .. } | StepKind::Call { callee: Callee::Direct(_), .. } => true,
                    // It goes to callers that are known, unless the function is called in other ways.
                    StepKind::Return { .. } => true,
                    _ => false,
                };
                for operand in step.kind.operands() {
                    let plain = matches!(function.exprs[operand], Expr::Reg(_));
                    if !(copied && plain) {
                        self.mark(self.value_of(func, function, operand));
                    }
                }
            }
        }
        self.called_elsewhere();
    }

    /// A comparison with a constant is noted; whatever else contains a value uses it.
    fn use_in(&mut self, func: FuncId, function: &Function, expr: &Expr) {
        match *expr {
            Expr::Const { .. } | Expr::Reg(_) | Expr::Addr { .. } | Expr::SelfId => {}
            // Whoever uses the widened value is looked at.
            Expr::Cast { op: CastOp::ZExt | CastOp::SExt, .. } => {}
            Expr::Cast { arg, .. } | Expr::Unary(_, arg) => self.mark(self.value_of(func, function, arg)),
            Expr::Binary(op, left, right) => {
                let compares = matches!(op, BinOp::Eq | BinOp::Ne | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe);
                let constant = |expr: ExprId| match function.exprs[expr] {
                    Expr::Const { bits, .. } => Some(bits),
                    _ => None,
                };
                for (value, other) in [(left, right), (right, left)] {
                    let inputs = self.value_of(func, function, value);
                    match constant(other).filter(|_| compares) {
                        Some(bits) => {
                            for input in inputs {
                                let width = bits_of(self.program.inputs[input].ty);
                                self.constants[input].insert(truncate(bits, width));
                            }
                        }
                        None => self.mark(inputs),
                    }
                }
            }
            Expr::Ite { cond, then, otherwise } => {
                for part in [cond, then, otherwise] {
                    self.mark(self.value_of(func, function, part));
                }
            }
        }
    }

    /// Values that leave a function whose callers are not all known.
    fn called_elsewhere(&mut self) {
        let mut named: BTreeSet<FuncId> = BTreeSet::new();
        for expr in self.program.functions.iter().flat_map(|function| function.exprs.iter()) {
            if let Expr::Addr { base: Base::Func(func), .. } = expr {
                named.insert(*func);
            }
        }
        for item in self.program.globals.iter().flat_map(|global| &global.init) {
            if let ConstValue::Func(func) = item.value {
                named.insert(func);
            }
        }
        for func in named {
            let function = &self.program.functions[func];
            for step in function.steps.iter() {
                if let StepKind::Return { value: Some(value) } = step.kind {
                    self.mark(self.value_of(func, function, value));
                }
            }
        }
    }

    fn mark(&mut self, inputs: BTreeSet<InputId>) {
        inputs.into_iter().for_each(|input| self.used[input] = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a value is compared with, some representative decides all comparisons as it does.
    #[test]
    fn representatives_decide_as_all_values_do() {
        let constants: [&[u128]; 5] = [&[], &[0], &[3, 200], &[127, 128], &[255, 1, 90, 91]];
        for constants in constants {
            let constants: BTreeSet<u128> = constants.iter().copied().collect();
            let decide = |value: u128| -> Vec<(bool, bool, bool)> {
                let signed = |v: u128| v as u8 as i8;
                constants.iter().map(|&c| (value < c, signed(value) < signed(c), value == c)).collect()
            };
            let few: Vec<_> = representatives(Ty::I8, &constants).into_iter().map(decide).collect();
            for value in 0..256 {
                assert!(few.contains(&decide(value)), "{value} among {constants:?}");
            }
        }
    }
}
