//! What the recorder notes: branches, read-from by bytes, inputs, objects that share a number.

use heddle_base::{Budget, Id};
use heddle_ir::Visibility;
use heddle_task::{ByteSource, RecordedAction, Recording, ThreadId};

use crate::testing::program;
use crate::*;

fn recorded(text: &str, inputs: &[(&str, &[i128])]) -> Recording {
    let program = program(text);
    let code = compile(&program, &Visibility::conservative(&program));
    let mut machine = Machine::new(&program, &code, Config::default());
    for (name, values) in inputs {
        machine.inputs.give_list(&program, name, values).unwrap();
    }
    let mut made = Vec::new();
    run(&mut machine, &mut First, &mut made).unwrap();
    let schedule = schedule_of(&program, &code, machine.names(), &made, &machine.inputs);
    let (_, recording) = record(&program, &code, &schedule, Config::default(), &Budget::unlimited()).unwrap();
    let stored = serde_json::to_string(&recording).unwrap();
    assert_eq!(serde_json::from_str::<Recording>(&stored).unwrap(), recording, "what is stored comes back");
    recording
}

/// The sources of all reads, with the steps that wrote as their positions among the writes.
fn sources(recording: &Recording) -> Vec<Vec<(i32, i32, Option<usize>)>> {
    let writes: Vec<usize> =
        (0..recording.steps.len()).filter(|&i| recording.steps[i].accesses.iter().any(|access| access.write)).collect();
    let reads = recording.steps.iter().flat_map(|step| &step.accesses).filter(|access| !access.write);
    let show = |s: &ByteSource| (s.lo, s.hi, s.step.map(|step| writes.iter().position(|&w| w == step).unwrap()));
    reads.map(|access| access.sources.iter().map(show).collect()).collect()
}

#[test]
fn branches_and_inputs() {
    let recording = recorded(
        "global n: i32 = 0
        fn main() -> i32 {
          a = havoc.i32 nondet
          if a < 5 goto small
          store.i32 &n, 1
          goto end
        small:
          store.i32 &n, 2
          b = havoc.i32 nondet
          if b < 5 goto end
        end:
          return 0
        }",
        &[("nondet", &[3, 7])],
    );
    let branches: Vec<bool> = recording.branches(ThreadId::new(0)).map(|(_, taken)| taken).collect();
    assert_eq!(branches, [true, false]);
    let inputs: Vec<(u32, u128)> = recording
        .steps
        .iter()
        .filter_map(|step| match &step.action {
            RecordedAction::Input { occurrence, value, .. } => Some((*occurrence, value.bits.0)),
            _ => None,
        })
        .collect();
    assert_eq!(inputs, [(0, 3), (1, 7)]);
}

#[test]
fn every_byte_knows_its_writer() {
    let recording = recorded(
        "global n: i64 = 0
        fn main() -> i32 {
          a = load.i64 &n
          store.i32 &n+2, 1
          store.i8 &n+3, 2
          b = load.i64 &n
          c = load.i8 &n+3
          return 0
        }",
        &[],
    );
    let expected: [&[(i32, i32, Option<usize>)]; 3] = [
        &[(0, 8, None)],
        &[(0, 2, None), (2, 3, Some(0)), (3, 4, Some(1)), (4, 6, Some(0)), (6, 8, None)],
        &[(3, 4, Some(1))],
    ];
    assert_eq!(sources(&recording), expected);
}

#[test]
fn an_object_does_not_inherit_the_writes_of_the_one_before() {
    let recording = recorded(
        "fn main() -> i32 {
          p = alloc.heap.zeroed 4
          store.i32 p, 1
          free.heap p
          q = alloc.heap.zeroed 4
          a = load.i32 q
          free.heap q
          return 0
        }",
        &[],
    );
    assert_eq!(sources(&recording), [[(0, 4, None)]]);
    let blocks: Vec<u32> = recording.objects.iter().filter(|o| o.serial > 0).map(|o| o.serial).collect();
    assert_eq!(blocks, [1, 2]);
}
