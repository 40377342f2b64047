import type { DeliveryTask } from '@waybill/contract/parcels/rider-tasks'
import { expect, test } from 'vitest'
import { findAtDoor } from '../src/features/parcels/rider-tasks/same-door.ts'

const to = { postcode: '54200', line1: '8, Jalan Setiawangsa 3', line2: null, contactName: 'Puan Faridah' }
const createTask = (id: string, changes: object = {}) =>
  ({
    id,
    status: 'in_progress',
    riderId: 'rider',
    mayReport: true,
    codAmountMinor: null,
    to,
    ...changes,
  }) as DeliveryTask

const task = createTask('task')
const second = createTask('second', { to: { ...to, contactName: 'PUAN FARIDAH' } })
const withCash = createTask('cash', { codAmountMinor: 4500 })
const others = [
  createTask('neighbour', { to: { ...to, contactName: 'Encik Halim' } }),
  createTask('delivered', { status: 'completed' }),
  createTask('colleague', { riderId: 'colleague' }),
  createTask('foreign', { mayReport: false }),
]
const tasks = [task, second, withCash, ...others]

const find = (event: string, reported: DeliveryTask = task) => {
  const { together, alone } = findAtDoor(reported, event, tasks)
  return { together: together.map(({ id }) => id), alone: alone.map(({ id }) => id) }
}

test('a delivery names the parcels of the door with cash to collect, which are delivered one by one', () => {
  expect(find('delivered')).toEqual({ together: ['second'], alone: ['cash'] })
  expect(find('delivered', withCash)).toEqual({ together: ['task', 'second'], alone: [] })
})

test('a failed attempt has one reason for all parcels of the door', () => {
  expect(find('attempt_failed')).toEqual({ together: ['second', 'cash'], alone: [] })
})
