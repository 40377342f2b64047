/** Hourly quotas for a user or an account, counted in PostgreSQL so that all processes share them. */

import type { ErrorCode } from '@waybill/contract/ground/errors'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { sha256 } from '../../lib/crypto.ts'
import type { UserCaller } from '../caller.ts'
import { AppError } from '../errors.ts'
import { limitedAddress } from './limited-address.ts'

type Quota = {
  /** Part of the counter's key, with the subject. */
  name: string
  most: number
  /** The error when the quota is used up. Its text has the variable `minutes`. */
  code: ErrorCode
}

const windowSeconds = 3600

const uploads = (name: string, most: number): Quota => ({ name, most, code: 'upload_quota' })

/**
 * Riders and counters take photos all day. A customer's quota fits a busy hour: hundreds of photos or dozens of large
 * spreadsheets.
 */
const uploadQuotas = {
  customer: { files: uploads('upload files user', 300), kilobytes: uploads('upload kB user', 500_000) },
  staff: { files: uploads('upload files user', 1_000), kilobytes: uploads('upload kB user', 3_000_000) },
  account: { files: uploads('upload files account', 1_000), kilobytes: uploads('upload kB account', 1_500_000) },
}

/** Enough for the largest print run in the costliest format. */
const printQuota: Quota = { name: 'print user', most: 30_000, code: 'print_quota' }

/** A busy shop sends a few dozen links an hour; more would make us a sender of spam. */
const addressLinkQuota: Quota = { name: 'address links account', most: 200, code: 'address_link_quota' }

/** A household or an office behind one address follows a few parcels; a script that mails strangers follows many. */
const followRequestQuotas: Record<'ip' | 'parcel', Quota> = {
  ip: { name: 'follow ip', most: 30, code: 'follow_quota' },
  parcel: { name: 'follow parcel', most: 30, code: 'follow_quota' },
}
/** Mails that strangers can cause to one address. */
const followMailQuota: Quota = { name: 'follow mail', most: 3, code: 'follow_quota' }

/** A month of a busy shop takes minutes of a job; an hour has room for several. */
const dossierQuota: Quota = { name: 'dossier user', most: 60, code: 'dossier_quota' }

/** A year of a large account takes minutes of a job. */
const reportQuota: Quota = { name: 'report file', most: 60, code: 'report_quota' }

/** ZPL labels are drawn as bitmaps, which take three times as long as a PDF page. */
const zplCost = 3

/**
 * Takes an amount from a quota before it is used. Throws the quota's code with the time to wait; a refused amount does
 * not count.
 */
async function take(db: DbOrTx, quota: Quota, subject: string, amount: number, now: Date): Promise<void> {
  const key = `${quota.name} ${subject}`
  const ends = new Date(now.getTime() + windowSeconds * 1000)
  const { rows } = await sql`
    insert into rate_limits as q (key, count, resets_at)
    values (${key}, ${amount}::int, ${ends})
    on conflict (key) do update set count = case
      when q.resets_at <= ${now} then excluded.count
      else q.count + excluded.count
    end, resets_at = case when q.resets_at <= ${now} then excluded.resets_at else q.resets_at end
    where q.resets_at <= ${now} or q.count + excluded.count <= ${quota.most}::int
    returning 1`.execute(db)
  if (rows.length > 0) return
  const row = await db.selectFrom('rate_limits').select('resets_at').where('key', '=', key).executeTakeFirst()
  const seconds = Math.max(1, ((row?.resets_at.getTime() ?? now.getTime()) - now.getTime()) / 1000)
  throw new AppError(quota.code, { vars: { minutes: Math.ceil(seconds / 60) }, retryAfter: seconds })
}

/** Counts one upload before it is read. Throws upload_quota. */
export async function countUploadQuota(deps: Deps, caller: UserCaller, bytes: number): Promise<void> {
  const { db, clock } = deps
  const shares: [keyof typeof uploadQuotas, string][] = [[caller.kind, caller.userId]]
  if (caller.kind === 'customer') shares.push(['account', caller.accountId])
  for (const [who, subject] of shares) {
    await take(db, uploadQuotas[who].files, subject, 1, clock.now())
    await take(db, uploadQuotas[who].kilobytes, subject, Math.ceil(bytes / 1000), clock.now())
  }
}

/** Counts labels before they are drawn. Throws print_quota. */
export async function countPrintQuota(deps: Deps, userId: string, labels: number, format: string): Promise<void> {
  await take(deps.db, printQuota, userId, format === 'zpl' ? labels * zplCost : labels, deps.clock.now())
}

/** Counts a link with which a receiver enters their address. Throws address_link_quota. */
export async function countAddressLinkQuota(deps: Deps, accountId: string): Promise<void> {
  await take(deps.db, addressLinkQuota, accountId, 1, deps.clock.now())
}

/** Counts a request to follow a parcel. Throws follow_quota. */
export async function countFollowRequest({ db, clock }: Deps, ip: string, parcelId: string): Promise<void> {
  await take(db, followRequestQuotas.ip, limitedAddress(ip), 1, clock.now())
  await take(db, followRequestQuotas.parcel, parcelId, 1, clock.now())
}

/**
 * Counts a mail that a visitor causes to an address; false if it has had enough in this hour. The caller must not
 * reveal that, because it would show that others have entered this address. The key is hashed, as those of throttles.
 */
export async function countFollowMail({ db, clock }: Deps, email: string): Promise<boolean> {
  try {
    await take(db, followMailQuota, sha256(email).toString('base64url'), 1, clock.now())
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === followMailQuota.code) return false
    throw error
  }
}

/** Counts a dossier before it is queued. Throws dossier_quota. */
export async function countDossierQuota({ db, clock }: Deps, userId: string): Promise<void> {
  await take(db, dossierQuota, userId, 1, clock.now())
}

/** Counts a report before it is queued, for an account or a member of staff. Throws report_quota. */
export async function countReportQuota({ db, clock }: Deps, subject: string): Promise<void> {
  await take(db, reportQuota, subject, 1, clock.now())
}
