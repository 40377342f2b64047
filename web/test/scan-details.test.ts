import { describe, expect, it } from 'vitest'
import { createDetailsSchema, findCash } from '../src/features/parcels/scanning/scan-details-schema.ts'

const cod = { leg: 'outbound', collectionMode: 'cash', codAmountMinor: 4500, currency: 'MYR' } as const
const task = { amountMinor: 4500, currency: 'MYR' }

describe('cash with a handover', () => {
  it('is that of the parcel, or of the rider’s task when the parcel cannot be loaded', () => {
    expect(findCash('delivered', cod as never, undefined)).toEqual({ cash: 'due', due: 4500, currency: 'MYR' })
    expect(findCash('delivered', undefined, task)).toEqual({ cash: 'due', due: 4500, currency: 'MYR' })
    expect(findCash('delivered', { ...cod, leg: 'return' } as never, task).cash).toBe('none')
    expect(findCash('delivered', undefined, { amountMinor: null, currency: 'MYR' }).cash).toBe('none')
  })

  it('is unknown without both, but not for a scan that nobody pays', () => {
    for (const event of ['delivered', 'handed_over'] as const)
      expect(findCash(event, undefined, undefined).cash).toBe('unknown')
    for (const event of ['return_received', 'attempt_failed', 'departed'] as const)
      expect(findCash(event, undefined, undefined).cash).toBe('none')
  })

  it('must be answered while it is unknown, with the amount if it was collected', () => {
    const schema = createDetailsSchema('delivered', false, 'unknown')
    const answer = (cashAnswer: string | null, cashMinor: number | null, recipientName = 'Puan Rohani') =>
      schema
        .safeParse({ recipientName, signaturePath: 'M1,1L2,2', cashAnswer, cashMinor })
        .error?.issues.map(({ path }) => path.join('.')) ?? []
    expect(answer(null, null)).toEqual(['cashAnswer'])
    expect(answer('collected', null)).toEqual(['cashMinor'])
    expect(answer('collected', null, '')).toEqual(['recipientName', 'cashMinor'])
    expect(answer('collected', 4500)).toEqual([])
    expect(answer('none', null)).toEqual([])
  })
})
