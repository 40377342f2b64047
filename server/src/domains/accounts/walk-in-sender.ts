/** The account of senders who have none: parcels that are booked at a counter belong to it. */
import type { Locale } from '@waybill/contract/ground/constants'
import { type MemberPermission, memberPermissionLabels } from '@waybill/contract/ground/enums/enums'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { asAccountId, authorize, type CustomerCaller, type StaffCaller } from '../../http/caller.ts'
import { type AccountRow, findAccount, findUser, insertWalkInAccount } from './queries.ts'

/** Fixed ids are safe: the account has no sign-in, and only staff at a counter act for it. */
const accountId = asAccountId('00000000-0000-7000-8000-000000000001')
/** A user for each language of the mails, as the sender's language is that of the user who created a parcel. */
const userIds: Record<Locale, string> = {
  en: '00000000-0000-7000-8000-000000000002',
  cn_zh: '00000000-0000-7000-8000-000000000003',
}

/** Whether an account is that of senders without one. */
export const isWalkInAccount = (id: string): boolean => id === accountId

/**
 * The caller on whose behalf a clerk books a parcel for a sender without an account. The account is created at the
 * first booking. Its users are removed ones, which prevents sign-ins and notifications. Throws account_suspended,
 * forbidden if staff have suspended or blocked the account, which stops such bookings.
 */
export async function requireWalkInSender(deps: Deps, clerk: StaffCaller, language: Locale): Promise<CustomerCaller> {
  const userId = userIds[language]
  const [account, user] = await Promise.all([findAccount(deps.db, accountId), findUser(deps.db, userId)])
  const { status } = account && user ? account : await createAccount(deps)
  const sender: CustomerCaller = {
    kind: 'customer',
    accountId,
    userId,
    sessionId: clerk.sessionId,
    userType: 'customer',
    accountStatus: status as CustomerCaller['accountStatus'],
    userStatus: 'active',
    isOwner: true,
    permissions: Object.keys(memberPermissionLabels) as MemberPermission[],
  }
  authorize('pay', sender)
  return sender
}

async function createAccount({ db, clock }: Deps): Promise<AccountRow> {
  return tx(db, async (trx) => {
    await insertWalkInAccount(trx, { accountId, userIds, at: clock.now() })
    return (await findAccount(trx, accountId)) as AccountRow
  })
}
