//! Types as they are written: from specifiers, declarators and attributes to types.

use heddle_base::Span;
use heddle_ir::{CastOp, StepKind, Ty};

use super::{Binding, Kind, Lower};
use crate::ast::{
    Alignas, ArraySize, Attr, Basic, DeclSpecs, Declarator, Derived, ExprId, ParamDecl, Params, Quals, TypeNameId,
    TypeSpec,
};
use crate::intern::Symbol;
use crate::types::{ArrayLen, CType, FloatKind, FnType, IntKind, QTy};

/// Pointers, arrays and functions that one declarator may put together.
const MAX_DERIVATIONS: usize = 256;

/// Types that one may be made from by way of typedefs and members, one inside the other: each costs stack.
pub(super) const MAX_TYPE_DEPTH: u32 = 1000;

impl Lower<'_> {
    /// The type that specifiers give.
    pub(super) fn specs_type(&mut self, specs: &DeclSpecs) -> QTy {
        let base = match specs.ty {
            TypeSpec::Missing => self.types.common.int,
            TypeSpec::Basic(basic) => self.basic_type(basic),
            TypeSpec::Complex(basic) => {
                let kind = match basic {
                    Basic::Float => FloatKind::Float,
                    Basic::LongDouble => FloatKind::LongDouble,
                    Basic::Float128 => FloatKind::Float128,
                    _ => FloatKind::Double,
                };
                self.types.plain(CType::Complex(kind))
            }
            TypeSpec::Typedef(name) => match self.scopes.lookup(name) {
                Some(Binding::Typedef(ty)) => ty,
                _ => {
                    let name = self.name(name).to_owned();
                    self.error(specs.span, format!("unknown type name `{name}`"));
                    self.types.common.error
                }
            },
            TypeSpec::Tag(tag) => self.tag_type(tag),
            TypeSpec::TypeofExpr(expr) => self.operand_type(expr),
            TypeSpec::TypeofType(name) => self.type_name(name),
            TypeSpec::Atomic(name) => {
                let ty = self.type_name(name);
                ty.with(Quals { is_atomic: true, ..Quals::default() })
            }
            // Resolved where the initialiser is known.
            TypeSpec::Auto => self.types.common.int,
            TypeSpec::VaList => self.types.common.va_list,
        };
        self.qualify(base, specs.quals)
    }

    fn basic_type(&mut self, basic: Basic) -> QTy {
        let kind = match basic {
            Basic::Void => return self.types.common.void,
            Basic::Bool => return self.types.common.bool,
            Basic::Int => return self.types.common.int,
            Basic::Char => return self.types.common.char,
            Basic::Float16 => return self.types.plain(CType::Float(FloatKind::Float16)),
            Basic::Float => return self.types.plain(CType::Float(FloatKind::Float)),
            Basic::Double => return self.types.common.double,
            Basic::LongDouble => return self.types.plain(CType::Float(FloatKind::LongDouble)),
            Basic::Float128 => return self.types.plain(CType::Float(FloatKind::Float128)),
            Basic::SChar => IntKind::SChar,
            Basic::UChar => IntKind::UChar,
            Basic::Short => IntKind::Short,
            Basic::UShort => IntKind::UShort,
            Basic::UInt => IntKind::UInt,
            Basic::Long => IntKind::Long,
            Basic::ULong => IntKind::ULong,
            Basic::LongLong => IntKind::LongLong,
            Basic::ULongLong => IntKind::ULongLong,
            Basic::Int128 => IntKind::Int128,
            Basic::UInt128 => IntKind::UInt128,
        };
        self.types.int(kind)
    }

    /// Qualifiers of an array belong to its elements.
    pub(super) fn qualify(&mut self, ty: QTy, quals: Quals) -> QTy {
        if quals == Quals::default() {
            return ty;
        }
        match self.types.array(ty) {
            Some((elem, len)) => {
                let elem = self.qualify(elem, quals);
                QTy { ty: self.types.intern(CType::Array(elem, len)), ..ty }
            }
            None => ty.with(quals),
        }
    }

    pub(super) fn type_name(&mut self, id: TypeNameId) -> QTy {
        let ast = self.ast;
        let name = &ast.type_names[id];
        let base = self.specs_type(&name.specs);
        let ty = self.declarator_type(base, &name.declarator);
        let ty = self.type_attributes(ty, &name.specs.attrs);
        self.type_attributes(ty, &name.declarator.attrs)
    }

    /// The type that a declarator derives from `base`.
    pub(super) fn declarator_type(&mut self, base: QTy, declarator: &Declarator) -> QTy {
        if declarator.derived.len() > MAX_DERIVATIONS {
            self.error(declarator.span, format!("a declarator of more than {MAX_DERIVATIONS} parts"));
            return self.types.common.error;
        }
        let ty = declarator.derived.iter().rev().fold(base, |ty, derived| match derived {
            Derived::Pointer { quals } => {
                let pointer = self.types.pointer(ty);
                QTy { quals: *quals, ..pointer }
            }
            Derived::Array { size, .. } => self.array_type(ty, *size, declarator.span),
            Derived::Function(params) => self.function_type(ty, params, declarator.span),
        });
        if self.types.depth(ty) > MAX_TYPE_DEPTH {
            self.error(declarator.span, format!("a type of more than {MAX_TYPE_DEPTH} types inside one another"));
            return self.types.common.error;
        }
        ty
    }

    fn array_type(&mut self, elem: QTy, size: ArraySize, span: Span) -> QTy {
        if matches!(self.types.get(elem), CType::Function(_) | CType::Void) {
            self.error(span, format!("array of `{}`", self.show(elem)));
            return self.types.common.error;
        }
        if !self.types.is_complete(elem) {
            self.error(span, format!("array has incomplete element type `{}`", self.show(elem)));
            return self.types.common.error;
        }
        let len = match size {
            ArraySize::Unknown | ArraySize::Star => ArrayLen::Unknown,
            ArraySize::Expr(expr) => self.array_len(expr, elem, span),
        };
        self.types.plain(CType::Array(elem, len))
    }

    fn array_len(&mut self, expr: ExprId, elem: QTy, span: Span) -> ArrayLen {
        let value = self.rvalue(expr);
        if self.types.is_error(value.ty) {
            return ArrayLen::Known(1);
        }
        let (Kind::Scalar(size), true) = (value.kind, self.types.is_integer(value.ty)) else {
            self.error(span, "the size of an array is not an integer");
            return ArrayLen::Known(1);
        };
        if let Some(n) = self.const_integer(value) {
            let limit = i32::MAX as i128 / self.types.size_of(elem).unwrap_or(1).max(1) as i128;
            if n < 0 {
                self.error(span, "the size of an array is negative");
            } else if n > limit {
                self.error(span, "the array is too large");
            } else {
                return ArrayLen::Known(n as u64);
            }
            return ArrayLen::Known(1);
        }
        if self.f.name.is_empty() {
            self.error(span, "the size of an array at file scope is not a constant");
            return ArrayLen::Known(1);
        }
        let signed = self.types.is_signed(value.ty);
        let wide = self.widen_to_i64(size, signed);
        let reg = self.b.reg(Ty::I64, None);
        self.b.emit(StepKind::Assign { dst: reg, value: wide });
        self.f.vla_lengths.push(reg);
        ArrayLen::Variable(self.f.vla_lengths.len() as u32 - 1)
    }

    /// An integer as `I64`.
    pub(super) fn widen_to_i64(&mut self, expr: heddle_ir::ExprId, signed: bool) -> heddle_ir::ExprId {
        match self.b.type_of(expr) {
            Ty::I64 => expr,
            Ty::I128 => self.b.cast(CastOp::Trunc, Ty::I64, expr),
            _ => self.b.cast(if signed { CastOp::SExt } else { CastOp::ZExt }, Ty::I64, expr),
        }
    }

    fn function_type(&mut self, ret: QTy, params: &Params, span: Span) -> QTy {
        if matches!(self.types.get(ret), CType::Function(_) | CType::Array(..)) {
            self.error(span, format!("function returns `{}`", self.show(ret)));
        }
        let fn_ty = match params {
            Params::Unspecified | Params::Identifiers(_) => {
                FnType { ret: ret.unqualified(), params: Vec::new(), variadic: false, prototyped: false }
            }
            Params::Prototype { params, variadic } => {
                let params = self.prototype(params);
                FnType { ret: ret.unqualified(), params, variadic: *variadic, prototyped: true }
            }
        };
        self.types.plain(CType::Function(fn_ty))
    }

    /// Types of the parameters of a prototype. Sizes of variable length may name earlier parameters; what they compute is
    /// thrown away here, and computed again where the function is defined.
    pub(super) fn prototype(&mut self, params: &[ParamDecl]) -> Vec<QTy> {
        if !params.iter().any(has_array_size) {
            return params.iter().map(|p| self.param_type(p)).collect();
        }
        let mark = self.b.mark();
        self.unevaluated += 1;
        self.scopes.push();
        let outer_name = std::mem::replace(&mut self.f.name, "prototype".to_owned());
        let mut types = Vec::new();
        for param in params {
            let ty = self.param_type(param);
            if let (Some(name), Some(scalar)) = (param.declarator.name, self.types.scalar(ty)) {
                let reg = self.b.reg(scalar, None);
                self.scopes.bind(name, Binding::Reg(reg, ty), param.declarator.span);
            }
            types.push(self.without_variable_sizes(ty));
        }
        self.f.name = outer_name;
        self.scopes.pop();
        self.unevaluated -= 1;
        self.b.rewind(mark);
        types
    }

    pub(super) fn param_type(&mut self, param: &ParamDecl) -> QTy {
        let base = self.specs_type(&param.specs);
        let ty = self.declarator_type(base, &param.declarator);
        self.parameter_type(ty)
    }

    /// Arrays and functions become pointers.
    pub(super) fn parameter_type(&mut self, ty: QTy) -> QTy {
        match self.types.get(ty) {
            CType::Array(elem, _) => {
                let elem = *elem;
                self.types.pointer(elem)
            }
            // A `va_list` is passed by address, as the array of one element that it is on LP64.
            CType::Function(_) | CType::VaList => self.types.pointer(ty),
            _ => ty,
        }
    }

    fn without_variable_sizes(&mut self, ty: QTy) -> QTy {
        let new = match self.types.get(ty).clone() {
            CType::Pointer(target) => CType::Pointer(self.without_variable_sizes(target)),
            CType::Array(elem, len) => {
                let elem = self.without_variable_sizes(elem);
                CType::Array(elem, if matches!(len, ArrayLen::Variable(_)) { ArrayLen::Unknown } else { len })
            }
            _ => return ty,
        };
        QTy { ty: self.types.intern(new), ..ty }
    }

    /// Attributes that change a type: `aligned` (on a typedef), `mode`, `vector_size`.
    pub(super) fn type_attributes(&mut self, ty: QTy, attrs: &[Attr]) -> QTy {
        attrs.iter().fold(ty, |ty, attr| match attr {
            Attr::Mode(mode, span) => self.mode_type(ty, *mode, *span),
            Attr::VectorSize(size, _) => {
                let bytes = self.integer_constant(*size, "the size of a vector").unwrap_or(16);
                self.types.plain(CType::Vector(ty, bytes.clamp(1, 4096) as u64))
            }
            _ => ty,
        })
    }

    fn mode_type(&mut self, ty: QTy, mode: Symbol, span: Span) -> QTy {
        let signed = self.types.is_signed(ty);
        let kind = match self.name(mode) {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => IntKind::Long,
            "SF" => return self.types.plain(CType::Float(FloatKind::Float)),
            "DF" => return self.types.plain(CType::Float(FloatKind::Double)),
            "XF" => return self.types.plain(CType::Float(FloatKind::LongDouble)),
            "TF" => return self.types.plain(CType::Float(FloatKind::Float128)),
            other => {
                // Complex and other modes occur in headers; only a use of the type would matter.
                let message = format!("unknown machine mode `{other}`");
                self.warning(span, message);
                return ty;
            }
        };
        // On LP64 gcc makes DImode `long`.
        let kind = match kind {
            IntKind::LongLong if self.types.model.pointer_size() == 8 => IntKind::Long,
            kind => kind,
        };
        let new = self.types.int(if signed { kind } else { kind.to_unsigned() });
        QTy { ty: new.ty, ..ty }
    }

    /// The value of an `aligned` attribute; without operand the largest useful alignment.
    pub(super) fn alignment(&mut self, operand: Option<ExprId>, span: Span) -> u64 {
        let Some(operand) = operand else { return 16 };
        match self.integer_constant(operand, "an alignment") {
            Some(0) | None => 0,
            Some(n) if n > 0 && n <= 1 << 28 && (n as u64).is_power_of_two() => n as u64,
            Some(_) => {
                self.error(span, "the alignment is not a power of two");
                0
            }
        }
    }

    pub(super) fn alignas(&mut self, specs: &DeclSpecs) -> u64 {
        specs.alignas.iter().fold(0, |align, operand| {
            let next = match *operand {
                Alignas::Type(name) => {
                    let ty = self.type_name(name);
                    self.types.min_align_of(ty)
                }
                Alignas::Expr(expr) => self.alignment(Some(expr), specs.span),
            };
            align.max(next)
        })
    }

    pub(super) fn declared_align(&mut self, specs: &DeclSpecs, declarator: &Declarator) -> u64 {
        let align = self.alignas(specs);
        specs.attrs.iter().chain(&declarator.attrs).fold(align, |align, attr| match attr {
            Attr::Aligned(n, span) => align.max(self.alignment(*n, *span)),
            _ => align,
        })
    }
}

/// Whether a parameter is declared with the size of an array, which may be computed from other parameters.
pub(super) fn has_array_size(param: &ParamDecl) -> bool {
    param.declarator.derived.iter().any(|d| matches!(d, Derived::Array { size: ArraySize::Expr(_), .. }))
}
