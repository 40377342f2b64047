/**
 * Senders' gunnies: one that a counter received with a parcel missing, one that is being packed, and those that travel
 * as a whole.
 */
import { countAtStation, unpackGunny } from '../../../domains/parcels/gunny/checks.ts'
import { dissolve, packGunny } from '../../../domains/parcels/gunny/pack.ts'
import { withoutKey } from '../../../http/idempotency.ts'
import { later, minutes } from '../../../lib/clock.ts'
import type { Stop } from '../../story/map.ts'
import type { OrderStory, ParcelStory } from '../../story/story.ts'
import { playedParcel } from '../parcels.ts'
import { type Act, createCaller, type Stage, staffCaller } from '../stage.ts'

const sender = 'aisyah'

/** The parcels that a counter receives as a gunny instead of one by one; the last of them is missing. */
export function findGunnyParcels(stories: readonly OrderStory[]): readonly ParcelStory[] {
  const walkIns = stories
    .filter(
      ({ account, plan, parcels }) =>
        account.key === sender && !plan.pickUp && plan.target === null && parcels.length > 2,
    )
    .filter(({ parcels }) => parcels.every(({ happened }) => happened.some(({ event }) => event === 'accepted')))
  const [newest] = walkIns.sort((a, b) => b.orderedAt.getTime() - a.orderedAt.getTime())
  return newest?.parcels ?? []
}

export function gunnyActs(stage: Stage, stories: readonly OrderStory[], until: Date): Act[] {
  const { deps, operatorAt } = stage
  const gunnyParcels = findGunnyParcels(stories)
  const acceptances = gunnyParcels.flatMap(({ happened }) => happened.find(({ event }) => event === 'accepted') ?? [])
  const [first] = acceptances.sort((a, b) => a.at.getTime() - b.at.getTime())
  const [owner] = stories.filter(({ account }) => account.key === sender).map(({ account }) => account)
  const waiting = stories.find(
    ({ account, parcels }) => account.key === sender && parcels[0]?.state.status === 'pending_dropoff',
  )
  if (!owner) return []
  const caller = createCaller(owner, owner.owner)
  const listNumbers = (parcels: readonly ParcelStory[]) => parcels.map((parcel) => playedParcel(stage, parcel).number)
  let id = ''
  const pack = (parcels: readonly ParcelStory[], sealNumber: string | null) =>
    packGunny(deps, caller, { numbers: listNumbers(parcels), stationId: null, sealNumber }, withoutKey)
  const stop = first?.stop
  const acts: Act[] = []
  if (first && stop) {
    const clerk = staffCaller(operatorAt(stop).email, stop.id)
    const receive = async () => {
      id = (await pack(gunnyParcels, 'S-204817')).id
      const numbers = listNumbers(gunnyParcels.slice(0, -1))
      const body = { event: 'received' as const, stationId: stop.id, sealed: false, sealNumber: null, numbers }
      const { version } = await countAtStation(deps, clerk, id, body, withoutKey)
      await unpackGunny(deps, clerk, id, version)
    }
    acts.push({ at: later(first.at, -minutes(1)), run: receive })
  }
  if (waiting) acts.push({ at: until, run: () => pack(waiting.parcels, null) })
  return [...acts, ...travelActs(stage, stories, until)]
}

/**
 * Sealed gunnies of the company: one waits at the counter that received it, one is on its way to the next station, and
 * one was unpacked again.
 */
function travelActs(stage: Stage, stories: readonly OrderStory[], until: Date): Act[] {
  const { deps, operatorAt, map } = stage
  const orders = stories.filter(
    ({ account, parcels }) => account.key === 'kinabalu' && parcels[0]?.state.status === 'pending_dropoff',
  )
  return orders.slice(-3).map(({ account, station, parcels }, n) => {
    const run = async () => {
      const sealNumber = `S-3118${20 + n}`
      const numbers = parcels.map((parcel) => playedParcel(stage, parcel).number)
      const caller = createCaller(account, account.owner)
      const { id } = await packGunny(deps, caller, { numbers, stationId: station.id, sealNumber }, withoutKey)
      if (n === 2) return dissolve(deps, caller, id)
      const clerk = staffCaller(operatorAt(station).email, station.id)
      const count = (event: 'received' | 'departed' | 'arrived', at: Stop, nextStationId?: string) =>
        countAtStation(
          deps,
          event === 'arrived' ? staffCaller(operatorAt(at).email, at.id) : clerk,
          id,
          { event, stationId: at.id, nextStationId, sealed: true, sealNumber, numbers: [] },
          withoutKey,
        )
      await count('received', station)
      const [, next] = map.between(station, parcels[0]?.destination ?? station)
      if (!next) return
      await count('departed', station, next.id)
      if (n === 0) await count('arrived', next)
    }
    return { at: later(until, -minutes(6 - n)), run }
  })
}
