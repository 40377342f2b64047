/** Banner management for staff. */
import type { bannerChange, bannerInput, listStaffBanners, StaffBanner } from '@waybill/contract/content/banners'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type * as z from 'zod/mini'
import { recordActivity } from '../../activity.ts'
import { readKeysetPage } from '../../db/keyset.ts'
import { type DbOrTx, type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { claimAttachments, listAttachmentsBySubject, releaseAttachments } from '../attachments/service.ts'
import type { Text } from './queries.ts'
import {
  countStaffBanners,
  deleteBanner,
  findBanner,
  listStaffBannerRows,
  lockBanner,
  placePattern,
  type StaffBannerRow,
  saveBanner,
} from './queries-banners.ts'
import { bannerSubject } from './service.ts'

type BannerInput = z.output<typeof bannerInput>

const getNow = (deps: Deps) => ({ at: deps.clock.now(), timeZone: deps.settings.get('timezone') })

async function presentBanners(deps: Deps, db: DbOrTx, rows: readonly StaffBannerRow[]): Promise<StaffBanner[]> {
  const ids = rows.map(({ id }) => id)
  const images = await listAttachmentsBySubject(deps, db, bannerSubject, ids)
  return rows.map((row) => {
    const image = images.get(row.id)?.[0]
    return {
      id: row.id,
      kind: row.kind,
      title: { en: row.title.en ?? '', cn_zh: row.title.cn_zh ?? null },
      body: { en: row.body?.en ?? null, cn_zh: row.body?.cn_zh ?? null },
      linkUrl: row.link_url,
      image: image ? { id: image.id, name: image.name, link: image.link } : null,
      imageUrl: image?.link ?? row.image_url,
      position: row.position,
      startsOn: row.starts_on,
      endsOn: row.ends_on,
      state: row.state,
      shown: row.shown,
      version: row.version,
    }
  })
}

/** A page of banners in the order in which they are shown. Throws validation for an invalid cursor. */
export async function readBanners(
  deps: Deps,
  query: QueryOf<typeof listStaffBanners>,
): Promise<ResponseOf<typeof listStaffBanners>> {
  const { search, tab, limit } = query
  const filter = { search: search?.trim() || null, state: tab === 'all' ? null : tab }
  const now = getNow(deps)
  const [{ rows, next, previous }, total] = await Promise.all([
    readKeysetPage(query, (from) => listStaffBannerRows(deps.db, filter, now, from), placePattern),
    countStaffBanners(deps.db, filter, now),
  ])
  return { items: await presentBanners(deps, deps.db, rows), total, limit, next, previous }
}

/** A banner in both languages, with its image and version. Throws not_found. */
export async function readBanner(deps: Deps, id: string): Promise<StaffBanner> {
  const row = await findBanner(deps.db, id, getNow(deps))
  const [banner] = row ? await presentBanners(deps, deps.db, [row]) : []
  if (!banner) throw new AppError('not_found')
  return banner
}

/** The languages that have a text. Null if there is none. */
function toText({ en, cn_zh }: { en: string | null; cn_zh: string | null }): Text | null {
  if (en === null && cn_zh === null) return null
  return { ...(en === null ? {} : { en }), ...(cn_zh === null ? {} : { cn_zh }) }
}

/** Links the image to the banner, and releases the previous one. Throws validation on `imageId`. */
async function setImage(deps: Deps, trx: Tx, caller: StaffCaller, id: string, imageId: string | null): Promise<void> {
  const images = (await listAttachmentsBySubject(deps, trx, bannerSubject, [id])).get(id) ?? []
  const dropped = images.flatMap((image) => (image.id === imageId ? [] : [image.id]))
  await releaseAttachments(deps, trx, dropped)
  const subject = { kind: bannerSubject, id, accountId: null, purpose: 'banner', field: 'imageId' } as const
  await claimAttachments(deps, trx, imageId === null ? [] : [imageId], caller, subject)
}

async function write(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  banner: { id: string; action: string; builtIn: string | null },
  input: BannerInput,
): Promise<void> {
  const { id, builtIn } = banner
  const { at, timeZone } = getNow(deps)
  const { title, body, imageId, kind, linkUrl, position, startsOn, endsOn } = input
  // A built-in picture stays until an uploaded one replaces it.
  const imageUrl = imageId === null ? builtIn : null
  const format = imageId === null && imageUrl === null ? 'text' : 'image'
  const set = { kind, format, imageUrl, linkUrl, position, startsOn, endsOn } as const
  await saveBanner(trx, id, { ...set, title: toText(title) ?? {}, body: toText(body) }, timeZone, at)
  await setImage(deps, trx, caller, id, imageId)
  const detail = { title: title.en, startsOn, endsOn }
  const { action } = banner
  await recordActivity(trx, { action, level: 'NOTICE', userId: caller.userId, subject: id, detail, at })
}

/** Creates a banner. Throws validation on `imageId` unless it is the caller's own upload for a banner. */
export async function addBanner(deps: Deps, caller: StaffCaller, input: BannerInput): Promise<StaffBanner> {
  const id = newId()
  await tx(deps.db, (trx) => write(deps, trx, caller, { id, action: 'content.created', builtIn: null }, input))
  return readBanner(deps, id)
}

/** Changes a banner. Throws not_found, version_conflict, and the errors of creating. */
export async function changeBanner(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, ...input }: z.output<typeof bannerChange>,
): Promise<StaffBanner> {
  await tx(deps.db, async (trx) => {
    const banner = await lockBanner(trx, id)
    if (!banner) throw new AppError('not_found')
    if (banner.version !== version) throw new AppError('version_conflict')
    await write(deps, trx, caller, { id, action: 'content.changed', builtIn: banner.image_url }, input)
  })
  return readBanner(deps, id)
}

/** Removes a banner; its image is deleted a day later. Throws not_found. */
export async function dropBanner(deps: Deps, caller: StaffCaller, id: string): Promise<void> {
  await tx(deps.db, async (trx) => {
    const images = (await listAttachmentsBySubject(deps, trx, bannerSubject, [id])).get(id) ?? []
    if (!(await deleteBanner(trx, id))) throw new AppError('not_found')
    const imageIds = images.map((image) => image.id)
    await releaseAttachments(deps, trx, imageIds)
    const at = deps.clock.now()
    await recordActivity(trx, { action: 'content.removed', level: 'NOTICE', userId: caller.userId, subject: id, at })
  })
}
