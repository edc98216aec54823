/* The movement segment of the campaign on flat integers: see flat.py, which does the same. A study: it trusts its caller. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CLOSED = 255, ALL = 254, ROAD = 1, PRIZE = 2, SIDES = 6, MOST = 256 };

typedef struct {
    int32_t unit, strategic, steps, taken, path[MOST], place[MOST], owner[MOST];
} Made;

/* A reach: the hexes in the order in which the search settles them; `best` and `way` by hex. */
typedef struct {
    int32_t start, count, *hexes, *queue, *next;
    uint8_t *best, *way;
} Reach;

typedef struct {
    int32_t size, units, limit, enter_zone, leave_zone, deltas[SIDES], made, room;
    const uint8_t *side, *body, *flags, *covers;
    uint8_t *budgets, *costs[2], *prices, *control, *tables;
    uint8_t *zones[2], *leave[2], *enter[2], *calm[2], *heads[2], *bodies[2], *forts[2];
    int32_t *rank, *places, *offers;
    Reach found[2], onward; /* of the unit that was asked for last, in each way of moving */
    int32_t asked;
    Made *moves;
} Flat;

static void *copied(const void *from, size_t bytes)
{
    void *made = malloc(bytes);
    return memcpy(made, from, bytes);
}

static void refresh(Flat *flat, int side, int i)
{
    int zone = flat->zones[side][i] && !flat->forts[side][i];
    flat->leave[side][i] = (uint8_t)(zone ? flat->leave_zone : 0);
    flat->enter[side][i] = (uint8_t)(flat->heads[1 - side][i] ? CLOSED : zone ? flat->enter_zone : 0);
    flat->calm[side][i] = flat->enter[side][i] ? CLOSED : 0;
}

static void put(Flat *flat, int unit, int i, int change)
{
    int side = flat->side[unit], other = 1 - side;
    flat->places[unit] = change > 0 ? i : -1;
    flat->heads[side][i] += change;
    if (flat->body[unit])
        flat->bodies[side][i] += change;
    else {
        flat->forts[side][i] += change;
        refresh(flat, side, i);
    }
    refresh(flat, other, i);
    for (int d = 0; d < SIDES; d++)
        if (flat->covers[i] >> d & 1) {
            int n = i + flat->deltas[d];
            flat->zones[other][n] += change;
            refresh(flat, other, n);
        }
}

static void reach_init(Reach *reach, int size)
{
    reach->hexes = malloc(sizeof(int32_t) * size);
    reach->queue = malloc(sizeof(int32_t) * 7 * size);
    reach->next = malloc(sizeof(int32_t) * 7 * size);
    reach->best = malloc(size);
    reach->way = malloc(size);
}

static void reach_free(Reach *reach)
{
    free(reach->hexes), free(reach->queue), free(reach->next), free(reach->best), free(reach->way);
}

static void search(const Flat *flat, Reach *reach, int unit, int start, int budget, int strategic, int fresh)
{
    int side = flat->side[unit], used = 0, first[CLOSED + 1], last[CLOSED + 1] = {0};
    const uint8_t *prices = flat->prices + (size_t)7 * flat->size * flat->costs[strategic][unit];
    const uint8_t *leave = flat->leave[side], *enter = strategic ? flat->calm[side] : flat->enter[side];
    memset(reach->best, budget + 1, flat->size);
    memset(first, 0xff, sizeof(first));
    reach->start = start;
    reach->count = 0;
#define PUSH(cost, hex) \
    do { \
        reach->queue[used] = (hex), reach->next[used] = -1; \
        if (first[cost] < 0) \
            first[cost] = used; \
        else \
            reach->next[last[cost]] = used; \
        last[cost] = used++; \
    } while (0)
    reach->best[start] = 0;
    PUSH(0, start);
    if (fresh && !leave[start])
        for (int d = 0; d < SIDES; d++) {
            int n = start + flat->deltas[d];
            if (prices[7 * start + d] == ALL && !enter[n]) {
                reach->best[n] = (uint8_t)budget;
                reach->way[n] = (uint8_t)d;
                PUSH(budget, n);
            }
        }
    for (int cost = 0; cost <= budget; cost++)
        for (int at = first[cost]; at >= 0; at = reach->next[at]) {
            int i = reach->queue[at], base = cost + leave[i];
            if (reach->best[i] != cost)
                continue;
            reach->hexes[reach->count++] = i;
            for (int d = 0; d < SIDES && base <= budget; d++) {
                int price = prices[7 * i + d], n = i + flat->deltas[d];
                if (price >= ALL || base + price > budget)
                    continue;
                int total = base + price + enter[n];
                if (total < reach->best[n]) {
                    reach->best[n] = (uint8_t)total;
                    reach->way[n] = (uint8_t)d;
                    PUSH(total, n);
                }
            }
        }
}

static const int32_t *ranks; /* for the sorting below */

static int by_rank(const void *a, const void *b)
{
    return ranks[*(const int32_t *)a] - ranks[*(const int32_t *)b];
}

static int path_of(const Flat *flat, const Reach *reach, int i, int32_t *path)
{
    int steps = 1;
    for (int n = i; n != reach->start; n -= flat->deltas[reach->way[n]])
        steps++;
    for (int k = steps - 1; k > 0; k--, i -= flat->deltas[reach->way[i]])
        path[k] = i;
    path[0] = reach->start;
    return steps;
}

/* The hexes of a reach in which a unit may end, by rank. */
static int room(const Flat *flat, const Reach *reach, int unit, int32_t *hexes)
{
    int count = 0, most = flat->limit - flat->body[unit];
    for (int k = 1; k < reach->count; k++)
        if (flat->bodies[flat->side[unit]][reach->hexes[k]] <= most)
            hexes[count++] = reach->hexes[k];
    ranks = flat->rank;
    qsort(hexes, count, sizeof(int32_t), by_rank);
    return count;
}

int flat_offers(Flat *flat, int unit, int32_t *offers, int most)
{
    int start = flat->places[unit], budget = flat->budgets[unit], side = flat->side[unit], used = 0;
    int32_t *hexes = malloc(sizeof(int32_t) * 2 * flat->size), *prizes = hexes + flat->size;
    const Reach *found = &flat->found[0];
    flat->asked = unit;
#define OFFER(to, strategic, via) \
    do { \
        if (used < most) { \
            int32_t row[4] = {unit, to, strategic, via}; \
            memcpy(offers + 4 * used, row, sizeof(row)); \
            used++; \
        } \
    } while (0)
    if (budget) {
        search(flat, &flat->found[0], unit, start, budget, 0, 1);
        int count = room(flat, found, unit, hexes), places = 0;
        for (int k = 0; k < count; k++)
            OFFER(hexes[k], 0, -1);
        for (int k = 0; k < found->count; k++) {
            int i = found->hexes[k];
            if (flat->flags[i] & PRIZE && flat->control[i] != side)
                prizes[places++] = i;
        }
        qsort(prizes, places, sizeof(int32_t), by_rank);
        for (int p = 0; p < places; p++) {
            int via = prizes[p], back = 0;
            search(flat, &flat->onward, unit, via, budget - found->best[via], 0, 0);
            count = room(flat, &flat->onward, unit, hexes);
            int back_open = via != start && flat->onward.best[start] <= budget - found->best[via];
            for (int k = 0; k < count; k++) {
                int to = hexes[k], n = to;
                if (to == start)
                    continue;
                if (found->best[to] <= budget) /* does its cheapest way lead by the place anyway? */
                    while (n != via && n != start)
                        n -= flat->deltas[found->way[n]];
                if (back_open && !back && flat->rank[to] > flat->rank[start]) {
                    OFFER(start, 0, via);
                    back = 1;
                }
                if (n != via)
                    OFFER(to, 0, via);
            }
            if (back_open && !back)
                OFFER(start, 0, via);
        }
        if (flat->flags[start] & ROAD && (!flat->zones[side][start] || flat->forts[side][start])) {
            search(flat, &flat->found[1], unit, start, budget, 1, 1);
            count = room(flat, &flat->found[1], unit, hexes);
            for (int k = 0; k < count; k++)
                OFFER(hexes[k], 1, -1);
        }
    }
    free(hexes);
    return used;
}

void flat_apply(Flat *flat, int unit, int to, int strategic, int via)
{
    if (flat->made == flat->room)
        flat->moves = realloc(flat->moves, sizeof(Made) * (size_t)(flat->room *= 2));
    Made *made = flat->moves + flat->made++;
    int budget = flat->budgets[unit], side = flat->side[unit];
    Reach *found = &flat->found[strategic];
    if (flat->asked != unit)
        search(flat, found, unit, flat->places[unit], budget, strategic, 1);
    flat->asked = -1;
    made->unit = unit;
    made->strategic = strategic;
    made->taken = 0;
    made->steps = path_of(flat, found, via < 0 ? to : via, made->path);
    if (via >= 0) {
        search(flat, &flat->onward, unit, via, budget - found->best[via], 0, 0);
        made->steps += path_of(flat, &flat->onward, to, made->path + made->steps - 1) - 1;
    }
    put(flat, unit, made->path[0], -1);
    put(flat, unit, made->path[made->steps - 1], 1);
    for (int k = 1; k < made->steps; k++) {
        int i = made->path[k];
        if (flat->flags[i] & PRIZE && flat->control[i] != side) {
            made->place[made->taken] = i;
            made->owner[made->taken++] = flat->control[i];
            flat->control[i] = (uint8_t)side;
        }
    }
}

void flat_undo(Flat *flat)
{
    flat->asked = -1;
    const Made *made = flat->moves + --flat->made;
    put(flat, made->unit, made->path[made->steps - 1], -1);
    put(flat, made->unit, made->path[0], 1);
    for (int k = 0; k < made->taken; k++)
        flat->control[made->place[k]] = (uint8_t)made->owner[k];
}

int flat_play(Flat *flat, int32_t *waiting, int count, const int32_t *dice)
{
    int before = flat->made, most = 1 << 16;
    while (count) {
        int k = *dice++ % count, unit = waiting[k];
        memmove(waiting + k, waiting + k + 1, sizeof(int32_t) * (size_t)(--count - k));
        int offered = flat_offers(flat, unit, flat->offers, most);
        if (offered) {
            const int32_t *row = flat->offers + 4 * (*dice++ % offered);
            flat_apply(flat, row[0], row[1], row[2], row[3]);
        }
    }
    return flat->made - before;
}

int flat_made(const Flat *flat)
{
    return flat->made;
}

int flat_move(const Flat *flat, int number, int32_t *out)
{
    const Made *made = flat->moves + number;
    int32_t *at = out + 4, head[4] = {made->unit, made->strategic, made->steps, made->taken};
    memcpy(out, head, sizeof(head));
    for (int k = 0; k < made->steps; k++)
        *at++ = made->path[k];
    for (int k = 0; k < made->taken; k++) {
        *at++ = made->place[k];
        *at++ = made->owner[k];
    }
    return (int)(at - out);
}

Flat *flat_new(int size, int stride, int units, int limit, int enter_zone, int leave_zone, const uint8_t *side, const uint8_t *body,
               const uint8_t *budgets, const uint8_t *normal, const uint8_t *strategic, const uint8_t *prices, int priced,
               const uint8_t *flags, const uint8_t *covers, const int32_t *rank, const int32_t *places, const uint8_t *control)
{
    Flat *flat = calloc(1, sizeof(Flat));
    const int32_t deltas[SIDES] = {-1, stride - 1, stride, 1, 1 - stride, -stride};
    memcpy(flat->deltas, deltas, sizeof(deltas));
    flat->size = size, flat->units = units, flat->limit = limit, flat->enter_zone = enter_zone, flat->leave_zone = leave_zone;
    flat->side = copied(side, units), flat->body = copied(body, units), flat->budgets = copied(budgets, units);
    flat->costs[0] = copied(normal, units), flat->costs[1] = copied(strategic, units);
    flat->prices = copied(prices, priced), flat->flags = copied(flags, size), flat->covers = copied(covers, size);
    flat->rank = copied(rank, sizeof(int32_t) * size), flat->control = copied(control, size);
    flat->places = malloc(sizeof(int32_t) * units);
    flat->tables = calloc(14, size), flat->asked = -1;
    uint8_t *table = flat->tables;
    for (int s = 0; s < 2; s++) {
        flat->zones[s] = table, flat->leave[s] = table + size, flat->enter[s] = table + 2 * size;
        flat->heads[s] = table + 3 * size, flat->bodies[s] = table + 4 * size, flat->forts[s] = table + 5 * size;
        flat->calm[s] = table + 6 * size, table += 7 * size;
    }
    reach_init(&flat->found[0], size), reach_init(&flat->found[1], size), reach_init(&flat->onward, size);
    flat->room = 64;
    flat->moves = malloc(sizeof(Made) * flat->room);
    flat->offers = malloc(sizeof(int32_t) * 4 * (1 << 16));
    for (int unit = 0; unit < units; unit++) {
        flat->places[unit] = -1;
        if (places[unit] >= 0)
            put(flat, unit, places[unit], 1);
    }
    return flat;
}

void flat_free(Flat *flat)
{
    reach_free(&flat->found[0]), reach_free(&flat->found[1]), reach_free(&flat->onward);
    free((void *)flat->side), free((void *)flat->body), free(flat->budgets), free(flat->costs[0]), free(flat->costs[1]);
    free(flat->prices), free((void *)flat->flags), free((void *)flat->covers), free(flat->rank), free(flat->control);
    free(flat->places), free(flat->tables), free(flat->moves), free(flat->offers), free(flat);
}
