/** Riders' visits: to senders, and to receivers who return parcels. */
import { type PickupFailureReason, pickupFailureReasons } from '@waybill/contract/pickups/pickups'
import {
  assignRider,
  completeTask,
  failTask,
  readPickupTask,
  startPickupTask,
} from '../../domains/pickups/rider-tasks/service.ts'
import { later, minutes } from '../../lib/clock.ts'
import type { Stop } from '../story/map.ts'
import { visitKey } from '../story/pickups.ts'
import type { OrderStory, ParcelStory } from '../story/story.ts'
import { playedParcel } from './parcels.ts'
import { type Act, type Stage, staffCaller } from './stage.ts'

/** Parcels that are picked up at one door in one visit; each is scanned at its own time (`scans.ts`). */
type Visit = {
  stop: Stop
  fetched: { parcel: ParcelStory; at: Date }[]
  column: 'pickup_request_id' | 'return_pickup_id'
}

/** The visits of all orders up to `until`, the end of the simulation. */
export function visitActs(stage: Stage, stories: readonly OrderStory[], until: Date): Act[] {
  const visits = new Map<string, Visit>()
  for (const { plan, pickUp, parcels } of stories) {
    for (const parcel of parcels) {
      for (const { event, at, stop } of parcel.happened) {
        if (!stop || (event !== 'picked_up' && event !== 'return_picked_up')) continue
        const back = event === 'return_picked_up'
        const key = back || !pickUp ? `return ${parcel.name}` : visitKey(plan.account, pickUp)
        const column = back ? 'return_pickup_id' : 'pickup_request_id'
        const visit = visits.get(key) ?? { stop, fetched: [], column }
        visit.fetched.push({ parcel, at })
        visits.set(key, visit)
      }
    }
  }
  return [
    ...[...visits.values()].flatMap((visit) => listActs(stage, visit, until)),
    ...stories.flatMap((story) => waitingActs(stage, story, until, toReason(story, stories))),
  ]
}

function listActs(stage: Stage, { stop, fetched, column }: Visit, until: Date): Act[] {
  const { deps, operatorAt } = stage
  const [first] = fetched
  if (!first) return []
  const times = fetched.map(({ at }) => at.getTime())
  const rider = staffCaller(operatorAt(stop).email, stop.id)
  let id = ''
  const start = async () => {
    id = await getPickupId(stage, first.parcel, column)
    await assignAndStart(stage, id, stop)
  }
  const complete = async () => {
    const { version } = await readPickupTask(deps, rider, id)
    await completeTask(deps, rider, id, { version, acceptMissing: true })
  }
  return [
    { at: later(new Date(Math.min(...times)), -minutes(2)), run: start },
    { at: new Date(Math.min(Math.max(...times) + minutes(1), until.getTime())), run: complete },
  ]
}

/** Each failed visit fails for another reason. */
function toReason(story: OrderStory, stories: readonly OrderStory[]): PickupFailureReason {
  const failing = stories.filter(({ plan }) => plan.task === 'failed')
  return pickupFailureReasons[failing.indexOf(story) % pickupFailureReasons.length] ?? 'other'
}

/** Visits in the state that the plan wants to show: assigned, in progress, or failed for this reason. */
function waitingActs(
  stage: Stage,
  { plan, pickUp, station, parcels, settledAt }: OrderStory,
  until: Date,
  reason: PickupFailureReason,
): Act[] {
  const [parcel] = parcels
  if (!plan.task || plan.task === 'new' || !pickUp || !parcel || !settledAt) return []
  const { deps, operatorAt } = stage
  const assigned = plan.task === 'failed' ? later(pickUp.at, -minutes(30)) : later(settledAt, minutes(1))
  const run = async () => {
    const id = await getPickupId(stage, parcel, 'pickup_request_id')
    if (plan.task === 'open') {
      const rider = operatorAt(station)
      const { version } = await readPickupTask(deps, staffCaller(rider.email, station.id), id)
      const body = { version, riderId: rider.id, note: null }
      return assignRider(deps, staffCaller(rider.email, station.id), id, body)
    }
    const { version } = await assignAndStart(stage, id, station)
    if (plan.task === 'in_progress') return
    const rider = staffCaller(operatorAt(station).email, station.id)
    const note = reason === 'other' ? 'The lift was out of order.' : null
    return failTask(deps, rider, id, { version, reason, note })
  }
  return [{ at: new Date(Math.min(assigned.getTime(), until.getTime())), run }]
}

async function assignAndStart({ deps, operatorAt }: Stage, id: string, stop: Stop): Promise<{ version: number }> {
  const rider = operatorAt(stop)
  const caller = staffCaller(rider.email, stop.id)
  const task = await readPickupTask(deps, caller, id)
  const assigned = await assignRider(deps, caller, id, { version: task.version, riderId: rider.id, note: null })
  return startPickupTask(deps, caller, id, assigned.version)
}

async function getPickupId(stage: Stage, parcel: ParcelStory, column: Visit['column']): Promise<string> {
  const row = await stage.trx
    .selectFrom('parcels')
    .select(column)
    .where('id', '=', playedParcel(stage, parcel).id)
    .executeTakeFirstOrThrow()
  const id = (row as Partial<Record<Visit['column'], string | null>>)[column]
  if (!id) throw new Error(`nobody comes for ${parcel.name}`)
  return id
}
