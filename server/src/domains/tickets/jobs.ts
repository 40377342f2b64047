/** Enforces the deadlines of tickets. */
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { transitionClaim } from './claims.ts'
import { notifyCustomer } from './notices.ts'
import { lockLapsed, updateTicket } from './queries.ts'
import { findClaim } from './queries-claims.ts'
import { recordTicket } from './service.ts'

const batchSize = 100

/**
 * Closes tickets that customers have left unanswered: a claim without its documents lapses, another ticket is closed.
 * The customer may reopen the ticket, or claim again.
 */
export async function closeLapsedTickets(deps: Deps): Promise<void> {
  let count = batchSize
  while (count === batchSize) {
    count = await tx(deps.db, async (trx) => {
      const now = deps.clock.now()
      const rows = await lockLapsed(trx, now, batchSize)
      for (const row of rows) {
        const claim = await findClaim(trx, row.id)
        if (claim) await transitionClaim(deps, trx, row, claim, { event: 'lapsed', userId: null })
        else {
          const closed = await updateTicket(trx, row, { status: 'closed', deadline: null, at: now })
          await recordTicket(deps, trx, { userId: null }, closed, 'tickets.closed', { unanswered: true })
          await notifyCustomer(deps, trx, closed, 'ticket_closed')
        }
      }
      return rows.length
    })
  }
}
