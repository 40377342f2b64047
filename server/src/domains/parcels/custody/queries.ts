// The direction of a parcel as SQL, for queries on `parcels p`. The contract has the same rules.
import { sql } from 'kysely'

/** `isGoingBack`. */
export const isGoingBackOfP = sql`(p.leg = 'return' or p.status = 'recall')`

/** `findAddressee`. */
export const addresseeOfP = sql`case when ${isGoingBackOfP} then p.sender else p.receiver end`
