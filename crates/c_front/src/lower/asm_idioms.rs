//! Idioms of atomics in x86 assembler, recognised by template and constraints.
//!
//! One instruction on memory (`xchg`, `xadd`, `cmpxchg`, `inc`, `dec`, `add`, `sub`, `and`, `or`, `xor`), in AT&T syntax with
//! numbered operands, and `sete`, `setne` or a flag output (`=@ccz`) behind it. With `lock`, and for `xchg` always, it is
//! one atomic read-modify-write. What is not recognised is left to [`super::asm`]: nothing is known of its outputs.

use heddle_base::Span;
use heddle_ir::{Access, BinOp, CastOp, ExprId, MemOrder, Section, StepKind, Ty, UnOp};
use rustc_hash::FxHashMap;

use super::{Kind, Lower, Place, Value};
use crate::ast::Asm;
use crate::types::QTy;

/// An instruction with its operands.
#[derive(Debug, PartialEq, Eq)]
struct Instruction {
    locked: bool,
    name: &'static str,
    operands: Vec<Operand>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    /// `%1`.
    Number(usize),
    /// `$1`.
    Constant(u64),
}

/// What is known by name. A size suffix may follow.
const NAMES: &[&str] =
    &["xchg", "xadd", "cmpxchg", "inc", "dec", "add", "sub", "and", "or", "xor", "sete", "setz", "setne", "setnz"];

/// The instructions of a template; `None` if one of them is not known.
fn parse(template: &[u8]) -> Option<Vec<Instruction>> {
    let text = std::str::from_utf8(template).ok()?.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut locked = false;
    for line in text.split(['\n', ';']) {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix("lock") {
            locked = true;
            line = rest.trim();
        }
        if line.is_empty() {
            continue;
        }
        let (name, operands) = line.split_once(char::is_whitespace)?;
        let suffixed = |known: &&&str| name.strip_prefix(**known).is_some_and(|s| ["b", "w", "l", "q"].contains(&s));
        let name = NAMES.iter().find(|known| **known == name).or_else(|| NAMES.iter().find(suffixed))?;
        let operands = operands.split(',').map(|text| operand(text.trim())).collect::<Option<_>>()?;
        found.push(Instruction { locked, name, operands });
        locked = false;
    }
    (!found.is_empty() && !locked).then_some(found)
}

fn operand(text: &str) -> Option<Operand> {
    if let Some(constant) = text.strip_prefix('$') {
        return constant.parse().ok().map(Operand::Constant);
    }
    // A letter in between chooses a part of the register.
    let number = text.strip_prefix('%')?.trim_start_matches(['b', 'w', 'k', 'q']);
    number.parse().ok().map(Operand::Number)
}

/// The memory that an instruction works on.
#[derive(Clone, Copy)]
struct Memory {
    addr: ExprId,
    ty: QTy,
    scalar: Ty,
}

/// Registers by operand number, and the zero flag.
#[derive(Default)]
struct Registers {
    values: FxHashMap<usize, Value>,
    zero: Option<ExprId>,
}

impl Lower<'_> {
    /// Lowers an asm statement that is a known idiom. False, and nothing done, if it is none.
    pub(super) fn asm_idiom(&mut self, asm: &Asm, span: Span) -> bool {
        let Some(instructions) = parse(&asm.template) else { return false };
        if !asm.labels.is_empty() {
            return false;
        }
        let before = self.b.steps.next_id();
        let done = self.idiom(asm, &instructions, span).is_some();
        if !done {
            self.b.truncate(before);
        }
        done
    }

    fn idiom(&mut self, asm: &Asm, instructions: &[Instruction], span: Span) -> Option<()> {
        let (operation, conditions) = instructions.split_first()?;
        let mut registers = Registers::default();
        let mut places: Vec<Option<(Place, QTy)>> = Vec::new();
        let count = asm.outputs.len();
        for (i, (constraint, output)) in asm.outputs.iter().enumerate() {
            let target = self.expr(*output);
            let Kind::Place(place) = target.kind else { return None };
            places.push(Some((place, target.ty)));
            if constraint.starts_with('+') && !constraint.contains('m') {
                let value = self.load(place, target.ty);
                registers.values.insert(i, value);
            }
        }
        for (i, (constraint, input)) in asm.inputs.iter().enumerate() {
            if constraint.contains('m') {
                let target = self.expr(*input);
                let Kind::Place(place) = target.kind else { return None };
                places.push(Some((place, target.ty)));
                continue;
            }
            places.push(None);
            let value = self.rvalue(*input);
            registers.values.insert(count + i, value);
            if let Ok(shared) = constraint.trim_start_matches('%').parse::<usize>() {
                registers.values.insert(shared, value);
            }
        }
        let constraints: Vec<&str> = asm.outputs.iter().chain(&asm.inputs).map(|(text, _)| text.as_str()).collect();
        let memory = operation.operands.iter().find_map(|operand| {
            let Operand::Number(i) = *operand else { return None };
            let is_memory = constraints.get(i)?.contains('m');
            let (place, ty) = places.get(i).copied().flatten().filter(|_| is_memory)?;
            let Place::Mem(addr) = place else { return None };
            Some((i, addr, ty))
        });
        let (at, addr, ty) = memory?;
        let memory = Memory { addr, ty, scalar: self.types.scalar(ty)? };
        self.at(span);
        let is_atomic = operation.locked || operation.name == "xchg";
        if is_atomic {
            self.b.emit(StepKind::AtomicBegin { section: Section::Rmw });
        }
        self.operate(operation, memory, at, &constraints, is_atomic, &mut registers)?;
        if is_atomic {
            self.b.emit(StepKind::AtomicEnd);
        }
        self.conditions(conditions, &constraints, &mut registers)?;
        for (i, (constraint, _)) in asm.outputs.iter().enumerate() {
            if constraint.contains('m') {
                continue;
            }
            let value = *registers.values.get(&i)?;
            let (place, ty) = places[i]?;
            let value = self.convert(value, ty.unqualified());
            self.store(place, ty, value);
        }
        Some(())
    }

    /// The instruction on memory. `at` is the number of the memory operand.
    fn operate(
        &mut self,
        operation: &Instruction,
        memory: Memory,
        at: usize,
        constraints: &[&str],
        is_atomic: bool,
        registers: &mut Registers,
    ) -> Option<()> {
        let Memory { addr, ty, scalar } = memory;
        let order = if is_atomic { MemOrder::SeqCst } else { MemOrder::Plain };
        let access = Access { order, internal: self.internal };
        let other = operation.operands.iter().copied().find(|operand| *operand != Operand::Number(at));
        let other_value = match other {
            None => None,
            Some(Operand::Constant(bits)) => Some(self.b.constant(scalar, u128::from(bits))),
            Some(Operand::Number(i)) => Some(self.register(registers, i, ty)?),
        };
        let is_number = scalar != Ty::Ptr;
        let old = self.b.reg(scalar, None);
        self.b.emit(StepKind::Load { dst: old, addr, ty: scalar, access });
        let found = self.b.read(old);
        let op = match operation.name {
            "xchg" | "cmpxchg" => None,
            "xadd" | "add" | "inc" => Some(BinOp::Add),
            "sub" | "dec" => Some(BinOp::Sub),
            "and" => Some(BinOp::And),
            "or" => Some(BinOp::Or),
            "xor" => Some(BinOp::Xor),
            _ => return None,
        };
        let one = self.b.constant(scalar, 1);
        let new = match (op, other_value) {
            (None, Some(value)) => value,
            (Some(op), Some(value)) if is_number => self.b.binary(op, found, value),
            (Some(op), None) if is_number && matches!(operation.name, "inc" | "dec") => self.b.binary(op, found, one),
            _ => return None,
        };
        if operation.name == "cmpxchg" {
            let accumulator = constraints.iter().position(|text| text.starts_with(['=', '+']) && text.contains('a'))?;
            let wanted = self.register(registers, accumulator, ty)?;
            let equal = self.b.binary(BinOp::Eq, found, wanted);
            let differ = self.b.unary(UnOp::BoolNot, equal);
            let skip = self.b.label();
            self.b.branch(differ, skip);
            self.b.emit(StepKind::Store { addr, value: new, ty: scalar, access });
            self.b.place(skip);
            registers.values.insert(accumulator, Value::scalar(found, ty));
            registers.zero = Some(equal);
            return Some(());
        }
        self.b.emit(StepKind::Store { addr, value: new, ty: scalar, access });
        if let (Some(Operand::Number(i)), "xchg" | "xadd") = (other, operation.name) {
            registers.values.insert(i, Value::scalar(found, ty));
        }
        if is_number && operation.name != "xchg" {
            let zero = self.b.constant(scalar, 0);
            registers.zero = Some(self.b.binary(BinOp::Eq, new, zero));
        }
        Some(())
    }

    /// `sete %1` and outputs that are flags.
    fn conditions(
        &mut self,
        instructions: &[Instruction],
        constraints: &[&str],
        registers: &mut Registers,
    ) -> Option<()> {
        for instruction in instructions {
            let negated = match instruction.name {
                "sete" | "setz" => false,
                "setne" | "setnz" => true,
                _ => return None,
            };
            let [Operand::Number(i)] = instruction.operands[..] else { return None };
            self.set_flag(registers, i, negated)?;
        }
        for (i, constraint) in constraints.iter().enumerate() {
            match *constraint {
                "=@ccz" | "=@cce" => self.set_flag(registers, i, false)?,
                "=@ccnz" | "=@ccne" => self.set_flag(registers, i, true)?,
                _ => {}
            }
        }
        Some(())
    }

    fn set_flag(&mut self, registers: &mut Registers, i: usize, negated: bool) -> Option<()> {
        let zero = registers.zero?;
        let flag = if negated { self.b.unary(UnOp::BoolNot, zero) } else { zero };
        let byte = self.b.cast(CastOp::ZExt, Ty::I8, flag);
        let ty = self.types.int(crate::types::IntKind::UChar);
        registers.values.insert(i, Value::scalar(byte, ty));
        Some(())
    }

    fn register(&mut self, registers: &Registers, i: usize, ty: QTy) -> Option<ExprId> {
        let value = *registers.values.get(&i)?;
        match self.convert(value, ty.unqualified()).kind {
            Kind::Scalar(expr) => Some(expr),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        let names = |text: &str| {
            parse(text.as_bytes())
                .map(|all| all.iter().map(|i| (i.locked, i.name, i.operands.len())).collect::<Vec<_>>())
        };
        assert_eq!(names("lock; cmpxchgl %2,%1\n\tsete %0"), Some(vec![(true, "cmpxchg", 2), (false, "sete", 1)]));
        assert_eq!(names("lock xaddq %0, %1"), Some(vec![(true, "xadd", 2)]));
        assert_eq!(names("xchgb %b0,%1"), Some(vec![(false, "xchg", 2)]));
        assert_eq!(names("lock subl $1,%0"), Some(vec![(true, "sub", 2)]));
        assert_eq!(names("lock cmpxchg16b %1"), None);
        assert_eq!(names("pushf; pop %0"), None);
        assert_eq!(names(""), None);
    }
}
