/** Finds ranges that partly overlap, in O(n log n): a file may have tens of thousands. */

/** Only ranges of one group can overlap. Both ends are included and have the same length within a group. */
export type GroupedRange = { group: string; from: string; to: string }

/** The first index of sorted texts that is at least `value`, or above it with `above`. */
function bound(sorted: readonly string[], value: string, above: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const text = sorted[middle] as string
    if (text < value || (above && text === value)) low = middle + 1
    else high = middle
  }
  return low
}

/** Finds the best text in a part of a list, with a segment tree. */
class BestOf {
  readonly #size: number
  readonly #tree: number[]
  readonly #texts: readonly string[]
  readonly #isBetter: (a: string, b: string) => boolean

  constructor(texts: readonly string[], isBetter: (a: string, b: string) => boolean) {
    this.#size = texts.length
    this.#texts = texts
    this.#isBetter = isBetter
    this.#tree = [...texts.map(() => -1), ...texts.keys()]
    for (let n = this.#size - 1; n > 0; n--) this.#tree[n] = this.#better(this.#at(2 * n), this.#at(2 * n + 1))
  }

  #at(n: number): number {
    return this.#tree[n] ?? -1
  }

  #better(a: number, b: number): number {
    if (a < 0 || b < 0) return Math.max(a, b)
    return this.#isBetter(this.#texts[b] as string, this.#texts[a] as string) ? b : a
  }

  /** The index of the best text from `low` up to but not including `high`; -1 for an empty part. */
  find(low: number, high: number): number {
    let best = -1
    for (let a = low + this.#size, b = high + this.#size; a < b; a >>= 1, b >>= 1) {
      if (a & 1) best = this.#better(best, this.#at(a++))
      if (b & 1) best = this.#better(best, this.#at(--b))
    }
    return best
  }
}

type IndexedRange = GroupedRange & { index: number }

/** For each range of a group: another one that is equal, or that lies partly inside and partly outside of it. */
function overlapsOfGroup(ranges: readonly IndexedRange[], other: Map<number, number>): void {
  const byFrom = ranges.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  const byTo = ranges.toSorted((a, b) => (a.to < b.to ? -1 : a.to > b.to ? 1 : 0))
  const froms = byFrom.map(({ from }) => from)
  const tos = byTo.map(({ to }) => to)
  const latestEnd = new BestOf(
    byFrom.map(({ to }) => to),
    (a, b) => a > b,
  )
  const earliestBegin = new BestOf(
    byTo.map(({ from }) => from),
    (a, b) => a < b,
  )
  const equal = Map.groupBy(ranges, ({ from, to }) => `${from} ${to}`)
  for (const { index, from, to } of ranges) {
    const twin = equal.get(`${from} ${to}`)?.find((range) => range.index !== index)
    const behind = byFrom[latestEnd.find(bound(froms, from, true), bound(froms, to, true))]
    const before = byTo[earliestBegin.find(bound(tos, from, false), bound(tos, to, false))]
    const clash =
      twin ?? (before && before.from < from ? before : undefined) ?? (behind && behind.to > to ? behind : undefined)
    if (clash) other.set(index, clash.index)
  }
}

/**
 * For each range, by its index, the index of another one of its group that is equal or overlaps only partly. A range
 * inside a wider one is allowed, because the narrower one is used.
 */
export function findOverlaps(ranges: readonly GroupedRange[]): ReadonlyMap<number, number> {
  const other = new Map<number, number>()
  const indexed = ranges.map((range, index) => ({ ...range, index })).filter(({ from, to }) => from <= to)
  for (const group of Map.groupBy(indexed, ({ group: name }) => name).values()) overlapsOfGroup(group, other)
  return other
}

/** The shared part of two overlapping ranges. */
export const sharedPart = (a: { from: string; to: string }, b: { from: string; to: string }) => ({
  from: [a.from, b.from].sort()[1] ?? '',
  to: [a.to, b.to].sort()[0] ?? '',
})
