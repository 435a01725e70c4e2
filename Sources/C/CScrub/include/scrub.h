// A VFS of SQLite that leaves no stale bytes in database files.
#pragma once

// The name under which it is to be opened; registers it when first asked. NULL where SQLite has no VFS at all.
const char *forme_scrub_vfs(void);
