import { labelValues } from '@waybill/contract/ground/enums/labels'
import { type ClaimState, claimEvents, claimStateLabels } from '@waybill/contract/tickets/claims'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowedClaimEvents, claimTransitions, nextClaimState } from '../../src/domains/tickets/status.ts'

const states = labelValues(claimStateLabels)
/** The initial statuses of a claim: with or without its documents. */
const beginnings: readonly ClaimState[] = ['documents', 'submitted']
const final: readonly ClaimState[] = ['paid', 'withdrawn']

/** The statuses that can be reached from these. */
function reachable(from: readonly ClaimState[]): Set<ClaimState> {
  const visited = new Set(from)
  for (const state of visited) {
    for (const line of claimTransitions) if (line.from === state) visited.add(line.to)
  }
  return visited
}

describe('the transition table of claims', () => {
  it('reaches every status and uses every event', () => {
    expect([...reachable(beginnings)].sort()).toEqual([...states].sort())
    expect([...new Set(claimTransitions.map(({ event }) => event))].sort()).toEqual([...claimEvents].sort())
  })

  it('lets users leave every status except the final ones', () => {
    for (const state of states) {
      const ways = [...allowedClaimEvents(state, 'customer'), ...allowedClaimEvents(state, 'staff')]
      expect([state, ways.length > 0]).toEqual([state, !final.includes(state)])
    }
  })

  it('pays at most once, and only what staff accept, in any order of events', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.array(fc.constantFrom(...claimEvents), { maxLength: 30 }),
        (beginning, events) => {
          let state = beginning
          let payments = 0
          for (const event of events) {
            const next = nextClaimState(state, event)
            if (next === null) continue
            if (next === 'paid') {
              expect([state, event]).toEqual(['submitted', 'accepted'])
              payments += 1
            }
            expect(final.includes(state)).toBe(false)
            state = next
          }
          expect(payments).toBeLessThanOrEqual(1)
          // A claim can still reach an end from any status.
          expect([...reachable([state])].some((each) => final.includes(each))).toBe(true)
        },
      ),
    )
  })
})
