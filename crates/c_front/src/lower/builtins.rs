//! Functions that lowering knows by name: gcc's builtins, allocation, copying, output.
//!
//! A definition in the user's files takes precedence over all of them but the error functions: a call of `reach_error` is
//! a violation whatever its body says.

use heddle_base::Span;
use heddle_ir::{AllocKind, BinOp, CastOp, ExprId, InputKind, Property, StepKind, Ty, UnOp};

use super::{Kind, Lower, Place, Value};
use crate::Purpose;
use crate::ast::{self, ExprKind};
use crate::intern::Symbol;
use crate::types::{CType, FloatKind, FnType, IntKind, QTy, Types};

impl Lower<'_> {
    /// Lowers a call by name; `None` if the name means nothing special.
    pub(super) fn builtin_call(&mut self, symbol: Symbol, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let name = self.name(symbol).to_owned();
        self.at(span);
        if matches!(name.as_str(), "reach_error" | "__VERIFIER_error") {
            self.evaluate_all(args);
            return Some(self.violation(&format!("call of {name}")));
        }
        if self.user_defined.contains(&symbol) {
            return None;
        }
        if let Some(rest) = name.strip_prefix("__heddle_") {
            return self.intrinsic(rest, args, span);
        }
        if let Some(verifiers) = self.verifier_call(symbol, &name, args, span) {
            return Some(verifiers);
        }
        // A builtin is never an ordinary function: what is not known here is an error.
        let builtin = if let Some(rest) = name.strip_prefix("__builtin_") {
            self.gcc_builtin(rest, args, span)
        } else if name.starts_with("__sync_") || name.starts_with("__atomic_") {
            self.atomic_builtin(&name, args, span)
        } else {
            return self.library_call(&name, args, span);
        };
        Some(builtin.unwrap_or_else(|| {
            self.error(span, format!("`{name}` does not take {} arguments", args.len()));
            self.error_value()
        }))
    }

    pub(super) fn evaluate_all(&mut self, args: &[ast::ExprId]) -> Vec<Value> {
        args.iter().map(|&arg| self.rvalue(arg)).collect()
    }

    /// Emits a violated assertion; whoever does not check assertions sees the process end.
    pub(super) fn violation(&mut self, message: &str) -> Value {
        let never = self.b.truth(false);
        self.emit_assert(never, Property::Assert, message);
        self.emit_abort();
        Value::nothing(self.types.common.void)
    }

    pub(super) fn nothing(&self) -> Value {
        Value::nothing(self.types.common.void)
    }

    pub(super) fn int_value(&mut self, value: i128) -> Value {
        let int = self.types.common.int;
        let expr = self.b.constant(Ty::I32, value as u128);
        Value::scalar(expr, int)
    }

    // ---- the C library -----------------------------------------------------------------------------------------------

    fn library_call(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        match (name, args) {
            ("__assert_fail" | "__assert" | "__assert_rtn" | "__assert_func", args) if args.len() >= 3 => {
                let text = args.iter().find_map(|&a| self.literal(a)).unwrap_or_default();
                Some(self.violation(&format!("assertion {text}")))
            }
            ("__assert_perror_fail", args) => {
                self.evaluate_all(args);
                Some(self.violation("assertion of no error"))
            }
            ("abort", []) => {
                self.emit_abort();
                Some(self.nothing())
            }
            ("_exit" | "_Exit" | "quick_exit", &[status]) => {
                let int = self.types.common.int;
                let value = self.rvalue(status);
                let value = self.convert(value, int);
                if let Kind::Scalar(status) = value.kind {
                    self.b.emit(StepKind::ProcessExit { status, abort: false });
                }
                Some(self.nothing())
            }
            ("malloc" | "valloc", &[size]) => {
                let size = self.size_argument(size)?;
                Some(self.allocate(size, false, span))
            }
            ("aligned_alloc" | "memalign", &[align, size]) => {
                self.rvalue(align);
                let size = self.size_argument(size)?;
                Some(self.allocate(size, false, span))
            }
            ("calloc", &[count, size]) => {
                let (count, size) = (self.size_argument(count)?, self.size_argument(size)?);
                let bytes = self.b.binary(BinOp::Mul, count, size);
                Some(self.allocate(bytes, true, span))
            }
            ("free" | "cfree", &[pointer]) => {
                let void_ptr = self.types.common.void_ptr;
                let value = self.rvalue(pointer);
                let value = self.convert(value, void_ptr);
                self.at(span);
                if let Kind::Scalar(addr) = value.kind {
                    self.b.emit(StepKind::Free { addr, kind: AllocKind::Heap });
                }
                Some(self.nothing())
            }
            ("alloca", &[size]) => Some(self.alloca(size, span)),
            ("memcpy" | "memmove" | "__memcpy" | "mempcpy" | "__mempcpy", &[dst, src, len]) => {
                Some(self.copy_memory(dst, src, len, name.ends_with("mempcpy"), span))
            }
            ("__memcpy_chk" | "__memmove_chk", &[dst, src, len, _]) => {
                Some(self.copy_memory(dst, src, len, false, span))
            }
            ("memset" | "__memset_chk", &[dst, byte, len, ..]) => Some(self.set_memory(dst, Some(byte), len, span)),
            ("bzero", &[dst, len]) => Some(self.set_memory(dst, None, len, span)),
            ("rand" | "random" | "lrand48", []) => {
                let long = self.types.common.long;
                let int = self.types.common.int;
                let value = self.havoc(name, Ty::I32, InputKind::Nondet);
                let mask = self.b.constant(Ty::I32, 0x7fff_ffff);
                let value = self.b.binary(BinOp::And, value, mask);
                let ty = if name == "rand" { int } else { long };
                Some(self.convert(Value::scalar(value, int), ty))
            }
            ("syscall", &[number]) if self.is_system_call(number, [186, 224]) => {
                let id = self.prefixed_library_call("gettid", &[], span)?;
                let long = self.types.common.long;
                Some(self.convert(id, long))
            }
            _ if is_refused(name) => match self.cleanup_handler_call(name, args, span) {
                Some(value) => Some(value),
                None => Some(self.refused_call(name, args, span)),
            },
            ("write", &[_, _, _]) | ("fwrite", &[_, _, _, _]) => {
                let count = self.output(name, args, span);
                let ty = if name == "write" { self.types.common.long } else { self.types.size_t() };
                Some(self.convert(count, ty))
            }
            // The message needs `errno`, which the machine does not know.
            ("perror", _) if self.options.purpose == Purpose::Execution => None,
            _ if super::output::is_output(name) => Some(self.output(name, args, span)),
            _ => self.cleanup_handler_call(name, args, span).or_else(|| self.math_call(name, args, span)),
        }
    }

    /// A call of a function that cannot be executed: the path ends here.
    fn refused_call(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Value {
        self.evaluate_all(args);
        let symbol = self.interner.intern(name);
        let declared = match self.scopes.lookup(symbol) {
            Some(super::Binding::Extern(ty) | super::Binding::Func(_, ty)) => self.types.function(ty).map(|f| f.ret),
            _ => None,
        };
        let ty = declared.unwrap_or(self.types.common.int);
        self.unsupported_value(span, &format!("`{name}`"), ty)
    }

    /// Whether an argument is the number of a system call, given for 64 and 32 bits.
    fn is_system_call(&mut self, arg: ast::ExprId, numbers: [i128; 2]) -> bool {
        let number = numbers[usize::from(self.types.model.pointer_size() == 4)];
        self.unevaluated(|this| {
            let value = this.rvalue(arg);
            this.const_integer(value) == Some(number)
        })
    }

    /// `malloc` and friends. With `--malloc-may-fail` the result may also be null.
    fn allocate(&mut self, size: ExprId, zeroed: bool, span: Span) -> Value {
        let void_ptr = self.types.common.void_ptr;
        self.at(span);
        let dst = self.b.reg(Ty::Ptr, None);
        let end = self.b.label();
        if self.options.malloc_may_fail {
            let null = self.b.constant(Ty::Ptr, 0);
            self.b.emit(StepKind::Assign { dst, value: null });
            let fails = self.havoc("malloc_fails", Ty::Bool, InputKind::Nondet);
            self.b.branch(fails, end);
        }
        self.b.emit(StepKind::Alloc { dst, size, zeroed, kind: AllocKind::Heap });
        self.b.place(end);
        let pointer = self.b.read(dst);
        Value::scalar(pointer, void_ptr)
    }

    fn alloca(&mut self, size: ast::ExprId, span: Span) -> Value {
        let void_ptr = self.types.common.void_ptr;
        let Some(size) = self.size_argument(size) else { return self.error_value() };
        self.at(span);
        let dst = self.b.reg(Ty::Ptr, None);
        self.b.emit(StepKind::Alloc { dst, size, zeroed: false, kind: AllocKind::Stack });
        let pointer = self.b.read(dst);
        Value::scalar(pointer, void_ptr)
    }

    /// The shape of what both pointers point to, if `len` is its size.
    fn pointed_layout(&mut self, pointers: &[Value], len: ExprId) -> Option<heddle_ir::LayoutId> {
        let bytes = self.b.const_bits(len)? as u64;
        let target = pointers.iter().find_map(|p| {
            let target = self.types.pointee(p.ty)?;
            (self.types.size_of(target) == Some(bytes) && !self.types.is_void(target)).then_some(target)
        })?;
        Some(self.layout(target.unqualified()))
    }

    /// The argument before the conversion to `void *` that its prototype asks for.
    fn uncast_pointer(&mut self, arg: ast::ExprId) -> Value {
        let ast = self.ast;
        let inner = match ast.exprs[arg].kind {
            ExprKind::Cast(name, inner) => {
                let ty = self.type_name(name);
                let to_void = self.types.pointee(ty).is_some_and(|t| self.types.is_void(t));
                if to_void { inner } else { arg }
            }
            _ => arg,
        };
        let value = self.rvalue(inner);
        if self.types.is_pointer(value.ty) {
            return value;
        }
        let void_ptr = self.types.common.void_ptr;
        self.convert(value, void_ptr)
    }

    fn copy_memory(&mut self, dst: ast::ExprId, src: ast::ExprId, len: ast::ExprId, at_end: bool, span: Span) -> Value {
        let void_ptr = self.types.common.void_ptr;
        let (to, from) = (self.uncast_pointer(dst), self.uncast_pointer(src));
        let (Kind::Scalar(dst), Kind::Scalar(src), Some(len)) = (to.kind, from.kind, self.size_argument(len)) else {
            return self.error_value();
        };
        self.at(span);
        let layout = self.pointed_layout(&[to, from], len);
        self.b.emit(StepKind::Copy { dst, src, len, layout });
        let result = if at_end { self.b.binary(BinOp::PtrAdd, dst, len) } else { dst };
        Value::scalar(result, void_ptr)
    }

    fn set_memory(&mut self, dst: ast::ExprId, byte: Option<ast::ExprId>, len: ast::ExprId, span: Span) -> Value {
        let void_ptr = self.types.common.void_ptr;
        let uchar = self.types.int(IntKind::UChar);
        let to = self.uncast_pointer(dst);
        let byte = match byte {
            Some(byte) => {
                let value = self.rvalue(byte);
                self.convert(value, uchar)
            }
            None => {
                let zero = self.b.constant(Ty::I8, 0);
                Value::scalar(zero, uchar)
            }
        };
        let (Kind::Scalar(dst), Kind::Scalar(byte), Some(len)) = (to.kind, byte.kind, self.size_argument(len)) else {
            return self.error_value();
        };
        self.at(span);
        let layout = self.pointed_layout(&[to], len);
        self.b.emit(StepKind::Fill { dst, byte, len, layout });
        Value::scalar(dst, void_ptr)
    }

    fn math_call(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let (base, kind) = float_variant(name)?;
        let ty = self.types.plain(CType::Float(kind));
        let mut operands = Vec::new();
        for &arg in args {
            let value = self.rvalue(arg);
            if !self.types.is_arithmetic(value.ty) {
                return Some(self.error_value());
            }
            match self.convert(value, ty).kind {
                Kind::Scalar(expr) => operands.push(expr),
                _ => return None,
            }
        }
        self.at(span);
        let expr = match (base, operands.as_slice()) {
            ("fabs", &[x]) => self.b.unary(UnOp::FAbs, x),
            ("sqrt", &[x]) => self.b.unary(UnOp::FSqrt, x),
            ("fmod", &[x, y]) => self.b.binary(BinOp::FRem, x, y),
            ("fmin" | "fmax", &[x, y]) => {
                // A NaN operand gives way to the other one.
                let nan = self.b.unary(UnOp::FIsNan, x);
                let less =
                    if base == "fmin" { self.b.binary(BinOp::FLt, y, x) } else { self.b.binary(BinOp::FLt, x, y) };
                let take_y = self.b.binary(BinOp::Or, nan, less);
                self.b.ite(take_y, y, x)
            }
            _ => return None,
        };
        Some(Value::scalar(expr, ty))
    }

    // ---- gcc's -------------------------------------------------------------------------------------------------------

    fn gcc_builtin(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        if let Some(value) = self.bit_builtin(name, args, span) {
            return Some(value);
        }
        if name.contains("_overflow") {
            return self.overflow_builtin(name, args, span);
        }
        match (name, args) {
            ("expect" | "expect_with_probability", &[value, ref hints @ ..]) => {
                let long = self.types.common.long;
                let value = self.rvalue(value);
                self.evaluate_all(hints);
                Some(self.convert(value, long))
            }
            ("assume_aligned", &[pointer, ..]) | ("speculation_safe_value", &[pointer, ..]) => {
                Some(self.rvalue(pointer))
            }
            ("constant_p", &[value]) => {
                let constant = self.unevaluated(|this| {
                    let mark = this.b.mark();
                    let value = this.rvalue(value);
                    this.b.nothing_since(mark)
                        && matches!(value.kind, Kind::Scalar(e) if this.b.const_bits(e).is_some())
                });
                Some(self.int_value(constant as i128))
            }
            ("object_size" | "dynamic_object_size", &[pointer, kind]) => {
                self.unevaluated(|this| this.rvalue(pointer));
                let kind = self.integer_constant(kind, "the kind of object size").unwrap_or(0);
                Some(self.size_value(if kind & 2 == 0 { u64::MAX } else { 0 }))
            }
            ("va_start" | "stdarg_start" | "next_arg", &[list, ..]) | ("c23_va_start", &[list, ..]) => {
                Some(self.va_start(list, span))
            }
            ("va_end", &[list]) => {
                self.unevaluated(|this| this.expr(list));
                Some(self.nothing())
            }
            ("va_copy", &[to, from]) => Some(self.va_copy(to, from, span)),
            ("unreachable", []) => {
                let never = self.b.truth(false);
                self.b.emit(StepKind::Assume { cond: never });
                Some(self.nothing())
            }
            ("trap", []) => {
                self.emit_abort();
                Some(self.nothing())
            }
            ("prefetch", args) => {
                self.evaluate_all(args);
                Some(self.nothing())
            }
            ("ia32_pause" | "ia32_mfence" | "ia32_lfence" | "ia32_sfence" | "cpu_init", _) => Some(self.nothing()),
            ("return_address" | "frame_address" | "extract_return_addr", args) => {
                let void_ptr = self.types.common.void_ptr;
                self.evaluate_all(args);
                let null = self.b.constant(Ty::Ptr, 0);
                Some(Value::scalar(null, void_ptr))
            }
            ("alloca" | "alloca_with_align" | "alloca_with_align_and_max", &[size, ..]) => {
                Some(self.alloca(size, span))
            }
            ("classify_type", &[value]) => {
                let ty = self.type_of_rvalue(value);
                let class = match self.types.get(ty) {
                    CType::Void => 0,
                    CType::Pointer(_) => 5,
                    CType::Float(_) => 8,
                    CType::Record(_) => 12,
                    _ => 1,
                };
                Some(self.int_value(class))
            }
            ("cpu_is" | "cpu_supports", _) => Some(self.int_value(0)),
            ("LINE", []) => {
                let line = self.sources.loc(span.lo).line;
                Some(self.int_value(line.into()))
            }
            ("FILE", []) => {
                let file = self.sources.loc(span.lo).file;
                let bytes = self.sources.file_name(file).as_bytes().to_vec();
                let text = ast::StrLit { encoding: ast::Encoding::Plain, bytes };
                let text = self.string_literal(&text, span);
                Some(self.decay(text, span))
            }
            ("FUNCTION", []) => {
                let text = self.identifier(self.names.func[0], span);
                Some(self.decay(text, span))
            }
            ("fpclassify", &[nan, infinite, normal, subnormal, zero, value]) => {
                self.classify_float([nan, infinite, normal, subnormal, zero], value)
            }
            ("va_arg_pack" | "va_arg_pack_len", _) => {
                self.unsupported(span, "`__builtin_va_arg_pack`");
                Some(self.error_value())
            }
            ("abs" | "labs" | "llabs" | "imaxabs", &[value]) => {
                let kind = match name {
                    "abs" => IntKind::Int,
                    "labs" => IntKind::Long,
                    _ => IntKind::LongLong,
                };
                let ty = self.types.int(kind);
                let value = self.rvalue(value);
                let value = self.convert(value, ty);
                let Kind::Scalar(x) = value.kind else { return Some(self.error_value()) };
                let scalar = self.b.type_of(x);
                let zero = self.b.constant(scalar, 0);
                let (negative, minus) = (self.b.binary(BinOp::SLt, x, zero), self.b.unary(UnOp::Neg, x));
                let expr = self.b.ite(negative, minus, x);
                Some(Value::scalar(expr, ty))
            }
            _ => self.float_builtin(name, args, span).or_else(|| self.prefixed_library_call(name, args, span)),
        }
    }

    /// `__builtin_memcpy` is `memcpy`, and so on for every library function.
    fn prefixed_library_call(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        if let Some(value) = self.library_call(name, args, span) {
            return Some(value);
        }
        let plain = self.session.interner.intern(name);
        let known = known_prototype(&mut self.session.types, name);
        let declared = self.scopes.lookup(plain).is_some();
        if !declared && known.is_none() {
            self.unsupported(span, &format!("`__builtin_{name}`"));
            return Some(self.error_value());
        }
        if let (false, Some(fn_ty)) = (declared, known) {
            let ty = self.types.plain(CType::Function(fn_ty));
            self.declare_function(plain, ty, None, span);
            if let Some(binding) = self.scopes.lookup(plain) {
                self.scopes.bind_at_file_scope(plain, binding, span);
            }
        }
        Some(self.call_by_name(plain, args, span))
    }

    fn bit_builtin(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let &[arg] = args else { return None };
        let (stem, ty) = match name {
            "bswap16" => ("bswap", IntKind::UShort),
            "bswap32" => ("bswap", IntKind::UInt),
            "bswap64" => ("bswap", IntKind::ULongLong),
            "bswap128" => ("bswap", IntKind::UInt128),
            _ => {
                let (stem, kind) = if let Some(stem) = name.strip_suffix("ll") {
                    (stem, IntKind::ULongLong)
                } else if let Some(stem) = name.strip_suffix('l') {
                    (stem, IntKind::ULong)
                } else {
                    (name, IntKind::UInt)
                };
                if !matches!(stem, "clz" | "ctz" | "popcount" | "parity" | "ffs" | "clrsb") {
                    return None;
                }
                (stem, kind)
            }
        };
        let ty = self.types.int(ty);
        let int = self.types.common.int;
        let value = self.rvalue(arg);
        let value = self.convert(value, ty);
        let Kind::Scalar(x) = value.kind else { return Some(self.error_value()) };
        self.at(span);
        let scalar = self.b.type_of(x);
        let zero = self.b.constant(scalar, 0);
        let one = self.b.constant(scalar, 1);
        let expr = match stem {
            "bswap" => {
                let expr = self.b.unary(UnOp::Bswap, x);
                return Some(Value::scalar(expr, ty));
            }
            "clz" => self.b.unary(UnOp::Clz, x),
            "ctz" => self.b.unary(UnOp::Ctz, x),
            "popcount" => self.b.unary(UnOp::Popcount, x),
            "parity" => {
                let count = self.b.unary(UnOp::Popcount, x);
                self.b.binary(BinOp::And, count, one)
            }
            "ffs" => {
                let zeros = self.b.unary(UnOp::Ctz, x);
                let position = self.b.binary(BinOp::Add, zeros, one);
                let none = self.b.binary(BinOp::Eq, x, zero);
                self.b.ite(none, zero, position)
            }
            // Redundant sign bits: leading zeros of x with its sign folded in, less one.
            _ => {
                let top = self.b.constant(scalar, scalar.int_bits().unwrap_or(32) as u128 - 1);
                let sign = self.b.binary(BinOp::AShr, x, top);
                let folded = self.b.binary(BinOp::Xor, x, sign);
                let zeros = self.b.unary(UnOp::Clz, folded);
                self.b.binary(BinOp::Sub, zeros, one)
            }
        };
        let expr = self.resize(expr, Ty::I32, false);
        Some(Value::scalar(expr, int))
    }

    /// `__builtin_add_overflow(a, b, &r)` and its relatives: computed without bound, then cut to the result's type.
    fn overflow_builtin(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let &[a, b, result] = args else { return None };
        let predicate_only = name.ends_with("_p");
        let stem = name.trim_start_matches(['s', 'u']);
        let op = [("add", BinOp::Add), ("sub", BinOp::Sub), ("mul", BinOp::Mul)];
        // `sadd`, `usubll`, …: the letter belongs to the name, but `sub` begins with one too.
        let op = op.iter().find(|(n, _)| {
            name.starts_with(n) || (stem.starts_with(n) && name.len() > n.len()) || name[1..].starts_with(n)
        });
        let op = op?.1;
        let (a, b) = (self.rvalue(a), self.rvalue(b));
        let (ty, place) = if predicate_only {
            (self.type_of_rvalue(result), None)
        } else {
            let pointer = self.rvalue(result);
            let target = self.deref(pointer, span);
            let Kind::Place(place) = target.kind else { return Some(self.error_value()) };
            (target.ty, Some(place))
        };
        if ![a.ty, b.ty, ty].iter().all(|t| self.types.is_integer(*t)) {
            self.error(span, "an overflow builtin needs integers");
            return Some(self.error_value());
        }
        if [a.ty, b.ty].iter().any(|t| self.types.size_of(*t) == Some(16)) {
            self.unsupported(span, "overflow builtins on 128 bits");
            return Some(self.error_value());
        }
        self.at(span);
        let wide = |this: &mut Self, v: Value| match v.kind {
            Kind::Scalar(e) => this.resize(e, Ty::I128, this.types.is_signed(v.ty)),
            _ => this.b.constant(Ty::I128, 0),
        };
        let (x, y) = (wide(self, a), wide(self, b));
        let exact = self.b.binary(op, x, y);
        let scalar = self.types.scalar(ty)?;
        let cut = self.resize(exact, scalar, true);
        let back = self.resize(cut, Ty::I128, self.types.is_signed(ty));
        let overflow = self.b.binary(BinOp::Ne, back, exact);
        if let Some(place) = place {
            self.store(place, ty, Value::scalar(cut, ty));
        }
        let bool_ty = self.types.common.bool;
        let expr = self.b.cast(CastOp::ZExt, Ty::I8, overflow);
        Some(Value::scalar(expr, bool_ty))
    }

    fn float_builtin(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let constant = |suffix: &str| match suffix {
            "" => Some(FloatKind::Double),
            "f" => Some(FloatKind::Float),
            "l" => Some(FloatKind::LongDouble),
            "f128" | "q" => Some(FloatKind::Float128),
            _ => None,
        };
        for (stem, text) in [("huge_val", "inf"), ("inf", "inf"), ("nans", "nan"), ("nan", "nan")] {
            if let Some(kind) = name.strip_prefix(stem).and_then(constant) {
                self.unevaluated(|this| this.evaluate_all(args));
                return Some(self.float_constant(text, kind, span));
            }
        }
        let known = ["isnan", "isinf_sign", "isinf", "isfinite", "finite", "signbit", "isnormal"];
        let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
        let Some(classify) = [name, stem].into_iter().find(|name| known.contains(name)) else {
            return self.float_comparison(name, args, span);
        };
        let &[arg] = args else { return None };
        let value = self.rvalue(arg);
        let Kind::Scalar(x) = value.kind else { return Some(self.error_value()) };
        if !self.b.type_of(x).is_float() {
            return None;
        }
        self.at(span);
        let (nan, inf) = (self.b.unary(UnOp::FIsNan, x), self.b.unary(UnOp::FIsInf, x));
        let truth = if classify == "isnan" {
            nan
        } else if classify == "isinf_sign" {
            let (sign, int) = (self.b.unary(UnOp::FSignBit, x), self.types.common.int);
            let (one, minus, zero) =
                (self.b.constant(Ty::I32, 1), self.b.constant(Ty::I32, u128::MAX), self.b.constant(Ty::I32, 0));
            let signed_one = self.b.ite(sign, minus, one);
            let expr = self.b.ite(inf, signed_one, zero);
            return Some(Value::scalar(expr, int));
        } else if classify == "isinf" {
            inf
        } else if classify == "signbit" {
            self.b.unary(UnOp::FSignBit, x)
        } else if classify == "isnormal" {
            let (least, size) = (self.least_normal(value.ty, span)?, self.b.unary(UnOp::FAbs, x));
            let large = self.b.binary(BinOp::FLe, least, size);
            let finite = self.b.unary(UnOp::BoolNot, inf);
            // A NaN is not larger than anything.
            self.b.binary(BinOp::And, large, finite)
        } else {
            let either = self.b.binary(BinOp::Or, nan, inf);
            self.b.unary(UnOp::BoolNot, either)
        };
        Some(self.truth_to_int(truth))
    }

    /// The least positive number of a type that has all its digits.
    fn least_normal(&mut self, ty: QTy, span: Span) -> Option<ExprId> {
        let CType::Float(kind) = *self.types.get(ty) else { return None };
        let text = match kind.ty() {
            Ty::F16 => "0x1p-14",
            Ty::F32 => "0x1p-126",
            Ty::F64 => "0x1p-1022",
            _ => "0x1p-16382",
        };
        match self.float_constant(text, kind, span).kind {
            Kind::Scalar(expr) => Some(expr),
            _ => None,
        }
    }

    /// One of five integers, by the class of a number: NaN, infinite, normal, subnormal, zero.
    fn classify_float(&mut self, results: [ast::ExprId; 5], value: ast::ExprId) -> Option<Value> {
        let (int, span) = (self.types.common.int, self.ast.exprs[value].span);
        let mut classes = Vec::new();
        for result in results {
            let result = self.rvalue(result);
            match self.convert(result, int).kind {
                Kind::Scalar(expr) => classes.push(expr),
                _ => return Some(self.error_value()),
            }
        }
        let value = self.rvalue(value);
        let Kind::Scalar(x) = value.kind else { return Some(self.error_value()) };
        let (least, size) = (self.least_normal(value.ty, span)?, self.b.unary(UnOp::FAbs, x));
        let none = self.b.constant(self.b.type_of(x), 0);
        let (nan, inf) = (self.b.unary(UnOp::FIsNan, x), self.b.unary(UnOp::FIsInf, x));
        let (zero, small) = (self.b.binary(BinOp::FEq, x, none), self.b.binary(BinOp::FLt, size, least));
        let mut class = classes[2];
        for (holds, result) in [(small, classes[3]), (zero, classes[4]), (inf, classes[1]), (nan, classes[0])] {
            class = self.b.ite(holds, result, class);
        }
        Some(Value::scalar(class, int))
    }

    fn float_comparison(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let &[a, b] = args else { return None };
        if !matches!(name, "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered")
        {
            return None;
        }
        let (a, b) = (self.rvalue(a), self.rvalue(b));
        let (a, b, ty) = self.usual_conversions(a, b);
        let (Kind::Scalar(x), Kind::Scalar(y)) = (a.kind, b.kind) else { return Some(self.error_value()) };
        if !self.types.is_float(ty) {
            self.error(span, "a comparison of floats needs floats");
            return Some(self.error_value());
        }
        let truth = match name {
            "isgreater" => self.b.binary(BinOp::FLt, y, x),
            "isgreaterequal" => self.b.binary(BinOp::FLe, y, x),
            "isless" => self.b.binary(BinOp::FLt, x, y),
            "islessequal" => self.b.binary(BinOp::FLe, x, y),
            "islessgreater" => {
                let (less, more) = (self.b.binary(BinOp::FLt, x, y), self.b.binary(BinOp::FLt, y, x));
                self.b.binary(BinOp::Or, less, more)
            }
            _ => {
                let (p, q) = (self.b.unary(UnOp::FIsNan, x), self.b.unary(UnOp::FIsNan, y));
                self.b.binary(BinOp::Or, p, q)
            }
        };
        Some(self.truth_to_int(truth))
    }

    /// Stores a converted value through a pointer argument.
    pub(super) fn store_through(&mut self, addr: ExprId, ty: QTy, value: Value) {
        self.store(Place::Mem(addr), ty, value);
    }
}

/// `sqrtf` is `sqrt` on `float`, `sqrtl` on `long double`. Only functions that lowering computes itself.
fn float_variant(name: &str) -> Option<(&str, FloatKind)> {
    let known = |base: &str| matches!(base, "fabs" | "sqrt" | "fmod" | "fmin" | "fmax");
    if known(name) {
        return Some((name, FloatKind::Double));
    }
    let (base, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let kind = match suffix {
        "f" => FloatKind::Float,
        "l" => FloatKind::LongDouble,
        _ => return None,
    };
    known(base).then_some((base, kind))
}

/// Functions that do to the program what nothing here can express: leaving them out would make verdicts wrong.
fn is_refused(name: &str) -> bool {
    matches!(
        name,
        "setjmp"
            | "_setjmp"
            | "__sigsetjmp"
            | "sigsetjmp"
            | "longjmp"
            | "siglongjmp"
            | "fork"
            | "vfork"
            | "pthread_cancel"
            | "pthread_mutexattr_setrobust"
            | "pthread_mutexattr_setrobust_np"
            | "raise"
            | "kill"
            | "pthread_kill"
            | "pause"
            | "sigwait"
            | "sigwaitinfo"
            | "sigtimedwait"
            | "sigsuspend"
            | "syscall"
    )
}

/// Prototypes of library functions that gcc knows without a declaration: the result, then the parameters.
/// `v` void, `p` pointer, `i` int, `l` long, `z` size_t, `d` double.
const KNOWN: &[(&str, &str)] = &[
    ("malloc", "pz"),
    ("calloc", "pzz"),
    ("realloc", "ppz"),
    ("free", "vp"),
    ("exit", "vi"),
    ("abort", "v"),
    ("strlen", "zp"),
    ("strnlen", "zpz"),
    ("strcpy", "ppp"),
    ("strncpy", "pppz"),
    ("stpcpy", "ppp"),
    ("strcat", "ppp"),
    ("strncat", "pppz"),
    ("strcmp", "ipp"),
    ("strncmp", "ippz"),
    ("strchr", "ppi"),
    ("strrchr", "ppi"),
    ("strstr", "ppp"),
    ("strspn", "zpp"),
    ("strcspn", "zpp"),
    ("strpbrk", "ppp"),
    ("strdup", "pp"),
    ("strndup", "ppz"),
    ("memcmp", "ippz"),
    ("memchr", "ppiz"),
    ("isdigit", "ii"),
    ("isalpha", "ii"),
    ("isspace", "ii"),
    ("toupper", "ii"),
    ("tolower", "ii"),
    ("labs", "ll"),
    ("abs", "ii"),
    ("gettid", "i"),
];

/// The prototype that gcc assumes for a library function.
pub(super) fn known_prototype(types: &mut Types, name: &str) -> Option<FnType> {
    let (_, signature) = KNOWN.iter().find(|(n, _)| *n == name)?;
    let mut parts = signature.chars().map(|c| match c {
        'v' => types.common.void,
        'p' => types.common.void_ptr,
        'l' => types.common.long,
        'z' => types.size_t(),
        'd' => types.common.double,
        _ => types.common.int,
    });
    let ret = parts.next()?;
    let params = parts.collect();
    Some(FnType { ret, params, variadic: false, prototyped: true })
}
