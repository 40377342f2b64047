/** The people of the money walk: a customer with a wallet PIN, a member of staff, and the addresses they use. */
import type { Deps } from '../../src/deps.ts'
import { insertPin } from '../../src/domains/wallet/queries.ts'
import type { CustomerCaller, StaffCaller } from '../../src/http/caller.ts'
import { hmacSha256 } from '../../src/lib/crypto.ts'

const party = (contactName: string, postcode: string, city: string, state: string) => ({
  contactName,
  company: null,
  phone: '+60123456789',
  email: null,
  line1: '12 Jalan Telawi',
  line2: null,
  postcode,
  city,
  state,
  country: 'my',
  residential: true,
  remarks: null,
})
export const sender = party('Tan Mei Ling', '59100', 'Kuala Lumpur', 'Kuala Lumpur')
export const receiver = party('Ahmad', '10300', 'George Town', 'Pulau Pinang')

/** Creates the customer with a separate account and wallet PIN, and the member of staff. */
export async function addWalkers(deps: Deps, caller: CustomerCaller, staff: StaffCaller, pin: string): Promise<void> {
  const { accountId } = caller
  const { db, keys, clock } = deps
  const { userId } = caller
  await db
    .insertInto('accounts')
    .values({ id: accountId, user_type: 'customer', name: 'Walker', status: 'active' })
    .execute()
  const user = { status: 'active', name: 'Walker', language: 'en' } as const
  await db
    .insertInto('users')
    .values([
      {
        ...user,
        id: userId,
        kind: 'customer',
        account_id: accountId,
        email: `${userId}@example.test`,
        is_owner: true,
      },
      {
        ...user,
        id: staff.userId,
        kind: 'staff',
        email: `${staff.userId}@example.test`,
        staff_type: 'superadmin',
      },
    ])
    .execute()
  const salt = Buffer.alloc(16, 7)
  const mac = hmacSha256(keys.derive('wallet pins'), Buffer.concat([salt, Buffer.from(`${accountId}:${pin}`)]))
  const row = { account_id: accountId, salt, pin_mac: mac, updated_by: userId, updated_at: clock.now() }
  await insertPin(db, row)
}

/** Another address in the sender's street. */
export const doorFor = (n: number) => ({ ...sender, line1: `${n + 1} Jalan Telawi` })
