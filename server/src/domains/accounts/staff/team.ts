/** The staff as a team: the list, their rights, and their activity. */
import {
  type Colleague,
  type colleagueActivity,
  type listTeam,
  type setColleagueStatus,
  teamTabs,
  type updateColleague,
} from '@waybill/contract/accounts/team'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { AccountStatus, AdminUserType, StaffRole } from '@waybill/contract/ground/enums/enums'
import { countActionsOfUser, listActionsOfUser, recordActivity } from '../../../activity.ts'
import { readKeysetPage } from '../../../db/keyset.ts'
import { countTabs } from '../../../db/page.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { isPhone } from '../../../lib/phone.ts'
import { updateMemberStatus } from '../company/queries-members.ts'
import { photoUrl } from '../present.ts'
import { endSessions, type UserRow } from '../queries.ts'
import { revokeTokens } from '../rights.ts'
import { isInvited, voidPasswordLinks } from '../sign-in/password-links.ts'
import {
  type ColleagueRow,
  countTeam,
  findColleague,
  getStanding,
  listActiveSuperadmins,
  listTeamRows,
  lockStaff,
  updateColleagueRow,
} from './queries-team.ts'
import { mayManageUser, reachesPosition, type Standing } from './rules.ts'

function present(deps: Deps, row: ColleagueRow, caller: StaffCaller): Colleague {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    photoUrl: photoUrl(deps, row.photo_id),
    phone: row.phone,
    language: row.language as Locale,
    status: row.status as AccountStatus,
    type: row.staff_type as AdminUserType,
    role: row.staff_role as StaffRole | null,
    stationId: row.station_id,
    invited: isInvited(row),
    lastLoginAt: row.last_login_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    sessions: row.sessions,
    hasSecondFactor: row.has_factor,
    isYou: row.id === caller.userId,
    editable: mayManageUser(caller, { id: row.id, standing: getStanding(row) }),
    version: row.version,
  }
}

/** The staff, newest first. Throws validation for an invalid cursor. */
export async function readTeam(
  deps: Deps,
  caller: StaffCaller,
  query: QueryOf<typeof listTeam>,
): Promise<ResponseOf<typeof listTeam>> {
  const { search, type, role, stationId, tab, limit } = query
  const filter = {
    search: search?.trim() || null,
    type: type ?? null,
    role: role ?? null,
    stationId: stationId ?? null,
    tab,
  }
  const now = deps.clock.now()
  const [{ rows, next, previous }, counts] = await Promise.all([
    readKeysetPage(query, (from) => listTeamRows(deps.db, filter, from, now)),
    countTabs(teamTabs, (each) => countTeam(deps.db, { ...filter, tab: each })),
  ])
  return { items: rows.map((row) => present(deps, row, caller)), total: counts[tab], limit, next, previous, counts }
}

/** A member of staff. Throws not_found, also for a customer. */
export async function readColleague(deps: Deps, caller: StaffCaller, id: string): Promise<Colleague> {
  const row = await findColleague(deps.db, id, deps.clock.now())
  if (!row) throw new AppError('not_found')
  return present(deps, row, caller)
}

/** Throws phone_invalid. */
export function checkPhone(phone: string | null): void {
  if (phone !== null && !isPhone(phone))
    throw new AppError('phone_invalid', { fields: [{ field: 'phone', rule: 'phone' }] })
}

/** The caller's rights as stored now: the token may be some minutes older. Throws session_expired. */
export function requireStanding(actor: UserRow | undefined): Standing {
  const standing = actor && actor.status === 'active' ? getStanding(actor) : null
  if (!standing) throw new AppError('session_expired')
  return standing
}

/** Throws user_rank with the field that exceeds the actor's own rights. */
export function requireReach(actor: Standing, position: Standing): void {
  if (reachesPosition(actor, position)) return
  const field = reachesPosition({ ...actor, stationId: null }, position) ? 'stationId' : 'role'
  throw new AppError('user_rank', { fields: [{ field, rule: 'notYours' }] })
}

/** Staff cannot act on themselves: otherwise the last superadmin could lock everybody out. */
async function refusalForOneself(db: DbOrTx, userId: string): Promise<AppError> {
  const superadmins = await listActiveSuperadmins(db)
  const isLast = superadmins.length === 1 && superadmins[0]?.id === userId
  return new AppError(isLast ? 'last_superadmin' : 'user_is_you')
}

/**
 * Locks caller and colleague, and checks that the caller may change the colleague. Because the caller of a demotion or
 * suspension remains a superadmin, at least one always exists.
 * @throws AppError not_found, user_is_you, last_superadmin, user_rank, session_expired
 */
export async function lockColleague(
  trx: Tx,
  caller: StaffCaller,
  id: string,
): Promise<{ actor: UserRow; user: UserRow }> {
  const rows = await lockStaff(trx, [caller.userId, id])
  const user = rows.find((row) => row.id === id)
  const actor = rows.find((row) => row.id === caller.userId)
  const standing = requireStanding(actor)
  if (!user || !actor) throw new AppError('not_found')
  if (id === caller.userId) throw await refusalForOneself(trx, id)
  if (!mayManageUser({ ...standing, userId: actor.id }, { id, standing: getStanding(user) }))
    throw new AppError('user_rank')
  return { actor, user }
}

/**
 * Changes a colleague's name, role and station, and voids their tokens. Throws the errors of `lockColleague`,
 * version_conflict, phone_invalid; user_rank for a position above the caller's own.
 */
export async function changeColleague(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  body: BodyOf<typeof updateColleague>,
  ip: string,
): Promise<Colleague> {
  checkPhone(body.phone)
  const at = deps.clock.now()
  const position = { staffType: body.type, staffRole: body.role, stationId: body.stationId }
  await tx(deps.db, async (trx) => {
    const { actor, user } = await lockColleague(trx, caller, id)
    if (user.version !== body.version) throw new AppError('version_conflict')
    requireReach(requireStanding(actor), position)
    await updateColleagueRow(trx, id, { name: body.name, phone: body.phone, ...position }, at)
    await revokeTokens(trx, deps, id)
    const detail = {
      type: [user.staff_type, body.type],
      role: [user.staff_role, body.role],
      stationId: [user.station_id, body.stationId],
    }
    await recordActivity(trx, {
      action: 'users.changed',
      level: 'NOTICE',
      userId: caller.userId,
      subject: id,
      detail,
      ip,
      at,
    })
  })
  return readColleague(deps, caller, id)
}

/**
 * Suspends, blocks or reactivates a colleague at once, in every process. Unless they stay active, their sessions end
 * and links to set a password are void. Throws the errors of `lockColleague`, and version_conflict.
 */
export async function changeColleagueStatus(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { status, version }: BodyOf<typeof setColleagueStatus>,
  ip: string,
): Promise<Colleague> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const { user } = await lockColleague(trx, caller, id)
    if (user.version !== version) throw new AppError('version_conflict')
    if (user.status === status) return
    await updateMemberStatus(trx, id, status, at)
    const sessionIds = status === 'active' ? [] : await endSessions(trx, id, { except: null }, at)
    if (status !== 'active') await voidPasswordLinks(trx, deps, id)
    await revokeTokens(trx, deps, id, ...sessionIds)
    const detail = { status: [user.status, status] }
    await recordActivity(trx, {
      action: 'users.status',
      level: 'NOTICE',
      userId: caller.userId,
      subject: id,
      detail,
      ip,
      at,
    })
  })
  return readColleague(deps, caller, id)
}

/** What a colleague did, newest first. Throws not_found; validation for an invalid cursor. */
export async function readColleagueActivity(
  deps: Deps,
  id: string,
  query: QueryOf<typeof colleagueActivity>,
): Promise<ResponseOf<typeof colleagueActivity>> {
  const { db } = deps
  if (!(await findColleague(db, id, deps.clock.now()))) throw new AppError('not_found')
  const [{ rows, next, previous }, total] = await Promise.all([
    readKeysetPage(query, (from) => listActionsOfUser(db, id, from)),
    countActionsOfUser(db, id),
  ])
  const items = rows.map(({ at_exactly: _, at, ...row }) => ({ ...row, at: at.toISOString() }))
  return { items, total, limit: query.limit, next, previous }
}
