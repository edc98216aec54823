/* The kernel of hexwar.plane: who sees whom, the same as in _sight.py and `shadow` of _exact.py, which say what it means, and no more.

   Built against the limited API, so that one extension serves every Python from 3.11 on. Nothing here trusts its caller: sizes are
   compared first, and coordinates are held to a range in which no product overflows. */

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define VERSION 1 /* of what is offered here: see _compiled.py */
#define ROW 25
#define POINTS 9
#define LEAST (-2000)
#define MOST 34000
#define STEEPEST (1 << 15)

/* A product of two numbers of 64 bits. */
typedef struct {
    uint64_t high, low;
} Wide;

static Wide product(uint64_t a, uint64_t b)
{
    uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    uint64_t low = al * bl, one = ah * bl, two = al * bh, middle = (low >> 32) + (one & 0xffffffffu) + (two & 0xffffffffu);
    Wide found = {ah * bh + (one >> 32) + (two >> 32) + (middle >> 32), (middle << 32) | (low & 0xffffffffu)};
    return found;
}

static int not_above(Wide a, Wide b)
{
    return a.high < b.high || (a.high == b.high && a.low <= b.low);
}

/* An outline, or a line of several legs. */
typedef struct {
    int64_t limit, count, least_x, least_y, most_x, most_y;
    const int64_t *spots;
} Part;

typedef struct {
    int64_t ex, ey, px, py, least_x, least_y, most_x, most_y;
} Ray;

static int near(const Part *part, const Ray *ray)
{
    return part->least_x <= ray->most_x && part->most_x >= ray->least_x && part->least_y <= ray->most_y && part->most_y >= ray->least_y;
}

/* See `_shadow` in _exact.py; a corner on the line counts as left of it if `on` is 1. */
static int blocks(const Part *part, const Ray *ray, int on)
{
    int64_t dx = ray->px - ray->ex, dy = ray->py - ray->ey, before = 0, after = 0, within = 0;
    uint64_t square = (uint64_t)(dx * dx + dy * dy), most = part->limit < 0 ? 0 : (uint64_t)(part->limit * part->limit);
    int near_start = 0, near_end = 0;
    const int64_t *spots = part->spots;
    int64_t ax = spots[2 * part->count - 2], ay = spots[2 * part->count - 1];
    int64_t side = dx * (ay - ray->ey) - dy * (ax - ray->ex);
    int was = on ? side >= 0 : side > 0;
    for (int64_t number = 0; number < part->count; number++) {
        int64_t bx = spots[2 * number], by = spots[2 * number + 1];
        side = dx * (by - ray->ey) - dy * (bx - ray->ex);
        int is = on ? side >= 0 : side > 0;
        if (is != was) {
            int64_t num = (ax - ray->ex) * (by - ay) - (ay - ray->ey) * (bx - ax), den = dx * (by - ay) - dy * (bx - ax);
            if (den < 0) {
                num = -num;
                den = -den;
            }
            if (num <= 0)
                before++;
            else if (num >= den)
                after++;
            else {
                within++;
                if (part->limit >= 0) {
                    Wide room = product((uint64_t)den * (uint64_t)den, most);
                    uint64_t rest = (uint64_t)(den - num);
                    near_start |= not_above(product((uint64_t)num * (uint64_t)num, square), room);
                    near_end |= not_above(product(rest * rest, square), room);
                }
            }
        }
        ax = bx;
        ay = by;
        was = is;
    }
    int starts = before % 2, ends = after % 2;
    if (!within)
        return starts && (part->limit < 0 || square > most);
    if (part->limit < 0 || within > starts + ends)
        return 1;
    return (starts && !near_start) || (ends && !near_end);
}

static int shadow(const Part *part, const Ray *ray)
{
    int64_t dx = ray->px - ray->ex, dy = ray->py - ray->ey;
    int left = 0, right = 0, on = 0;
    for (int64_t number = 0; number < part->count; number++) {
        int64_t side = dx * (part->spots[2 * number + 1] - ray->ey) - dy * (part->spots[2 * number] - ray->ex);
        left |= side < 0;
        right |= side > 0;
        on |= side == 0;
    }
    if (!on && !(left && right))
        return 0;
    return on ? blocks(part, ray, 0) | (blocks(part, ray, 1) << 1) : 3 * blocks(part, ray, 0);
}

static int meets(const Ray *ray, const int64_t *leg)
{
    int64_t cx = leg[0], cy = leg[1], dx = leg[2], dy = leg[3];
    if ((cx < ray->least_x && dx < ray->least_x) || (cx > ray->most_x && dx > ray->most_x) || (cy < ray->least_y && dy < ray->least_y) ||
        (cy > ray->most_y && dy > ray->most_y))
        return 0;
    int64_t vx = ray->px - ray->ex, vy = ray->py - ray->ey;
    int64_t one = vx * (cy - ray->ey) - vy * (cx - ray->ex), two = vx * (dy - ray->ey) - vy * (dx - ray->ex);
    if ((one > 0 && two > 0) || (one < 0 && two < 0))
        return 0;
    int64_t here = (dx - cx) * (ray->ey - cy) - (dy - cy) * (ray->ex - cx), there = (dx - cx) * (ray->py - cy) - (dy - cy) * (ray->px - cx);
    return !((here > 0 && there > 0) || (here < 0 && there < 0));
}

static int in_range(const int64_t *numbers, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (numbers[i] < LEAST || numbers[i] > MOST)
            return 0;
    return 1;
}

/* The numbers of a bytes object, or NULL with an error. */
static int64_t *numbers_of(PyObject *given, Py_ssize_t *count)
{
    char *text;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(given, &text, &size))
        return NULL;
    if (size % (Py_ssize_t)sizeof(int64_t)) {
        PyErr_SetString(PyExc_ValueError, "these are no whole numbers of 64 bits");
        return NULL;
    }
    int64_t *made = PyMem_Malloc((size_t)size + 1);
    if (made == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    memcpy(made, text, (size_t)size);
    *count = size / (Py_ssize_t)sizeof(int64_t);
    return made;
}

/* How many parts some numbers describe, put into `parts` with room for all; -1 if they do not. */
static Py_ssize_t parts_of(const int64_t *numbers, Py_ssize_t count, int64_t fewest, Part *parts)
{
    Py_ssize_t found = 0;
    for (Py_ssize_t at = 0; at < count; found++) {
        if (count - at < 6 || numbers[at] < -1 || numbers[at] > MOST || numbers[at + 1] < fewest || numbers[at + 1] > (count - at - 6) / 2)
            return -1;
        Part part = {numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4], numbers[at + 5], numbers + at + 6};
        if (!in_range(numbers + at + 2, 4 + 2 * (Py_ssize_t)part.count))
            return -1;
        parts[found] = part;
        at += 6 + 2 * (Py_ssize_t)part.count;
    }
    return found;
}

/* What is looked at. */
typedef struct {
    const int64_t *units;
    const uint8_t *slopes, *touched;
    const Part *areas, *screens, *bases;
    Py_ssize_t count, area_count, screen_count;
} Table;

static int faces(const int64_t *unit, int64_t x, int64_t y)
{
    x -= unit[0];
    y -= unit[1];
    return unit[2] * y - unit[3] * x >= 0 && x * unit[5] - y * unit[4] >= 0;
}

static int is_clear(const Table *table, Py_ssize_t viewer, Py_ssize_t target, const Ray *ray)
{
    int dark = 0;
    for (Py_ssize_t number = 0; number < table->screen_count; number++) {
        const Part *line = table->screens + number;
        if (table->touched[viewer * table->screen_count + number] || table->touched[target * table->screen_count + number] || !near(line, ray))
            continue;
        for (int64_t leg = 0; leg + 1 < line->count; leg++)
            if (meets(ray, line->spots + 2 * leg))
                return 0;
    }
    for (Py_ssize_t number = 0; number < table->area_count; number++) {
        int same = table->slopes[viewer * table->area_count + number] & table->slopes[target * table->area_count + number];
        if (!same && near(table->areas + number, ray) && (dark |= shadow(table->areas + number, ray)) == 3)
            return 0;
    }
    for (Py_ssize_t number = 0; number < table->count; number++)
        if (table->units[number * ROW + 6] && number != viewer && number != target && near(table->bases + number, ray) &&
            (dark |= shadow(table->bases + number, ray)) == 3)
            return 0;
    return 1;
}

static int seen_point(const Table *table, Py_ssize_t viewer, Py_ssize_t target)
{
    const int64_t *eye = table->units + viewer * ROW, *points = table->units + target * ROW + 7;
    for (int point = 0; point < POINTS; point++) {
        int64_t ex = eye[0], ey = eye[1], x = points[2 * point], y = points[2 * point + 1];
        Ray ray = {ex, ey, x, y, ex < x ? ex : x, ey < y ? ey : y, ex < x ? x : ex, ey < y ? y : ey};
        if (faces(eye, x, y) && is_clear(table, viewer, target, &ray))
            return point + 1;
    }
    return 0;
}

PyDoc_STRVAR(seen_doc, "See `Field._found` in hexwar/plane/_sight.py, whose arguments it takes.");

static PyObject *kernel_seen(PyObject *self, PyObject *const *args, Py_ssize_t given)
{
    (void)self;
    int64_t *units = NULL, *areas = NULL, *screens = NULL, *pairs = NULL;
    Part *parts = NULL;
    PyObject *answer = NULL;
    Py_ssize_t units_size = 0, areas_size = 0, screens_size = 0, pairs_size = 0, slopes_size = 0, touched_size = 0;
    char *slopes, *touched, *verdicts;
    if (given != 6) {
        PyErr_SetString(PyExc_TypeError, "seen takes units, slopes, touched, areas, screens and pairs");
        return NULL;
    }
    if ((units = numbers_of(args[0], &units_size)) == NULL || PyBytes_AsStringAndSize(args[1], &slopes, &slopes_size) ||
        PyBytes_AsStringAndSize(args[2], &touched, &touched_size) || (areas = numbers_of(args[3], &areas_size)) == NULL ||
        (screens = numbers_of(args[4], &screens_size)) == NULL || (pairs = numbers_of(args[5], &pairs_size)) == NULL)
        goto done;
    Py_ssize_t count = units_size / ROW;
    parts = PyMem_Malloc((size_t)(areas_size + screens_size + count + 1) * sizeof(Part));
    if (parts == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Table table = {units, (const uint8_t *)slopes, (const uint8_t *)touched, parts, NULL, NULL, count, 0, 0};
    table.area_count = parts_of(areas, areas_size, 3, parts);
    table.screens = parts + (table.area_count < 0 ? 0 : table.area_count);
    table.screen_count = parts_of(screens, screens_size, 2, (Part *)table.screens);
    Part *bases = (Part *)table.screens + (table.screen_count < 0 ? 0 : table.screen_count);
    table.bases = bases;
    int is_sound = units_size % ROW == 0 && table.area_count >= 0 && table.screen_count >= 0 && pairs_size % 2 == 0;
    is_sound = is_sound && slopes_size == count * table.area_count && touched_size == count * table.screen_count;
    for (Py_ssize_t number = 0; is_sound && number < count; number++) {
        const int64_t *unit = units + number * ROW, *corner = unit + 9;
        Part base = {-1, 4, corner[0], corner[1], corner[0], corner[1], corner};
        for (int at = 1; at < 4; at++) {
            int64_t x = corner[2 * at], y = corner[2 * at + 1];
            base.least_x = x < base.least_x ? x : base.least_x;
            base.least_y = y < base.least_y ? y : base.least_y;
            base.most_x = x > base.most_x ? x : base.most_x;
            base.most_y = y > base.most_y ? y : base.most_y;
        }
        bases[number] = base;
        is_sound = in_range(unit, 2) && in_range(unit + 7, 2 * POINTS);
        for (int at = 2; at < 6; at++)
            is_sound = is_sound && unit[at] >= -STEEPEST && unit[at] <= STEEPEST;
    }
    for (Py_ssize_t number = 0; is_sound && number < pairs_size; number++)
        is_sound = pairs[number] >= 0 && pairs[number] < count;
    if (!is_sound) {
        PyErr_SetString(PyExc_ValueError, "these are no units, areas, screens and pairs of them on a table");
        goto done;
    }
    answer = PyBytes_FromStringAndSize(NULL, pairs_size / 2);
    if (answer == NULL || (verdicts = PyBytes_AsString(answer)) == NULL)
        goto done;
    for (Py_ssize_t number = 0; number < pairs_size / 2; number++)
        verdicts[number] = (char)seen_point(&table, (Py_ssize_t)pairs[2 * number], (Py_ssize_t)pairs[2 * number + 1]);
done:
    PyMem_Free(units);
    PyMem_Free(areas);
    PyMem_Free(screens);
    PyMem_Free(pairs);
    PyMem_Free(parts);
    return answer;
}

static PyMethodDef methods[] = {
    {"seen", (PyCFunction)(void (*)(void))kernel_seen, METH_FASTCALL, seen_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_kernel", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel(void)
{
    PyObject *made = PyModule_Create(&module);
    if (made != NULL && PyModule_AddIntConstant(made, "VERSION", VERSION)) {
        Py_DECREF(made);
        return NULL;
    }
    return made;
}
