//! The rows of [ESBMC Tables 1 and 2], further families, and the paper's figures.

use super::super::child::Kind;

/// One program at one size and one bound of context switches.
pub struct Row {
    /// The paper's name, with the paper's numbers of threads or statements.
    pub name: &'static str,
    /// The group under which it is shown.
    pub group: Group,
    /// Below `corpus/families/`.
    pub program: &'static str,
    /// Further flags of `heddle check`.
    pub flags: &'static str,
    /// As `--property` takes them.
    pub properties: &'static str,
    /// The verdict of every engine that answers; within the bound, if it is `Safe`.
    pub expected: Kind,
    /// Threads beside the first one.
    pub threads: u32,
    /// Context switches; none if all are considered.
    pub contexts: Option<u32>,
    /// What the paper says.
    pub paper: Option<Paper>,
}

/// What rows are shown together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// The paper's first table.
    Table1,
    /// The paper's second table.
    Table2,
    /// Families that the paper does not have, and those of its families that block.
    Others,
}

impl Group {
    pub const ALL: [Group; 3] = [Group::Table1, Group::Table2, Group::Others];

    pub fn title(self) -> &'static str {
        match self {
            Group::Table1 => "Table 1",
            Group::Table2 => "Table 2",
            Group::Others => "Other families and dead-lock variants",
        }
    }
}

/// The paper's figures: seconds as printed there (TO: out of time, MO: out of memory).
#[derive(Clone, Copy)]
pub struct Paper {
    pub lazy: &'static str,
    /// Failing interleavings and all of them.
    pub interleavings: &'static str,
    pub record: &'static str,
    pub widen: &'static str,
    /// Of `widen`.
    pub iterations: &'static str,
}

impl Paper {
    /// Seconds, interleavings and iterations of one engine, empty where the paper has none.
    pub fn of(&self, engine: &str) -> [&'static str; 3] {
        match engine {
            "lazy" => [self.lazy, self.interleavings, ""],
            "record" => [self.record, "", ""],
            // Where memory ran out, the number of iterations says nothing.
            "widen" => [self.widen, "", if self.widen == "MO" { "" } else { self.iterations }],
            _ => [""; 3],
        }
    }
}

const ALL: Option<u32> = None;

fn row(name: &'static str, program: &'static str, flags: &'static str, threads: u32, contexts: Option<u32>) -> Row {
    let (properties, expected, group, paper) = ("assert", Kind::Unsafe, Group::Others, None);
    Row { name, group, program, flags, properties, expected, threads, contexts, paper }
}

impl Row {
    /// No violation is expected.
    fn safe(self, properties: &'static str) -> Row {
        Row { expected: Kind::Safe, properties, ..self }
    }

    /// A violation of this property is expected, instead of a failing assertion.
    fn violates(self, properties: &'static str) -> Row {
        Row { properties, ..self }
    }

    /// The paper has it, with these figures: `lazy`, failing/all, `record`, `widen`, iterations.
    fn paper(self, group: Group, figures: [&'static str; 5]) -> Row {
        let [lazy, interleavings, record, widen, iterations] = figures;
        Row { group, paper: Some(Paper { lazy, interleavings, record, widen, iterations }), ..self }
    }
}

/// All rows, in the order of the tables.
pub fn rows() -> Vec<Row> {
    [table1(), table2(), others()].into_iter().flatten().collect()
}

fn table1() -> Vec<Row> {
    let reorder = |name, flags, threads, contexts| row(name, "contexts/reorder.c", flags, threads, Some(contexts));
    let twostage = |name, flags, threads| row(name, "contexts/twostage.c", flags, threads, Some(4));
    let wronglock = |name, flags, threads| row(name, "contexts/wronglock.c", flags, threads, Some(8));
    let micro =
        |name, flags, threads, contexts| row(name, "contexts/micro.c", flags, threads, Some(contexts)).safe("assert");
    let rows = vec![
        (reorder("reorder_3_bad (2,1)", "-DN=2 -DWRONG", 3, 4), ["<1", "1/29", "<1", "<1", "4"]),
        (reorder("reorder_4_bad (3,1)", "-DN=3 -DWRONG", 4, 5), ["<1", "1/82", "1", "4", "5"]),
        (reorder("reorder_5_bad (4,1)", "-DN=4 -DWRONG", 5, 6), ["<1", "1/277", "4", "18", "6"]),
        (reorder("reorder_6_bad (5,1)", "-DN=5 -DWRONG", 6, 7), ["<1", "1/853", "36", "72", "7"]),
        (reorder("reorder_6_bad (5,1)", "-DN=5 -DWRONG", 6, 8), ["<1", "1/2810", "225", "592", "7"]),
        (reorder("reorder_6_bad (5,1)", "-DN=5 -DWRONG", 6, 9), ["<1", "1/8124", "MO", "MO", "1"]),
        (twostage("twostage_3_bad (2,1)", "-DN=2 -DWRONG", 3), ["1", "1/35", "1", "3", "5"]),
        (twostage("twostage_4_bad (3,1)", "-DN=3 -DWRONG", 4), ["2", "1/42", "1", "4", "5"]),
        (twostage("twostage_5_bad (4,1)", "-DN=4 -DWRONG", 5), ["2", "1/44", "1", "5", "5"]),
        (twostage("twostage_6_bad (5,1)", "-DN=5 -DWRONG", 6), ["2", "1/45", "2", "5", "5"]),
        (wronglock("wronglock_4_bad (1,3)", "-DN=3 -DWRONG", 4), ["5", "2/489", "10", "89", "9"]),
        (wronglock("wronglock_5_bad (1,4)", "-DN=4 -DWRONG", 5), ["10", "3/2869", "50", "408", "9"]),
        (wronglock("wronglock_6_bad (1,5)", "-DN=5 -DWRONG", 6), ["18", "4/12106", "225", "2060", "9"]),
        (wronglock("wronglock_7_bad (1,6)", "-DN=6 -DWRONG", 7), ["34", "5/39100", "MO", "MO", "1"]),
        (micro("micro_2_ok (100)", "-DN=100 -DTHREADS=2", 2, 2), ["<1", "0/4", "<1", "<1", "1"]),
        (micro("micro_2_ok (100)", "-DN=100 -DTHREADS=2", 2, 17), ["1095", "0/131072", "MO", "MO", "1"]),
        (micro("micro_3_ok (100)", "-DN=100 -DTHREADS=3", 3, 2), ["<1", "0/9", "<1", "<1", "1"]),
        (micro("micro_3_ok (100)", "-DN=100 -DTHREADS=3", 3, 12), ["1021", "0/121393", "MO", "MO", "1"]),
    ];
    rows.into_iter().map(|(row, figures)| row.paper(Group::Table1, figures)).collect()
}

fn table2() -> Vec<Row> {
    let rows = vec![
        (
            row("circular_buffer_ok", "contexts/circular_buffer.c", "-DN=8", 2, ALL).safe("assert,memory"),
            ["477", "0/12870", "MO", "MO", "1"],
        ),
        (
            row("circular_buffer_bad", "contexts/circular_buffer.c", "-DN=8 -DWRONG", 2, Some(5)),
            ["<1", "3/32", "2", "11", "6"],
        ),
        (row("queue_ok", "queue.c", "-DN=20 -DWHOLE", 2, ALL).safe("assert,memory"), ["3", "0/6", "3", "3", "1"]),
        (row("queue_bad", "queue.c", "-DN=20 -DWRONG", 2, Some(8)), ["3", "91/256", "50", "373", "7"]),
        (
            row("stack_ok", "stack.c", "-DN=10", 2, Some(12)).safe("assert,memory"),
            ["225", "0/4094", "1026", "1097", "1"],
        ),
        (row("stack_bad", "stack.c", "-DN=10 -DWRONG", 2, Some(4)), ["<1", "4/16", "2", "6", "4"]),
        (
            row("fsbench_ok", "contexts/fsbench.c", "-DN=26", 26, Some(2)).safe("assert,memory"),
            ["252", "0/676", "304", "301", "1"],
        ),
        (
            row("fsbench_bad", "contexts/fsbench.c", "-DN=27 -DWRONG", 27, Some(2)).violates("memory"),
            ["<1", "729/729", "360", "786", "2"],
        ),
        (
            row("indexer_ok", "contexts/indexer.c", "-DN=13", 13, Some(4)).safe("assert,memory"),
            ["595", "0/17160", "220", "218", "1"],
        ),
        (
            row("stateful20_ok", "contexts/stateful.c", "-DN=20", 2, Some(10)).safe("assert"),
            ["95", "0/1024", "487", "518", "1"],
        ),
        (
            row("sync02_ok", "contexts/sync02.c", "-DN=20 --unwind 2", 2, Some(21)).safe("assert"),
            ["44", "0/121", "60", "60", "1"],
        ),
        (
            row("sync02_bad", "contexts/sync02.c", "-DN=20 -DWRONG --unwind 2", 2, Some(21)),
            ["8", "5/186", "132", "383", "3"],
        ),
        (
            row("reorder_10_bad (9,1)", "contexts/reorder.c", "-DN=9 -DWRONG", 10, Some(11)),
            ["<1", "1/154574", "MO", "MO", "1"],
        ),
        (
            row("twostage_100_bad (99,1)", "contexts/twostage.c", "-DN=99 -DWRONG", 100, Some(4)),
            ["88", "1/139", "93", "195", "5"],
        ),
        (
            row("wronglock_8_bad (1,7)", "contexts/wronglock.c", "-DN=7 -DWRONG", 8, Some(8)),
            ["90", "6/104015", "MO", "MO", "1"],
        ),
        (
            row("micro_10_ok (100)", "contexts/micro.c", "-DN=100 -DTHREADS=10", 10, Some(17)).safe("assert"),
            ["254", "0/29260", "MO", "MO", "1"],
        ),
    ];
    rows.into_iter().map(|(row, figures)| row.paper(Group::Table2, figures)).collect()
}

fn others() -> Vec<Row> {
    const DINING: [(&str, &str, &str); 6] = [
        ("philosophers_2_bad", "philosophers_2_ok", "-DN=2"),
        ("philosophers_3_bad", "philosophers_3_ok", "-DN=3"),
        ("philosophers_4_bad", "philosophers_4_ok", "-DN=4"),
        ("philosophers_5_bad", "philosophers_5_ok", "-DN=5"),
        ("philosophers_6_bad", "philosophers_6_ok", "-DN=6"),
        ("philosophers_7_bad", "philosophers_7_ok", "-DN=7"),
    ];
    const ORDERED: [&str; 6] = [
        "-DN=2 -DORDERED",
        "-DN=3 -DORDERED",
        "-DN=4 -DORDERED",
        "-DN=5 -DORDERED",
        "-DN=6 -DORDERED",
        "-DN=7 -DORDERED",
    ];
    let dining = |name, flags, threads| row(name, "contexts/philosophers.c", flags, threads, ALL);
    let mut rows = Vec::new();
    for (((bad, ok, flags), ordered), threads) in DINING.into_iter().zip(ORDERED).zip(2..) {
        rows.push(dining(bad, flags, threads).violates("deadlock"));
        rows.push(dining(ok, ordered, threads).safe("deadlock"));
    }
    let blocking = |name, program, flags, threads| row(name, program, flags, threads, ALL).violates("deadlock");
    let fine = |name, program, flags, threads| row(name, program, flags, threads, ALL).safe("assert,deadlock");
    let wrong = |name, program, flags, threads| row(name, program, flags, threads, ALL);
    rows.extend([
        row("reorder_20_bad (19,1)", "contexts/reorder.c", "-DN=19 -DWRONG", 20, Some(21)),
        fine("account_ok (2)", "contexts/account.c", "-DN=2", 3),
        wrong("account_bad (2)", "contexts/account.c", "-DN=2 -DWRONG", 3),
        blocking("account_blocks (2)", "contexts/account.c", "-DN=2 -DNESTED", 3),
        fine("token_ring_ok (4)", "contexts/token_ring.c", "-DN=4", 4),
        wrong("token_ring_bad (4)", "contexts/token_ring.c", "-DN=4 -DWRONG", 4),
        blocking("token_ring_blocks (4)", "contexts/token_ring.c", "-DN=4 -DLOSING", 4),
        fine("lazy_ok (3)", "contexts/lazy.c", "-DN=3", 4),
        wrong("lazy_bad (3)", "contexts/lazy.c", "-DN=3 -DWRONG", 4),
        fine("arithmetic_ok (5)", "contexts/arithmetic.c", "-DN=5", 2),
        wrong("arithmetic_bad (5)", "contexts/arithmetic.c", "-DN=5 -DWRONG", 2),
        fine("carter_ok (2)", "contexts/carter.c", "-DN=2", 2),
        blocking("carter_bad (2)", "contexts/carter.c", "-DN=2 -DONE_LOCK", 2),
        row("bluetooth_ok (2)", "contexts/bluetooth.c", "-DN=2", 3, ALL).safe("assert"),
        wrong("bluetooth_bad (2)", "contexts/bluetooth.c", "-DN=2 -DWRONG", 3),
        blocking("twostage_blocks (2,1)", "contexts/twostage.c", "-DN=2 -DNESTED", 3),
        blocking("wronglock_blocks (1,2)", "contexts/wronglock.c", "-DN=2 -DNESTED", 3),
        blocking("sync02_blocks (2)", "contexts/sync02.c", "-DN=2 -DSILENT --unwind 2", 2),
    ]);
    rows
}
