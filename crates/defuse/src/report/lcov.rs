//! LCOV tracefiles: `BRDA` records of the escort branches, for tools that show coverage in an editor or a build.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use heddle_base::Id;
use heddle_ir::Program;

use crate::campaign::Report;
use crate::statics::{Escort, Statics};

/// By line: the branches there, each with its direction and whether it was taken.
type Lines = BTreeMap<u32, Vec<(usize, bool, bool)>>;

/// The tracefile.
pub fn lcov(program: &Program, report: &Report, statics: &Statics) -> String {
    let mut files: BTreeMap<&str, Lines> = BTreeMap::new();
    for escort in statics.escort_branches() {
        let Escort::Branch { site, taken } = escort else { continue };
        let loc = program.functions[site.func].steps[site.step].loc;
        if loc.is_nowhere() {
            continue;
        }
        let lines = files.entry(program.sources.file_name(loc.file)).or_default();
        lines.entry(loc.line).or_default().push((site.step.index(), taken, report.taken.contains(&escort)));
    }
    let mut out = String::new();
    for (file, lines) in files {
        let _ = writeln!(out, "TN:heddle_defuse\nSF:{file}");
        let (mut all, mut hit) = (0, 0);
        for (line, branches) in lines {
            for (block, taken, covered) in branches {
                // Direction 0 is where the condition of the source holds.
                let _ = writeln!(out, "BRDA:{line},{block},{},{}", u8::from(taken), u8::from(covered));
                all += 1;
                hit += u32::from(covered);
            }
        }
        let _ = writeln!(out, "BRF:{all}\nBRH:{hit}\nend_of_record");
    }
    out
}
