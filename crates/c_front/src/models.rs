//! Library models: C sources for what programs use and do not define.

use crate::lower::Session;
use crate::parse::parse_unit;

/// One model file.
struct Model {
    /// Its name, as places in it are shown.
    file: &'static str,
    /// The functions and variables that it defines for programs.
    defines: &'static [&'static str],
    /// Its text.
    text: &'static str,
}

const MODELS: &[Model] = &[];

/// Adds the models that the program needs, and those that they need, until nothing is missing that a model defines.
pub(crate) fn resolve(session: &mut Session) {
    let mut added = vec![false; MODELS.len()];
    loop {
        let missing = session.missing();
        let next = MODELS
            .iter()
            .enumerate()
            .find(|(i, model)| !added[*i] && model.defines.iter().any(|d| missing.iter().any(|m| m == d)));
        let Some((i, model)) = next else { return };
        added[i] = true;
        add(session, model);
    }
}

fn add(session: &mut Session, model: &Model) {
    let start = session.sources.add_input(model.file, model.text.to_owned()).expect("models are small");
    let unit = parse_unit(&mut session.sources, start, &mut session.interner, &mut session.diags);
    session.lower_unit(&unit, true);
}
