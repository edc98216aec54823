/* The kernels of hexwar.board that are worth compiling: the same as in _reach.py, _bits.py and _shared.py, which say
   what they do, and no more.

   Built against the limited API, so that one extension serves every Python from 3.11 on. Nothing here trusts its caller: the
   sizes of all tables are compared first, and every index is tested before it is used. */

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define VERSION 5 /* of what is offered here: see _compiled.py */
#define CLOSED 255
#define ALL 254
#define MAX_BUDGET 253
#define SIDES 6
#define MAX_SIZE 1000000

/* Put something new in the place of a reference, when it is known. */
#define REPLACE(place, value)       \
    do {                            \
        PyObject *before_ = place;  \
        place = (value);            \
        Py_DECREF(before_);         \
    } while (0)

/* An entry of the bucket queue: a hex, and the next entry in the same bucket. */
typedef struct {
    int32_t hex, next;
} Entry;

typedef struct {
    Entry *entries, small[512];
    int32_t used, room;
    int32_t first[MAX_BUDGET + 1], last[MAX_BUDGET + 1];
} Queue;

static int push(Queue *queue, long cost, long hex)
{
    if (queue->used == queue->room) {
        int32_t room = queue->room * 4;
        Entry *more = PyMem_Malloc((size_t)room * sizeof(Entry));
        if (more == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        memcpy(more, queue->entries, (size_t)queue->used * sizeof(Entry));
        if (queue->entries != queue->small)
            PyMem_Free(queue->entries);
        queue->entries = more;
        queue->room = room;
    }
    int32_t at = queue->used++;
    queue->entries[at].hex = (int32_t)hex;
    queue->entries[at].next = -1;
    if (queue->first[cost] < 0)
        queue->first[cost] = at;
    else
        queue->entries[queue->last[cost]].next = at;
    queue->last[cost] = at;
    return 0;
}

/* What a search works on. All tables have the board's size; `steps` has seven bytes for each hex, six prices and the guards. */
typedef struct {
    const uint8_t *steps, *leave, *enter, *zones;
    uint8_t *best, *ways;
    long size, start, budget, within, deltas[SIDES];
    unsigned barred; /* a bit for each direction in which no move begins */
    int met; /* a surcharge */
    PyObject *numbers, *firsts, *spent, *came;
} Search;

static int push_firsts(Search *search, Queue *queue)
{
    Py_ssize_t count = PySequence_Size(search->firsts);
    if (count > SIDES) {
        PyErr_SetString(PyExc_ValueError, "there are six first steps at most");
        return -1;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *item = PySequence_GetItem(search->firsts, k);
        if (item == NULL)
            return -1;
        long n = PyLong_AsLong(item);
        Py_DECREF(item);
        if (n == -1 && PyErr_Occurred())
            return -1;
        int d = 0;
        while (d < SIDES && search->start + search->deltas[d] != n)
            d++;
        if (n < 0 || n >= search->size || d == SIDES) {
            PyErr_SetString(PyExc_ValueError, "a first step leads into a hex next to the start");
            return -1;
        }
        search->met |= search->enter[n];
        if (search->enter[n] != CLOSED) {
            search->best[n] = (uint8_t)search->budget;
            search->ways[n] = (uint8_t)d;
            if (push(queue, search->budget, n))
                return -1;
        }
    }
    return count < 0 ? -1 : 0;
}

/* Enter a hex and the one before it in the dicts. The numbers are those of the board, so that no new ones are made. */
static int settle(const Search *search, long i, PyObject *cost)
{
    PyObject *number = PyTuple_GetItem(search->numbers, i);
    if (number == NULL || PyDict_SetItem(search->spent, number, cost))
        return -1;
    if (i == search->start)
        return 0;
    PyObject *before = PyTuple_GetItem(search->numbers, i - search->deltas[search->ways[i]]);
    return before == NULL ? -1 : PyDict_SetItem(search->came, number, before);
}

static int settle_bucket(Search *search, Queue *queue, long cost, PyObject *number)
{
    const uint8_t *leave = search->leave, *enter = search->enter, *zones = search->zones;
    uint8_t *best = search->best;
    /* A step from zone to zone may cost less than leaving and entering zones does. */
    long limit = search->budget - (search->within < 0 ? search->within : 0);
    /* A step that costs nothing adds to the bucket that is being read, and is read in turn. */
    for (int32_t at = queue->first[cost]; at >= 0; at = queue->entries[at].next) {
        long i = queue->entries[at].hex, paid = cost + leave[i];
        if (best[i] != cost)
            continue;
        if (settle(search, i, number))
            return -1;
        search->met |= leave[i] | zones[i];
        const uint8_t *prices = search->steps + i * (SIDES + 1);
        if (leave[i] == CLOSED)
            continue;
        unsigned guards = prices[SIDES], barred = i == search->start ? search->barred : 0;
        /* Twice, because guarded steps come after the others. */
        for (int guarded = 0; guarded <= (guards != 0); guarded++) {
            for (int d = 0; d < SIDES; d++) {
                if (prices[d] >= ALL || (int)(guards >> d & 1) != guarded || (barred >> d & 1))
                    continue;
                long n = i + search->deltas[d], total = paid + prices[d];
                if (total > limit || n < 0 || n >= search->size)
                    continue;
                if (zones[i] && zones[n]) {
                    if (guarded || search->within >= ALL)
                        continue;
                    total += search->within;
                }
                if (total >= best[n])
                    continue;
                search->met |= enter[n];
                if (enter[n] == CLOSED)
                    continue;
                total += enter[n];
                if (total < cost) /* no step gives points back */
                    total = cost;
                if (total >= best[n])
                    continue;
                best[n] = (uint8_t)total;
                search->ways[n] = (uint8_t)d;
                if (push(queue, total, n))
                    return -1;
            }
        }
    }
    return 0;
}

static int run(Search *search, Queue *queue)
{
    if (push(queue, 0, search->start))
        return -1;
    if (search->budget && search->leave[search->start] != CLOSED && push_firsts(search, queue))
        return -1;
    int failed = 0;
    for (long cost = 0; cost <= search->budget && !failed; cost++) {
        if (queue->first[cost] >= 0) {
            PyObject *number = PyLong_FromLong(cost);
            failed = number == NULL || settle_bucket(search, queue, cost, number);
            Py_XDECREF(number);
        }
    }
    return failed;
}

PyDoc_STRVAR(search_doc, "search(spent, came, numbers, start, budget, stride, steps, leave, enter, firsts, zones, within, barred, /)\n--\n\nSee _reach._search.");

static PyObject *kernel_search(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    Search search = {0};
    Py_buffer steps = {0}, leave = {0}, enter = {0}, zones = {0};
    Queue *queue = NULL;
    int failed = 1;
    if (count != 13 || !PyDict_Check(args[0]) || !PyDict_Check(args[1]) || !PyTuple_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "search takes two dicts, a tuple and ten more arguments");
        return NULL;
    }
    search.spent = args[0];
    search.came = args[1];
    search.numbers = args[2];
    search.start = PyLong_AsLong(args[3]);
    search.budget = PyLong_AsLong(args[4]);
    long stride = PyLong_AsLong(args[5]);
    search.firsts = args[9];
    search.within = PyLong_AsLong(args[11]);
    long barred = PyLong_AsLong(args[12]);
    search.barred = (unsigned)barred;
    search.size = (long)PyTuple_Size(search.numbers);
    if (PyErr_Occurred() || PyObject_GetBuffer(args[6], &steps, PyBUF_SIMPLE) || PyObject_GetBuffer(args[7], &leave, PyBUF_SIMPLE) ||
        PyObject_GetBuffer(args[8], &enter, PyBUF_SIMPLE) || PyObject_GetBuffer(args[10], &zones, PyBUF_SIMPLE))
        goto done;
    if (search.size > MAX_SIZE || steps.len != search.size * (SIDES + 1) || leave.len != search.size || enter.len != search.size ||
        zones.len != search.size) {
        PyErr_SetString(PyExc_ValueError, "the tables are not of one board");
        goto done;
    }
    if (search.start < 0 || search.start >= search.size || stride < 2 || stride > MAX_SIZE || search.budget < 0 ||
        search.budget > MAX_BUDGET || search.within < -2 * CLOSED || search.within > CLOSED || barred < 0 || barred >> SIDES) {
        PyErr_SetString(PyExc_ValueError, "no such start, stride, allowance, surcharge or direction");
        goto done;
    }
    queue = PyMem_Malloc(sizeof(Queue) + 2 * (size_t)search.size);
    if (queue == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    const long deltas[SIDES] = {-1, stride - 1, stride, 1, 1 - stride, -stride};
    memcpy(search.deltas, deltas, sizeof(deltas));
    search.steps = steps.buf;
    search.leave = leave.buf;
    search.enter = enter.buf;
    search.zones = zones.buf;
    search.best = (uint8_t *)(queue + 1);
    search.ways = search.best + search.size;
    memset(search.best, (int)search.budget + 1, (size_t)search.size);
    search.best[search.start] = 0;
    memset(queue->first, 0xff, sizeof(queue->first));
    queue->entries = queue->small;
    queue->room = (int32_t)(sizeof(queue->small) / sizeof(Entry));
    queue->used = 0;
    failed = run(&search, queue);
    if (queue->entries != queue->small)
        PyMem_Free(queue->entries);
done:
    PyMem_Free(queue);
    PyBuffer_Release(&steps);
    PyBuffer_Release(&leave);
    PyBuffer_Release(&enter);
    PyBuffer_Release(&zones);
    if (failed)
        return NULL;
    return PyBool_FromLong(search.met);
}

PyDoc_STRVAR(bits_doc, "See `bits` in hexwar/board/_bits.py.");

static PyObject *kernel_bits(PyObject *self, PyObject *mask)
{
    PyObject *found = NULL, *length, *bytes;
    char *text;
    Py_ssize_t size;
    (void)self;
    if (!PyLong_Check(mask)) {
        PyErr_SetString(PyExc_TypeError, "a mask is a whole number");
        return NULL;
    }
    length = PyObject_CallMethod(mask, "bit_length", NULL);
    if (length == NULL)
        return NULL;
    size = (PyLong_AsSsize_t(length) + 7) / 8;
    Py_DECREF(length);
    bytes = PyObject_CallMethod(mask, "to_bytes", "ns", size, "little");
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &text, &size) || (found = PyList_New(0)) == NULL)
        goto done;
    for (Py_ssize_t at = 0; at < size; at++)
        for (unsigned byte = (unsigned char)text[at], k = 0; byte; byte >>= 1, k++)
            if (byte & 1) {
                PyObject *index = PyLong_FromSsize_t(8 * at + k);
                if (index == NULL || PyList_Append(found, index)) {
                    Py_XDECREF(index);
                    Py_CLEAR(found);
                    goto done;
                }
                Py_DECREF(index);
            }
done:
    Py_XDECREF(bytes);
    return found;
}

PyDoc_STRVAR(mask_of_doc, "See `mask_of` in hexwar/board/_bits.py, whose arguments it takes.");

static PyObject *kernel_mask_of(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    Py_ssize_t size = count == 2 ? PyLong_AsSsize_t(args[1]) : -1;
    if (size < 0 || size > MAX_SIZE) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "mask_of takes indices and a size of at most a million");
        return NULL;
    }
    PyObject *index, *mask = NULL, *indices = PyObject_GetIter(args[0]);
    if (indices == NULL)
        return NULL;
    char *buffer = PyMem_Calloc((size_t)size / 8 + 1, 1);
    if (buffer == NULL)
        PyErr_NoMemory();
    while (buffer != NULL && (index = PyIter_Next(indices)) != NULL) {
        Py_ssize_t i = PyLong_AsSsize_t(index);
        Py_DECREF(index);
        if (i >= 0 && i < size)
            buffer[i >> 3] |= (char)(1 << (i & 7));
        else if (PyErr_Occurred())
            break;
        else {
            PyErr_SetString(PyExc_IndexError, "an index is not below the size");
            break;
        }
    }
    if (!PyErr_Occurred())
        mask = PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "y#s", buffer, size / 8 + 1, "little");
    PyMem_Free(buffer);
    Py_DECREF(indices);
    return mask;
}

PyDoc_STRVAR(recounted_doc, "See `recounted` in hexwar/board/_bits.py, whose arguments it takes.");

/* Put `one operation other` into a list; 0, or -1 with an error. */
static int put_number(PyObject *list, Py_ssize_t at, binaryfunc operation, PyObject *one, PyObject *other)
{
    PyObject *number = operation(one, other);
    return number == NULL ? -1 : PyList_SetItem(list, at, number);
}

/* Add one, or take it away, in the hexes of a mask. */
static int count_on(PyObject *planes, PyObject *mask, int adds)
{
    Py_ssize_t size = PyList_Size(planes);
    int failed = 0, left = PyObject_IsTrue(mask);
    Py_INCREF(mask);
    for (Py_ssize_t digit = 0; left > 0 && !failed && digit < size; digit++) {
        PyObject *plane = Py_NewRef(PyList_GetItem(planes, digit));
        failed = put_number(planes, digit, PyNumber_Xor, plane, mask);
        if (!failed) {
            /* Carry where it was 1, borrow where it is 1 now. */
            REPLACE(mask, PyNumber_And(mask, adds ? plane : PyList_GetItem(planes, digit)));
            left = mask == NULL ? -1 : PyObject_IsTrue(mask);
        }
        Py_DECREF(plane);
    }
    if (left > 0 && adds && !failed)
        failed = PyList_Append(planes, mask);
    Py_XDECREF(mask);
    return failed || left < 0 ? -1 : 0;
}

static PyObject *kernel_recounted(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    if (count != 3 || !PyList_Check(args[0]) || !PyLong_Check(args[1]) || !PyLong_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "recounted takes a list of planes and two masks");
        return NULL;
    }
    PyObject *watched = NULL, *planes = PyList_GetSlice(args[0], 0, PyList_Size(args[0]));
    if (planes == NULL || count_on(planes, args[1], 0) || count_on(planes, args[2], 1))
        goto failed;
    Py_ssize_t size = PyList_Size(planes);
    while (size && PyObject_Not(PyList_GetItem(planes, size - 1)) == 1)
        if (PyList_SetSlice(planes, size - 1, size, NULL))
            goto failed;
        else
            size--;
    watched = size ? Py_NewRef(PyList_GetItem(planes, 0)) : PyLong_FromLong(0);
    for (Py_ssize_t digit = 1; watched != NULL && digit < size; digit++)
        REPLACE(watched, PyNumber_Or(watched, PyList_GetItem(planes, digit)));
    if (watched != NULL)
        return Py_BuildValue("(NN)", planes, watched);
failed:
    Py_XDECREF(planes);
    return NULL;
}

/* A table: a dict whose copy takes no time. See `hexwar/board/_tables.py`, which says what it is for.

   It has either `whole`, a dict of its own, or `base`, a dict that several tables share and nobody changes any more, and what
   is different here in `changes`, where `gone` stands for what has been deleted. Whoever goes through all of it, or changes
   much, makes it whole. Keys follow each other as they would in a dict. */

#define MOST_CHANGES 24

typedef struct {
    PyObject_HEAD
    PyObject *base, *changes, *whole;
    Py_ssize_t length; /* while it is not whole */
} Table;

static PyObject *gone;

static PyTypeObject *table_type;

/* Its own dict, borrowed; NULL with an error. */
static PyObject *made_whole(Table *table)
{
    PyObject *key, *value, *whole;
    Py_ssize_t at = 0;
    if (table->whole != NULL)
        return table->whole;
    whole = PyDict_Copy(table->base);
    if (whole == NULL)
        return NULL;
    while (table->changes != NULL && PyDict_Next(table->changes, &at, &key, &value))
        if (value == gone ? PyDict_DelItem(whole, key) : PyDict_SetItem(whole, key, value)) {
            Py_DECREF(whole);
            return NULL;
        }
    table->whole = whole;
    Py_CLEAR(table->base);
    Py_CLEAR(table->changes);
    return whole;
}

/* The value of a key, borrowed; NULL with or without an error. */
static PyObject *looked_up(Table *table, PyObject *key)
{
    PyObject *value;
    if (table->whole != NULL)
        return PyDict_GetItemWithError(table->whole, key);
    if (table->changes != NULL) {
        value = PyDict_GetItemWithError(table->changes, key);
        if (value != NULL)
            return value == gone ? NULL : value;
        if (PyErr_Occurred())
            return NULL;
    }
    return PyDict_GetItemWithError(table->base, key);
}

static PyObject *table_subscript(PyObject *self, PyObject *key)
{
    PyObject *value = looked_up((Table *)self, key);
    if (value == NULL) {
        if (!PyErr_Occurred())
            PyErr_SetObject(PyExc_KeyError, key);
        return NULL;
    }
    return Py_NewRef(value);
}

static PyObject *table_get(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count < 1 || count > 2) {
        PyErr_SetString(PyExc_TypeError, "get takes a key and a default");
        return NULL;
    }
    PyObject *value = looked_up((Table *)self, args[0]);
    if (value == NULL) {
        if (PyErr_Occurred())
            return NULL;
        value = count == 2 ? args[1] : Py_None;
    }
    return Py_NewRef(value);
}

static int table_contains(PyObject *self, PyObject *key)
{
    return looked_up((Table *)self, key) != NULL ? 1 : PyErr_Occurred() ? -1 : 0;
}

static Py_ssize_t table_length(PyObject *self)
{
    Table *table = (Table *)self;
    return table->whole != NULL ? PyDict_Size(table->whole) : table->length;
}

static int table_change(PyObject *self, PyObject *key, PyObject *value)
{
    Table *table = (Table *)self;
    if (table->whole == NULL) {
        if (table->changes == NULL && (table->changes = PyDict_New()) == NULL)
            return -1;
        PyObject *before = PyDict_GetItemWithError(table->changes, key);
        int in_base = before == NULL && PyErr_Occurred() ? -1 : PyDict_Contains(table->base, key);
        if (in_base < 0)
            return -1;
        int was_there = before != NULL ? before != gone : in_base;
        if (value == NULL && !was_there) {
            PyErr_SetObject(PyExc_KeyError, key);
            return -1;
        }
        /* What comes back goes to the end, and that only a dict can do. */
        if (before != gone && PyDict_Size(table->changes) < MOST_CHANGES) {
            if (value != NULL ? PyDict_SetItem(table->changes, key, value)
                : in_base     ? PyDict_SetItem(table->changes, key, gone)
                              : PyDict_DelItem(table->changes, key))
                return -1;
            table->length += (value != NULL) - was_there;
            return 0;
        }
        if (made_whole(table) == NULL)
            return -1;
    }
    return value != NULL ? PyDict_SetItem(table->whole, key, value) : PyDict_DelItem(table->whole, key);
}

static Table *blank_table(void)
{
    Table *table = PyObject_GC_New(Table, table_type);
    if (table != NULL) {
        table->base = table->changes = table->whole = NULL;
        table->length = 0;
    }
    return table;
}

static PyObject *table_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    PyObject *content = NULL, *whole = PyDict_New();
    (void)type;
    if (whole == NULL || (names != NULL && PyDict_Size(names) && (PyErr_SetString(PyExc_TypeError, "Table takes a mapping"), 1)) ||
        !PyArg_ParseTuple(args, "|O:Table", &content) || (content != NULL && PyDict_Update(whole, content))) {
        Py_XDECREF(whole);
        return NULL;
    }
    Table *table = blank_table();
    if (table == NULL) {
        Py_DECREF(whole);
        return NULL;
    }
    table->whole = whole;
    PyObject_GC_Track((PyObject *)table);
    return (PyObject *)table;
}

static PyObject *table_copy(PyObject *self, PyObject *unused)
{
    Table *table = (Table *)self, *twin;
    (void)unused;
    if (table->whole != NULL) { /* from now on it is for both, and for nobody to change */
        table->length = PyDict_Size(table->whole);
        table->base = table->whole;
        table->whole = NULL;
    }
    twin = blank_table();
    if (twin == NULL)
        return NULL;
    if (table->changes != NULL && (twin->changes = PyDict_Copy(table->changes)) == NULL) {
        Py_DECREF(twin);
        return NULL;
    }
    twin->base = Py_NewRef(table->base);
    twin->length = table->length;
    PyObject_GC_Track((PyObject *)twin);
    return (PyObject *)twin;
}

static PyObject *table_iter(PyObject *self)
{
    PyObject *whole = made_whole((Table *)self);
    return whole == NULL ? NULL : PyObject_GetIter(whole);
}

static PyObject *of_whole(PyObject *self, const char *name)
{
    PyObject *whole = made_whole((Table *)self);
    return whole == NULL ? NULL : PyObject_CallMethod(whole, name, NULL);
}

static PyObject *table_keys(PyObject *self, PyObject *unused)
{
    (void)unused;
    return of_whole(self, "keys");
}

static PyObject *table_values(PyObject *self, PyObject *unused)
{
    (void)unused;
    return of_whole(self, "values");
}

static PyObject *table_items(PyObject *self, PyObject *unused)
{
    (void)unused;
    return of_whole(self, "items");
}

static PyObject *table_pop(PyObject *self, PyObject *key)
{
    PyObject *value = table_subscript(self, key);
    if (value != NULL && table_change(self, key, NULL))
        Py_CLEAR(value);
    return value;
}

static PyObject *table_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *whole = made_whole((Table *)self);
    return whole == NULL ? NULL : Py_BuildValue("(O(O))", (PyObject *)&PyDict_Type, whole);
}

static PyObject *table_compare(PyObject *self, PyObject *other, int operation)
{
    PyObject *mine = made_whole((Table *)self), *theirs = other;
    if (mine != NULL && Py_TYPE(other) == table_type)
        theirs = made_whole((Table *)other);
    return mine == NULL || theirs == NULL ? NULL : PyObject_RichCompare(mine, theirs, operation);
}

static PyObject *table_repr(PyObject *self)
{
    PyObject *whole = made_whole((Table *)self);
    return whole == NULL ? NULL : PyObject_Repr(whole);
}

static int table_traverse(PyObject *self, visitproc visit, void *arg)
{
    Table *table = (Table *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(table->base);
    Py_VISIT(table->changes);
    Py_VISIT(table->whole);
    return 0;
}

static void table_dealloc(PyObject *self)
{
    Table *table = (Table *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_CLEAR(table->base);
    Py_CLEAR(table->changes);
    Py_CLEAR(table->whole);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyMethodDef table_methods[] = {
    {"get", (PyCFunction)(void (*)(void))table_get, METH_FASTCALL, "The value of a key, or a default."},
    {"copy", table_copy, METH_NOARGS, "The same table once more, to be changed independently."},
    {"keys", table_keys, METH_NOARGS, "Its keys."},
    {"values", table_values, METH_NOARGS, "Its values."},
    {"items", table_items, METH_NOARGS, "Its keys and values."},
    {"pop", table_pop, METH_O, "Delete a key; its value."},
    {"__reduce__", table_reduce, METH_NOARGS, "Another process gets a dict."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot table_slots[] = {
    {Py_tp_doc, "A dict whose copy takes no time as long as little of it is changed."},
    {Py_tp_new, table_new},
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_traverse, table_traverse},
    {Py_tp_methods, table_methods},
    {Py_tp_iter, table_iter},
    {Py_tp_repr, table_repr},
    {Py_tp_richcompare, table_compare},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_mp_subscript, table_subscript},
    {Py_mp_ass_subscript, table_change},
    {Py_mp_length, table_length},
    {Py_sq_contains, table_contains},
    {0, NULL},
};

static PyType_Spec table_spec = {
    "hexwar.board._kernel.Table",
    sizeof(Table),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    table_slots,
};

PyDoc_STRVAR(present_doc, "See `present` in hexwar/board/_shared.py, whose arguments it takes.");

static PyObject *kernel_present(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    if (count != 3 || !(Py_TYPE(args[1]) == table_type || PyDict_Check(args[1])) || !PyDict_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "present takes names, a table of their places, and a dict of places");
        return NULL;
    }
    PyObject *name, *found = PyList_New(0), *names = PyObject_GetIter(args[0]);
    while (found != NULL && names != NULL && (name = PyIter_Next(names)) != NULL) {
        PyObject *place = Py_TYPE(args[1]) == table_type ? looked_up((Table *)args[1], name) : PyDict_GetItemWithError(args[1], name);
        int is_there = place != NULL ? PyDict_Contains(args[2], place) : PyErr_Occurred() ? -1 : 0;
        if (is_there < 0 || (is_there && PyList_Append(found, name)))
            Py_CLEAR(found);
        Py_DECREF(name);
    }
    Py_XDECREF(names);
    PyObject *answer = found == NULL || PyErr_Occurred() ? NULL : PyList_AsTuple(found);
    Py_XDECREF(found);
    return answer;
}

static PyMethodDef methods[] = {
    {"search", (PyCFunction)(void (*)(void))kernel_search, METH_FASTCALL, search_doc},
    {"present", (PyCFunction)(void (*)(void))kernel_present, METH_FASTCALL, present_doc},
    {"bits", kernel_bits, METH_O, bits_doc},
    {"mask_of", (PyCFunction)(void (*)(void))kernel_mask_of, METH_FASTCALL, mask_of_doc},
    {"recounted", (PyCFunction)(void (*)(void))kernel_recounted, METH_FASTCALL, recounted_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_kernel", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel(void)
{
    PyObject *made = PyModule_Create(&module);
    if (made == NULL)
        return NULL;
    gone = PyBytes_FromString("gone");
    table_type = (PyTypeObject *)PyType_FromSpec(&table_spec);
    if (gone == NULL || table_type == NULL || PyModule_AddObjectRef(made, "Table", (PyObject *)table_type) ||
        PyModule_AddIntConstant(made, "VERSION", VERSION)) {
        Py_DECREF(made);
        return NULL;
    }
    return made;
}
