/* The kernels of hexwar.board that are worth compiling: the same as in _reach.py, which says what they do, and no more.

   Built against the limited API, so that one extension serves every Python from 3.11 on. Nothing here trusts its caller: the
   sizes of all tables are compared first, and every index is tested before it is used. */

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define CLOSED 255
#define ALL 254
#define MAX_BUDGET 253
#define SIDES 6
#define MAX_SIZE 1000000

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
    const uint8_t *steps, *leave, *enter;
    uint8_t *best, *ways;
    long size, start, budget, deltas[SIDES];
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
    const uint8_t *leave = search->leave, *enter = search->enter;
    uint8_t *best = search->best;
    /* A step that costs nothing adds to the bucket that is being read, and is read in turn. */
    for (int32_t at = queue->first[cost]; at >= 0; at = queue->entries[at].next) {
        long i = queue->entries[at].hex, left = search->budget - cost - leave[i];
        if (best[i] != cost)
            continue;
        if (settle(search, i, number))
            return -1;
        search->met |= leave[i];
        const uint8_t *prices = search->steps + i * (SIDES + 1);
        unsigned guards = prices[SIDES];
        /* Twice, because guarded steps come after the others. */
        for (int guarded = 0; guarded <= (guards != 0); guarded++) {
            for (int d = 0; d < SIDES; d++) {
                if (prices[d] > left || prices[d] >= ALL || (int)(guards >> d & 1) != guarded)
                    continue;
                long n = i + search->deltas[d], total = search->budget - left + prices[d];
                if (n < 0 || n >= search->size || total >= best[n] || (guarded && leave[i] && enter[n]))
                    continue;
                search->met |= enter[n];
                total += enter[n];
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

PyDoc_STRVAR(search_doc, "search(spent, came, numbers, start, budget, stride, steps, leave, enter, firsts, /)\n--\n\nSee _reach._search.");

static PyObject *kernel_search(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    Search search = {0};
    Py_buffer steps = {0}, leave = {0}, enter = {0};
    Queue *queue = NULL;
    int failed = 1;
    if (count != 10 || !PyDict_Check(args[0]) || !PyDict_Check(args[1]) || !PyTuple_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "search takes two dicts, a tuple and seven more arguments");
        return NULL;
    }
    search.spent = args[0];
    search.came = args[1];
    search.numbers = args[2];
    search.start = PyLong_AsLong(args[3]);
    search.budget = PyLong_AsLong(args[4]);
    long stride = PyLong_AsLong(args[5]);
    search.firsts = args[9];
    search.size = (long)PyTuple_Size(search.numbers);
    if (PyErr_Occurred() || PyObject_GetBuffer(args[6], &steps, PyBUF_SIMPLE) || PyObject_GetBuffer(args[7], &leave, PyBUF_SIMPLE) ||
        PyObject_GetBuffer(args[8], &enter, PyBUF_SIMPLE))
        goto done;
    if (search.size > MAX_SIZE || steps.len != search.size * (SIDES + 1) || leave.len != search.size || enter.len != search.size) {
        PyErr_SetString(PyExc_ValueError, "the tables are not of one board");
        goto done;
    }
    if (search.start < 0 || search.start >= search.size || stride < 2 || stride > MAX_SIZE || search.budget < 0 ||
        search.budget > MAX_BUDGET) {
        PyErr_SetString(PyExc_ValueError, "no such start, stride or allowance");
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
    if (failed)
        return NULL;
    return PyBool_FromLong(search.met);
}

static PyMethodDef methods[] = {
    {"search", (PyCFunction)(void (*)(void))kernel_search, METH_FASTCALL, search_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_kernel", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModule_Create(&module);
}
