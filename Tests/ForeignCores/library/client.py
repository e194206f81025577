"""A client of the row model in Python: `python3 client.py libInterlockRows.so`.

Threads edit a model, an observer follows it on the main thread, and a core in Python owns rows.
"""

import ctypes
import sys
import threading
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

library = ctypes.CDLL(sys.argv[1])

OK, NO_SUCH_ROW, INVALID_ARGUMENT, INVALID_HANDLE, IN_CALLBACK = 0, 1, 3, 5, 7
INSERTED, REMOVED, MODIFIED = 0, 1, 2
AT_INDEX, AT_SHARE = 0, 1


class Text(Structure):
    _fields_ = [("bytes", c_void_p), ("length", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.bytes, self.length).decode() if self.length else ""


class Options(Structure):
    _fields_ = [
        ("size", c_size_t), ("strategy", c_uint32), ("audits", c_uint32), ("speed", c_double), ("seed", c_uint64),
        ("initial_rows", POINTER(Text)), ("initial_count", c_size_t), ("backlog_bytes", c_size_t),
        ("command_limit", c_size_t)]


class Position(Structure):
    _fields_ = [("kind", c_uint32), ("value", c_uint64)]


class Edit(Structure):
    _fields_ = [("change", c_uint32), ("position", Position), ("text", Text)]


class Change(Structure):
    _fields_ = [
        ("index", c_size_t), ("id", c_uint64), ("text", Text), ("row_count", c_size_t), ("first_sequence", c_uint64),
        ("last_sequence", c_uint64), ("generation", c_uint64)]


Destroy = CFUNCTYPE(None, c_void_p)
Changed = CFUNCTYPE(None, c_void_p, POINTER(Change))
Restarted = CFUNCTYPE(None, c_void_p, c_uint64, c_size_t)


class Observer(Structure):
    _fields_ = [
        ("size", c_size_t), ("user", c_void_p), ("destroy_user", Destroy), ("inserted", Changed), ("removed", Changed),
        ("modified", Changed), ("restarted", Restarted)]


class Account(Structure):
    _fields_ = [("size", c_size_t)] + [
        (name, c_uint64)
        for name in (
            "generation posted delivered unobserved dropped queued composed rows fingerprint threads snapshots violations"
            " gaps complaints").split()]


class Posted(Structure):
    _fields_ = [
        ("generation", c_uint64), ("sequence", c_uint64), ("change", c_uint32), ("index", c_size_t), ("id", c_uint64),
        ("text", Text)]


Post = CFUNCTYPE(c_int32, c_uint64, POINTER(Posted))
End = CFUNCTYPE(c_int32, c_uint64)


class Sink(Structure):
    _fields_ = [("size", c_size_t), ("handle", c_uint64), ("post", Post), ("end", End)]


class Beginning(Structure):
    _fields_ = [("generation", c_uint64), ("rows", POINTER(Text)), ("count", c_size_t), ("first_id", c_uint64)]


ReportRow = CFUNCTYPE(None, c_void_p, c_uint64, c_char_p, c_size_t)
ReportEnd = CFUNCTYPE(None, c_void_p, c_uint64, c_uint64)


class Reader(Structure):
    _fields_ = [("reader", c_void_p), ("row", ReportRow), ("end", ReportEnd)]


Activate = CFUNCTYPE(c_int32, c_void_p, POINTER(Sink))
Begin = CFUNCTYPE(c_int32, c_void_p, POINTER(Beginning))
Start = CFUNCTYPE(c_int32, c_void_p, c_void_p)
Simple = CFUNCTYPE(None, c_void_p)
MakeEdit = CFUNCTYPE(c_int32, c_void_p, POINTER(Edit))
Read = CFUNCTYPE(c_int32, c_void_p, POINTER(Reader))
Running = CFUNCTYPE(c_size_t, c_void_p)


class Core(Structure):
    _fields_ = [
        ("size", c_size_t), ("user", c_void_p), ("destroy_user", Simple), ("activate", Activate), ("begin", Begin),
        ("start", Start), ("stop", Simple), ("edit", MakeEdit), ("read", Read), ("running", Running),
        ("invalidate", Simple)]


def function(name, *arguments):
    result = getattr(library, "interlock_rows_" + name)
    result.restype = c_int32
    result.argtypes = arguments
    return result


options_init = function("options_init", POINTER(Options))
create = function("create", POINTER(Options), POINTER(c_uint64))
create_over = function("create_over", POINTER(Options), POINTER(Core), POINTER(c_uint64))
destroy = function("destroy", c_uint64)
restart = function("restart", c_uint64, c_size_t)
serve = function("serve", c_uint64)
stop_serving = function("stop_serving")
insert = function("insert", c_uint64, Position, c_char_p, c_size_t)
remove = function("remove", c_uint64, Position)
append = function("append", c_uint64, Position, c_char_p, c_size_t)
observe = function("observe", c_uint64, POINTER(Observer), POINTER(c_uint64))
end_observation = function("end_observation", c_uint64)
deliver = function("deliver", c_uint64)
latest = function("latest", c_uint64, POINTER(c_uint64))
snapshot_release = function("snapshot_release", c_uint64)
Visitor = CFUNCTYPE(c_int32, c_void_p, c_size_t, c_uint64, c_void_p, c_size_t)
snapshot_visit = function("snapshot_visit", c_uint64, c_size_t, c_size_t, Visitor, c_void_p)
audit = function("audit", c_uint64, POINTER(Account))
live_handles = library.interlock_rows_live_handles
live_handles.restype = c_size_t
refused_edits = library.interlock_rows_refused_edits
refused_edits.restype = c_uint64

FIRST = Position(AT_INDEX, 0)
EVERYTHING = c_size_t(-1).value


def expect(status, expected=OK):
    assert status == expected, f"status {status}, not {expected}"


def default_options():
    options = Options()
    expect(options_init(byref(options)))
    assert options.size == ctypes.sizeof(Options)
    options.audits = 1
    return options


class Table:
    """An observer that keeps a copy of the rows."""

    def __init__(self, until):
        self.rows, self.edits, self.ends, self.until = [], 0, 0, until
        # The structure refers to the functions, and so must live as long as the registration.
        self.observer = Observer(
            ctypes.sizeof(Observer), None, Destroy(self.ended), Changed(self.inserted), Changed(self.removed),
            Changed(self.modified), Restarted(self.restarted))

    def noted(self, change):
        self.edits += change.last_sequence - change.first_sequence + 1
        assert len(self.rows) == change.row_count
        expect(serve(0), IN_CALLBACK)
        if self.edits >= self.until:
            stop_serving()

    def inserted(self, user, change):
        self.rows.insert(change[0].index, str(change[0].text))
        self.noted(change[0])

    def removed(self, user, change):
        assert self.rows.pop(change[0].index) == str(change[0].text)
        self.noted(change[0])

    def modified(self, user, change):
        self.rows[change[0].index] = str(change[0].text)
        self.noted(change[0])

    def restarted(self, user, generation, count):
        self.rows = []
        assert count == 0

    def ended(self, user):
        self.ends += 1


def rows_of(model):
    snapshot, rows = c_uint64(), []
    expect(latest(model, byref(snapshot)))

    def visit(user, index, id, text, length):
        rows.append(ctypes.string_at(text, length).decode() if length else "")
        return 1

    expect(snapshot_visit(snapshot, 0, EVERYTHING, Visitor(visit), None))
    expect(snapshot_release(snapshot))
    expect(snapshot_release(snapshot), INVALID_HANDLE)
    return rows


def check(model, table):
    account = Account(ctypes.sizeof(Account))
    expect(deliver(model))
    expect(audit(model, byref(account)))
    assert account.complaints == 0 and account.delivered == table.edits
    assert rows_of(model) == table.rows
    expect(destroy(model))
    assert table.ends == 1
    expect(destroy(model), INVALID_HANDLE)


def edit_on_threads(model):
    """Three threads make 100 edits each; the main thread serves meanwhile."""

    def edit(name):
        for number in range(50):
            expect(insert(model, FIRST, name.encode(), len(name)))
            expect(append(model, Position(AT_SHARE, number << 58), "é".encode(), 2))

    threads = [threading.Thread(target=edit, args=(name,)) for name in ("Ann", "Bob", "Eve")]
    for thread in threads:
        thread.start()
    expect(serve(c_uint64(-1).value))
    for thread in threads:
        thread.join()


def drive():
    model, registration, table = c_uint64(), c_uint64(), Table(300)
    options = default_options()
    options.size -= 1
    expect(create(byref(options), byref(model)), INVALID_ARGUMENT)
    expect(create(byref(default_options()), byref(model)))
    expect(observe(model, byref(table.observer), byref(registration)))
    edit_on_threads(model)
    expect(remove(model, Position(AT_INDEX, 2**64 - 1)), NO_SUCH_ROW)
    expect(remove(model, FIRST))
    check(model, table)
    return len(table.rows)


class Owner:
    """A core that owns its rows: a list behind a lock."""

    def __init__(self):
        self.lock, self.rows, self.calls = threading.Lock(), [], []
        self.generation = self.sequence = self.next_id = 0
        self.table = Core(
            ctypes.sizeof(Core), None, Simple(lambda user: self.calls.append("destroy_user")), Activate(self.activate),
            Begin(self.begin), Start(lambda user, crew: OK), Simple(lambda user: None), MakeEdit(self.edit),
            Read(self.read), Running(lambda user: 0), Simple(lambda user: self.calls.append("invalidate")))

    def activate(self, user, sink):
        self.handle, self.post = sink[0].handle, sink[0].post
        # The functions of the sink stay valid; the structure does not.
        self.end = End(ctypes.cast(sink[0].end, c_void_p).value)
        self.post = Post(ctypes.cast(sink[0].post, c_void_p).value)
        return OK

    def begin(self, user, beginning):
        with self.lock:
            self.generation, self.sequence = beginning[0].generation, 0
            self.next_id = beginning[0].first_id
            self.rows = []
        return OK

    def edit(self, user, edit):
        edit = edit[0]
        with self.lock:
            limit = len(self.rows) + (edit.change == INSERTED)
            index = edit.position.value
            if edit.position.kind == AT_SHARE:
                index = index * limit >> 64
            if index >= limit:
                return NO_SUCH_ROW
            if edit.change == INSERTED:
                self.rows.insert(index, (self.next_id, str(edit.text)))
                self.next_id += 1
            id, text = self.rows[index]
            if edit.change == MODIFIED:
                text += str(edit.text)
                self.rows[index] = (id, text)
            elif edit.change == REMOVED:
                self.rows.pop(index)
            self.sequence += 1
            data = text.encode()
            posted = Posted(
                self.generation, self.sequence, edit.change, index, id,
                Text(ctypes.cast(c_char_p(data), c_void_p), len(data)))
            return self.post(self.handle, byref(posted))

    def read(self, user, reader):
        with self.lock:
            for id, text in self.rows:
                reader[0].row(reader[0].reader, id, text.encode(), len(text.encode()))
            reader[0].end(reader[0].reader, self.generation, self.sequence)
        return OK


def own():
    model, registration, table, owner = c_uint64(), c_uint64(), Table(300), Owner()
    before = refused_edits()
    expect(create_over(byref(default_options()), byref(owner.table), byref(model)))
    expect(observe(model, byref(table.observer), byref(registration)))
    edit_on_threads(model)
    expect(remove(model, FIRST))
    check(model, table)
    assert owner.calls == ["invalidate", "destroy_user"] and refused_edits() == before
    # A core that ends itself leaves its rows to the model.
    table, owner = Table(1), Owner()
    expect(create_over(byref(default_options()), byref(owner.table), byref(model)))
    expect(observe(model, byref(table.observer), byref(registration)))
    expect(insert(model, FIRST, b"row", 3))
    thread = threading.Thread(target=lambda: expect(owner.end(owner.handle)))
    thread.start()
    thread.join()
    assert owner.calls == ["destroy_user"]
    expect(insert(model, FIRST, b"row", 3), NO_SUCH_ROW)
    check(model, table)
    assert owner.calls == ["destroy_user"] and table.rows == ["row"]


shown = drive()
own()
assert live_handles() == 0
print(f"Python: {shown} rows of three threads were shown, and those of a core in Python")
