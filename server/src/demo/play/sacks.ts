/** A sender's two sacks: one that a counter has taken in with a parcel missing, and one that is being packed. */
import { countAtStation, emptyAtStation } from '../../domains/parcels/gunny/checks.ts'
import { packGunny } from '../../domains/parcels/gunny/pack.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { later, minutes } from '../../lib/clock.ts'
import type { OrderStory, ParcelStory } from '../story/story.ts'
import { playedParcel } from './parcels.ts'
import { type Act, createCaller, type Stage, staffCaller } from './stage.ts'

const sender = 'aisyah'

/** The parcels that a counter takes in as a sack instead of one by one; the last of them is missing from it. */
export function findSack(stories: readonly OrderStory[]): readonly ParcelStory[] {
  const walkIns = stories
    .filter(
      ({ account, plan, parcels }) =>
        account.key === sender && !plan.pickUp && plan.target === null && parcels.length > 2,
    )
    .filter(({ parcels }) => parcels.every(({ happened }) => happened.some(({ event }) => event === 'accepted')))
  const [newest] = walkIns.sort((a, b) => b.orderedAt.getTime() - a.orderedAt.getTime())
  return newest?.parcels ?? []
}

export function sackActs(stage: Stage, stories: readonly OrderStory[], until: Date): Act[] {
  const { deps, operatorAt } = stage
  const sack = findSack(stories)
  const acceptances = sack.flatMap(({ happened }) => happened.find(({ event }) => event === 'accepted') ?? [])
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
      id = (await pack(sack, 'S-204817')).id
      const numbers = listNumbers(sack.slice(0, -1))
      const body = { event: 'received' as const, stationId: stop.id, sealed: false, sealNumber: null, numbers }
      const { version } = await countAtStation(deps, clerk, id, body, withoutKey)
      await emptyAtStation(deps, clerk, id, version)
    }
    acts.push({ at: later(first.at, -minutes(1)), run: receive })
  }
  if (waiting) acts.push({ at: until, run: () => pack(waiting.parcels, null) })
  return acts
}
