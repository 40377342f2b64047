/** The environment of the demo's simulation: one transaction, its own clock and ids, callers, and the outbox. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { deliverNotifications } from '../../domains/notifications/deliver.ts'
import { loadSettings } from '../../domains/settings/load-settings.ts'
import { asAccountId, type CustomerCaller, type StaffCaller } from '../../http/caller.ts'
import type { Live } from '../../http/live.ts'
import { type Clock, hours } from '../../lib/clock.ts'
import { createOutbox } from '../../outbox/outbox.ts'
import { outboxSubscriptions } from '../../outbox/subscriptions.ts'
import { demoStaff } from '../story/logins.ts'
import type { NetworkMap, Stop } from '../story/map.ts'
import { type Account, type Member, type Operator, staffId } from '../story/people.ts'

/** A parcel of the story after the services have created it. */
export type PlayedParcel = { id: string; number: string }

export type Stage = {
  deps: Deps
  trx: Tx
  clock: PlayClock
  map: NetworkMap
  /** The operator who works nearest to a station, in its state if anybody works there. */
  operatorAt(stop: Stop): Operator
  /** The story's parcels by their names. */
  parcels: Map<string, PlayedParcel>
  /** Dispatches the events that were written since the last call. */
  dispatchEvents(): Promise<void>
}

/**
 * The clock of the simulation. Each reading advances it by a millisecond, so that the second of two events of one
 * action is later, as timelines require. It never goes back.
 */
export class PlayClock implements Clock {
  #now = 0

  now(): Date {
    this.#now += 1
    return new Date(this.#now)
  }

  /** Advances to `moment`, unless it is past. */
  advanceTo(moment: Date): void {
    this.#now = Math.max(this.#now, moment.getTime())
  }
}

/** All carriers count as reachable, whatever this server can reach: prices only check whether a carrier is on. */
const reachable = { simulated: true } as unknown
const openCarriers = { dhl: reachable, yunda: reachable } as Deps['carriers']

/** The services' dependencies for a simulation in this transaction. Live events are dropped: no browser is open yet. */
export async function playDeps(deps: Deps, trx: Tx, clock: Clock): Promise<Deps> {
  const live: Live = {
    ...deps.live,
    publish: async () => undefined,
    publishAll: async () => undefined,
    subscribe: () => () => undefined,
    onReconnect: () => undefined,
  }
  const settings = await loadSettings(trx, live, deps.keys)
  return { ...deps, db: trx, cacheDb: trx, clock, live, settings, carriers: openCarriers, outbox: createOutbox(trx) }
}

/**
 * Ids of the simulation: UUIDv7 with the time of its clock and a counter. Each run of the simulation gives the same
 * ids, and they sort in the order of creation.
 */
export function playIds(clock: PlayClock): () => string {
  let count = 0
  return () => {
    count += 1
    const bytes = createHash('sha256').update(`demo ${count}`).digest().subarray(0, 16)
    bytes.writeUIntBE(clock.now().getTime(), 0, 6)
    bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x70, 6)
    bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
    const hex = bytes.toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }
}

/** Dispatches the events of the outbox and due notifications, in the simulation's own transaction and time. */
export async function dispatchEvents(deps: Deps, trx: Tx): Promise<void> {
  const subscriptions = outboxSubscriptions(deps)
  for (;;) {
    const { rows } = await sql<{ id: number; topic: string; payload: unknown }>`
      delete from outbox returning id, topic, payload`.execute(trx)
    if (rows.length === 0) return deliverNotifications(deps)
    rows.sort((a, b) => a.id - b.id)
    for (const [topic, events] of Map.groupBy(rows, (row) => row.topic)) {
      const payloads = events.map(({ payload }) => payload)
      for (const subscription of subscriptions)
        if (subscription.topic === topic) await subscription.handle(trx, payloads)
    }
  }
}

/** A signed-in member of a customer's account. */
export function createCaller(
  account: Pick<Account, 'id' | 'registrationNumber'>,
  member: Pick<Member, 'id' | 'isOwner' | 'permissions'>,
): CustomerCaller {
  return {
    kind: 'customer',
    accountId: asAccountId(account.id),
    userId: member.id,
    sessionId: member.id,
    userType: account.registrationNumber ? 'corporate' : 'customer',
    accountStatus: 'active',
    userStatus: 'active',
    isOwner: member.isOwner,
    permissions: [...member.permissions],
  }
}

/** A member of staff who works at a station; `stationId` null: at the head office. */
export function staffCaller(email: string, stationId: string | null): StaffCaller {
  const member = demoStaff.find((each) => each.email === email)
  if (!member) throw new Error(`nobody of the staff is ${email}`)
  return {
    kind: 'staff',
    userId: staffId(email),
    sessionId: staffId(email),
    staffType: member.type,
    staffRole: member.role,
    userStatus: 'active',
    stationId,
  }
}

/** The longest wait of an event for its dispatch: many events in one batch cost less. */
export const eventsWaitMs = hours(12)

/** An action of a person at a moment of the simulation. */
export type Act = { at: Date; run: () => Promise<unknown> }

/** Runs acts in the order of their times; acts at the same time run in the planned order. */
export async function playActs({ clock, dispatchEvents: dispatch }: Stage, acts: readonly Act[]): Promise<void> {
  let dispatched = 0
  for (const { at, run } of acts.map((act, n) => ({ ...act, n })).sort((a, b) => +a.at - +b.at || a.n - b.n)) {
    clock.advanceTo(at)
    await run()
    if (at.getTime() - dispatched < eventsWaitMs) continue
    await dispatch()
    dispatched = at.getTime()
  }
  await dispatch()
}
