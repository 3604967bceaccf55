//! Source positions.
//!
//! All inputs of a run are laid end to end in one position space, so a place is a single `u32` ([`Pos`]) while
//! parsing. [`SourceMap::loc`] turns it into what a person reads: file, line and column *as the line markers of the
//! preprocessor tell them*, so that a place in a preprocessed file is named by the user's own file.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::define_id;
use crate::ids::{Id, IndexVec};

define_id!(
    /// A file as the user knows it: an input, or a name from a line marker.
    pub FileId, "file"
);

/// A byte position in the position space of a [`SourceMap`].
pub type Pos = u32;

/// A range of positions, end excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Span {
    /// First byte.
    pub lo: Pos,
    /// One behind the last byte.
    pub hi: Pos,
}

impl Span {
    /// The range `lo..hi`.
    pub fn new(lo: Pos, hi: Pos) -> Self {
        Span { lo, hi }
    }

    /// The smallest range that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

/// A place as a person reads it. Lines and columns count from 1; line 0 is "nowhere".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Loc {
    /// The file.
    pub file: FileId,
    /// Line, from 1; 0 where there is no place.
    pub line: u32,
    /// Column in bytes, from 1.
    pub col: u32,
}

impl Loc {
    /// The place of what has no place in a source file.
    pub fn nowhere() -> Self {
        Loc { file: FileId::new(0), line: 0, col: 0 }
    }

    /// Whether this is [`nowhere`](Self::nowhere).
    pub fn is_nowhere(self) -> bool {
        self.line == 0
    }
}

impl fmt::Debug for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.col)
    }
}

/// One input text and where it sits in the position space.
#[derive(Clone, Debug)]
struct Input {
    start: Pos,
    text: String,
    /// Positions relative to `start` at which lines begin.
    line_starts: Vec<u32>,
}

/// From `pos` on, lines are counted as `line`, `line + 1`, … of `file`.
#[derive(Clone, Copy, Debug)]
struct Marker {
    pos: Pos,
    file: FileId,
    line: u32,
}

/// All inputs, the files they speak of, and the map between positions and places.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    inputs: Vec<Input>,
    files: IndexVec<FileId, String>,
    file_ids: HashMap<String, FileId>,
    /// Sorted by position.
    markers: Vec<Marker>,
    /// What files looked like before preprocessing, where that is known.
    originals: HashMap<FileId, Original>,
    /// Files that the preprocessor calls system headers.
    system: HashSet<FileId>,
}

/// A file before preprocessing.
#[derive(Clone, Debug)]
struct Original {
    text: String,
    line_starts: Vec<u32>,
}

impl Original {
    fn line(&self, line: u32) -> Option<&str> {
        let begin = *self.line_starts.get((line as usize).checked_sub(1)?)? as usize;
        let end = self.line_starts.get(line as usize).map_or(self.text.len(), |&e| e as usize - 1);
        Some(self.text.get(begin..end)?.trim_end_matches('\r'))
    }
}

impl SourceMap {
    /// A map with no inputs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an input text under the name the user gave it; returns its first position.
    ///
    /// `None` if the position space (4 GiB) is full.
    pub fn add_input(&mut self, name: &str, text: String) -> Option<Pos> {
        let start = self.inputs.last().map_or(Some(0), |i| i.start.checked_add(i.text.len() as u32 + 1))?;
        let end = u32::try_from(text.len()).ok()?;
        start.checked_add(end)?.checked_add(1)?;
        let line_starts = line_starts(&text);
        let file = self.file_named(name);
        self.inputs.push(Input { start, text, line_starts });
        self.markers.push(Marker { pos: start, file, line: 1 });
        Some(start)
    }

    /// Tells what a file looked like before preprocessing: its lines are shown, and columns refer to them where a macro has
    /// not moved things about.
    pub fn add_original(&mut self, name: &str, text: String) {
        let file = self.file_named(name);
        let line_starts = line_starts(&text);
        self.originals.insert(file, Original { text, line_starts });
    }

    /// The text of the input that starts at `start`.
    pub fn text(&self, start: Pos) -> &str {
        &self.input_at(start).text
    }

    /// Records a line marker: the line that begins at `pos` is line `line` of file `name`.
    ///
    /// Markers of the newest input come in increasing order of position.
    pub fn add_marker(&mut self, pos: Pos, name: &str, line: u32) {
        debug_assert!(self.markers.last().is_none_or(|m| m.pos <= pos));
        let file = self.file_named(name);
        self.markers.push(Marker { pos, file, line });
    }

    /// Notes that a file is a system header.
    pub fn mark_system(&mut self, name: &str) {
        let file = self.file_named(name);
        self.system.insert(file);
    }

    /// Whether a position is in a system header.
    pub fn is_system(&self, pos: Pos) -> bool {
        !self.system.is_empty() && self.system.contains(&self.loc(pos).file)
    }

    /// The id of the file with this name, made if it is new.
    pub fn file_named(&mut self, name: &str) -> FileId {
        if let Some(&file) = self.file_ids.get(name) {
            return file;
        }
        let file = self.files.push(name.to_owned());
        self.file_ids.insert(name.to_owned(), file);
        file
    }

    /// The name of a file.
    pub fn file_name(&self, file: FileId) -> &str {
        self.files.get(file).map_or("<none>", String::as_str)
    }

    /// Number of files known.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The place of a position.
    pub fn loc(&self, pos: Pos) -> Loc {
        if self.inputs.is_empty() {
            return Loc::nowhere();
        }
        let input = self.input_at(pos);
        let rel = pos - input.start;
        let line_index = input.line_starts.partition_point(|&s| s <= rel) - 1;
        let col = rel - input.line_starts[line_index] + 1;
        let marker = self.markers[self.markers.partition_point(|m| m.pos <= pos) - 1];
        let marker_line = input.line_starts.partition_point(|&s| s <= marker.pos - input.start) - 1;
        let loc = Loc { file: marker.file, line: marker.line + (line_index - marker_line) as u32, col };
        match self.originals.get(&loc.file).and_then(|original| original.line(loc.line)) {
            Some(original) => Loc { col: original_column(original, input.line(line_index), col), ..loc },
            None => loc,
        }
    }

    /// The text of the line that holds `pos`, without its line end, as [`loc`](Self::loc) counts its columns.
    pub fn line_at(&self, pos: Pos) -> &str {
        if self.inputs.is_empty() {
            return "";
        }
        if !self.originals.is_empty() {
            let loc = self.loc(pos);
            if let Some(line) = self.originals.get(&loc.file).and_then(|original| original.line(loc.line)) {
                return line;
            }
        }
        let input = self.input_at(pos);
        let rel = pos - input.start;
        input.line(input.line_starts.partition_point(|&s| s <= rel) - 1)
    }

    /// The text of a line of a file, where some input shows it.
    pub fn line_text(&self, file: FileId, line: u32) -> Option<&str> {
        if let Some(text) = self.originals.get(&file).and_then(|original| original.line(line)) {
            return Some(text);
        }
        self.markers.iter().enumerate().find_map(|(i, m)| {
            if m.file != file || line < m.line {
                return None;
            }
            let input = self.input_at(m.pos);
            let first = input.line_starts.partition_point(|&s| s <= m.pos - input.start) - 1;
            let wanted = first + (line - m.line) as usize;
            let begin = input.start + *input.line_starts.get(wanted)?;
            // Another marker in between takes over; at the same position the later one counts.
            let taken = self.markers.get(i + 1).is_some_and(|next| next.pos <= begin);
            (!taken).then(|| input.line(wanted))
        })
    }

    /// `file:line:col`, or `<nowhere>`.
    pub fn display(&self, loc: Loc) -> String {
        if loc.is_nowhere() {
            return "<nowhere>".to_owned();
        }
        format!("{}:{}:{}", self.file_name(loc.file), loc.line, loc.col)
    }

    fn input_at(&self, pos: Pos) -> &Input {
        let index = self.inputs.partition_point(|i| i.start <= pos);
        &self.inputs[index.max(1) - 1]
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1)).collect()
}

/// Bytes before a place that must be the same in the original and the preprocessed line for it to be the same place.
const MOST_COMPARED: usize = 4096;

/// The column in the original line of a column in the preprocessed one. Behind a macro there is none to be had: then the
/// first thing in the line has to do.
fn original_column(original: &str, preprocessed: &str, col: u32) -> u32 {
    let before = col as usize - 1;
    // A program may stand in one line: what lies that far back need not be looked at for every place in it.
    let from = before.saturating_sub(MOST_COMPARED);
    let same = match (original.as_bytes().get(from..before), preprocessed.as_bytes().get(from..before)) {
        (Some(a), Some(b)) => a == b && original.as_bytes().get(before) == preprocessed.as_bytes().get(before),
        _ => false,
    };
    let first = original.bytes().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    if same { col } else { first as u32 + 1 }
}

impl Input {
    fn line(&self, index: usize) -> &str {
        let begin = self.line_starts[index] as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&e| e as usize - 1);
        self.text.get(begin..end).unwrap_or("").trim_end_matches('\r')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_rename_lines() {
        let mut map = SourceMap::new();
        let start = map.add_input("a.i", "# 10 \"b.c\"\nint x;\n  int y;\n".to_owned()).unwrap();
        map.add_marker(start + 11, "b.c", 10);
        let y = map.loc(start + 20);
        assert_eq!((map.file_name(y.file), y.line, y.col), ("b.c", 11, 3));
        assert_eq!(map.line_text(y.file, 11), Some("  int y;"));
        assert_eq!(map.line_text(y.file, 9), None);
        assert_eq!(map.display(map.loc(start)), "a.i:1:1");
        assert_eq!(map.line_at(start + 12), "int x;");
    }

    #[test]
    fn originals_show_what_the_user_wrote() {
        let mut map = SourceMap::new();
        map.add_original("b.c", "x = MACRO + y;\n".to_owned());
        let start = map.add_input("b.i", "# 1 \"b.c\"\nx = 1234567 + y;\n".to_owned()).unwrap();
        map.add_marker(start + 10, "b.c", 1);
        let col = |pos| map.loc(start + 10 + pos).col;
        assert_eq!((col(0), col(2), col(14)), (1, 3, 1));
        assert_eq!(map.line_at(start + 12), "x = MACRO + y;");
        assert_eq!(map.line_text(map.loc(start + 12).file, 1), Some("x = MACRO + y;"));
    }

    #[test]
    fn inputs_lie_end_to_end() {
        let mut map = SourceMap::new();
        let a = map.add_input("a.c", "one".to_owned()).unwrap();
        let b = map.add_input("b.c", "two\nthree".to_owned()).unwrap();
        assert_eq!((map.text(a), map.text(b)), ("one", "two\nthree"));
        assert_eq!(map.display(map.loc(b + 4)), "b.c:2:1");
        assert_eq!(map.display(map.loc(a + 3)), "a.c:1:4");
    }

    #[test]
    fn an_empty_map_has_no_places() {
        assert!(SourceMap::new().loc(5).is_nowhere());
    }
}
