"""Backup and restore: what comes back is exact, or it is refused and the folder is as it was."""
import hashlib
import shutil
import threading
import time

import ingest
import windows
from cases import case
from ledger import Ledger, crew, read_back
from service import Service, Trouble, forme, until


def there():
    """Whether this binary has the command."""
    return forme("restore", "--help", check=False).returncode == 0


def picture(folder):
    """What a folder has in it, for comparison: sockets and locks are nobody's data."""
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.name.endswith((".lock", "-shm")):
            found[str(file.relative_to(folder))] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def backup(service, file):
    forme("backup", service.data, file)
    if not file.is_file():
        raise Trouble(f"{file} is not one file")
    return file.stat().st_size


def elsewhere(file, ledger, scribes, seconds=60):
    """Restores into a new folder, serves it, posts there what was not answered, and compares."""
    with Service(starts=False) as other:
        forme("restore", file, other.data)
        other.start()
        for scribe in scribes:
            scribe.finish(ingest.Producer(other.events))
        compared = read_back(other, ledger, (100,), seconds)
        # And it goes on from there.
        more = crew(other, ledger, "after", conversations=2, rate=200)
        for scribe in more.scribes:
            scribe.name += ".after"
        with more:
            more.ended.wait(0.5)
        return compared + read_back(other, ledger, (100,), seconds)


@case("backup/exact", short=2, takes=12, long=30, limit=240)
def _(run):
    """After SIGTERM and after kill -9, both under load, a backup has what was acknowledged, and nothing that was not posted."""
    if not there():
        raise Trouble("there is no forme restore yet")
    told = []
    for ending in ("term", "kill"):
        ledger = Ledger()
        with Service() as service:
            file = service.home / "copy"
            writers = crew(service, ledger, f"{run.seed}/{ending}", conversations=3, rate=300)
            with writers:
                writers.ended.wait(run.seconds / 2)
                service.stop() if ending == "term" else service.kill()
                writers.abandon()
            size = backup(service, file)
            compared = elsewhere(file, ledger, writers.scribes)
            told.append(f"{ending}: {size} bytes, {writers.posted} events, {compared} rows")
    return "; ".join(told)


@case("backup/while in use", short=2, long=30, limit=240)
def _(run):
    """Backups one after the other while events come in: each has all that was acknowledged before it began."""
    if not there():
        raise Trouble("there is no forme restore yet")
    posted = 0
    with Service() as service:
        producer = ingest.Producer(service.events)
        going, files = run.clock(), 0
        file = service.home / "copy"  # again and again over the same one
        while (going() or files < 2) and posted < 2800:  # what is read below is one window, of 4,096 rows at most
            for _ in range(20):
                posted += 50
                events = [{"conversation": "c", "message": f"m{i:06}", "sender": "ada", "time": i, "order": i, "text": f"number {i}"}
                          for i in range(posted - 50, posted)]
                answers, _ = ingest.answers_until_kept(producer, events)
            files += 1
            least = posted

            def more():
                events = [{"conversation": "c", "message": f"m{i:06}", "sender": "ada", "time": i, "order": i, "text": f"number {i}"}
                          for i in range(least, least + 200)]
                other = ingest.Producer(service.events)
                for start in range(0, 200, 20):
                    ingest.answers_until_kept(other, events[start:start + 20])

            thread = threading.Thread(target=more)
            thread.start()
            backup(service, file)
            thread.join()
            posted = most = least + 200
        with Service(starts=False) as other:
            forme("restore", file, other.data)
            other.start()
            def complete():
                try:
                    rows, _ = windows.walk(windows.Client(other.fetch), "c", 256, bodies=False)
                except windows.Busy:  # rows come while they are read: all of them are being laid out again
                    return None
                names = [row["message"] for row in rows or []]
                return names if len(names) >= least and names == [f"m{i:06}" for i in range(len(names))] else None
            names = until(complete, 60, f"the {least} rows that were acknowledged before the backup began, without gaps")
            if len(names) > most:
                raise Trouble(f"{len(names)} rows, though {most} were posted")
    return f"{files} backups of up to {most} messages, the last restored with {len(names)} of {least} to {most}"


@case("backup/refused", short=2, takes=6, long=20, limit=240)
def _(run):
    """Files that are cut or flipped, and folders in use: refused in words, and the folder is as it was."""
    if not there():
        raise Trouble("there is no forme restore yet")
    refused, words = 0, set()
    ledger = Ledger()
    with Service() as service:
        writers = crew(service, ledger, run.seed, conversations=3, rate=300)
        with writers:
            writers.ended.wait(1)
        read_back(service, ledger, (256,), 30)
        file = service.home / "copy"
        size = backup(service, file)
        good = file.read_bytes()
        running = forme("restore", file, service.data, check=False)
        if running.returncode == 0:
            raise Trouble("restored into the folder of a service that runs")
        words.add(running.stderr.decode().strip()[:100])
        service.stop()
        before = picture(service.data)
        bad = service.home / "bad"
        def attempt(data, what):
            nonlocal refused
            bad.write_bytes(data)
            for target in (service.data, service.home / "new"):
                done = forme("restore", bad, target, check=False)
                if done.returncode == 0:
                    raise Trouble(f"{what} is restored")
                if done.returncode < 0 or not done.stderr.strip():
                    raise Trouble(f"{what}: ends with {done.returncode}, says {done.stderr!r}")
                refused += 1
            if picture(service.data) != before:
                raise Trouble(f"{what} is refused, but the folder is another")
            if (service.home / "new").exists() and picture(service.home / "new"):
                raise Trouble(f"{what} is refused, but leaves {sorted(picture(service.home / 'new'))}")
        for cut in (0, 1, 16, 100, size // 2, size - 1):
            attempt(good[:cut], f"a file of the first {cut} of {size} bytes")
        attempt(good + b"\0", "a file with a byte behind it")
        for _ in range(run.pick(6, 200)):
            at = run.random.choice((run.random.randrange(size), run.random.randrange(min(size, 200))))
            flipped = bytearray(good)
            flipped[at] ^= 1 << run.random.randrange(8)
            attempt(bytes(flipped), f"a file whose byte {at} of {size} is flipped")
        half = size // 2 // 4096 * 4096
        attempt(good[:half] + bytes(4096) + good[half + 4096:], "a file with a page of zeros")
        # The good one goes into the folder that is there, which has what the copy has.
        forme("restore", file, service.data)
        service.start()
        compared = read_back(service, ledger, (100,), 60)
    return f"{refused} attempts refused, the good file restored, {compared} rows compared"


@case("backup/older and newer folders", short=3, takes=4.5, long=20, limit=240)
def _(run):
    """Restored onto a folder that has gone on since, everything is as in the copy: what was newer is gone, what was deleted is back."""
    if not there():
        raise Trouble("there is no forme restore yet")
    with Service() as service:
        producer, file = ingest.Producer(service.events), service.home / "copy"
        event = lambda i, **more: {"conversation": "c", "message": f"m{i}", "sender": "ada", "time": i, "order": i, "text": f"number {i}", **more}
        ingest.answers_until_kept(producer, [event(i) for i in range(100)])
        backup(service, file)
        ingest.answers_until_kept(producer, [event(i, text=f"mended {i}", revision=2) for i in range(0, 100, 2)]
                                  + [{"conversation": "c", "message": f"m{i}", "deleted": True, "revision": 3} for i in range(0, 100, 5)])
        ingest.answers_until_kept(producer, [event(i) for i in range(100, 150)])
        time.sleep(0.3)
        newer = service.home / "newer"
        backup(service, newer)
        def expect(texts, why):
            found = []
            def same():
                nonlocal found
                rows, _ = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "c", 256))
                found = [row["body"]["said"]["body"]["text"] for row in rows or [] if row["body"] and row["body"]["said"]]
                return found == texts
            until(same, 30, lambda: f"{why}: {len(texts)} rows, found {len(found)}, {[t for t in found if t not in texts][:3]}")
        after = [f"mended {i}" if i % 2 == 0 and i < 100 else f"number {i}" for i in range(150) if i % 5 or i >= 100]
        expect(after, "before anything")
        for turn, (copy, texts) in enumerate(((file, [f"number {i}" for i in range(100)]), (newer, after), (file, [f"number {i}" for i in range(100)]))):
            service.kill() if turn % 2 else service.stop()
            forme("restore", copy, service.data)
            service.start()
            expect(texts, f"restored {'the newer' if copy is newer else 'the older'} copy")
            # It goes on: what the copy does not know is accepted anew.
            answers, _ = ingest.answers_until_kept(producer, [event(i) for i in range(100, 150)])
            wanted = {"duplicate"} if copy is newer else {"accepted"}
            if {answer["answer"] for answer in answers} != wanted:
                raise Trouble(f"afterwards events are answered { {answer['answer'] for answer in answers} }, not {wanted}")
            expect(after if copy is newer else texts + [f"number {i}" for i in range(100, 150)], "with more events")
    return "older and newer copies restored over each other, after SIGTERM and kill -9: exact"


@case("backup/journals that do not belong together", short=1, takes=9)
def _(run):
    """A journal under the log of a newer one, or gone beside its manifest: refused in words, the folder as it was, and whole again with
    the right one."""
    with Service() as service:
        producer = ingest.Producer(service.events)
        event = lambda i: {"conversation": "c", "message": f"m{i:04}", "sender": "ada", "time": i, "order": i, "text": f"number {i}"}
        ingest.answers_until_kept(producer, [event(i) for i in range(50)])
        service.stop()
        older = service.home / "older.db"
        shutil.copyfile(service.data / "journal.db", older)
        # What was copied is the base of no log any more, once another end has emptied one into the journal.
        service.start()
        ingest.answers_until_kept(producer, [event(i) for i in range(50, 100)])
        service.stop()
        service.start()
        for count in range(120, 320, 20):
            ingest.answers_until_kept(producer, [event(i) for i in range(count - 20, count)])
            service.kill()
            if (service.data / "journal.db-wal").stat().st_size:
                break
            service.start()  # it was emptied before the end
        else:
            raise Trouble("a service that is killed never leaves a log, so that this test shows nothing")
        kept = service.home / "kept"
        kept.mkdir()
        files = [file for file in service.data.iterdir() if file.name.startswith("journal.")]
        for file in files:
            shutil.copyfile(file, kept / file.name)

        def refused(why):
            before = picture(service.data)
            service.start(wait=0)
            try:
                code = service.process.wait(20)
            except Exception:
                raise Trouble(f"{why}: serve goes on: {service.said()[-800:]}") from None
            if code == 0 or "journal" not in service.said() or "restore" not in service.said():
                raise Trouble(f"{why}: serve ends with {code}, and says: {service.said()[-800:]}")
            if picture(service.data) != before:
                raise Trouble(f"{why}: refused, but the folder is another")
            return service.said().strip().splitlines()[-1][:160]

        shutil.copyfile(older, service.data / "journal.db")
        told = [refused("an older journal under the log of a newer one")]
        for file in files:
            file.unlink()
        told.append(refused("no journal beside its manifest"))
        for file in kept.iterdir():
            shutil.copyfile(file, service.data / file.name)
        service.start()
        def whole():
            rows, _ = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "c", 256))
            return [row["message"] for row in rows or []] == [f"m{i:04}" for i in range(count)]
        until(whole, 20, f"all {count} rows, with the right journal again")
    return f"both refused ({' / '.join(told)}), and {count} rows with the right one"
