import { expect, it } from 'vitest'
import { findAddressee } from '../src/ground/status/parcel-status.ts'
import { isTaskOpen } from '../src/parcels/rider-tasks.ts'

it.each([
  ['outbound', 'inbound', 'receiver'],
  ['outbound', 'fail-to-deliver', 'receiver'],
  ['outbound', 'completed', 'receiver'],
  ['outbound', 'reverse_pickup', 'receiver'],
  ['outbound', 'recall', 'sender'],
  ['return', 'delivering', 'sender'],
  ['return', 'completed', 'sender'],
] as const)('a parcel on leg %s in status %s goes to its %s', (leg, status, to) => {
  expect(findAddressee({ leg, status, sender: 'sender', receiver: 'receiver' })).toBe(to)
})

it('a task is open until it is completed or has failed', () => {
  const statuses = ['new', 'open', 'in_progress', 'completed', 'failed'] as const
  expect(statuses.filter(isTaskOpen)).toEqual(['new', 'open', 'in_progress'])
})
