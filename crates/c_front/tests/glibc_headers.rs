//! All of the C library's headers that this machine has, as its own compiler preprocesses them, parse without an error.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use heddle_base::SourceMap;
use heddle_c_front::diag::Diagnostics;
use heddle_c_front::intern::Interner;
use heddle_c_front::parse::parse_unit;
use heddle_c_front::preprocess::{CppConfig, preprocess};
use heddle_c_front::render::{RenderConfig, render};
use heddle_ir::DataModel;

const HEADERS: &str = "
    aio.h aliases.h alloca.h ar.h argp.h argz.h arpa/ftp.h arpa/inet.h arpa/nameser.h arpa/telnet.h arpa/tftp.h
    assert.h byteswap.h complex.h cpio.h crypt.h ctype.h dirent.h dlfcn.h elf.h endian.h envz.h err.h errno.h
    error.h execinfo.h fcntl.h features.h fenv.h float.h fmtmsg.h fnmatch.h fstab.h fts.h ftw.h gconv.h getopt.h
    glob.h gnu/libc-version.h grp.h gshadow.h iconv.h ifaddrs.h inttypes.h iso646.h langinfo.h lastlog.h
    libgen.h libintl.h limits.h link.h locale.h malloc.h math.h mcheck.h memory.h mntent.h monetary.h mqueue.h
    net/ethernet.h net/if.h net/if_arp.h net/route.h netdb.h netinet/icmp6.h netinet/in.h netinet/ip.h
    netinet/ip_icmp.h netinet/tcp.h netinet/udp.h nl_types.h nss.h obstack.h paths.h poll.h printf.h
    proc_service.h pthread.h pty.h pwd.h re_comp.h regex.h resolv.h sched.h search.h semaphore.h setjmp.h
    sgtty.h shadow.h signal.h spawn.h stab.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h
    stdio_ext.h stdlib.h stdnoreturn.h string.h strings.h sys/acct.h sys/auxv.h sys/epoll.h sys/eventfd.h
    sys/fanotify.h sys/file.h sys/fsuid.h sys/inotify.h sys/ioctl.h sys/ipc.h sys/mman.h sys/mount.h sys/msg.h
    sys/personality.h sys/poll.h sys/prctl.h sys/procfs.h sys/ptrace.h sys/quota.h sys/random.h sys/reboot.h
    sys/resource.h sys/select.h sys/sem.h sys/sendfile.h sys/shm.h sys/signalfd.h sys/socket.h sys/stat.h
    sys/statfs.h sys/statvfs.h sys/swap.h sys/syscall.h sys/sysinfo.h sys/syslog.h sys/sysmacros.h sys/time.h
    sys/timeb.h sys/timerfd.h sys/times.h sys/timex.h sys/types.h sys/ucontext.h sys/uio.h sys/un.h sys/user.h
    sys/utsname.h sys/vfs.h sys/wait.h sys/xattr.h syscall.h sysexits.h syslog.h tar.h termio.h termios.h
    tgmath.h thread_db.h threads.h time.h ttyent.h uchar.h ucontext.h ulimit.h unistd.h utime.h utmp.h utmpx.h
    values.h wait.h wchar.h wctype.h wordexp.h
";

fn check(data_model: DataModel) {
    let program: String = HEADERS
        .split_whitespace()
        // Kernel headers and odd ones may be missing.
        .map(|header| format!("#if __has_include(<{header}>)\n#include <{header}>\n#endif\n"))
        .collect();
    let path = std::env::temp_dir().join(format!("heddle-headers-{}-{data_model}.c", std::process::id()));
    std::fs::write(&path, format!("#define _GNU_SOURCE\n{program}int main(void) {{ return 0; }}\n")).unwrap();
    let input = preprocess(&path, &CppConfig::from_env(data_model));
    std::fs::remove_file(&path).unwrap();
    let input = input.unwrap();
    let (mut sources, mut interner, mut diags) = (SourceMap::new(), Interner::default(), Diagnostics::default());
    let start = sources.add_input(&input.name, input.text).unwrap();
    let ast = parse_unit(&mut sources, start, &mut interner, &mut diags);
    let errors: String = diags.iter().map(|diag| render(diag, &sources, RenderConfig::default())).collect();
    assert_eq!(errors, "");
    assert!(ast.items.len() > 1000, "only {} items", ast.items.len());
}

#[test]
fn parse_on_lp64() {
    check(DataModel::Lp64);
}

#[test]
fn parse_on_ilp32() {
    check(DataModel::Ilp32);
}
