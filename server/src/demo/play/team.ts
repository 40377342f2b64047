/**
 * Users who cannot sign in, or not yet: members of the company, accounts that staff or their owner closed; and staff's
 * notes about a company.
 */

import { closeOwnAccount } from '../../domains/account-closure/service.ts'
import { confirmInvitedAddress } from '../../domains/accounts/company/queries-members.ts'
import { addMember, changeMemberStatus } from '../../domains/accounts/company/service.ts'
import { changeAccountStatus } from '../../domains/accounts/directory/change-status.ts'
import { addNote } from '../../domains/accounts/directory/notes.ts'
import { openView } from '../../domains/accounts/directory/view-account.ts'
import { insertSession } from '../../domains/accounts/queries.ts'
import { addColleague } from '../../domains/accounts/staff/team-invitations.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { hours, later } from '../../lib/clock.ts'
import { sha256 } from '../../lib/crypto.ts'
import { demoPassword } from '../story/logins.ts'
import { demoAccounts, type SideAccount, sideAccounts } from '../story/people.ts'
import { createCaller, type Stage, staffCaller } from './stage.ts'

const ip = '203.0.113.24'

const colleagues = [
  { name: 'Sharifah Aini', email: 'sharifah@kinabalu.example', phone: '+60138472956', status: null },
  { name: 'Kelvin Voo', email: 'kelvin@kinabalu.example', phone: '+60168293745', status: 'inactive' },
  { name: 'Dayang Norasyikin', email: 'dayang@kinabalu.example', phone: '+60148392756', status: 'blacklisted' },
] as const

/** A superadmin invites a clerk, who has not answered yet. */
export async function inviteClerk({ deps }: Stage): Promise<void> {
  const superadmin = staffCaller('superadmin@waybill.example', null)
  const person = { name: 'Nadia Osman', email: 'nadia@waybill.example', phone: '+60123948572', language: 'en' as const }
  await addColleague(deps, superadmin, { ...person, type: 'staff', role: 'normal_staff', stationId: null }, ip)
}

/** The owner invites three colleagues. One has not answered; the others have left, are suspended, or are blocked. */
export async function changeTeam({ deps, trx, clock }: Stage): Promise<void> {
  const company = demoAccounts.find(({ key }) => key === 'kinabalu')
  if (!company) return
  const owner = createCaller(company, company.owner)
  const { password_hash } = await trx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', company.owner.id)
    .executeTakeFirstOrThrow()
  for (const { name, email, phone, status } of colleagues) {
    const person = {
      name,
      email,
      phone,
      language: 'en' as const,
      jobTitle: 'Warehouse assistant',
      costCentre: 'LOG-01',
    }
    const rights = { permissions: ['parcels.create' as const, 'users' as const], monthlyLimitMinor: null }
    const { id } = await addMember(deps, owner, { ...person, ...rights }, ip)
    if (!status) continue
    // Accepts the invitation by SQL: no service sets another person's password.
    await trx.updateTable('users').set({ password_hash, last_login_at: clock.now() }).where('id', '=', id).execute()
    await confirmInvitedAddress(trx, id, clock.now())
    await changeMemberStatus(deps, owner, id, status, ip)
  }
}

/** Staff suspend one account and block another; the owner of a third deletes it. */
export async function endAccounts({ deps }: Stage): Promise<void> {
  const manager = staffCaller('accounts@waybill.example', null)
  const end = ({ id }: SideAccount, status: 'inactive' | 'blacklisted', reason: string) =>
    changeAccountStatus(deps, manager, id, { status, reason, version: 1 })
  await end(sideAccounts.suspended, 'inactive', 'Cheque returned by the bank. Open again when the transfer is here.')
  await end(sideAccounts.blocked, 'blacklisted', 'Sent prohibited goods three times, under false declarations.')
  const { closed } = sideAccounts
  const device = { ip, userAgent: null, id: null }
  const body = { currentPassword: demoPassword }
  await closeOwnAccount(deps, createCaller(closed, closed.owner), closed.owner.id, body, device)
}

const texts = [
  'Wants one invoice a month for all warehouses. Monthly billing explained and set up.',
  'Called about the March statement: paid twice by mistake, the second transfer stays as credit.',
]

/** The account manager writes notes about the company and views its portal as the owner. */
export async function lookAfterCompany({ deps, trx }: Stage): Promise<void> {
  const company = demoAccounts.find(({ key }) => key === 'kinabalu')
  if (!company) return
  const manager = staffCaller('accounts@waybill.example', null)
  for (const text of texts) await addNote(deps, manager, company.id, { text }, withoutKey)
  // A view needs a session that has not ended.
  const now = deps.clock.now()
  await insertSession(trx, {
    id: manager.sessionId,
    user_id: manager.userId,
    token_hash: sha256(manager.sessionId),
    rotated_at: now,
    ip,
    created_at: now,
    last_used_at: now,
    expires_at: later(now, hours(1)),
  })
  await openView(deps, manager, company.id)
}
