import Foundation

// What a process of Forme writes is for its own user alone, whatever the shell that started it says.
umask(0o077)
// Where files may not grow past a limit, a write fails, and the process says so.
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst())))
