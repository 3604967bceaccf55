//! Inline assembler.
//!
//! Idioms of atomics are recognised ([`super::asm_idioms`]). Other templates are not interpreted. An output gets an arbitrary
//! value (which the user is told), an empty template or one without outputs does nothing: that covers compiler barriers, fences,
//! `pause` and the like under sequential consistency. One that takes operands and says that it writes memory ends the path.

use heddle_base::{Id, Span};
use heddle_ir::{InputKind, StepId, StepKind, Ty};

use super::Lower;
use crate::ast::Asm;

impl Lower<'_> {
    pub(super) fn asm_statement(&mut self, asm: &Asm, span: Span) {
        if self.asm_idiom(asm, span) {
            return;
        }
        let inputs: Vec<_> = asm.inputs.iter().map(|(constraint, input)| (constraint, self.rvalue(*input))).collect();
        let has_code = asm.template.iter().any(|c| !c.is_ascii_whitespace());
        let writes = asm.outputs.is_empty() && !inputs.is_empty() && asm.clobbers.iter().any(|c| c == "memory");
        if has_code && writes {
            let void = self.types.common.void;
            self.unsupported_value(span, "assembler that may write memory", void);
            return;
        }
        if has_code && !asm.outputs.is_empty() {
            self.warning(span, "assembler is not interpreted: its outputs are arbitrary");
        }
        for (i, (constraint, output)) in asm.outputs.iter().enumerate() {
            let target = self.expr(*output);
            // An empty template leaves what it takes in and out alone.
            if !has_code && constraint.starts_with('+') {
                continue;
            }
            let Some(place) = self.modifiable(target, span) else { continue };
            // An input that shares the output's register passes through it.
            let shared = inputs.iter().find(|(constraint, _)| constraint.parse() == Ok(i));
            if let (false, Some((_, value))) = (has_code, shared) {
                let value = self.convert_assign(*value, target.ty, span, "assembler");
                self.store(place, target.ty, value);
                continue;
            }
            match self.types.scalar(target.ty) {
                Some(ty) => {
                    let value = self.havoc("asm", ty, InputKind::Asm);
                    self.store(place, target.ty, super::Value::scalar(value, target.ty));
                }
                None => self.unsupported(span, "an assembler output that is no scalar"),
            }
        }
        for label in &asm.labels {
            // `asm goto` may go to any of its labels.
            let choice = self.havoc("asm_goto", Ty::Bool, InputKind::Asm);
            let key = self.label_key(*label);
            let info = self.label_info(key, span);
            let step = self.b.emit(StepKind::Branch { cond: choice, target: StepId::new(info.label.index()) });
            let from = self.slot_scopes.here();
            self.f.gotos.push(super::function::PendingGoto { step, label: key, from, span });
        }
    }
}
