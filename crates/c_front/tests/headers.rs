//! All headers of the C library that can be included alone get through, on their own and all in one file.
//!
//! Only what is installed is tried; without a preprocessor there is nothing to test.

use std::io::Write;
use std::process::{Command, Stdio};

use heddle_c_front::render::{RenderConfig, render};
use heddle_c_front::{Options, compile};

const HEADERS: &[&str] = &[
    "aio.h",
    "aliases.h",
    "alloca.h",
    "argp.h",
    "argz.h",
    "arpa/inet.h",
    "assert.h",
    "byteswap.h",
    "complex.h",
    "cpio.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "endian.h",
    "envz.h",
    "err.h",
    "errno.h",
    "error.h",
    "execinfo.h",
    "fcntl.h",
    "features.h",
    "fenv.h",
    "float.h",
    "fmtmsg.h",
    "fnmatch.h",
    "fstab.h",
    "fts.h",
    "ftw.h",
    "getopt.h",
    "glob.h",
    "grp.h",
    "iconv.h",
    "ifaddrs.h",
    "inttypes.h",
    "iso646.h",
    "langinfo.h",
    "libgen.h",
    "limits.h",
    "link.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "mcheck.h",
    "memory.h",
    "mntent.h",
    "monetary.h",
    "mqueue.h",
    "net/if.h",
    "netdb.h",
    "netinet/in.h",
    "netinet/ip.h",
    "netinet/tcp.h",
    "netinet/udp.h",
    "nl_types.h",
    "obstack.h",
    "paths.h",
    "poll.h",
    "printf.h",
    "pthread.h",
    "pty.h",
    "pwd.h",
    "regex.h",
    "resolv.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "shadow.h",
    "signal.h",
    "spawn.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/epoll.h",
    "sys/eventfd.h",
    "sys/file.h",
    "sys/inotify.h",
    "sys/ioctl.h",
    "sys/ipc.h",
    "sys/mman.h",
    "sys/mount.h",
    "sys/msg.h",
    "sys/param.h",
    "sys/poll.h",
    "sys/prctl.h",
    "sys/ptrace.h",
    "sys/queue.h",
    "sys/random.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/sem.h",
    "sys/sendfile.h",
    "sys/shm.h",
    "sys/signalfd.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/statfs.h",
    "sys/statvfs.h",
    "sys/swap.h",
    "sys/syscall.h",
    "sys/sysinfo.h",
    "sys/syslog.h",
    "sys/time.h",
    "sys/timerfd.h",
    "sys/times.h",
    "sys/types.h",
    "sys/ucontext.h",
    "sys/uio.h",
    "sys/un.h",
    "sys/utsname.h",
    "sys/vfs.h",
    "sys/wait.h",
    "sys/xattr.h",
    "syslog.h",
    "tar.h",
    "termios.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "ucontext.h",
    "ulimit.h",
    "unistd.h",
    "utime.h",
    "utmp.h",
    "utmpx.h",
    "values.h",
    "wait.h",
    "wchar.h",
    "wctype.h",
    "wordexp.h",
];

/// The preprocessed text of a program that includes `headers`; `None` if cc does not take it.
fn preprocessed(headers: &[&str]) -> Option<String> {
    let includes: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    let text = format!("#define _GNU_SOURCE\n{includes}int main(void) {{ return 0; }}\n");
    let mut cc = Command::new("cc");
    cc.args(["-E", "-x", "c", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = cc.spawn().ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn errors(name: &str, text: String) -> Option<String> {
    let compiled = compile(vec![(name.to_owned(), text)], Options::default());
    let config = RenderConfig::default();
    compiled
        .program
        .is_none()
        .then(|| compiled.diagnostics.iter().map(|d| render(d, &compiled.sources, config)).collect::<String>())
}

#[test]
fn every_header_gets_through() {
    let mut present = Vec::new();
    let mut failures = Vec::new();
    for &header in HEADERS {
        let Some(text) = preprocessed(&[header]) else { continue };
        present.push(header);
        failures.extend(errors(header, text));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    if let Some(text) = preprocessed(&present) {
        let errors = errors("all.c", text);
        assert!(errors.is_none(), "{}", errors.unwrap_or_default());
    }
}
