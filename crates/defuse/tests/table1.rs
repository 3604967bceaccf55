//! [DEFUSE Table I] The running example, step by step. Lines are the paper's.

use std::collections::BTreeSet;

use heddle_base::Budget;
use heddle_c_front::{Input, Options, compile};
use heddle_defuse::{Campaign, DefuseConfig, Escort, EscortPair, Pair, Report, Round, Statics};
use heddle_ir::{Analysis, Program, Visibility};
use heddle_machine::{Config, record};
use heddle_task::{RecordedAction, RecordedStep, Schedule};

/// Fig. 2; `main_body` is what the first thread does besides.
fn program(main_body: &str) -> Program {
    let text = format!(
        r#"
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int __VERIFIER_nondet_int(void);
int x, y, z;
void *t0(void *p) {{
# 100 "fig2.c"
  int a = __VERIFIER_nondet_int();
# 1 "fig2.c"
  if (a > 1)
    z = x + 2;
  else {{
    z = x - 2;
    x = 3;
  }}
# 100 "fig2.c"
  return 0;
}}
void *t1(void *p) {{
# 100 "fig2.c"
  int b = __VERIFIER_nondet_int();
# 6 "fig2.c"
  if (b > 5)
    b = y + 1;
  else
    b = y - 1;
  if (x > 2)
    y = z + 1;
  else
    x = z - 1;
# 100 "fig2.c"
  return 0;
}}
void *t2(void *p) {{
# 100 "fig2.c"
  int d, c = __VERIFIER_nondet_int();
# 14 "fig2.c"
  if (c < 2)
    d = 1;
  else
    d = 0;
# 100 "fig2.c"
  return 0;
}}
int main(void) {{
  pthread_t a, b, c;
  pthread_create(&a, 0, t0, 0);
  pthread_create(&b, 0, t1, 0);
  pthread_create(&c, 0, t2, 0);
# 200 "fig2.c"
  {main_body}
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}}
"#
    );
    let input = Input { name: "fig2.c".to_owned(), text, original: None };
    let compiled = compile(vec![input], Options::default());
    let mut program = compiled.program.expect("no errors");
    heddle_ir::passes::standard(&mut program);
    program
}

struct Table {
    program: Program,
    report: Report,
    fingerprint_schedules: Vec<Schedule>,
    statics: std::rc::Rc<Statics>,
}

impl Table {
    fn new(main_body: &str, config: &DefuseConfig) -> Self {
        let program = program(main_body);
        let budget = Budget::unlimited();
        let campaign = Campaign::new(&program, config, &budget).unwrap();
        let (report, statics) = campaign.run(&|_| {});
        assert_eq!(report.cut, None);
        assert_eq!(report.statistics.unconfirmed, 0);
        let fingerprint_schedules = report.executions.iter().map(|execution| execution.schedule.clone()).collect();
        Table { program, report, fingerprint_schedules, statics }
    }

    fn line(&self, site: heddle_task::CodeSite) -> u32 {
        self.program.functions[site.func].steps[site.step].loc.line
    }

    fn escort(&self, escort: Escort) -> String {
        match escort {
            Escort::Branch { site, taken } => format!("{}{}", self.line(site), if taken { "F" } else { "T" }),
            Escort::Entry(func) => self.program.functions[func].name.clone(),
        }
    }

    fn escorts(&self, pairs: &BTreeSet<EscortPair>) -> String {
        let mut all: Vec<String> =
            pairs.iter().map(|&(p, q)| format!("{}⇒{}", self.escort(p), self.escort(q))).collect();
        all.sort();
        all.join(" ")
    }

    fn pairs(&self, pairs: &BTreeSet<Pair>) -> String {
        let show = |pair: &Pair| {
            let write = pair.definition.as_ref().map_or(0, |definition| self.line(definition.site));
            let name = &pair.variable;
            format!("W{write}{name}→R{}", self.line(pair.usage.site))
        };
        let mut all: Vec<String> = pairs.iter().map(show).collect();
        all.sort();
        all.join(" ")
    }

    /// The lines that the three threads execute, in order. What a thread does before its first turn comes with that turn.
    fn run(&self, round: &Round) -> String {
        let schedule = &self.fingerprint_schedules[round.execution];
        let analysis = Analysis::new(&self.program);
        let code = heddle_machine::compile(&self.program, &Visibility::analysed(&self.program, &analysis.sharing));
        let done = record(&self.program, &code, schedule, Config::default(), &Budget::unlimited());
        let (_, recording) = done.expect("the schedule fits");
        let names = schedule.names().unwrap();
        let turns: Vec<_> = schedule.runs(&names).unwrap().into_iter().flat_map(|(c, n)| vec![c; n as usize]).collect();
        let own = |step: &RecordedStep| turns[step.turn as usize].thread == step.thread;
        let mut ordered: Vec<&RecordedStep> = Vec::new();
        let mut early: Vec<&RecordedStep> = Vec::new();
        for step in &recording.steps {
            if own(step) {
                let (first, rest) = early.into_iter().partition(|other| other.thread == step.thread);
                early = rest;
                ordered.extend::<Vec<_>>(first);
                ordered.push(step);
            } else {
                early.push(step);
            }
        }
        let mut lines: Vec<String> = Vec::new();
        for step in ordered {
            let line = self.line(step.site).to_string();
            if !self.program.functions[step.site.func].name.starts_with('t') || line.len() > 2 {
                continue;
            }
            let direction = match step.action {
                RecordedAction::Branch { taken } => {
                    if taken {
                        "F"
                    } else {
                        "T"
                    }
                }
                RecordedAction::Read { .. } | RecordedAction::Write { .. } | RecordedAction::Assign { .. } => "",
                _ => continue,
            };
            if lines.last() == Some(&line) {
                lines.pop();
            }
            lines.push(line + direction);
        }
        lines.join(" ")
    }

    fn negated(&self, round: &Round) -> String {
        let all: Vec<String> = round.negated.iter().map(|(escort, _)| self.escort(*escort)).collect();
        all.join(" ")
    }
}

fn first_inputs() -> DefuseConfig {
    // The generator of inputs numbers the three reads in the order of the file: a, b, c.
    let inputs = [("nondet_int", 2), ("nondet_int.2", 2), ("nondet_int.3", 3)];
    DefuseConfig {
        inputs: inputs.map(|(name, value)| (name.to_owned(), vec![value])).to_vec(),
        ..DefuseConfig::default()
    }
}

#[test]
fn step_by_step() {
    cov_mark::check!(defuse_algorithm_1);
    cov_mark::check!(defuse_algorithm_2);
    cov_mark::check!(defuse_algorithm_3);
    let table = Table::new("", &first_inputs());
    let initial = heddle_defuse::campaign::branches_only(&table.statics.escorts);
    assert_eq!(table.escorts(&initial), "10F⇒1F 10F⇒1T 1F⇒10F 1F⇒10T 1T⇒10F 1T⇒10T");
    let rounds = &table.report.rounds;

    let round = &rounds[0];
    assert_eq!(table.run(round), "1T 2 6F 9 10F 13 14F 17");
    assert_eq!(table.pairs(&round.explicit), "W0x→R10 W0x→R2 W2z→R13");
    assert_eq!(table.pairs(&round.implicit), "W0z→R13 W13x→R2");
    assert_eq!(table.escorts(&round.escorts), "10F⇒1F 1F⇒10F 1F⇒10T 1T⇒10T");
    assert_eq!(table.escorts(&round.working), "10F⇒1F 1F⇒10F 1T⇒10T");
    assert_eq!(table.negated(round), "1F");
    assert_eq!(round.fixed.iter().map(|&e| table.escort(e)).collect::<Vec<_>>(), ["10F"]);
    assert_eq!(round.pairs, 5);

    let round = &rounds[1];
    assert_eq!(table.run(round), "1F 4 5 6F 9 10T 11 14F 17");
    assert_eq!(table.pairs(&round.explicit), "W0x→R4 W4z→R11 W5x→R10");
    assert_eq!(table.pairs(&round.implicit), "");
    assert_eq!(table.escorts(&round.escorts), "10F⇒1F 1F⇒10F 1T⇒10T");
    assert_eq!(table.escorts(&round.working), "10F⇒1F 1F⇒10F 1T⇒10T");
    assert_eq!(table.negated(round), "10F 1T");
    assert_eq!(round.pairs, 8);

    let round = &rounds[2];
    assert_eq!(table.run(round), "1F 4 6F 9 10F 5 13 14F 17");
    assert_eq!(table.pairs(&round.explicit), "W0x→R10 W0x→R4 W4z→R13");
    assert_eq!(table.pairs(&round.implicit), "W13x→R4");
    assert_eq!(table.escorts(&round.escorts), "1T⇒10T");
    assert_eq!(table.escorts(&round.working), "");
    assert_eq!(table.negated(round), "");
    assert_eq!(round.pairs, 10);

    let round = &rounds[3];
    assert!(round.tested);
    assert_eq!(table.run(round), "1T 2 6F 9 10F 13 14F 17");
    assert_eq!(rounds.len(), 4);
}

#[test]
fn a_variable_that_one_thread_touches_is_left_out() {
    let own = Table::new("", &first_inputs());
    assert!(own.report.pairs.keys().all(|pair| pair.variable != "y"));
    let shared = Table::new("y = 7;", &first_inputs());
    let of_y: BTreeSet<Pair> = shared.report.pairs.keys().filter(|pair| pair.variable == "y").cloned().collect();
    // Branch 6 controls reads of y, so both of its directions are aimed at.
    assert_eq!(shared.pairs(&of_y), "W0y→R7 W0y→R9 W200y→R7 W200y→R9");
}

#[test]
fn exhaustive_finds_at_least_as_much() {
    let paper = Table::new("", &first_inputs());
    let all = Table::new("", &DefuseConfig { exhaustive: true, ..first_inputs() });
    for pair in paper.report.pairs.keys() {
        assert!(all.report.pairs.contains_key(pair), "{pair:?}");
    }
    let pairs: BTreeSet<Pair> = all.report.pairs.keys().cloned().collect();
    assert_eq!(all.pairs(&pairs), "W0x→R10 W0x→R2 W0x→R4 W0z→R13 W13x→R2 W13x→R4 W2z→R13 W4z→R11 W4z→R13 W5x→R10");
}
