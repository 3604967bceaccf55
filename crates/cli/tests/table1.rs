//! [TDV Table 1] The ten interleavings of the executed trace 1 2 5 6 7 of the program in Fig. 1: which of them can be
//! executed, and whether the assertion holds.
//!
//! Each is built as a schedule and given to the machine. An interleaving is valid if the machine, scheduled like that,
//! executes these statements in this order; it must leave the invalid ones at the branch that goes the other way.

use std::path::Path;

use clap::Parser;
use heddle_base::Budget;
use heddle_cli::args::{Cli, Command};
use heddle_cli::input;
use heddle_ir::Visibility;
use heddle_ir::{Program, PropertySet};
use heddle_machine::{Code, Config, ExitMode, Limits, replay};
use heddle_task::{Schedule, Trace, TraceEnd};

/// A column of the table: statements by the figure's line numbers, validity, and whether the assertion holds.
struct Column {
    statements: [u32; 5],
    valid: bool,
    holds: bool,
}

const fn column(statements: [u32; 5], valid: bool, holds: bool) -> Column {
    Column { statements, valid, holds }
}

/// π1 to π10. The paper marks π6 and π9 as invalid.
const TABLE_1: [Column; 10] = [
    column([1, 2, 5, 6, 7], true, true),
    column([1, 2, 6, 5, 7], true, true),
    column([1, 2, 6, 7, 5], true, false),
    column([1, 6, 2, 5, 7], true, true),
    column([1, 6, 2, 7, 5], true, false),
    column([1, 6, 7, 2, 5], false, false),
    column([6, 1, 2, 5, 7], true, true),
    column([6, 1, 2, 7, 5], true, false),
    column([6, 1, 7, 2, 5], false, false),
    column([6, 7, 1, 2, 5], true, true),
];

/// What the machine did with a schedule.
#[derive(PartialEq, Eq, Debug)]
struct Executed {
    statements: Vec<u32>,
    /// Whether the assertion was reached and held; none if it was not reached.
    holds: Option<bool>,
}

#[test]
fn tdv_table_1() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/papers/TDV/fig1_two_threads.c");
    let text = std::fs::read_to_string(&path).expect("the program of Fig. 1");
    let cli = Cli::parse_from(["heddle".as_ref(), "check".as_ref(), path.as_os_str()]);
    let Command::Check(args) = cli.command else { panic!("a check") };
    let program = input::load(&args.input, None).expect("it compiles");
    for (index, column) in TABLE_1.iter().enumerate() {
        let executed = execute(&program, &text, &column.statements);
        let name = format!("π{}", index + 1);
        if column.valid {
            let expected = Executed { statements: column.statements.to_vec(), holds: Some(column.holds) };
            assert_eq!(executed, expected, "{name}");
        } else {
            // After 7 the test on line 2 is true: line 3 follows, and line 5 is never reached.
            let mut expected = column.statements.to_vec();
            expected[4] = 3;
            assert_eq!(executed, Executed { statements: expected, holds: None }, "{name}");
        }
    }
}

#[test]
fn the_table_lists_all_interleavings() {
    let mut seen: Vec<[u32; 5]> = TABLE_1.iter().map(|column| column.statements).collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 10, "5 over 2 interleavings, none twice");
    for statements in seen {
        let of = |thread: &[u32]| -> Vec<u32> { statements.iter().copied().filter(|s| thread.contains(s)).collect() };
        assert_eq!((of(&[1, 2, 5]), of(&[6, 7])), (vec![1, 2, 5], vec![6, 7]));
    }
}

/// Lets the machine execute the statements in this order, as far as it can: each thread moves until it has executed its
/// statement.
fn execute(program: &Program, text: &str, statements: &[u32]) -> Executed {
    // Line 6 reads what nobody else writes by then; the analysis would not give it a turn of its own.
    let code = heddle_machine::compile(program, &Visibility::conservative(program));
    let mut turns = Vec::new();
    while replayed(program, &code, &[turns.clone(), vec!["0.2"]].concat()).is_none() {
        turns.push("0");
    }
    let mut executed = Executed { statements: Vec::new(), holds: None };
    for (index, &statement) in statements.iter().enumerate() {
        while executed.statements.len() <= index {
            turns.push(if statement <= 5 { "0.1" } else { "0.2" });
            let trace = replayed(program, &code, &turns).expect("both threads can move");
            executed.statements = marked_statements(&trace, text);
            let violated = matches!(trace.end, TraceEnd::Violation { .. });
            executed.holds = executed.statements.contains(&5).then_some(!violated);
        }
    }
    executed
}

/// What the machine does if threads move like this; none if one cannot.
fn replayed(program: &Program, code: &Code, turns: &[&str]) -> Option<Trace> {
    let turns: Vec<String> = turns.iter().map(|thread| format!("{{\"thread\": \"{thread}\", \"steps\": 1}}")).collect();
    let schedule = format!(
        "{{\"version\": 1, \"program\": \"{:016x}\", \"threads\": [\"0\", \"0.1\", \"0.2\"], \"turns\": [{}], \"inputs\": []}}",
        code.fingerprint(),
        turns.join(", ")
    );
    let schedule = Schedule::parse(&schedule).expect("a schedule");
    let config = Config {
        properties: PropertySet::default(),
        limits: Limits::default(),
        exit: ExitMode::Immediate,
        events: false,
        output: true,
        standard_input: None,
    };
    replay(program, code, &schedule, config, &Budget::unlimited()).ok().map(|(_, trace)| trace)
}

/// The statements that were executed, by the marks `/* L1 */` in the program's text.
fn marked_statements(trace: &Trace, text: &str) -> Vec<u32> {
    let mark = |line: u32| -> Option<u32> {
        let line = text.lines().nth(line as usize - 1)?;
        line.split_once("/* L")?.1.split_once(' ')?.0.parse().ok()
    };
    let mut statements: Vec<u32> = Vec::new();
    for step in trace.steps.iter().filter(|step| !step.model && step.place.line > 0) {
        if let Some(statement) = mark(step.place.line)
            && statements.last() != Some(&statement)
        {
            statements.push(statement);
        }
    }
    statements
}
