//! The functions that library models are written with.
//!
//! | C | step |
//! |---|---|
//! | `__heddle_atomic_begin()`, `__heddle_atomic_end()` | an atomic section |
//! | `__heddle_await(cond, "kind", object)` | `await` |
//! | `__heddle_await_spurious(cond, "kind", object)` | `await` that a spurious wake-up may pass |
//! | `__heddle_sync("op", "kind", object)` | `sync` |
//! | `__heddle_check(cond, "property", "message")` | `assert` |
//! | `__heddle_assume(cond)` | `assume` |
//! | `__heddle_spawn(function, argument)` | `spawn` |
//! | `__heddle_thread_exit()` | end of the thread |
//! | `__heddle_process_exit(status)` | the destructors, then the end of the process |
//! | `__heddle_self()` | the running thread's number |
//! | `__heddle_alloc(size)`, `__heddle_new(size)` | an object of the heap, a zeroed object of the model |
//! | `__heddle_object_size(pointer)` | bytes of the object pointed into |
//! | `__heddle_nondet("name")` | an arbitrary `int` |
//! | `__heddle_choose("name")` | 0 or 1, arbitrarily |
//! | `__heddle_executing()` | 1 in programs that are compiled to be executed, else 0: a constant |
//! | `__heddle_machine("f", …)`, `__heddle_machine_double("f", …)`, `__heddle_machine_float("f", …)` | what the machine computes (its module `library`); arbitrary in programs that are compiled to be verified |
//! | `__heddle_put(pointer, value)` | `*pointer = value` as an access of the program's, which can race |

use heddle_base::Span;
use heddle_ir::{AllocKind, Base, Callee, Expr, InputKind, Property, Section, StepKind, SyncKind, SyncOp, Ty};

use super::{Kind, Lower, Value};
use crate::Purpose;
use crate::ast::{self, ExprKind};
use crate::types::{CType, FloatKind, IntKind, QTy};

impl Lower<'_> {
    /// Lowers a call of an intrinsic; `None` if there is none of that name.
    pub(super) fn intrinsic(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        let void = Value::nothing(self.types.common.void);
        let int = self.types.common.int;
        match (name, args) {
            ("atomic_begin", []) => {
                self.b.emit(StepKind::AtomicBegin { section: Section::Model });
            }
            ("atomic_end", []) => {
                self.b.emit(StepKind::AtomicEnd);
            }
            ("await" | "await_spurious", &[cond, kind, object]) => {
                let kind = self.sync_kind(kind)?;
                let object = self.scalar_argument(object)?;
                let cond = self.condition(cond);
                self.at(span);
                self.b.emit(StepKind::Await { cond, spurious: name == "await_spurious", kind, object });
            }
            ("sync", &[op, kind, object]) => {
                let op = match self.literal(op)?.as_str() {
                    "hold" => SyncOp::Hold,
                    "unhold" => SyncOp::Unhold,
                    "acquire" => SyncOp::Acquire,
                    "release" => SyncOp::Release,
                    "refuse" => SyncOp::Refuse,
                    "detach" => SyncOp::Detach,
                    "destroy" => SyncOp::Destroy,
                    _ => return None,
                };
                let kind = self.sync_kind(kind)?;
                let object = self.scalar_argument(object)?;
                self.b.emit(StepKind::Sync { op, kind, object });
            }
            ("check", &[cond, property, message]) => {
                let property: Property = self.literal(property)?.parse().ok()?;
                let message = self.literal(message)?;
                let cond = self.condition(cond);
                self.emit_assert(cond, property, &message);
            }
            ("assume", &[cond]) => {
                let cond = self.condition(cond);
                self.b.emit(StepKind::Assume { cond });
            }
            ("spawn", &[function, arg]) => {
                let function = self.scalar_argument(function)?;
                let arg = self.scalar_argument(arg)?;
                let callee = match self.b.exprs[function] {
                    Expr::Addr { base: Base::Func(id), .. } => Callee::Direct(id),
                    _ => Callee::Indirect(function),
                };
                self.b.emit(StepKind::Spawn { callee, arg });
            }
            ("thread_exit", []) => {
                self.b.emit(StepKind::ThreadExit);
            }
            ("process_exit", &[status]) => {
                let status = self.scalar_argument(status)?;
                self.session.call_destructors(&mut self.b);
                self.b.emit(StepKind::ProcessExit { status, abort: false });
            }
            ("self", []) => {
                let id = self.b.self_id();
                return Some(Value::scalar(id, int));
            }
            ("alloc" | "new", &[size]) => {
                let size = self.size_argument(size)?;
                let dst = self.b.reg(Ty::Ptr, None);
                let kind = if name == "new" { AllocKind::Model } else { AllocKind::Heap };
                self.b.emit(StepKind::Alloc { dst, size, zeroed: name == "new", kind });
                let void_ptr = self.types.common.void_ptr;
                let pointer = self.b.read(dst);
                return Some(Value::scalar(pointer, void_ptr));
            }
            ("object_size", &[pointer]) => {
                let addr = self.scalar_argument(pointer)?;
                let dst = self.b.reg(Ty::I64, None);
                self.b.emit(StepKind::ObjectSize { dst, addr });
                let size = self.b.read(dst);
                let ty = self.types.int(IntKind::ULongLong);
                return Some(Value::scalar(size, ty));
            }
            ("nondet", &[name]) => {
                let name = self.literal(name)?;
                let value = self.havoc(&name, Ty::I32, InputKind::Nondet);
                return Some(Value::scalar(value, int));
            }
            ("choose", &[name]) => {
                let name = self.literal(name)?;
                let truth = self.havoc(&name, Ty::Bool, InputKind::Nondet);
                return Some(self.truth_to_int(truth));
            }
            ("executing", []) => {
                let executing = self.options.purpose == Purpose::Execution;
                return Some(self.int_value(i128::from(executing)));
            }
            ("machine" | "machine_double" | "machine_float", &[function, ref args @ ..]) => {
                let function = self.literal(function)?;
                let ty = match name {
                    "machine" => int,
                    "machine_double" => self.types.common.double,
                    _ => self.types.plain(CType::Float(FloatKind::Float)),
                };
                return self.computed_by_machine(&function, args, ty);
            }
            ("put", &[pointer, value]) => {
                let pointer = self.rvalue(pointer);
                let Value { kind: Kind::Place(place), ty } = self.deref(pointer, span) else { return None };
                let value = self.rvalue(value);
                let value = self.convert(value, ty);
                let internal = std::mem::replace(&mut self.internal, false);
                self.store(place, ty, value);
                self.internal = internal;
            }
            _ => return None,
        }
        Some(void)
    }

    /// A call of a function that the machine computes, or an arbitrary value in its place.
    fn computed_by_machine(&mut self, function: &str, args: &[ast::ExprId], ty: QTy) -> Option<Value> {
        let mut exprs = Vec::new();
        for &arg in args {
            exprs.push(self.scalar_argument(arg)?);
        }
        let scalar = self.types.scalar(ty)?;
        if self.options.purpose == Purpose::Verification {
            let value = self.havoc(function, scalar, InputKind::Nondet);
            return Some(Value::scalar(value, ty));
        }
        let dst = self.b.reg(scalar, None);
        self.b.emit(StepKind::Output { dst: Some(dst), function: format!("machine.{function}"), args: exprs });
        let result = self.b.read(dst);
        Some(Value::scalar(result, ty))
    }

    fn scalar_argument(&mut self, arg: ast::ExprId) -> Option<heddle_ir::ExprId> {
        match self.rvalue(arg).kind {
            Kind::Scalar(expr) => Some(expr),
            _ => None,
        }
    }

    /// An argument of type `size_t`, as `I64`.
    pub(super) fn size_argument(&mut self, arg: ast::ExprId) -> Option<heddle_ir::ExprId> {
        let value = self.rvalue(arg);
        let size_t = self.types.size_t();
        let value = self.convert(value, size_t);
        match value.kind {
            Kind::Scalar(expr) => Some(self.widen_to_i64(expr, false)),
            _ => None,
        }
    }

    /// The text of a string literal.
    pub(super) fn literal(&self, arg: ast::ExprId) -> Option<String> {
        match &self.ast.exprs[arg].kind {
            ExprKind::Str(lit) => Some(String::from_utf8_lossy(&lit.bytes).into_owned()),
            _ => None,
        }
    }

    fn sync_kind(&self, arg: ast::ExprId) -> Option<SyncKind> {
        Some(match self.literal(arg)?.as_str() {
            "mutex" => SyncKind::Mutex,
            "condition" => SyncKind::Condition,
            "join" => SyncKind::Join,
            "readlock" => SyncKind::ReadLock,
            "writelock" => SyncKind::WriteLock,
            "barrier" => SyncKind::Barrier,
            "semaphore" => SyncKind::Semaphore,
            "spinlock" => SyncKind::Spinlock,
            "once" => SyncKind::Once,
            "other" => SyncKind::Other,
            _ => return None,
        })
    }
}
