// A VFS of SQLite for tests, which remembers what would be left of its files if the power failed now, and has a disk that can
// be full, or fail.
#pragma once

// The name under which it is to be opened. Whatever a file holds when it is synced is kept beside it as NAME.durable.
const char *forme_power_loss_vfs(void);

// From now on files whose names begin with the prefix do not grow; with `is_full` 0, they do again.
void forme_power_loss_fill(const char *prefix, int is_full);

// From now on no file whose name begins with the prefix is synced, and each sync says so; with `fails` 0, they are again.
void forme_power_loss_fail(const char *prefix, int fails);

// From now on no file whose name begins with the prefix is opened, as if the process had too many; with `is_shut` 0, they
// are again.
void forme_power_loss_shut(const char *prefix, int is_shut);
