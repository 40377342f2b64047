/** Notifications of ticket changes: to its customer, or to staff who may act on it. */
import type { NotificationKind } from '@waybill/contract/notifications/kinds'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { accountNames } from '../accounts/service.ts'
import type { Facts } from '../notifications/facts.ts'
import { notify } from '../notifications/notify.ts'
import type { TicketRow } from './queries.ts'
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
