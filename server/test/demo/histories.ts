// Tests of the histories of the demo's parcels.
import { beforeAll, describe, expect, test } from 'vitest'
import { loadMap } from '../../src/demo/story/map.ts'
import { planDemo } from '../../src/demo/story/plan.ts'
import { createOrderStory } from '../../src/demo/story/story.ts'
import { approvalsStart, createWorld } from '../../src/demo/world.ts'
import type { Deps } from '../../src/deps.ts'
import { nextParcelState, type ParcelEvent, type ParcelState, transitions } from '../../src/domains/parcels/status.ts'
import { days, later, minutes } from '../../src/lib/clock.ts'
import { demoAfternoon, queryRows } from './query.ts'

/** Tests of a complete demo on the server that `getDeps` returns. */
export function describeHistories(getDeps: () => Deps): void {
  const getRows = <R>(query: string) => queryRows<R>(query, getDeps())

  describe('the histories of parcels', () => {
    type Line = { parcel_id: string; at: Date; event: string; from_status: string | null; status: string; leg: string }
    type Parcel = ParcelState & { id: string; last_event_at: Date; version: number }
    let histories: Map<string, Line[]>
    let parcels: Parcel[]

    /** A parcel that was diverted to a counter was first meant for a delivery to the door. */
    const firstMode = (mode: ParcelState['deliveryMode'], moves: readonly Line[]) =>
      moves.some(({ event }) => event === 'diverted') ? (mode === 'D2P' ? 'D2D' : 'P2D') : mode
    const notes = new Set(['retry_chosen', 'address_corrected'])
    beforeAll(async () => {
      const lines = await getRows<Line>('select * from tracking_events order by parcel_id, at, id')
      histories = Map.groupBy(lines, ({ parcel_id }) => parcel_id)
      parcels = await getRows<Parcel>(
        `select id, status, delivery_mode as "deliveryMode", handed_over as "handedOver", leg, last_event_at, version
       from parcels`,
      )
    })

    test('follow the transition table to the current state of each parcel', () => {
      for (const parcel of parcels) {
        const [created, ...lines] = histories.get(parcel.id) ?? []
        // Notes of choices after a failed delivery change no state.
        const moves = lines.filter(({ event }) => !notes.has(event))
        expect(created).toMatchObject({ event: 'created', from_status: null, status: 'pending' })
        let state: ParcelState = {
          status: 'pending',
          deliveryMode: firstMode(parcel.deliveryMode, moves),
          handedOver: false,
          leg: 'outbound',
        }
        for (const { event, from_status, status, leg } of moves) {
          expect(transitions.some((line) => line.event === event)).toBe(true)
          expect(from_status).toBe(state.status)
          const next = nextParcelState(state, event as ParcelEvent)
          expect(next, `${event} at ${JSON.stringify(state)}`).toMatchObject({ status, leg })
          state = next as ParcelState
          if (event === 'diverted') state = { ...state, deliveryMode: parcel.deliveryMode }
        }
        expect(state).toEqual({
          status: parcel.status,
          deliveryMode: parcel.deliveryMode,
          handedOver: parcel.handedOver,
          leg: parcel.leg,
        })
        expect(parcel.version).toBe(1 + lines.length)
      }
    })

    test("are in chronological order and end at the parcel's last change", () => {
      for (const parcel of parcels) {
        const times = (histories.get(parcel.id) ?? []).map(({ at }) => at.getTime())
        for (const [index, time] of times.entries()) if (index > 0) expect(time).toBeGreaterThan(times[index - 1] ?? 0)
        expect(times.at(-1)).toBe(parcel.last_event_at.getTime())
      }
    })

    test('name the station at every scan, and the town of the station or of the address', async () => {
      const odd = await getRows(
        `select e.event, e.place, s.city
       from tracking_events e join parcels p on p.id = e.parcel_id left join stations s on s.id = e.station_id
       where case
         when e.event in ('accepted', 'sorted', 'departed', 'arrived', 'out_for_delivery', 'next_attempt',
             'handed_over', 'reweighed_heavier')
           then e.actor_id is null or e.place is distinct from s.city
         when e.event in ('picked_up', 'return_received')
           then e.actor_id is null or s.id is null or e.place is distinct from p.sender ->> 'city'
         when e.event in ('delivered', 'attempt_failed')
           then e.actor_id is null or s.id is null or e.place not in (p.sender ->> 'city', p.receiver ->> 'city')
         when e.event in ('difference_waived', 'due_paid') then e.place is not null
         when e.event = 'return_picked_up' then e.place is distinct from p.receiver ->> 'city'
         else e.place is not null or s.id is not null end`,
      )
      expect(odd).toEqual([])
    })

    test('respect custody: each scan happens where the parcel is, and the scans determine the holder', async () => {
      type Scan = {
        parcel_id: string
        event: string
        station_id: string | null
        actor_id: string | null
        next: string | null
      }
      const scans = await getRows<Scan>(
        `select parcel_id, event, station_id, actor_id, detail ->> 'nextStationId' as next from tracking_events
       where station_id is not null order by parcel_id, at, id`,
      )
      const byParcel = Map.groupBy(scans, ({ parcel_id }) => parcel_id)
      const odd: string[] = []
      for (const [id, lines] of byParcel) {
        let at: string | null = null
        let sentTo: string | null = null
        for (const { event, station_id, next } of lines) {
          const expected: string | null = event === 'arrived' ? sentTo : at
          if (expected !== null && expected !== station_id) odd.push(`${id} ${event}`)
          at = event === 'departed' ? null : station_id
          sentTo = event === 'departed' ? next : null
          // A return is picked up from the receiver, where it was delivered.
          if (event === 'delivered' || event === 'handed_over') at = null
        }
      }
      expect(odd).toEqual([])
      const holders = await getRows<{ id: string }>(
        `select id from parcels where holder is distinct from case
         when not handed_over or status in ('completed', 'collected', 'reverse_pickup') then 'customer'
         when status in ('delivering', 'fail-to-deliver') then 'rider'
         when status = 'outbound' and holder <> 'gunny' then 'carrier' else holder end
       or (holder = 'station' and (station_id is null or rider_id is not null))
       or (holder = 'rider' and (station_id is null or rider_id is null))
       or (holder = 'carrier' and status <> 'lost' and station_id is not null)
       or (handed_over and status in ('inbound', 'sorting', 'recall') and holder = 'customer')`,
      )
      expect(holders).toEqual([])
    })

    test("give riders the tasks of the parcels they hold, and returns a pickup at the receiver's address", async () => {
      const tasks = await getRows(
        `select p.id from parcels p left join delivery_tasks t on t.account_id = p.account_id and t.parcel_id = p.id
       where p.holder = 'rider' and p.status in ('delivering', 'fail-to-deliver')
         and (t.rider_id is distinct from p.rider_id or t.station_id is distinct from p.station_id)`,
      )
      expect(tasks).toEqual([])
      const returns = await getRows<{ status: string; pickup: string | null }>(
        `select p.status, k.status as pickup from parcels p
       left join pickup_requests k on k.account_id = p.account_id and k.id = p.return_pickup_id and k.leg = 'return'
         and k.station_id is not null and k.address ->> 'postcode' = p.receiver ->> 'postcode'
       where p.status = 'reverse_pickup'`,
      )
      expect(returns.length).toBeGreaterThan(0)
      for (const { pickup } of returns) expect(pickup).toBe('new')
      const [mine] = await getRows<{ count: number }>(
        `select count(*) as count from delivery_tasks t join users u on u.id = t.rider_id
       where u.email = 'kl@waybill.example' and t.status = 'open'`,
      )
      expect(mine?.count).toBeGreaterThan(0)
    })

    test('agree with the claims for them, and with what their owners are told', async () => {
      const claims = await getRows<{ reason: string; status: string }>(
        'select c.reason, p.status from claims c join parcels p on p.account_id = c.account_id and p.id = c.parcel_id',
      )
      expect(new Set(claims.map(({ reason }) => reason))).toEqual(new Set(['lost', 'damaged', 'missing']))
      for (const { reason, status } of claims)
        expect([reason, status]).toEqual([reason, reason === 'lost' ? 'lost' : 'completed'])
      const promises = await getRows(`select text from chat_messages where text ~ 'tomorrow|tonight'`)
      expect(promises).toEqual([])
    })

    test('are stored in the partitions of their months, so that later partitions can be created', async () => {
      const [inDefault] = await getRows<{ count: number }>('select count(*) as count from only tracking_events_default')
      expect(inDefault?.count).toBe(0)
    })

    test('include some parcels without a scan for 36 hours', async () => {
      const [stuck] = await getRows<{ count: number }>(
        `select count(*) as count from parcels
       where status in ('inbound', 'sorting', 'outbound', 'delivering', 'fail-to-deliver', 'recall')
       and last_event_at < '${demoAfternoon.toISOString()}'::timestamptz - interval '36 hours'`,
      )
      expect(stuck?.count).toBeGreaterThanOrEqual(3)
      expect(stuck?.count).toBeLessThanOrEqual(12)
    })

    test('include no payment by a member after approvals become mandatory, at any start time of the demo', async () => {
      const { world } = createWorld(demoAfternoon, await loadMap(getDeps().db))
      const plans = planDemo().orders.filter(
        ({ account, payment, daysAgo }) =>
          account === 'kinabalu' &&
          ['credit', 'billing'].includes(payment) &&
          daysAgo !== null &&
          daysAgo > 6 &&
          daysAgo < 11,
      )
      for (let now = demoAfternoon; now < later(demoAfternoon, days(1)); now = later(now, minutes(1) / 2)) {
        const approvalsFrom = approvalsStart(now)
        for (const plan of plans) {
          const { orderedBy, checkouts } = createOrderStory({ ...world, now, approvalsFrom }, plan)
          const paysUnderTheRule = checkouts.some((at) => at >= approvalsFrom)
          expect(orderedBy.isOwner, `${plan.name} at ${now.toISOString()}`).toBe(paysUnderTheRule)
        }
      }
    })
  })
}
