//! Results that a function does not give and nobody uses.
//!
//! C lets the end of a function be reached without `return`, as long as no caller uses the result (C11 6.9.1). Lowering makes it an
//! uninitialised value, and returning that is a use. Where no caller can look at it, it is a constant: whole programs are
//! looked at, so this comes last.

use heddle_base::IndexVec;
use heddle_ir::{Base, Callee, ConstValue, Expr, ExprId, FuncId, Function, InputKind, RegId, StepId, StepKind};

use super::Session;

/// Functions through which the result of a thread is read: where their second argument is null it is not.
const JOINS: [&str; 3] = ["pthread_join", "pthread_tryjoin_np", "thrd_join"];
/// The model that calls what a thread executes and keeps its result.
const THREAD: &str = "__heddle_thread_main";

/// Makes results that are never given and never used constants.
pub(super) fn drop_unused(session: &mut Session) {
    let used = Used::find(session);
    for id in session.functions.ids() {
        if used.may_be_read(id) {
            continue;
        }
        let Some(mut body) = session.functions[id].body.take() else { continue };
        for (step, reg) in missing_results(session, &body) {
            let ty = body.regs[reg].ty;
            let zero = body.exprs.push(Expr::Const { ty, bits: 0 });
            body.steps[step].kind = StepKind::Assign { dst: reg, value: zero };
        }
        session.functions[id].body = Some(body);
    }
}

/// Who looks at results.
struct Used {
    /// Of direct calls.
    directly: IndexVec<FuncId, bool>,
    /// Functions whose address is taken.
    addressed: IndexVec<FuncId, bool>,
    /// Whether a call through a pointer uses its result, or somebody reads the result of a thread.
    through_pointers: bool,
}

impl Used {
    fn find(session: &Session) -> Used {
        let none = || IndexVec::<FuncId, bool>::from_elem(false, session.functions.len());
        let mut used = Used { directly: none(), addressed: none(), through_pointers: false };
        let name = |id: FuncId| session.name(session.functions[id].symbol);
        for item in session.globals.iter().flat_map(|global| &global.global.init) {
            if let ConstValue::Func(func) = item.value {
                used.addressed[func] = true;
            }
        }
        for (id, body) in session.functions.iter_enumerated().filter_map(|(id, f)| Some((id, f.body.as_ref()?))) {
            for expr in body.exprs.iter() {
                if let Expr::Addr { base: Base::Func(func), .. } = *expr {
                    used.addressed[func] = true;
                    used.through_pointers |= JOINS.contains(&name(func));
                }
            }
            for step in body.steps.iter() {
                match &step.kind {
                    StepKind::Call { dst, callee: Callee::Direct(func), args } => {
                        used.directly[*func] |= dst.is_some_and(|dst| is_read(body, dst));
                        let asks = args.get(1).is_some_and(|&arg| !is_null(body, arg));
                        used.through_pointers |= asks && JOINS.contains(&name(*func)) && name(id) != name(*func);
                    }
                    StepKind::Call { dst: Some(dst), callee: Callee::Indirect(_), .. } if name(id) != THREAD => {
                        used.through_pointers |= is_read(body, *dst);
                    }
                    _ => {}
                }
            }
        }
        used
    }

    fn may_be_read(&self, id: FuncId) -> bool {
        self.directly[id] || (self.addressed[id] && self.through_pointers)
    }
}

/// Whether a register is read anywhere. (Expressions that no step uses may count, which only keeps a result.)
fn is_read(body: &Function, reg: RegId) -> bool {
    body.exprs.iter().any(|expr| matches!(expr, Expr::Reg(read) if *read == reg))
}

fn is_null(body: &Function, arg: ExprId) -> bool {
    matches!(body.exprs[arg], Expr::Const { bits: 0, .. })
}

/// The steps that make results which the function does not give, with their registers.
fn missing_results(session: &Session, body: &Function) -> Vec<(StepId, RegId)> {
    let returned = |reg: RegId| {
        body.steps.iter().any(|step| match step.kind {
            StepKind::Return { value: Some(value) } => matches!(body.exprs[value], Expr::Reg(read) if read == reg),
            _ => false,
        })
    };
    let only_returned = |reg: RegId| {
        let named = (0..body.exprs.len())
            .filter(|&i| matches!(body.exprs[heddle_base::Id::new(i)], Expr::Reg(read) if read == reg));
        named.count() == 1
    };
    let havocs = body.steps.iter_enumerated().filter_map(|(id, step)| match step.kind {
        StepKind::Havoc { dst, input } if session.inputs[input].kind == InputKind::Uninit => Some((id, dst)),
        _ => None,
    });
    havocs.filter(|&(_, reg)| returned(reg) && only_returned(reg)).collect()
}
