// What parcels travelled with, as SQL on their timelines. The custody of a parcel alone does not tell it: one that
// has gone another way may be on the way to the same station, or back where it was.
import { type RawBuilder, sql } from 'kysely'
import { type ParcelEvent, undoneEvent } from '../status.ts'

const listEvents = (events: readonly ParcelEvent[]) => sql.join(events.map((event) => sql.lit(event)))
const departures: readonly ParcelEvent[] = ['departed', 'redirected', 'diverted']
/** The events between stations. */
const rides = listEvents([...departures, 'arrived'])
/** The events by which a parcel may leave a bag. */
const moves = listEvents([...departures, 'arrived', 'out_for_delivery', 'handed_over'])

const isUndone = sql`exists (
          select 1
          from tracking_events u
          where u.parcel_id = e.parcel_id
            and u.at > e.at
            and u.event = ${sql.lit(undoneEvent)}
            and u.detail ->> 'scanId' = e.id::text
        )`

/** When a timeline entry `e` was recorded: later than its scan if the scanner was offline. */
export const recordedAt = sql`coalesce((e.detail ->> 'recordedAt')::timestamptz, e.at)`

/** Whether a parcel `p` has moved without the bag `b` since it was put into it (`m` of `bag_parcels`). */
export const hasLeftBag = sql`exists (
        select 1
        from tracking_events e
        where e.parcel_id = p.id
          and e.at > m.added_at
          and e.event in (${moves})
          and e.detail ->> 'bag' is distinct from b.number
          and not ${isUndone}
      )`

/**
 * Whether the last thing that happened to a parcel on its way since a time is a departure that fulfils `condition` on
 * its timeline entry `e`: it has not arrived anywhere since, and may have been declared lost.
 */
export const isOnTheWaySince = (
  parcel: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
) => sql<boolean>`
      case when ${parcel}.status in ('outbound', 'recall', 'lost') then coalesce((
        select e.event = 'departed' and ${condition}
        from tracking_events e
        where e.parcel_id = ${parcel}.id
          and e.at >= ${since}
          and e.event in (${rides})
          and not ${isUndone}
        order by e.at desc, e.id desc
        limit 1
      ), false) else false end`

/** Whether a parcel has arrived at a station since a time. */
export const hasArrivedSince = (
  parcel: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
  stationId: RawBuilder<unknown>,
) => sql<boolean>`exists (
        select 1
        from tracking_events e
        where e.parcel_id = ${parcel}.id
          and e.at > ${since}
          and e.event = 'arrived'
          and e.station_id = ${stationId}
          and not ${isUndone}
      )`
