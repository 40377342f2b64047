/** Enforces the deadlines of tickets. */
import type { Tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { forEachBatch } from '../../jobs/each-item.ts'
import { transitionClaim } from './claims.ts'
import { notifyCustomer } from './notices.ts'
import { lockLapsed, type TicketRow, updateTicket } from './queries.ts'
import { findClaim } from './queries-claims.ts'
import { recordTicket } from './service.ts'

const batchSize = 100

/**
 * Closes tickets that customers have left unanswered: a claim without its documents lapses, another ticket is closed.
 * The customer may reopen the ticket, or claim again.
 */
export async function closeLapsedTickets(deps: Deps): Promise<void> {
  await forEachBatch(
    deps.db,
    batchSize,
    (trx, limit, except) => lockLapsed(trx, deps.clock.now(), limit, except),
    async (trx, rows) => {
      for (const row of rows) await closeLapsed(deps, trx, row)
    },
  )
}

async function closeLapsed(deps: Deps, trx: Tx, row: TicketRow): Promise<void> {
  const claim = await findClaim(trx, row.id)
  if (claim) {
    await transitionClaim(deps, trx, row, claim, { event: 'lapsed', userId: null })
    return
  }
  const closed = await updateTicket(trx, row, { status: 'closed', deadline: null, at: deps.clock.now() })
  await recordTicket(deps, trx, { userId: null }, closed, 'tickets.closed', { unanswered: true })
  await notifyCustomer(deps, trx, closed, 'ticket_closed')
}
