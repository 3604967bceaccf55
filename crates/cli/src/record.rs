//! Records of compilations in object files: how `heddle check ./program` knows its sources.
//!
//! `heddle cc` adds a section `.heddle` to every object file. Linkers lay sections of one name end to end, also those of the
//! members of archives that they take, so a program has the records of what was linked into it, no more and no less.
//! A record is a mark, a length and a JSON object; it is found by its mark, whatever the format of the file is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use heddle_c_front::preprocess::CppFlag;
use heddle_ir::DataModel;
use serde_json::{Value, json};

use crate::compiler_flags::Invocation;

/// The section's name.
const SECTION: &str = ".heddle";

/// What a record begins with. Put together at run time, so that this program has no such text.
fn mark() -> Vec<u8> {
    [b"\0heddle".as_slice(), b"-unit\0"].concat()
}

/// A file with the flags that it is compiled with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Where the compiler ran.
    pub directory: PathBuf,
    /// The source file, as the compiler was told.
    pub file: PathBuf,
    /// Flags of the preprocessor.
    pub flags: Vec<CppFlag>,
    /// `-std`.
    pub std: Option<String>,
    /// `-m32`.
    pub data_model: Option<DataModel>,
    /// The object file, if it is known.
    pub output: Option<PathBuf>,
}

impl Unit {
    /// The units of a compiler's command line.
    pub fn of(invocation: &Invocation, directory: &Path) -> Vec<Unit> {
        let unit = |file: &PathBuf| Unit {
            directory: directory.to_owned(),
            file: file.clone(),
            flags: invocation.flags.clone(),
            std: invocation.std.clone(),
            data_model: invocation.data_model,
            output: invocation.output.clone(),
        };
        invocation.sources.iter().map(unit).collect()
    }

    fn to_bytes(&self) -> Vec<u8> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let mut words: Vec<String> = Vec::new();
        words.extend(self.flags.iter().flat_map(CppFlag::words).map(|word| word.to_string_lossy().into_owned()));
        words.extend(self.std.iter().map(|std| format!("-std={std}")));
        match self.data_model {
            Some(DataModel::Ilp32) => words.push("-m32".to_owned()),
            Some(DataModel::Lp64) => words.push("-m64".to_owned()),
            None => {}
        }
        let object = json!({ "directory": text(&self.directory), "file": text(&self.file), "flags": words });
        let object = object.to_string();
        let mut bytes = mark();
        bytes.extend((object.len() as u32).to_le_bytes());
        bytes.extend(object.bytes());
        bytes
    }

    fn from_json(text: &[u8]) -> Option<Unit> {
        let object: Value = serde_json::from_slice(text).ok()?;
        let mut words: Vec<OsString> = Vec::new();
        for word in object["flags"].as_array()? {
            words.push(word.as_str()?.into());
        }
        let invocation = Invocation::parse(&words);
        Some(Unit {
            directory: object["directory"].as_str()?.into(),
            file: object["file"].as_str()?.into(),
            flags: invocation.flags,
            std: invocation.std,
            data_model: invocation.data_model,
            output: None,
        })
    }
}

/// The records in a file, each once, in the order of the file.
pub fn read(bytes: &[u8]) -> Vec<Unit> {
    let mark = mark();
    let mut units: Vec<Unit> = Vec::new();
    let mut at = 0;
    while let Some(found) = find(&bytes[at..], &mark) {
        at += found + mark.len();
        let Some(length) = bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes) else { break };
        let text = bytes.get(at + 4..at + 4 + length as usize);
        if let Some(unit) = text.and_then(Unit::from_json)
            && !units.contains(&unit)
        {
            units.push(unit);
        }
    }
    units
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Adds records to an object file or program.
pub fn write(object: &Path, units: &[Unit]) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", object.display());
    let mut all = read(&std::fs::read(object).map_err(named)?);
    all.retain(|unit| !units.contains(unit));
    all.extend(units.iter().cloned());
    let bytes: Vec<u8> = all.iter().flat_map(Unit::to_bytes).collect();
    let name = format!("heddle-record-{}-{:x}", std::process::id(), bytes.len());
    let part = std::env::temp_dir().join(name);
    std::fs::write(&part, bytes).map_err(|error| format!("{}: {error}", part.display()))?;
    let tool = std::env::var("OBJCOPY").ok().filter(|tool| !tool.is_empty()).unwrap_or_else(|| "objcopy".to_owned());
    let mut section = OsString::from(format!("{SECTION}="));
    section.push(&part);
    let run = Command::new(&tool)
        .args(["--remove-section", SECTION, "--add-section"])
        .arg(section)
        .args(["--set-section-flags", &format!("{SECTION}=noload,readonly")])
        .arg(object)
        .output();
    // Nothing hangs on what is left in the temporary directory.
    let _ = std::fs::remove_file(&part);
    match run {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()),
        Err(error) => Err(format!("`{tool}`: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_among_other_bytes() {
        let words: Vec<OsString> =
            ["-DA=\"x y\"", "-I", "inc", "-m32", "-std=c99", "a.c", "b.c"].map(Into::into).into();
        let units = Unit::of(&Invocation::parse(&words), Path::new("/src"));
        assert_eq!(units.len(), 2);
        let mut bytes = b"\x7fELF\0hedd\0heddle".to_vec();
        for unit in units.iter().chain(&units) {
            bytes.extend(unit.to_bytes());
            bytes.extend([0; 3]);
        }
        assert_eq!(read(&bytes), units);
        assert_eq!(read(&bytes[..40]), []);
    }
}
