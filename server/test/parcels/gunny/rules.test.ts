import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countGunny } from '../../../src/domains/parcels/gunny/rules.ts'
import { gunnyTransitions, nextGunnyCheck, nextGunnyStatus } from '../../../src/domains/parcels/gunny/status.ts'

describe('a gunny count', () => {
  it('lists each parcel once: moving, missing or refused', () => {
    const row = fc.record({ id: fc.integer({ min: 1, max: 30 }), fits: fc.boolean() })
    const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 30 })
    fc.assert(
      fc.property(rows, fc.func(fc.boolean()), fc.func(fc.boolean()), (all, isIn, isSeen) => {
        const each = all.map(({ id, fits }) => ({ id: String(id), fits }))
        const members = each.filter((one) => isIn(one.id))
        const visible = each.filter((one) => isSeen(one.id))
        const result = countGunny(members, visible, ({ fits }) => fits)
        const ids = (some: { id: string }[]) => some.map(({ id }) => id)
        expect(ids(result.missing).some((id) => ids(visible).includes(id))).toBe(false)
        expect([...ids(result.moving), ...ids(result.refused)].sort()).toEqual(ids(visible).sort())
        expect(result.expected.length - result.missing.length + result.extra.length).toBe(result.moving.length)
        // An intact seal means that exactly the expected parcels are inside.
        const sealed = countGunny(members, null, ({ fits }) => fits)
        expect(sealed.moving).toEqual(sealed.expected)
        expect([sealed.missing, sealed.extra, sealed.refused]).toEqual([[], [], []])
      }),
    )
  })

  it('follows the transition table of a gunny, in which every status leads to an end', () => {
    expect(nextGunnyCheck('open')).toBe('received')
    expect(nextGunnyCheck('at_station')).toBe('departed')
    expect(nextGunnyCheck('in_transit')).toBe('arrived')
    expect(nextGunnyCheck('closed')).toBeNull()
    expect(nextGunnyStatus('at_station', 'received')).toBeNull()
    const keys = gunnyTransitions.map(({ event, from }) => `${from} ${event}`)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
