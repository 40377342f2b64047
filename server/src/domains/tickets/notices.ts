/** Notifications of ticket changes, to the customer or to staff, and of parcels that are found after a paid claim. */
import type { NotificationKind } from '@waybill/contract/notifications/kinds'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { OutboxHandler } from '../../outbox/handler.ts'
import { accountNames } from '../accounts/service.ts'
import { type Facts, fact } from '../notifications/facts.ts'
import { notify } from '../notifications/notify.ts'
import { findTicketRow, type TicketRow } from './queries.ts'
import { findClaimOfParcel } from './queries-claims.ts'
import { findOpener } from './rules.ts'

/** Notifies staff of a ticket that needs their action. */
export async function notifyStaff(deps: Deps, trx: DbOrTx, row: TicketRow): Promise<void> {
  const names = await accountNames(trx, [row.account_id])
  await notify(deps, trx, {
    kind: 'ticket_due',
    to: { staff: row.kind === 'claim' ? 'staff.finance' : 'staff.accounts' },
    subjectId: row.id,
    facts: { number: row.number, account: names.get(row.account_id) ?? '' },
  })
}

/** Notifies the user who opened the ticket. */
export async function notifyCustomer(
  deps: Deps,
  trx: DbOrTx,
  row: TicketRow,
  kind: NotificationKind,
  facts: Facts = {},
): Promise<void> {
  const own = { number: row.number, parcel: row.about_number ?? '' }
  await notify(deps, trx, { kind, to: { users: [findOpener(row)] }, subjectId: row.id, facts: { ...own, ...facts } })
}

/** Notifies finance, which paid: the parcel continues, and nobody takes the money back without asking the customer. */
export const notifyFoundAfterPayment: OutboxHandler<'parcel.found'> = async (deps, trx, parcels) => {
  for (const { parcelId, trackingNumber } of parcels) {
    const claim = await findClaimOfParcel(trx, parcelId)
    const ticket = claim?.state === 'paid' && claim.reason === 'lost' ? await findTicketRow(trx, claim.ticket_id) : null
    if (!claim || !ticket) continue
    const names = await accountNames(trx, [ticket.account_id])
    await notify(deps, trx, {
      kind: 'claim_found',
      to: { staff: 'staff.finance' },
      subjectId: ticket.id,
      facts: {
        number: ticket.number,
        parcel: trackingNumber,
        account: names.get(ticket.account_id) ?? '',
        amount: fact.money(claim.paid_minor ?? 0, claim.currency),
      },
    })
  }
}
