//! The analyses against executions: random programs run under random schedules, and whenever two threads are about to
//! touch the same cell, one of them to write, both steps must have been found to be shared.

use heddle_base::Id;
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::expr::{Base, BinOp, Expr, ExprId};
use crate::program::{FuncId, GlobalId, Program, RegId, SlotId};
use crate::sharing::StepSharing;
use crate::step::{Callee, StepId, StepKind};
use crate::testing::Rng;
use crate::text::{parse, step_to_string};
use crate::threads::tests::MODELS;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Int(i64),
    /// Object and byte offset.
    Ptr(usize, i64),
    Func(FuncId),
}

#[derive(Clone)]
struct Frame {
    func: FuncId,
    at: StepId,
    regs: FxHashMap<RegId, Value>,
    slots: FxHashMap<SlotId, usize>,
    /// The thread's instance of the one thread-local global.
    own: usize,
    result: Option<RegId>,
}

#[derive(Clone)]
struct Machine<'a> {
    program: &'a Program,
    /// Cells by object and byte offset; every access is to a whole cell.
    memory: Vec<FxHashMap<i64, Value>>,
    globals: FxHashMap<GlobalId, usize>,
    threads: Vec<Vec<Frame>>,
    inputs: u64,
}

/// What a step is about to do to which cell.
type Touch = ((usize, i64), bool);

impl<'a> Machine<'a> {
    fn new(program: &'a Program, inputs: u64) -> Self {
        let (memory, globals, threads) = (Vec::new(), FxHashMap::default(), Vec::new());
        let mut machine = Machine { program, memory, globals, threads, inputs };
        for global in program.globals.ids() {
            let object = machine.object();
            machine.globals.insert(global, object);
        }
        let own = machine.object();
        let entry = machine.frame(program.entry, &[], own, None);
        machine.threads.push(vec![entry]);
        machine
    }

    fn object(&mut self) -> usize {
        self.memory.push(FxHashMap::default());
        self.memory.len() - 1
    }

    fn frame(&mut self, func: FuncId, args: &[Value], own: usize, result: Option<RegId>) -> Frame {
        let function = &self.program.functions[func];
        let regs = function.params.iter().copied().zip(args.iter().copied()).collect();
        let slots = function.slots.ids().map(|slot| (slot, self.object())).collect();
        Frame { func, at: StepId::new(0), regs, slots, own, result }
    }

    fn eval(&self, frame: &Frame, expr: ExprId) -> Value {
        match self.program.functions[frame.func].exprs[expr] {
            Expr::Const { bits, .. } => Value::Int(bits as i64),
            Expr::Reg(reg) => frame.regs.get(&reg).copied().unwrap_or(Value::Int(0)),
            Expr::Addr { base: Base::Global(global), offset } => match self.program.globals[global].thread_local {
                true => Value::Ptr(frame.own, offset),
                false => Value::Ptr(self.globals[&global], offset),
            },
            Expr::Addr { base: Base::Slot(slot), offset } => Value::Ptr(frame.slots[&slot], offset),
            Expr::Addr { base: Base::Func(func), .. } => Value::Func(func),
            Expr::Cast { arg, .. } => self.eval(frame, arg),
            Expr::Binary(op, left, right) => match (op, self.eval(frame, left), self.eval(frame, right)) {
                (BinOp::PtrAdd | BinOp::Add, Value::Ptr(object, at), Value::Int(by)) => Value::Ptr(object, at + by),
                (BinOp::PtrAdd | BinOp::Add, Value::Int(a), Value::Int(b)) => Value::Int(a + b),
                (BinOp::Mul, Value::Int(a), Value::Int(b)) => Value::Int(a * b),
                (BinOp::Eq, a, b) => Value::Int(i64::from(a == b)),
                (BinOp::Ne, a, b) => Value::Int(i64::from(a != b)),
                other => panic!("not in the programs of this test: {other:?}"),
            },
            Expr::SelfId | Expr::Unary(..) | Expr::Ite { .. } => panic!("not in the programs of this test"),
        }
    }

    fn next(&self, thread: usize) -> Option<(FuncId, StepId, &'a StepKind)> {
        let frame = self.threads[thread].last()?;
        Some((frame.func, frame.at, &self.program.functions[frame.func].steps[frame.at].kind))
    }

    fn touch(&self, thread: usize) -> Option<Touch> {
        let frame = self.threads[thread].last()?;
        let (addr, write) = match self.next(thread)?.2 {
            StepKind::Load { addr, .. } => (*addr, false),
            StepKind::Store { addr, .. } => (*addr, true),
            _ => return None,
        };
        match self.eval(frame, addr) {
            Value::Ptr(object, at) => Some(((object, at), write)),
            Value::Int(_) | Value::Func(_) => None,
        }
    }

    /// One step; `false` if the thread is blocked or has ended.
    fn step(&mut self, thread: usize) -> bool {
        let Some((_, at, kind)) = self.next(thread) else { return false };
        let mut frame = self.threads[thread].pop().unwrap();
        frame.at = StepId::new(at.index() + 1);
        match kind {
            StepKind::Assign { dst, value } => drop(frame.regs.insert(*dst, self.eval(&frame, *value))),
            StepKind::Havoc { dst, .. } => {
                self.inputs = self.inputs.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                frame.regs.insert(*dst, Value::Int((self.inputs >> 33) as i64 % 2));
            }
            StepKind::Load { dst, addr, .. } => match self.eval(&frame, *addr) {
                Value::Ptr(object, at) => {
                    let value = self.memory[object].get(&at).copied().unwrap_or(Value::Int(0));
                    frame.regs.insert(*dst, value);
                }
                // A null pointer: the thread stops here.
                Value::Int(_) | Value::Func(_) => return false,
            },
            StepKind::Store { addr, value, .. } => match self.eval(&frame, *addr) {
                Value::Ptr(object, at) => {
                    let value = self.eval(&frame, *value);
                    self.memory[object].insert(at, value);
                }
                Value::Int(_) | Value::Func(_) => return false,
            },
            StepKind::Alloc { dst, .. } => {
                let object = self.object();
                frame.regs.insert(*dst, Value::Ptr(object, 0));
            }
            StepKind::Goto { target } => frame.at = *target,
            StepKind::Branch { cond, target } => {
                if self.eval(&frame, *cond) == Value::Int(1) {
                    frame.at = *target;
                }
            }
            StepKind::Call { dst, callee, args } => {
                let args: Vec<Value> = args.iter().map(|&a| self.eval(&frame, a)).collect();
                let func = self.callee(&frame, *callee);
                let own = frame.own;
                self.threads[thread].push(frame);
                frame = self.frame(func, &args, own, *dst);
            }
            StepKind::Spawn { callee, arg } => {
                let func = self.callee(&frame, *callee);
                let own = self.object();
                let first = self.frame(func, &[self.eval(&frame, *arg)], own, None);
                self.threads.push(vec![first]);
            }
            StepKind::Return { value } => {
                let value = value.map(|v| self.eval(&frame, v));
                let result = frame.result;
                let Some(caller) = self.threads[thread].pop() else { return true };
                frame = caller;
                if let (Some(result), Some(value)) = (result, value) {
                    frame.regs.insert(result, value);
                }
            }
            StepKind::Await { cond, .. } => {
                if self.eval(&frame, *cond) != Value::Int(1) {
                    return false;
                }
            }
            StepKind::ProcessExit { .. } => {
                self.threads.iter_mut().for_each(Vec::clear);
                return true;
            }
            StepKind::Live { .. } | StepKind::Dead { .. } | StepKind::Fence { .. } | StepKind::Skip => {}
            StepKind::AtomicBegin { .. } | StepKind::AtomicEnd => {}
            other => panic!("not in the programs of this test: {other:?}"),
        }
        self.threads[thread].push(frame);
        true
    }

    fn callee(&self, frame: &Frame, callee: Callee) -> FuncId {
        match callee {
            Callee::Direct(func) => func,
            Callee::Indirect(pointer) => match self.eval(frame, pointer) {
                Value::Func(func) => func,
                other => panic!("call of {other:?}"),
            },
        }
    }

    /// A whole turn: a step, or a whole atomic section, undone if it blocks.
    fn turn(&mut self, thread: usize) {
        let before = self.clone();
        let mut depth = 0;
        loop {
            match self.next(thread).map(|n| n.2) {
                Some(StepKind::AtomicBegin { .. }) => depth += 1,
                Some(StepKind::AtomicEnd) => depth -= 1,
                _ => {}
            }
            if !self.step(thread) {
                *self = before;
                return;
            }
            if depth == 0 {
                return;
            }
        }
    }
}

/// A program with two or three start routines, shared and private memory, and pointers that wander.
fn random_threads(rng: &mut Rng) -> String {
    let mut text = MODELS.to_owned();
    text += "global g: [4 x i64]\nglobal ptrs: [3 x ptr]\nglobal own: i64 thread_local\n";
    text += "fn helper(p: ptr) -> ptr {\n slot l: i64\n live l\n store.i64 p, 3\n store.i64 &l, 1\n return p\n}\n";
    text += "fn fetch(p: ptr) -> ptr {\n q = load.ptr &ptrs+8\n if q == null goto no\n return q\nno:\n return p\n}\n";
    let routines = 2 + rng.below(2);
    for r in 0..routines {
        text += &format!("fn w{r}(arg: ptr) {{\n slot s: [2 x i64]\n slot t: [2 x i64]\n live s\n live t\n p = arg\n");
        // A routine may only create later ones, so that all executions end.
        text += &random_body(rng, r + 1, routines);
        text += "return\n}\n";
    }
    text += "fn main() {\n slot s: [2 x i64]\n slot t: [2 x i64]\n live s\n live t\n p = &s\n";
    text += &random_body(rng, 0, routines);
    let body = random_body(rng, 0, routines);
    // Twice now and then, so that one creation makes several threads.
    text += &match rng.chance(50) {
        true => format!("n = 0:i64\nagain:\n{body}n = n + 1\nif n == 1 goto again\n"),
        false => body,
    };
    text += "exit 0\n}\n";
    text.replace("live s\n", "live s\n x = 0:i64\n h = 0:i64\n")
}

fn random_body(rng: &mut Rng, first: usize, routines: usize) -> String {
    let mut text = String::new();
    for _ in 0..4 + rng.below(6) {
        let (k, cell) = (rng.below(3), 8 * rng.below(2));
        let line = match rng.below(18) {
            0 => format!("store.i64 &g+{cell}, 1"),
            1 => format!("x = load.i64 &g+{cell}"),
            2 => "store.i64 p, 2".to_owned(),
            3 => "x = load.i64 p".to_owned(),
            4 => format!("p = &s+{cell}"),
            5 => "p = alloc.heap 16".to_owned(),
            6 => format!("store.ptr &ptrs+{}, p", 8 * k),
            7 => format!("p = load.ptr &ptrs+{}", 8 * k),
            8 => "p = &g + 8".to_owned(),
            9 => "store.i64 &s+8, 4".to_owned(),
            10 => rng.pick(&["p = call helper(p)", "p = call fetch(p)"]).to_owned(),
            11 => "store.i64 &own, 1".to_owned(),
            12 => format!("p = inttoptr.ptr(ptrtoint.i64(&g) + {})", 8 * k),
            13 | 15 | 16 if first < routines => {
                let routine = first + rng.below(routines - first);
                format!("call create(&t+{cell}, &w{routine}, p)")
            }
            14 => format!("h = load.i64 &t+{cell}\n if h == 0 goto skip{0}\n call join(h)\nskip{0}:", rng.next()),
            17 => "p = &own".to_owned(),
            _ => format!("store.i64 p + {cell}, 5"),
        };
        if rng.chance(20) {
            let label = rng.next();
            text += &format!("x = havoc.i64 choice\n if x == 0 goto over{label}\n {line}\nover{label}:\n");
        } else {
            text += &format!("{line}\n");
        }
    }
    text
}

#[test]
fn what_meets_was_found_to_be_shared() {
    let (mut meetings, mut local_accesses) = (0, 0);
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let text = random_threads(&mut rng);
        let program = parse(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
        crate::verify::debug_verify(&program);
        let analysis = Analysis::new(&program);
        for _ in 0..12 {
            let mut machine = Machine::new(&program, rng.next());
            for _ in 0..400 {
                let touches: Vec<Option<Touch>> = (0..machine.threads.len()).map(|t| machine.touch(t)).collect();
                for (i, a) in touches.iter().enumerate() {
                    for (j, b) in touches.iter().enumerate().take(i) {
                        let (Some((cell, a_writes)), Some((other, b_writes))) = (a, b) else { continue };
                        if cell != other || !(*a_writes || *b_writes) {
                            continue;
                        }
                        meetings += 1;
                        for thread in [i, j] {
                            let (func, step, kind) = machine.next(thread).unwrap();
                            let found = analysis.sharing.of(func, step);
                            let step_text = step_to_string(&program, func, kind);
                            let name = &program.functions[func].name;
                            assert_eq!(found, StepSharing::Shared, "seed {seed}: {name}: {step_text} in\n{text}");
                        }
                    }
                }
                for (t, _) in touches.iter().enumerate().filter(|(_, touch)| touch.is_some()) {
                    let (func, step, _) = machine.next(t).unwrap();
                    local_accesses += usize::from(analysis.sharing.of(func, step) == StepSharing::Local);
                }
                // Threads that are about to touch something wait a little, so that others can meet them.
                let idle: Vec<usize> =
                    (0..touches.len()).filter(|&t| touches[t].is_none() && machine.next(t).is_some()).collect();
                let eager = rng.chance(70) && !idle.is_empty();
                let thread = if eager { rng.pick(&idle) } else { rng.below(machine.threads.len()) };
                machine.turn(thread);
            }
        }
    }
    // The test means something only if threads meet, and if not everything is called shared.
    assert!(meetings > 800 && local_accesses > 1000, "{meetings} {local_accesses}");
}
