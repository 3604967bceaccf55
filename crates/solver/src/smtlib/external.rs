//! Another solver as a process that speaks SMT-LIB.
//!
//! Each query starts the program anew: that is slower than keeping it, and it cannot be confused by what went
//! before. Threads write to it and read from it, so that deadlines and cancellation are kept whatever it does.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use heddle_base::{Budget, Stop};

use super::parse::{self, ParseError, Sexp};
use super::print::Printer;
use crate::eval::Assignment;
use crate::solver::{Answer, Core, Model, expect_bool};
use crate::sort::{Sort, SortError};
use crate::terms::{TermId, Terms};
use crate::value::Value;

/// What went wrong outside of the question itself.
#[derive(Debug)]
pub enum ExternalError {
    /// The command is empty.
    NoCommand,
    /// The program could not be started or talked to.
    Io(std::io::Error),
    /// It ended before it had answered.
    Ended,
    /// It answered something else.
    Parse(ParseError),
    /// It says `sat`, but by its own evaluation this term is false in its model.
    NotAModel(TermId),
    /// A term of the query is not Boolean.
    Sort(SortError),
}

impl fmt::Display for ExternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExternalError::NoCommand => write!(f, "no solver was named"),
            ExternalError::Io(error) => write!(f, "cannot run the solver: {error}"),
            ExternalError::Ended => write!(f, "the solver ended without an answer"),
            ExternalError::Parse(error) => write!(f, "{error}"),
            ExternalError::NotAModel(term) => write!(f, "the solver's own model makes {term} false"),
            ExternalError::Sort(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ExternalError {}

impl From<std::io::Error> for ExternalError {
    fn from(error: std::io::Error) -> Self {
        ExternalError::Io(error)
    }
}

impl From<ParseError> for ExternalError {
    fn from(error: ParseError) -> Self {
        ExternalError::Parse(error)
    }
}

impl From<SortError> for ExternalError {
    fn from(error: SortError) -> Self {
        ExternalError::Sort(error)
    }
}

/// A command that reads SMT-LIB from its standard input: `z3 -in`, `bitwuzla`, `cvc5 --incremental`, `yices-smt2`.
#[derive(Clone, Debug)]
pub struct ExternalSolver {
    program: String,
    arguments: Vec<String>,
}

/// How often a waiting query looks at its budget.
const POLL: Duration = Duration::from_millis(20);

/// How many values are asked for at once: some solvers print them on one line, however long it gets.
const PORTION: usize = 64;

impl ExternalSolver {
    /// The solver of a command line, split at white space.
    pub fn new(command: &str) -> Result<Self, ExternalError> {
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next().ok_or(ExternalError::NoCommand)?;
        Ok(ExternalSolver { program, arguments: words.collect() })
    }

    /// Whether all assertions and assumptions can be true together.
    pub fn solve(
        &self,
        terms: &Terms,
        asserted: &[TermId],
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, ExternalError> {
        for &term in asserted.iter().chain(assumptions) {
            expect_bool(terms, term)?;
        }
        let mut session = Session::start(self, budget)?;
        let answer = session.ask(terms, asserted, assumptions);
        match answer {
            Err(Failure::Stopped(stop)) => Ok(Answer::Unknown(stop)),
            Err(Failure::Error(error)) => Err(error),
            Ok(answer) => Ok(answer),
        }
    }
}

enum Failure {
    Stopped(Stop),
    Error(ExternalError),
}

impl<E: Into<ExternalError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Error(error.into())
    }
}

/// One running process; killed when dropped.
struct Session<'a> {
    child: Child,
    input: Sender<String>,
    lines: Receiver<String>,
    budget: &'a Budget,
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // It may be gone already; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Session<'a> {
    fn start(solver: &ExternalSolver, budget: &'a Budget) -> Result<Self, ExternalError> {
        let mut child = Command::new(&solver.program)
            .args(&solver.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let ((sender, lines), (input, texts)) = (channel(), channel::<String>());
        if let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            std::thread::spawn(move || forward(stdout, &sender));
            std::thread::spawn(move || {
                // A process that does not want to read any more is noticed when it does not answer.
                while let Ok(text) = texts.recv() {
                    let _ = stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush());
                }
            });
        }
        Ok(Session { child, input, lines, budget })
    }

    fn send(&mut self, text: String) -> Result<(), Failure> {
        self.input.send(text).map_err(|_| ExternalError::Ended.into())
    }

    /// The next S-expression that the process prints.
    fn receive(&mut self) -> Result<Sexp, Failure> {
        let mut text = String::new();
        loop {
            match self.lines.recv_timeout(POLL) {
                Ok(line) => {
                    text.push_str(&line);
                    text.push('\n');
                    if let Some(sexp) = parse::read(&text)? {
                        return Ok(sexp);
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.budget.check().map_err(Failure::Stopped)?,
                Err(RecvTimeoutError::Disconnected) => return Err(ExternalError::Ended.into()),
            }
        }
    }

    fn ask(&mut self, terms: &Terms, asserted: &[TermId], assumptions: &[TermId]) -> Result<Answer, Failure> {
        let text = question(terms, asserted, assumptions);
        self.send(text)?;
        let answer = self.receive()?;
        match answer.atom() {
            Some("sat") => self.model(terms, asserted, assumptions).map(Answer::Sat),
            Some("unsat") => self.core(assumptions).map(Answer::Unsat),
            Some("unknown" | "timeout") => Ok(Answer::Unknown(Stop::Time)),
            _ => Err(ParseError(format!("{answer:?}")).into()),
        }
    }

    fn model(&mut self, terms: &Terms, asserted: &[TermId], assumptions: &[TermId]) -> Result<Model, Failure> {
        let all: Vec<TermId> = asserted.iter().chain(assumptions).copied().collect();
        self.check_model(terms, &all)?;
        let mut assignment = Assignment::new();
        for portion in terms.variables_of(&all).chunks(PORTION) {
            let names: Vec<String> = portion.iter().map(|&v| super::print::symbol(terms, v)).collect();
            for (&var, value) in portion.iter().zip(self.values(&names)?) {
                assignment.set(var, parse::value(&value, terms.sort(terms.var_term(var)))?);
            }
        }
        Ok(Model::new(assignment))
    }

    /// Asks whether the model makes the terms true: it does not always. Z3 4.8.12, for one, finds constant arrays
    /// equal to others (its issue 5593). A value that cannot be read is no objection.
    fn check_model(&mut self, terms: &Terms, all: &[TermId]) -> Result<(), Failure> {
        let printer = Printer::new(terms);
        for portion in all.chunks(PORTION) {
            let names: Vec<String> = portion.iter().map(|&term| printer.name(term)).collect();
            for (&term, value) in portion.iter().zip(self.values(&names)?) {
                if parse::value(&value, Sort::Bool) == Ok(Value::Bool(false)) {
                    return Err(ExternalError::NotAModel(term).into());
                }
            }
        }
        Ok(())
    }

    /// The values of expressions in the model.
    fn values(&mut self, names: &[String]) -> Result<Vec<Sexp>, Failure> {
        self.send(format!("(get-value ({}))\n", names.join(" ")))?;
        let answer = self.receive()?;
        let pairs = answer.list().filter(|pairs| pairs.len() == names.len());
        let value = |pair: &Sexp| match pair.list() {
            Some([_, value]) => Some(value.clone()),
            Some(_) | None => None,
        };
        let values = pairs.and_then(|pairs| pairs.iter().map(value).collect());
        values.ok_or_else(|| ParseError(format!("{answer:?}")).into())
    }

    fn core(&mut self, assumptions: &[TermId]) -> Result<Core, Failure> {
        if assumptions.is_empty() {
            return Ok(Core::default());
        }
        self.send("(get-unsat-assumptions)\n".to_owned())?;
        let answer = self.receive()?;
        let names = answer.list().ok_or_else(|| ParseError(format!("{answer:?}")))?;
        let failed = |i: usize| names.iter().any(|n| n.atom() == Some(handle(i).as_str()));
        let mut core = Vec::new();
        for (i, &term) in assumptions.iter().enumerate() {
            if failed(i) && !core.contains(&term) {
                core.push(term);
            }
        }
        Ok(Core { assumptions: core })
    }
}

/// The name of an assumption.
fn handle(i: usize) -> String {
    format!("assumption!{i}")
}

/// The query up to its `check-sat`, with a name for every assumption.
fn question(terms: &Terms, asserted: &[TermId], assumptions: &[TermId]) -> String {
    let mut printer = Printer::new(terms);
    printer.line("(set-option :produce-models true)");
    if !assumptions.is_empty() {
        printer.line("(set-option :produce-unsat-assumptions true)");
    }
    printer.line("(set-logic ALL)");
    printer.define(asserted);
    printer.define(assumptions);
    for &term in asserted {
        let name = printer.name(term);
        printer.line(&format!("(assert {name})"));
    }
    let mut handles = Vec::new();
    for (i, &term) in assumptions.iter().enumerate() {
        let (handle, name) = (handle(i), printer.name(term));
        printer.line(&format!("(declare-const {handle} Bool)"));
        printer.line(&format!("(assert (=> {handle} {name}))"));
        handles.push(handle);
    }
    if handles.is_empty() {
        printer.line("(check-sat)");
    } else {
        printer.line(&format!("(check-sat-assuming ({}))", handles.join(" ")));
    }
    printer.text
}

fn forward(output: impl Read, sender: &Sender<String>) {
    for line in BufReader::new(output).lines() {
        let Ok(line) = line else { return };
        if sender.send(line).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A solver that answers from a script of the shell, whatever it is asked.
    fn fake(answers: &str) -> ExternalSolver {
        ExternalSolver { program: "sh".to_owned(), arguments: vec!["-c".to_owned(), answers.to_owned()] }
    }

    /// A fake's beginning: `sat`, and then what it is asked for, to be matched with patterns.
    const SAYS_SAT: &str = "echo sat; while read line; do case $line in";

    #[test]
    fn answers_models_and_cores_are_read() {
        let mut terms = Terms::new();
        let (x, five) = (terms.bv_var("x", 8), terms.bv(8, 5));
        let goal = terms.ult(x, five);
        let budget = Budget::unlimited();
        let sat = fake(&format!(
            "{SAYS_SAT} '(get-value (x))') echo '((x #x03))';; *get-value*) echo '((t true))';; esac; done"
        ));
        let Ok(Answer::Sat(model)) = sat.solve(&terms, &[goal], &[], &budget) else { panic!("expected a model") };
        assert_eq!(model.eval(&terms, x).to_string(), "3:8");
        let unsat = fake("echo unsat; echo '(assumption!1)'; cat >/dev/null");
        let Ok(Answer::Unsat(core)) = unsat.solve(&terms, &[], &[Terms::TRUE, goal], &budget) else {
            panic!("expected a core")
        };
        assert_eq!(core.assumptions, [goal]);
    }

    #[test]
    fn a_model_that_its_solver_finds_false_is_an_error() {
        let mut terms = Terms::new();
        let p = terms.bool_var("p");
        let wrong = fake(&format!("{SAYS_SAT} *get-value*) echo '((p false))';; esac; done"));
        let answer = wrong.solve(&terms, &[Terms::TRUE, p], &[], &Budget::unlimited());
        assert!(matches!(answer, Err(ExternalError::Parse(_))), "one value for two terms");
        let answer = wrong.solve(&terms, &[p], &[], &Budget::unlimited());
        assert!(matches!(answer, Err(ExternalError::NotAModel(term)) if term == p));
    }

    #[test]
    fn failures_are_errors() {
        let terms = Terms::new();
        let ask = |solver: &ExternalSolver, budget: &Budget| solver.solve(&terms, &[Terms::TRUE], &[], budget);
        let budget = Budget::unlimited();
        assert!(matches!(ask(&fake("exit 0"), &budget), Err(ExternalError::Ended)));
        assert!(matches!(ask(&fake("echo '(error \"no\")'; cat >/dev/null"), &budget), Err(ExternalError::Parse(_))));
        assert!(matches!(ExternalSolver::new(" "), Err(ExternalError::NoCommand)));
        let soon = Budget::unlimited().with_time(Duration::from_millis(60));
        assert!(matches!(ask(&fake("sleep 60"), &soon), Ok(Answer::Unknown(Stop::Time))));
    }
}
