//! Violations: what the monitors of the machine report.
//!
//! A violation is a value, not an error. Its texts are complete sentences for a person at a desk: which object, who
//! made and ended it, who holds what, who waits for what.

use heddle_base::Loc;
use heddle_ir::{AllocKind, Property, RegId, StepKind, SyncKind};

use heddle_ir::objects::Site;
use heddle_ir::value::Pointer;
use heddle_task::{Detail, ThreadId, Violation};

use crate::code::AccessFlags;
use crate::event::Range;
use crate::machine::{Halt, Hold, Machine};
use crate::memory::{Fault, ObjectKind};
use crate::names;
use crate::race::Earlier;
use crate::thread::{Frame, Status, Thread, Wait};

impl Machine<'_> {
    pub(crate) fn loc_of(&self, site: Site) -> Loc {
        self.program.functions[site.func].steps[site.step].loc
    }

    pub(crate) fn violation(&self, property: Property, site: Site, message: String) -> Violation {
        Violation {
            property,
            message,
            thread: ThreadId::of_number(site.thread),
            function: self.program.functions[site.func].name.clone(),
            loc: self.loc_of(site),
            details: Vec::new(),
        }
    }

    /// A violation in a library model is the fault of the user's code that called it.
    pub(crate) fn name_user_place(&self, thread: &Thread, violation: &mut Violation) {
        let own = self.site_at(thread.id, thread.func, thread.pc);
        if !self.program.functions[own.func].model || violation.property == Property::Deadlock {
            return;
        }
        let user = self.user_site(thread.id, own, &thread.frames);
        let loc = self.loc_of(user);
        if loc != violation.loc {
            let text = format!("in `{}`", violation.function);
            violation.details.insert(0, Detail { text, loc: std::mem::replace(&mut violation.loc, loc) });
            violation.function = self.program.functions[user.func].name.clone();
        }
    }

    /// The violation of a failed `assert` step, unless its property is not checked.
    pub(crate) fn failed_assert(&self, site: Site) -> Option<Violation> {
        let StepKind::Assert { check, .. } = self.program.functions[site.func].steps[site.step].kind else {
            unreachable!("an assert op comes from an assert step")
        };
        let check = &self.program.checks[check];
        let selected = self.config.properties.contains(check.property);
        selected.then(|| self.violation(check.property, site, check.message.clone()))
    }

    pub(crate) fn describe_fault(&self, site: Site, fault: Fault, pointer: u64, len: u64, write: bool) -> Violation {
        let at = Pointer::from_bits(pointer);
        let access = if write { "write" } else { "read" };
        let bytes = if len == 1 { "1 byte".to_owned() } else { format!("{len} bytes") };
        let place = names::place(self, at, len.min(16) as u32);
        let object = names::object(self, at.object);
        let message = match fault {
            Fault::Null => format!("null pointer dereference: {access} of {bytes} at address {}", at.offset),
            Fault::NoObject => {
                format!("{access} of {bytes} through an invalid pointer ({:#x} is no object's address)", pointer)
            }
            Fault::OutOfBounds => {
                let size = self.memory.object(at.object).map_or(0, |o| o.size());
                format!("{access} of {bytes} out of bounds: offset {} of {object}, which has {size} bytes", at.offset)
            }
            Fault::Dead => match self.memory.object(at.object).map(|o| o.kind) {
                Some(ObjectKind::Alloc(AllocKind::Heap)) => format!("{access} of freed memory: {place}"),
                Some(ObjectKind::Global(_)) => format!("{access} of {place}, whose thread has ended"),
                _ => format!("{access} of {place}, whose lifetime has ended"),
            },
            Fault::Constant => format!("write to constant {place}"),
            Fault::Function => format!("{access} of a function's code: {object}"),
            Fault::BadFree => match at.object {
                0 => format!("free of an invalid pointer ({pointer:#x})"),
                _ if at.offset != 0 => format!("free of a pointer into the middle of {object} (offset {})", at.offset),
                _ => format!("free of {object}, which was not allocated on the heap"),
            },
            Fault::DoubleFree => format!("double free of {object}"),
        };
        let mut violation = self.violation(Property::Memory, site, message);
        violation.details = self.life_of(at.object);
        violation
    }

    pub(crate) fn describe_bad_call(&self, site: Site, pointer: u64) -> Violation {
        let at = Pointer::from_bits(pointer);
        let message = if at.object == 0 && at.offset == 0 {
            "call through a null function pointer".to_owned()
        } else {
            format!("call through a pointer that points to no function ({})", names::pointer(self, pointer))
        };
        self.violation(Property::Memory, site, message)
    }

    /// A step that cannot be executed. It violates nothing; the property is not shown.
    pub(crate) fn describe_unsupported(&self, site: Site) -> Violation {
        let message = match &self.program.functions[site.func].steps[site.step].kind {
            heddle_ir::StepKind::Unsupported { what } => what.clone(),
            _ => "this step".to_owned(),
        };
        self.violation(Property::Assert, site, message)
    }

    /// Where an object was made and ended.
    fn life_of(&self, object: u32) -> Vec<Detail> {
        let Some(found) = self.memory.object(object).filter(|_| object != 0) else { return Vec::new() };
        let name = names::object(self, object);
        let mut details = Vec::new();
        if let (Some(born), ObjectKind::Alloc(_)) = (found.born, found.kind) {
            let who = self.thread_name(born);
            details.push(Detail { text: format!("{name} was allocated by thread {who}"), loc: self.loc_of(born) });
        }
        if let Some(died) = found.died {
            let who = self.thread_name(died);
            let verb = if matches!(found.kind, ObjectKind::Alloc(_)) { "freed" } else { "ended" };
            details.push(Detail { text: format!("{name} was {verb} by thread {who}"), loc: self.loc_of(died) });
        }
        details
    }

    pub(crate) fn thread_name(&self, site: Site) -> String {
        self.names.path(ThreadId::of_number(site.thread))
    }

    /// A load of bytes that were never written.
    #[cold]
    pub(crate) fn read_unwritten(&mut self, site: Site, pointer: u64, len: u32) -> Result<(), Halt> {
        if self.notes.uninitialised.is_some() && !self.config.properties.contains(Property::Uninit) {
            return Ok(());
        }
        let place = names::place(self, Pointer::from_bits(pointer), len);
        let message = format!("read of {place}, which was never initialised");
        self.use_uninitialised(site, message)
    }

    /// A use of a register that was never given a value.
    #[cold]
    pub(crate) fn use_marked(&mut self, site: Site, reg: RegId) -> Result<(), Halt> {
        let name = self.program.functions[site.func].regs[reg].name.as_deref().unwrap_or("a value");
        let message = format!("use of `{name}`, which was never initialised");
        self.use_uninitialised(site, message)
    }

    fn use_uninitialised(&mut self, site: Site, message: String) -> Result<(), Halt> {
        if self.probing {
            return Ok(());
        }
        let violation = Box::new(self.violation(Property::Uninit, site, message));
        if self.config.properties.contains(Property::Uninit) && !self.program.functions[site.func].model {
            return Err(Halt::Violation(violation));
        }
        self.notes.uninitialised.get_or_insert(violation);
        Ok(())
    }

    pub(crate) fn race_check(&mut self, range: Range, site: Site, flags: AccessFlags) -> Result<(), Halt> {
        let Some(race) = &mut self.race else { return Ok(()) };
        let found = race.access(range, site, flags);
        let Some(earlier) = found else { return Ok(()) };
        Err(Halt::Violation(Box::new(self.describe_race(range, site, earlier))))
    }

    fn describe_race(&self, range: Range, site: Site, earlier: Earlier) -> Violation {
        let at = Pointer { object: range.object, offset: range.lo };
        let place = names::place(self, at, (range.hi - range.lo).min(16) as u32);
        let verb = |write: bool| if write { "write" } else { "read" };
        let (here, there) = (self.thread_name(site), self.thread_name(earlier.site));
        let message = format!(
            "data race on {place}: {} by thread {here} and {} by thread {there} are not ordered",
            verb(range.write),
            verb(earlier.write)
        );
        let mut violation = self.violation(Property::Race, site, message);
        violation.details.push(Detail {
            text: format!("the other {} of {place}, by thread {there}", verb(earlier.write)),
            loc: self.loc_of(earlier.site),
        });
        violation
    }

    /// The deadlock of the machine's state, if there is one: nobody can move and somebody has not finished
    /// (`global`), some threads wait for each other, or one waits for what nobody gives back because its holder has ended.
    pub fn find_deadlock(&mut self) -> Option<Violation> {
        let waits = self.waits();
        if waits.is_empty() {
            return None;
        }
        if let Some((waiter, holder)) = self.waits_for_ended(&waits) {
            let text = format!(
                "thread {} waits for what thread {} held when it ended",
                self.names.path(waiter.0),
                self.names.path(holder)
            );
            return Some(self.describe_deadlock(format!("deadlock: {text}"), &[waiter]));
        }
        if let Some(cycle) = self.waiting_cycle(&waits) {
            let text = match cycle.as_slice() {
                [one] => format!("thread {} waits for itself", self.names.path(*one)),
                many => {
                    let names: Vec<String> = many.iter().map(|&id| self.names.path(id)).collect();
                    format!("threads {} wait for each other", names.join(", "))
                }
            };
            let members: Vec<&(ThreadId, Wait)> = waits.iter().filter(|(id, _)| cycle.contains(id)).collect();
            return Some(self.describe_deadlock(format!("deadlock: {text}"), &members));
        }
        let ids: Vec<ThreadId> = self.thread_ids().collect();
        let moves = ids.into_iter().any(|id| matches!(self.readiness(id), crate::thread::Readiness::Ready));
        // A thread behind an assumption may have gone on in another execution, one that exits ends the process.
        let open = self.exit.is_some()
            || waits.iter().any(|(_, wait)| wait.kind.is_none())
            || self.threads.iter().any(|t| matches!(t.status, crate::thread::Status::Stuck(_)));
        if moves || open {
            return None;
        }
        let members: Vec<&(ThreadId, Wait)> = waits.iter().collect();
        Some(self.describe_deadlock("deadlock: no thread can move".to_owned(), &members))
    }

    /// All threads that wait, and for what.
    pub fn waits(&mut self) -> Vec<(ThreadId, Wait)> {
        let ids: Vec<ThreadId> = self.thread_ids().collect();
        ids.into_iter().filter_map(|id| self.wait_of(id).map(|wait| (id, wait))).collect()
    }

    /// A thread that waits for a lock whose holder has ended, and that one [ESBMC §4.1].
    fn waits_for_ended<'w>(&self, waits: &'w [(ThreadId, Wait)]) -> Option<(&'w (ThreadId, Wait), ThreadId)> {
        let ended = |hold: &&Hold| self.threads[hold.thread].status == Status::Finished;
        waits.iter().filter(|(_, wait)| !wait.spurious && wait.kind.is_some_and(SyncKind::is_lock)).find_map(|waiter| {
            let hold = self.holds.iter().filter(|hold| hold.object == waiter.1.object).find(ended)?;
            Some((waiter, hold.thread))
        })
    }

    /// Threads that wait for locks which other threads of the cycle hold. A lock may have several holders, and who wants it
    /// for itself waits for all of them.
    fn waiting_cycle(&self, waits: &[(ThreadId, Wait)]) -> Option<Vec<ThreadId>> {
        if self.holds.is_empty() {
            return None;
        }
        waits.iter().find_map(|&(start, _)| self.cycle_from(waits, &mut vec![start], &mut Vec::new()))
    }

    /// A cycle that is reached from the last thread of a path; `seen` are threads from which none is.
    fn cycle_from(
        &self,
        waits: &[(ThreadId, Wait)],
        path: &mut Vec<ThreadId>,
        seen: &mut Vec<ThreadId>,
    ) -> Option<Vec<ThreadId>> {
        let at = *path.last().expect("a path has a thread");
        let (_, wait) = waits.iter().find(|(waiter, _)| *waiter == at)?;
        if wait.spurious || !wait.kind.is_some_and(SyncKind::is_lock) {
            return None;
        }
        for hold in self.holds.iter().filter(|hold| hold.object == wait.object) {
            if let Some(first) = path.iter().position(|&id| id == hold.thread) {
                return Some(path.split_off(first));
            }
            if !seen.contains(&hold.thread) {
                path.push(hold.thread);
                if let Some(cycle) = self.cycle_from(waits, path, seen) {
                    return Some(cycle);
                }
                path.pop();
                seen.push(hold.thread);
            }
        }
        None
    }

    fn describe_deadlock(&self, message: String, members: &[&(ThreadId, Wait)]) -> Violation {
        let mut violation = self.violation(Property::Deadlock, members[0].1.site, message);
        violation.loc = self.user_loc(members[0].0);
        for (id, wait) in members {
            violation.details.push(Detail { text: self.describe_wait(*id, wait), loc: self.user_loc(*id) });
            for hold in self.holds.iter().filter(|hold| hold.object == wait.object) {
                let what = names::sync_object(self, hold.kind, hold.object);
                let text = format!("{what} is held by thread {}", self.names.path(hold.thread));
                violation.details.push(Detail { text, loc: hold.user_loc });
            }
        }
        violation
    }

    /// `thread 0.1 waits for mutex `m``.
    pub fn describe_wait(&self, id: ThreadId, wait: &Wait) -> String {
        let what = match wait.kind {
            Some(kind) => names::sync_object(self, kind, wait.object),
            None => "an assumption to hold".to_owned(),
        };
        format!("thread {} waits for {what}", self.names.path(id))
    }

    /// The place in the user's own code where a thread stands: models are not what a user wants to see.
    pub fn user_loc(&self, id: ThreadId) -> Loc {
        let thread = &self.threads[id];
        self.loc_of(self.user_site(id, self.site_at(id, thread.func, thread.pc), &thread.frames))
    }

    pub(crate) fn user_site(&self, id: ThreadId, own: Site, frames: &[Frame]) -> Site {
        let callers = frames.iter().rev().map(|frame| self.site_at(id, frame.func, frame.pc));
        let user = std::iter::once(own).chain(callers).find(|site| !self.program.functions[site.func].model);
        user.unwrap_or(own)
    }

    /// Heap blocks that were never freed.
    pub(crate) fn find_leak(&self) -> Option<Violation> {
        let lost = self.memory.live_allocations(AllocKind::Heap);
        let first = *lost.first()?;
        let born = self.memory.object(first).and_then(|o| o.born)?;
        let name = names::object(self, first);
        let message = match lost.len() {
            1 => format!("memory leak: {name} is never freed"),
            n => format!("memory leak: {n} heap blocks are never freed, the first is {name}"),
        };
        let mut violation = self.violation(Property::Leak, born, message);
        violation.details = lost.iter().take(16).flat_map(|&object| self.life_of(object)).collect();
        Some(violation)
    }
}
