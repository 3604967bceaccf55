//! `pthread_cleanup_push` and `pthread_cleanup_pop` as glibc's headers expand them.
//!
//! ```c
//! void (*__cancel_routine)(void *) = routine;
//! void *__cancel_arg = arg;
//! int __not_first_call = __sigsetjmp_cancel(__cancel_buf.__cancel_jmp_buf, 0);
//! if (__not_first_call) { __cancel_routine(__cancel_arg); __pthread_unwind_next(&__cancel_buf); }
//! __pthread_register_cancel(&__cancel_buf);
//! …
//! __pthread_unregister_cancel(&__cancel_buf);
//! if (execute) __cancel_routine(__cancel_arg);
//! ```
//!
//! A thread that ends in between comes back out of `__sigsetjmp_cancel` to call its handler. Here nothing jumps: what is registered is
//! the handler itself, and `pthread_exit` calls it. The models have the functions that musl's headers expand to.

use heddle_base::Span;
use heddle_ir::StepKind;

use super::{Lower, Value};
use crate::ast;

impl Lower<'_> {
    /// Lowers a call that is part of such an expansion; `None` if it is not.
    pub(super) fn cleanup_handler_call(&mut self, name: &str, args: &[ast::ExprId], span: Span) -> Option<Value> {
        match (name, args) {
            ("__sigsetjmp_cancel", _) => Some(self.int_value(0)),
            // The name in older headers, where it is `sigsetjmp` too.
            ("__sigsetjmp", _) if self.local("__cancel_routine", span).is_some() => Some(self.int_value(0)),
            ("__pthread_unwind_next", _) => {
                let never = self.b.truth(false);
                self.b.emit(StepKind::Assume { cond: never });
                Some(self.nothing())
            }
            ("__pthread_register_cancel", &[buffer]) => {
                let buffer = self.rvalue(buffer);
                let (routine, arg) = (self.local("__cancel_routine", span)?, self.local("__cancel_arg", span)?);
                self.call_model("_pthread_cleanup_push", vec![buffer, routine, arg], span);
                Some(self.nothing())
            }
            ("__pthread_unregister_cancel", &[buffer]) => {
                let buffer = self.rvalue(buffer);
                let skip = self.int_value(0);
                self.call_model("_pthread_cleanup_pop", vec![buffer, skip], span);
                Some(self.nothing())
            }
            _ => None,
        }
    }

    /// The value of a variable that the macro has declared around the call.
    fn local(&mut self, name: &str, span: Span) -> Option<Value> {
        let symbol = self.session.interner.intern(name);
        self.scopes.lookup(symbol)?;
        let variable = self.identifier(symbol, span);
        Some(self.decay(variable, span))
    }
}
