//! Functions that verifiers know by name: those of SV-COMP, and those of CBMC and ESBMC that mean the same.
//!
//! | of SV-COMP | of CBMC | of ESBMC |
//! |---|---|---|
//! | `__VERIFIER_assume(c)` | `__CPROVER_assume(c)` | `__ESBMC_assume(c)` |
//! | `__VERIFIER_assert(c)` | `__CPROVER_assert(c, "text")` | `__ESBMC_assert(c, "text")` |
//! | `__VERIFIER_atomic_begin()` | `__CPROVER_atomic_begin()` | `__ESBMC_atomic_begin()` |
//! | `__VERIFIER_atomic_end()` | `__CPROVER_atomic_end()` | `__ESBMC_atomic_end()` |
//! | `__VERIFIER_nondet_T()` | `nondet_T()` | `nondet_T()` |
//!
//! Everything else that begins with `__CPROVER_` or `__ESBMC_` means something to those tools that it does not mean here,
//! so it is an error. `nondet_T` needs no entry: a function without a body returns an arbitrary value.

use heddle_base::Span;
use heddle_ir::{CastOp, InputKind, Property, Section, StepKind, Ty};

use super::{Lower, Value};
use crate::ast;
use crate::intern::Symbol;
use crate::types::{CType, FloatKind, IntKind, QTy};

impl Lower<'_> {
    /// Lowers a call of a verifier's function; `None` if the name is none of those.
    pub(super) fn verifier_call(
        &mut self,
        symbol: Symbol,
        name: &str,
        args: &[ast::ExprId],
        span: Span,
    ) -> Option<Value> {
        if let Some(rest) = name.strip_prefix("__VERIFIER_") {
            return self.common_call(rest, args, span).or_else(|| {
                let suffix = rest.strip_prefix("nondet_")?;
                self.evaluate_all(args);
                let ty = self.nondet_type(symbol, suffix);
                Some(self.nondet(&format!("nondet_{suffix}"), ty, span))
            });
        }
        let rest = name.strip_prefix("__CPROVER_").or_else(|| name.strip_prefix("__ESBMC_"))?;
        Some(self.common_call(rest, args, span).unwrap_or_else(|| {
            self.unsupported(span, &format!("`{name}`"));
            self.error_value()
        }))
    }

    /// What all of them have, by its name without the tool's.
    fn common_call(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        match (name, args) {
            ("assume", &[cond]) => {
                let cond = self.condition(cond);
                self.at(span);
                if self.b.const_bits(cond) != Some(1) {
                    self.b.emit(StepKind::Assume { cond });
                }
            }
            ("assert", &[cond, ref message @ ..]) if message.len() <= 1 => {
                let told = message.first().and_then(|&message| self.literal(message));
                let text = told.unwrap_or_else(|| self.source_text(self.ast.exprs[cond].span));
                let cond = self.condition(cond);
                self.at(span);
                self.emit_assert(cond, Property::Assert, &format!("assertion {text}"));
            }
            ("atomic_begin", []) => {
                self.b.emit(StepKind::AtomicBegin { section: Section::User });
            }
            ("atomic_end", []) => {
                self.b.emit(StepKind::AtomicEnd);
            }
            // A place where threads may switch, which they may anywhere.
            ("yield", []) => {}
            _ => return None,
        }
        Some(self.nothing())
    }

    /// The type that a nondeterministic function is declared with, or that its name tells.
    fn nondet_type(&mut self, symbol: Symbol, suffix: &str) -> QTy {
        if let Some(super::Binding::Extern(ty)) = self.scopes.lookup(symbol)
            && let Some(fn_ty) = self.types.function(ty)
        {
            return fn_ty.ret;
        }
        let kind = match suffix {
            "bool" => return self.types.common.bool,
            "char" => IntKind::Char,
            "uchar" | "u8" => IntKind::UChar,
            "short" => IntKind::Short,
            "ushort" | "u16" => IntKind::UShort,
            "uint" | "unsigned" | "u32" => IntKind::UInt,
            "long" => IntKind::Long,
            "ulong" | "size_t" => IntKind::ULong,
            "longlong" => IntKind::LongLong,
            "ulonglong" => IntKind::ULongLong,
            "float" => return self.types.plain(CType::Float(FloatKind::Float)),
            "double" => return self.types.common.double,
            "pointer" => return self.types.common.void_ptr,
            _ => IntKind::Int,
        };
        self.types.int(kind)
    }

    /// An arbitrary value of a type.
    pub(super) fn nondet(&mut self, name: &str, ty: QTy, span: Span) -> Value {
        self.at(span);
        if self.types.is_void(ty) {
            return self.nothing();
        }
        match self.types.scalar(ty) {
            Some(_) if matches!(self.types.get(ty), CType::Bool) => {
                let truth = self.havoc(name, Ty::Bool, InputKind::Nondet);
                let expr = self.b.cast(CastOp::ZExt, Ty::I8, truth);
                Value::scalar(expr, ty)
            }
            Some(scalar) => {
                let expr = self.havoc(name, scalar, InputKind::Nondet);
                Value::scalar(expr, ty)
            }
            None => {
                self.unsupported(span, "an arbitrary value that is no scalar");
                self.error_value()
            }
        }
    }

    /// The source between two positions, on one line.
    fn source_text(&self, span: Span) -> String {
        let line = self.sources.line_at(span.lo);
        let loc = self.sources.loc(span.lo);
        let from = loc.col as usize - 1;
        let to = (from + (span.hi - span.lo) as usize).min(line.len());
        line.get(from..to).unwrap_or("").trim().to_owned()
    }
}
