/** Seeded random numbers for the demo. */
import { createHash } from 'node:crypto'

/** Random numbers seeded by a name, so that the demo of a given day is the same everywhere. */
export type Chance = {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  /** True in `share` of the cases (0 to 1). */
  happens(share: number): boolean
  /** One of the values, with a probability proportional to its weight. */
  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T
  /** The same things in another order. */
  shuffled<T>(things: readonly T[]): T[]
}

/** Mulberry32, seeded by the name. Not for secrets. */
export function createChance(name: string): Chance {
  let state = createHash('sha256').update(name).digest().readUInt32LE(0)
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick = <T>(from: readonly T[]): T => {
    const item = from[whole(0, from.length - 1)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
  return {
    next,
    whole,
    pick,
    happens: (share) => next() < share,
    weighted(choices) {
      let at = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of choices) {
        at -= weight
        if (at < 0) return value
      }
      return pick(choices)[0]
    },
    shuffled(things) {
      const items = [...things]
      for (let last = items.length - 1; last > 0; last -= 1) {
        const other = whole(0, last)
        const item = items[last] as (typeof items)[number]
        items[last] = items[other] as (typeof items)[number]
        items[other] = item
      }
      return items
    },
  }
}

/**
 * A UUIDv7 that depends only on its arguments: its time is `at`, so that demo ids sort among real ones; the rest comes
 * from the name. For data older than the demo (accounts, users) `at` may be any fixed time.
 */
export function idFor(name: string, at: Date): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x70, 6)
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
