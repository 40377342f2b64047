// Companies' artwork on consignment notes: submitted by the company, approved by staff.

import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { ticketStatusLabels } from '@waybill/contract/ground/enums/enums'
import {
  type Artwork,
  type ArtworkEvent,
  artworkDecisions,
  type decideArtwork,
  type StaffArtwork,
  type staffArtworks,
} from '@waybill/contract/parcels/labels'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller, StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { loadSharp } from '../../../lib/packages/pictures.ts'
import { accountNames } from '../../accounts/service.ts'
import { attachmentBytes, claimAttachments, presentAttachmentsById } from '../../attachments/service.ts'
import {
  type ArtworkRow,
  approvedArtwork,
  findArtworkRow,
  insertArtwork,
  listAllArtworkRows,
  listApprovedIds,
  listArtworkRows,
  lockArtwork,
  setArtworkStatus,
} from './queries.ts'
import { allowedArtworkEvents, nextArtworkStatus } from './status.ts'

const listAccountIds = (rows: readonly ArtworkRow[]) => [...new Set(rows.map(({ account_id }) => account_id))]

async function present(deps: Deps, db: DbOrTx, rows: readonly ArtworkRow[]): Promise<Artwork[]> {
  const printedIds = await listApprovedIds(db, listAccountIds(rows))
  const files = await presentAttachmentsById(
    deps,
    db,
    rows.map(({ attachment_id }) => attachment_id),
  )
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    attachmentId: row.attachment_id,
    status: row.status,
    remark: row.remark,
    imageUrl: files.get(row.attachment_id)?.link ?? null,
    printed: printedIds.includes(row.id),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
}

async function presentOne(deps: Deps, db: DbOrTx, row: ArtworkRow): Promise<Artwork> {
  const [artwork] = await present(deps, db, [row])
  return artwork as Artwork
}

/** The company's artwork, the latest first. */
export async function listOwnArtworks(deps: Deps, caller: CustomerCaller): Promise<{ items: Artwork[] }> {
  return { items: await present(deps, deps.db, await listArtworkRows(deps.db, caller.accountId)) }
}

/** What a higher domain does with a changed artwork, in the same transaction: its ticket follows it. */
export type ArtworkFollower = (trx: DbOrTx, artwork: ArtworkRow) => Promise<void>

/** An artwork of any account; null if there is none. The calling domain checks access. */
export async function findArtwork(deps: Deps, db: DbOrTx, id: string): Promise<Artwork | null> {
  const row = await findArtworkRow(db, id)
  return row && presentOne(deps, db, row)
}

/** Creates an artwork from an upload. Throws validation unless it is the caller's, and an image. */
export async function beginArtwork(
  deps: Deps,
  caller: CustomerCaller,
  attachmentId: string,
  follow: ArtworkFollower,
): Promise<Artwork> {
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const id = newId()
    const [file] = await claimAttachments(deps, trx, [attachmentId], caller, {
      kind: 'artwork',
      id,
      accountId: caller.accountId,
      purpose: 'artwork',
      field: 'attachmentId',
    })
    if (!file?.media_type?.startsWith('image/')) throw validationError({ field: 'attachmentId', rule: 'noImage' })
    const { accountId, userId } = caller
    const row = await insertArtwork(trx, { accountId, id, attachmentId, createdBy: userId, at })
    await recordActivity(trx, { action: 'artwork.create', accountId, userId, subject: id, at })
    await follow(trx, row)
    return presentOne(deps, trx, row)
  })
}

/** Moves a locked artwork along its table. Throws not_found, version_conflict, artwork_state (with the status). */
async function transition(
  deps: Deps,
  id: string,
  by: { accountId: string | null; userId: string },
  step: { event: ArtworkEvent; version: number; remark: string | null; follow: ArtworkFollower },
): Promise<ArtworkRow> {
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const row = await lockArtwork(trx, id, by.accountId)
    if (!row) throw new AppError('not_found')
    const status = nextArtworkStatus(row.status, step.event)
    if (!status) {
      throw new AppError('artwork_state', {
        labels: { status: ticketStatusLabels[row.status] },
        details: { status: row.status, event: step.event },
      })
    }
    if (row.version !== step.version) throw new AppError('version_conflict')
    await recordActivity(trx, {
      action: `artwork.${step.event}`,
      accountId: row.account_id,
      userId: by.userId,
      subject: id,
      at,
      detail: { from: row.status, to: status },
    })
    const decidedBy = step.event === 'submitted' ? null : by.userId
    const changed = await setArtworkStatus(trx, row, { status, remark: step.remark, decidedBy, at })
    await step.follow(trx, changed)
    return changed
  })
}

/** Submits a draft. Throws the errors of `transition`. */
export async function submitOwnArtwork(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  version: number,
  follow: ArtworkFollower,
): Promise<Artwork> {
  const row = await transition(deps, id, caller, { event: 'submitted', version, remark: null, follow })
  return presentOne(deps, deps.db, row)
}

async function presentForStaff(deps: Deps, rows: readonly ArtworkRow[]): Promise<StaffArtwork[]> {
  const [artworks, names] = await Promise.all([
    present(deps, deps.db, rows),
    accountNames(deps.db, listAccountIds(rows)),
  ])
  return rows.map((row, n) => ({
    ...(artworks[n] as Artwork),
    accountName: names.get(row.account_id) ?? '',
    allowed: artworkDecisions.filter((decision) => allowedArtworkEvents(row.status).includes(decision)),
  }))
}

/** A page of all companies' artwork, the last changed first; without a status all that was submitted. */
export async function artworksForStaff(
  deps: Deps,
  { status, offset, limit }: QueryOf<typeof staffArtworks>,
): Promise<ResponseOf<typeof staffArtworks>> {
  const { rows, total } = await listAllArtworkRows(deps.db, { status, offset, limit })
  return { items: await presentForStaff(deps, rows), total, offset, limit }
}

/** A decision of staff. Throws the errors of `transition`, and validation for a rejection without a remark. */
export async function decideOnArtwork(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { event, version, remark }: BodyOf<typeof decideArtwork>,
  follow: ArtworkFollower,
): Promise<StaffArtwork> {
  if (event.endsWith('rejected') && !remark) throw validationError({ field: 'remark', rule: 'required' })
  const row = await transition(deps, id, { accountId: null, userId: caller.userId }, { event, version, remark, follow })
  const [artwork] = await presentForStaff(deps, [row])
  return artwork as StaffArtwork
}

/** Cached pictures as PNG, by attachment. All notes share one array, so that a document contains it once. */
const pictures = new Map<string, Uint8Array | null>()
const maxPictures = 50

/** The picture on an account's notes; null without an approved artwork, or if it cannot be read. */
export async function artworkOnNotes(deps: Deps, accountId: string): Promise<Uint8Array | null> {
  const row = await approvedArtwork(deps.db, accountId)
  if (!row) return null
  const cached = pictures.get(row.attachment_id)
  if (cached !== undefined) return cached
  const bytes = await attachmentBytes(deps, row.attachment_id)
  if (!bytes) return null
  const sharp = await loadSharp()
  const picture = await sharp(bytes)
    .flatten({ background: '#ffffff' })
    .resize({ width: 600, height: 300, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
    .catch(() => null)
  if (pictures.size >= maxPictures) pictures.clear()
  pictures.set(row.attachment_id, picture)
  return picture
}
