/** The users of a company. */
import type {
  createMember,
  listMembers,
  Member,
  memberActivity,
  setApprovalRule,
  updateMember,
} from '@waybill/contract/accounts/company'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { AccountStatus, MemberPermission } from '@waybill/contract/ground/enums/enums'
import { parseSort } from '@waybill/contract/ground/paging'
import { actionPage, recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { countThrottledAttempt } from '../../../http/limits/throttle.ts'
import { newId } from '../../../lib/ids.ts'
import { isPhone } from '../../../lib/phone.ts'
import { withdrawOffersTo } from '../ownership/queries.ts'
import { photoUrl } from '../present.ts'
import { endSessions, findAccount, insertUser, type UserRow } from '../queries.ts'
import { revokeTokens } from '../rights.ts'
import { isInvited, voidPasswordLinks } from '../sign-in/password-links.ts'
import { invitationsOfCompany, mailAddress, sendInvitation } from './invitations.ts'
import { getRights, lockManaged } from './managed.ts'
import {
  endMember,
  findMember,
  hasMemberAddress,
  lockMembers,
  memberPage,
  updateApprovalRule,
  updateMemberRow,
  updateMemberStatus,
} from './queries-members.ts'
import { excessiveRights, manageRefusal, mayApprove } from './rules.ts'

function present(deps: Deps, user: UserRow, actor: UserRow): Member {
  return {
    id: user.id,
    name: user.name,
    email: mailAddress(user),
    phone: user.phone,
    photoUrl: photoUrl(deps, user.photo_id),
    language: user.language as Locale,
    jobTitle: user.job_title,
    costCentre: user.cost_centre,
    isOwner: user.is_owner,
    status: user.status as AccountStatus,
    permissions: user.permissions as MemberPermission[],
    monthlyLimitMinor: user.monthly_limit_minor,
    invited: isInvited(user),
    lastLoginAt: user.last_login_at?.toISOString() ?? null,
    createdAt: user.created_at.toISOString(),
    editable: manageRefusal(getRights(actor), getRights(user)) === null,
    version: user.version,
  }
}

/** The caller's current rights: the token may be some minutes older. */
async function getActor(db: Deps['db'], caller: CustomerCaller): Promise<UserRow> {
  const actor = await findMember(db, caller.accountId, caller.userId)
  if (!actor) throw new AppError('session_expired')
  return actor
}

/** Lists the users of a company. */
export async function listCompanyMembers(
  deps: Deps,
  caller: CustomerCaller,
  { search, tab, sort, offset, limit }: QueryOf<typeof listMembers>,
): Promise<ResponseOf<typeof listMembers>> {
  const actor = await getActor(deps.db, caller)
  const { rows, counts } = await memberPage(deps.db, caller.accountId, {
    search: search?.trim() || null,
    tab,
    sort: parseSort(sort),
    offset,
    limit,
  })
  return { items: rows.map((row) => present(deps, row, actor)), total: counts[tab], offset, limit, counts }
}

/** A user of the company. Throws not_found, also for another company's user and for a removed one. */
export async function readMember(deps: Deps, caller: CustomerCaller, id: string): Promise<Member> {
  const user = await findMember(deps.db, caller.accountId, id)
  if (!user) throw new AppError('not_found')
  return present(deps, user, await getActor(deps.db, caller))
}

function checkPhone(phone: string | null): void {
  if (phone !== null && !isPhone(phone))
    throw new AppError('phone_invalid', { fields: [{ field: 'phone', rule: 'phone' }] })
}

function requireGrantableRights(
  actor: UserRow,
  grant: BodyOf<typeof updateMember> | BodyOf<typeof createMember>,
  before: UserRow | null,
) {
  const fields = excessiveRights(getRights(actor), grant, before && getRights(before))
  if (fields.length === 0) return
  throw new AppError('member_rights', { fields: fields.map((field) => ({ field, rule: 'notYours' })) })
}

/**
 * Adds a user to the company and mails a link to set a first password. The answer is the same if the address has
 * another account: it becomes the user's own only with the first password, and the owner of the other account is
 * notified by mail that nothing changed.
 * @throws AppError phone_invalid, member_rights, too_many_requests; email_taken, but only by a user of the same
 * company, whom the caller can see.
 */
export async function addMember(
  deps: Deps,
  caller: CustomerCaller,
  body: BodyOf<typeof createMember>,
  ip: string,
): Promise<Member> {
  checkPhone(body.phone)
  const { accountId, userId } = caller
  const id = newId()
  const at = deps.clock.now()
  await countThrottledAttempt(deps.db, invitationsOfCompany, accountId, at)
  const permissions = [...new Set(body.permissions)]
  await tx(deps.db, async (trx) => {
    const [actor] = await lockMembers(trx, accountId, [userId])
    if (!actor) throw new AppError('session_expired')
    requireGrantableRights(actor, body, null)
    if (await hasMemberAddress(trx, accountId, body.email)) {
      throw new AppError('email_taken', { fields: [{ field: 'email', rule: 'taken' }] })
    }
    await insertUser(trx, {
      id,
      kind: 'customer',
      account_id: accountId,
      email: `${id}@invited.invalid`,
      invited_email: body.email,
      name: body.name,
      phone: body.phone,
      language: body.language,
      job_title: body.jobTitle,
      cost_centre: body.costCentre,
      permissions,
      monthly_limit_minor: body.monthlyLimitMinor,
      created_at: at,
      updated_at: at,
    })
    const detail = { permissions, monthlyLimitMinor: body.monthlyLimitMinor }
    await recordActivity(trx, { action: 'corporate.memberAdded', accountId, userId, subject: id, detail, ip, at })
    const added = await findMember(trx, accountId, id)
    if (added) await sendInvitation(trx, deps, caller, added)
  })
  return readMember(deps, caller, id)
}

/**
 * Changes a user's name and rights, and voids their tokens. Throws not_found, phone_invalid, member_is_owner,
 * member_rights (the target has, or would get, more rights than the caller), version_conflict.
 */
export async function changeMember(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  body: BodyOf<typeof updateMember>,
  ip: string,
): Promise<Member> {
  checkPhone(body.phone)
  const { accountId, userId } = caller
  const at = deps.clock.now()
  const permissions = [...new Set(body.permissions)]
  await tx(deps.db, async (trx) => {
    const { actor, user } = await lockManaged(trx, caller, id)
    if (user.version !== body.version) throw new AppError('version_conflict')
    requireGrantableRights(actor, body, user)
    await updateMemberRow(trx, id, { ...body, permissions }, at)
    await revokeTokens(trx, deps, id)
    await emitLimited(trx, deps, user, mayApprove({ ...user, permissions }))
    const detail = {
      permissions: [user.permissions, permissions],
      monthlyLimitMinor: [user.monthly_limit_minor, body.monthlyLimitMinor],
    }
    await recordActivity(trx, { action: 'corporate.memberChanged', accountId, userId, subject: id, detail, ip, at })
  })
  return readMember(deps, caller, id)
}

/**
 * Suspends, blocks or reactivates a user at once; a blocked one is signed out, and cannot set a password. Throws
 * not_found, member_is_owner, member_is_you, member_rights.
 */
export async function changeMemberStatus(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  status: AccountStatus,
  ip: string,
): Promise<Member> {
  const { accountId, userId } = caller
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const { user } = await lockManaged(trx, caller, id)
    if (id === userId) throw new AppError('member_is_you')
    if (user.status === status) return
    await updateMemberStatus(trx, id, status, at)
    const sessionIds = status === 'blacklisted' ? await endSessions(trx, id, { except: null }, at) : []
    if (status === 'blacklisted') await voidPasswordLinks(trx, deps, id)
    await revokeTokens(trx, deps, id, ...sessionIds)
    await emitLimited(trx, deps, user, mayApprove({ ...user, status }))
    const detail = { status: [user.status, status] }
    await recordActivity(trx, {
      action: 'corporate.memberStatus',
      level: 'NOTICE',
      accountId,
      userId,
      subject: id,
      detail,
      ip,
      at,
    })
  })
  return readMember(deps, caller, id)
}

/** Notifies orders that a user may no longer approve, so that no request waits only for them. */
async function emitLimited(trx: Tx, deps: Deps, before: UserRow, stillApproves: boolean): Promise<void> {
  const wasApprover = mayApprove(before)
  if (!wasApprover || stillApproves || before.account_id === null) return
  const event = { accountId: before.account_id, userId: before.id, wasApprover }
  await deps.outbox.emit(trx, 'company.member_limited', event)
}

/**
 * Ends the open requests of a user who leaves a company: offers of ownership, and requests for approval. `user`: as
 * before the departure.
 */
export async function settleDeparture(trx: Tx, deps: Deps, user: UserRow): Promise<void> {
  if (user.account_id === null) return
  await withdrawOffersTo(trx, user.id, deps.clock.now())
  const event = { accountId: user.account_id, userId: user.id, wasApprover: mayApprove(user) }
  await deps.outbox.emit(trx, 'company.member_limited', event)
}

/** Removes a user. Throws not_found, member_is_owner, member_is_you, member_rights. */
export async function endMembership(deps: Deps, caller: CustomerCaller, id: string, ip: string): Promise<void> {
  const { accountId, userId } = caller
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const { user } = await lockManaged(trx, caller, id)
    if (id === userId) throw new AppError('member_is_you')
    await endMember(trx, id, at)
    await voidPasswordLinks(trx, deps, id)
    await settleDeparture(trx, deps, user)
    const sessionIds = await endSessions(trx, id, { except: null }, at)
    await revokeTokens(trx, deps, id, ...sessionIds)
    const detail = { name: user.name }
    await recordActivity(trx, {
      action: 'corporate.memberRemoved',
      level: 'NOTICE',
      accountId,
      userId,
      subject: id,
      detail,
      ip,
      at,
    })
  })
}

/** The actions of a user of the company, newest first. Throws not_found. */
export async function listMemberActions(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { offset, limit }: QueryOf<typeof memberActivity>,
): Promise<ResponseOf<typeof memberActivity>> {
  const user = await findMember(deps.db, caller.accountId, id)
  if (!user) throw new AppError('not_found')
  const { rows, total } = await actionPage(deps.db, caller.accountId, id, { offset, limit })
  return { items: rows.map((row) => ({ ...row, at: row.at.toISOString() })), total, offset, limit }
}

/** The amount above which a member's order needs approval. */
export async function readApprovalRule(
  deps: Deps,
  caller: CustomerCaller,
): Promise<ResponseOf<typeof setApprovalRule>> {
  const account = await findAccount(deps.db, caller.accountId)
  if (!account) throw new AppError('not_found')
  const { settings } = deps
  const { approval_above_minor: aboveMinor, version } = account
  return { aboveMinor, currency: settings.get('currency'), days: settings.get('approvals.days'), version }
}

/** Sets that amount for future orders. Throws version_conflict. */
export async function changeApprovalRule(
  deps: Deps,
  caller: CustomerCaller,
  { aboveMinor, version }: BodyOf<typeof setApprovalRule>,
  ip: string,
): Promise<ResponseOf<typeof setApprovalRule>> {
  const { accountId, userId } = caller
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    if (!(await updateApprovalRule(trx, accountId, { aboveMinor, version, at }))) throw new AppError('version_conflict')
    await recordActivity(trx, { action: 'corporate.approvalRule', accountId, userId, detail: { aboveMinor }, ip, at })
  })
  return readApprovalRule(deps, caller)
}
