//! One HTML page that needs nothing else: sources with an arrow from each definition to its uses, filters by variable,
//! thread and status, keys to step through the pairs, light and dark.

use std::collections::BTreeSet;

use heddle_ir::Program;
use serde_json::{Value, json};

use crate::campaign::Report;
use crate::invariants::Disagreement;
use crate::statics::Statics;

const PAGE: &str = include_str!("page.html");

/// The page.
pub fn html(program: &Program, report: &Report, statics: &Statics, warnings: &[Disagreement]) -> String {
    let mut data = super::json(program, report, statics, warnings);
    let mut wanted: BTreeSet<&str> = BTreeSet::new();
    for pair in report.pairs.keys() {
        let sites = pair.definition.as_ref().map(|d| d.site).into_iter().chain([pair.usage.site]);
        for site in sites {
            let loc = program.functions[site.func].steps[site.step].loc;
            if !loc.is_nowhere() {
                wanted.insert(program.sources.file_name(loc.file));
            }
        }
    }
    let files: Vec<Value> = (0..program.sources.file_count())
        .map(heddle_base::Id::new)
        .filter(|&file| wanted.contains(program.sources.file_name(file)))
        .map(|file: heddle_base::FileId| {
            let line = |number: u32| program.sources.line_text(file, number).map(str::to_owned);
            let lines: Vec<String> = (1..).map_while(line).collect();
            json!({ "name": program.sources.file_name(file), "lines": lines })
        })
        .collect();
    data["files"] = Value::Array(files);
    // A script element ends at the first `</`, wherever it stands.
    let text = data.to_string().replace("</", "<\\/");
    PAGE.replace("/*DATA*/null", &text)
}
