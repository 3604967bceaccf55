//! Files in memory, for programs that are compiled to be executed (`heddle run`).
//!
//! What the program writes it can read back; nothing reaches the disk. A file that lies on the disk and that the program has not written
//! is not read: [`Denied::OnDisk`] says so, because its absence would be a wrong answer. Standard input is a file too.
//!
//! A stream is a number: 1 and 2 are standard output and error (see `output`), 3 is standard input, files that the program opens
//! have the numbers from 4 on. The descriptor of a stream from 4 on is one less.

use std::collections::BTreeMap;

/// The number of standard input.
pub(crate) const STANDARD_INPUT: u64 = 3;
/// The number of the first file that is opened.
const FIRST: u64 = 4;
/// Files that may be open at a time, as Linux allows by default.
const MOST_OPEN: usize = 1000;

/// Error numbers of Linux.
mod errno {
    pub(super) const NO_ENTRY: i32 = 2;
    pub(super) const BAD_DESCRIPTOR: i32 = 9;
    pub(super) const EXISTS: i32 = 17;
    pub(super) const INVALID: i32 = 22;
    pub(super) const TOO_MANY: i32 = 24;
}

/// Why something cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Denied {
    /// The program is told so, by an error number.
    Error(i32),
    /// It would depend on a file on the disk.
    OnDisk(String),
}

/// How a file is opened.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Mode {
    pub(crate) read: bool,
    pub(crate) write: bool,
    /// All writes go to the end.
    pub(crate) append: bool,
    /// It is made if it is not there.
    pub(crate) create: bool,
    /// It must not be there.
    pub(crate) exclusive: bool,
    pub(crate) truncate: bool,
}

impl Mode {
    /// The mode of `fopen`; none if it is no mode.
    pub(crate) fn of_stream(text: &[u8]) -> Option<Mode> {
        let (&first, rest) = text.split_first()?;
        let both = rest.contains(&b'+');
        let exclusive = rest.contains(&b'x');
        let base = Mode { read: both, write: true, create: true, exclusive, ..Mode::default() };
        match first {
            b'r' => Some(Mode { read: true, write: both, ..Mode::default() }),
            b'w' => Some(Mode { truncate: true, ..base }),
            b'a' => Some(Mode { append: true, ..base }),
            _ => None,
        }
    }

    /// The flags of `open`, as Linux has them.
    pub(crate) fn of_flags(flags: u64) -> Mode {
        Mode {
            read: flags & 3 != 1,
            write: flags & 3 != 0,
            create: flags & 0o100 != 0,
            exclusive: flags & 0o300 == 0o300,
            truncate: flags & 0o1000 != 0,
            append: flags & 0o2000 != 0,
        }
    }
}

#[derive(Clone, Debug)]
struct Open {
    file: usize,
    mode: Mode,
    at: usize,
    ended: bool,
    failed: bool,
    /// Characters that were pushed back, the next one last.
    pushed: Vec<u8>,
}

/// The files of one execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    names: BTreeMap<Vec<u8>, usize>,
    contents: Vec<Vec<u8>>,
    open: BTreeMap<u64, Open>,
    /// The text that a function has made for the program to fetch byte by byte.
    pub(crate) text: Vec<u8>,
}

impl Files {
    /// Makes standard input readable, once.
    pub(crate) fn provide_input(&mut self, bytes: &[u8]) {
        if !self.open.contains_key(&STANDARD_INPUT) {
            self.contents.push(bytes.to_vec());
            let mode = Mode { read: true, ..Mode::default() };
            self.open.insert(STANDARD_INPUT, Open::new(self.contents.len() - 1, mode));
        }
    }

    /// Bytes of all files.
    pub(crate) fn bytes(&self) -> usize {
        self.contents.iter().map(Vec::len).sum()
    }

    /// Opens a file: its number.
    pub(crate) fn open(&mut self, path: &[u8], mode: Mode) -> Result<u64, Denied> {
        let known = self.names.get(path).copied();
        if known.is_none() && on_disk(path) && !(mode.write && mode.truncate && !mode.exclusive) {
            return Err(Denied::OnDisk(String::from_utf8_lossy(path).into_owned()));
        }
        if known.is_some() && mode.exclusive {
            return Err(Denied::Error(errno::EXISTS));
        }
        if known.is_none() && !mode.create && !on_disk(path) {
            return Err(Denied::Error(errno::NO_ENTRY));
        }
        let number = (FIRST..).find(|number| !self.open.contains_key(number)).unwrap_or(FIRST);
        if self.open.len() >= MOST_OPEN {
            return Err(Denied::Error(errno::TOO_MANY));
        }
        let file = known.unwrap_or_else(|| {
            self.contents.push(Vec::new());
            self.names.insert(path.to_vec(), self.contents.len() - 1);
            self.contents.len() - 1
        });
        if mode.truncate && mode.write {
            self.contents[file].clear();
        }
        self.open.insert(number, Open::new(file, mode));
        Ok(number)
    }

    /// A file without a name.
    pub(crate) fn temporary(&mut self) -> Result<u64, Denied> {
        let name = format!("/temporary/{}", self.contents.len()).into_bytes();
        let mode = Mode { read: true, write: true, create: true, ..Mode::default() };
        let number = self.open(&name, mode)?;
        self.names.remove(&name);
        Ok(number)
    }

    /// Whether a stream of this number is open.
    pub(crate) fn is_open(&self, stream: u64) -> bool {
        self.open.contains_key(&stream)
    }

    /// Closes a stream: whether it was open.
    pub(crate) fn close(&mut self, stream: u64) -> bool {
        self.open.remove(&stream).is_some()
    }

    /// The next byte; none at the end, or if the stream cannot be read.
    pub(crate) fn next(&mut self, stream: u64) -> Option<u8> {
        let open = self.open.get_mut(&stream)?;
        if !open.mode.read {
            open.failed = true;
            return None;
        }
        if let Some(byte) = open.pushed.pop() {
            return Some(byte);
        }
        let byte = self.contents[open.file].get(open.at).copied();
        match byte {
            Some(_) => open.at += 1,
            None => open.ended = true,
        }
        byte
    }

    /// Pushes a byte back: whether that is possible.
    pub(crate) fn unread(&mut self, stream: u64, byte: u8) -> bool {
        let Some(open) = self.open.get_mut(&stream).filter(|open| open.mode.read) else { return false };
        open.pushed.push(byte);
        open.ended = false;
        true
    }

    /// Writes bytes: whether the stream takes them.
    pub(crate) fn write(&mut self, stream: u64, bytes: &[u8]) -> bool {
        let Some(open) = self.open.get_mut(&stream) else { return false };
        if !open.mode.write {
            open.failed = true;
            return false;
        }
        open.pushed.clear();
        let contents = &mut self.contents[open.file];
        if open.mode.append {
            open.at = contents.len();
        }
        let end = open.at + bytes.len();
        if contents.len() < end {
            contents.resize(end, 0);
        }
        contents[open.at..end].copy_from_slice(bytes);
        open.at = end;
        true
    }

    /// Moves to a place; `whence` is 0 from the start, 1 from here, 2 from the end.
    pub(crate) fn seek(&mut self, stream: u64, offset: i64, whence: u64) -> Result<(), Denied> {
        let open = self.open.get_mut(&stream).ok_or(Denied::Error(errno::BAD_DESCRIPTOR))?;
        let from = match whence {
            0 => 0,
            1 => open.at as i64 - open.pushed.len() as i64,
            2 => self.contents[open.file].len() as i64,
            _ => return Err(Denied::Error(errno::INVALID)),
        };
        let at = from.checked_add(offset).and_then(|at| usize::try_from(at).ok());
        open.at = at.ok_or(Denied::Error(errno::INVALID))?;
        open.ended = false;
        open.pushed.clear();
        Ok(())
    }

    /// Where a stream is.
    pub(crate) fn place(&self, stream: u64) -> Option<u64> {
        self.open.get(&stream).map(|open| (open.at as u64).saturating_sub(open.pushed.len() as u64))
    }

    /// Bytes from here to the end.
    pub(crate) fn rest(&self, stream: u64) -> u64 {
        self.open
            .get(&stream)
            .map_or(0, |open| (self.contents[open.file].len().saturating_sub(open.at) + open.pushed.len()) as u64)
    }

    /// Whether the end was met, and whether something failed.
    pub(crate) fn flags(&self, stream: u64) -> (bool, bool) {
        self.open.get(&stream).map_or((false, false), |open| (open.ended, open.failed))
    }

    /// Sets the two flags.
    pub(crate) fn set_flags(&mut self, stream: u64, ended: bool, failed: bool) {
        if let Some(open) = self.open.get_mut(&stream) {
            (open.ended, open.failed) = (ended, failed);
        }
    }

    /// Removes a name; the contents stay for who has the file open.
    pub(crate) fn remove(&mut self, path: &[u8]) -> Result<(), Denied> {
        match self.names.remove(path) {
            Some(_) => Ok(()),
            None if on_disk(path) => Err(Denied::OnDisk(String::from_utf8_lossy(path).into_owned())),
            None => Err(Denied::Error(errno::NO_ENTRY)),
        }
    }

    /// Gives a file another name.
    pub(crate) fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<(), Denied> {
        let file = match self.names.get(from) {
            Some(&file) => file,
            None if on_disk(from) => return Err(Denied::OnDisk(String::from_utf8_lossy(from).into_owned())),
            None => return Err(Denied::Error(errno::NO_ENTRY)),
        };
        self.names.remove(from);
        self.names.insert(to.to_vec(), file);
        Ok(())
    }
}

impl Open {
    fn new(file: usize, mode: Mode) -> Open {
        Open { file, mode, at: 0, ended: false, failed: false, pushed: Vec::new() }
    }
}

fn on_disk(path: &[u8]) -> bool {
    std::path::Path::new(&*String::from_utf8_lossy(path)).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(files: &mut Files, mode: &str) -> Result<u64, Denied> {
        files.open(b"no such file on any disk", Mode::of_stream(mode.as_bytes()).expect("a mode"))
    }

    fn read(files: &mut Files, stream: u64) -> Vec<u8> {
        std::iter::from_fn(|| files.next(stream)).collect()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut files = Files::default();
        assert_eq!(open(&mut files, "r"), Err(Denied::Error(errno::NO_ENTRY)));
        let out = open(&mut files, "w").unwrap();
        assert!(files.write(out, b"one\ntwo\n"));
        assert!(files.close(out));
        let input = open(&mut files, "r").unwrap();
        assert_eq!(read(&mut files, input), b"one\ntwo\n");
        assert_eq!(files.flags(input), (true, false));
        assert!(!files.write(input, b"x"));
        assert_eq!(files.flags(input), (true, true));
        let more = open(&mut files, "a").unwrap();
        assert!(files.write(more, b"three"));
        files.seek(input, -5, 2).unwrap();
        assert_eq!(read(&mut files, input), b"three");
        assert_eq!(open(&mut files, "wx"), Err(Denied::Error(errno::EXISTS)));
        files.remove(b"no such file on any disk").unwrap();
        assert_eq!(open(&mut files, "r+"), Err(Denied::Error(errno::NO_ENTRY)));
    }

    #[test]
    fn a_byte_that_is_pushed_back_comes_first() {
        let mut files = Files::default();
        files.provide_input(b"bc");
        assert!(files.unread(STANDARD_INPUT, b'a'));
        assert_eq!(files.rest(STANDARD_INPUT), 3);
        assert_eq!(read(&mut files, STANDARD_INPUT), b"abc");
        assert!(files.unread(STANDARD_INPUT, b'c'));
        assert_eq!(files.flags(STANDARD_INPUT), (false, false));
        assert_eq!(files.place(STANDARD_INPUT), Some(1));
    }
}
