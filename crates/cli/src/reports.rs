//! Reports in files: HTML, SARIF, JUnit, witnesses. Several can be asked for in one run.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use heddle_ir::{DataModel, Program, Property};
use heddle_report::json::CheckInfo;
use heddle_report::sarif::{Baseline, Known};
use heddle_report::witness::{WitnessTask, correctness, graphml, specification, yaml};
use heddle_report::{html, junit, sarif};
use heddle_task::{TraceEnd, Verdict};

use crate::args::InputArgs;
use crate::{native, output};

/// Flags for reports in files.
#[derive(Args, Clone, Debug, Default)]
pub struct ReportArgs {
    /// Write a report as one self-contained HTML page
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,

    /// Write a SARIF 2.1.0 log, for code scanning and editors
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Compare with an earlier SARIF log: violations that it has are known, and the exit code is 0 if all are
    #[arg(long, value_name = "OLD.sarif")]
    pub baseline: Option<PathBuf>,

    /// Take suppressions from FILE instead of `heddle.toml`: violations by property and place, each with a reason
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Write the result as JUnit XML, for CI services
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write a witness: of a violation in GraphML 1.0 if FILE ends with .graphml, else in YAML 2.0 (2.2 with threads); of a
    /// proof in YAML
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Write a regression test of the violation that stands alone: `sh FILE.c` builds the program, forces the interleaving on
    /// its real threads, and fails while the violation happens
    #[arg(long, value_name = "FILE.c")]
    pub emit_test: Option<PathBuf>,
}

impl ReportArgs {
    /// The baseline, if one was asked for. Read before the check: a bad file costs no time.
    pub fn read_baseline(&self) -> Result<Option<Baseline>, String> {
        let Some(path) = &self.baseline else { return Ok(None) };
        let named = |problem: String| format!("{}: {problem}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
        Baseline::parse(&text).map(Some).map_err(named)
    }

    /// Writes what was asked for. `Err` names the first file that could not be written.
    pub fn write(
        &self,
        verdict: &Verdict,
        info: &CheckInfo<'_>,
        known: &Known<'_>,
        input: &InputArgs,
        program: &Program,
    ) -> Result<(), String> {
        let save =
            |path: &Path, text: &str| output::save(path, text).map_err(|error| format!("{}: {error}", path.display()));
        if let Some(path) = &self.report {
            save(path, &html::page(verdict, info))?;
        }
        if let Some(path) = &self.sarif {
            save(path, &sarif::log(verdict, info, known))?;
        }
        if let Some(path) = &self.junit {
            let names: Vec<String> = input.files.iter().map(|file| file.display().to_string()).collect();
            save(path, &junit::report(verdict, info, &names.join(" ")))?;
        }
        if let Some(path) = &self.witness {
            match witness(path, verdict, input, program)? {
                Some(text) => save(path, &text)?,
                None => eprintln!("note: {}: no witness, there is no violation that its format knows", path.display()),
            }
        }
        if let (Some(path), Verdict::Unsafe(found)) = (&self.emit_test, verdict)
            && !native::write_test(path, input, &found.trace)
        {
            return Err("no regression test was written".to_owned());
        }
        Ok(())
    }
}

/// Whether the baseline has every violation.
pub fn all_known(verdict: &Verdict, baseline: Option<&Baseline>) -> bool {
    match (verdict, baseline) {
        (Verdict::Unsafe(found), Some(baseline)) => {
            std::iter::once(&**found).chain(&found.others).all(|one| baseline.has(&one.trace))
        }
        _ => false,
    }
}

/// The witness of a violation; none if there is no violation, or the exchange formats have no property for it.
fn witness(path: &Path, verdict: &Verdict, input: &InputArgs, program: &Program) -> Result<Option<String>, String> {
    let graph = path.extension().is_some_and(|extension| extension == "graphml");
    let property = match verdict {
        Verdict::Unsafe(found) => match &found.trace.end {
            TraceEnd::Violation { property, .. } => property.clone(),
            _ => return Ok(None),
        },
        // A proof is witnessed for one property, and in YAML alone.
        Verdict::Safe(_) if !graph => match input.properties.iter().collect::<Vec<_>>()[..] {
            [one] => one.to_string(),
            _ if input.properties.contains(Property::Assert) => Property::Assert.to_string(),
            _ => return Ok(None),
        },
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => return Ok(None),
    };
    let Some(specification) = specification(&property) else { return Ok(None) };
    let read = |file: &PathBuf| {
        let text = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok((file.display().to_string(), text))
    };
    let files = input.files.iter().map(read).collect::<Result<Vec<_>, String>>()?;
    let ilp32 = match program.model {
        DataModel::Ilp32 => true,
        DataModel::Lp64 => false,
    };
    let task = WitnessTask { files, specification: specification.to_owned(), ilp32 };
    let now = SystemTime::now();
    Ok(Some(match verdict {
        Verdict::Unsafe(found) if graph => graphml(&found.trace, &task, now),
        Verdict::Unsafe(found) => yaml(&found.trace, &task, now),
        Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unknown(_) => correctness(&task, now),
    }))
}
