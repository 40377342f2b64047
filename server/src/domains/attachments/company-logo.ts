/** The logo of the deployment: an attachment that a setting refers to. */
import type { Readable } from 'node:stream'
import type { Tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { findAttachment } from './queries.ts'
import { attachmentBytes, claimAttachments, releaseAttachments } from './service.ts'

/** Links a new logo to the setting, and releases the previous one. Throws validation on `company.logo`. */
export async function changeLogo(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  { before, after }: { before: string | null; after: string | null },
): Promise<void> {
  if (before !== null) await releaseAttachments(deps, trx, [before])
  if (after === null) return
  // There is only one setting, so the picture's own id is its subject.
  const subject = { kind: 'setting', id: after, accountId: null, purpose: 'logo', field: 'company.logo' } as const
  await claimAttachments(deps, trx, [after], caller, subject)
}

/** The content of the logo. Throws not_found for any other attachment. */
export async function openLogo(deps: Deps, id: string): Promise<Readable> {
  if (deps.settings.get('company.logo') !== id) throw new AppError('not_found')
  const key = (await findAttachment(deps.db, id))?.storage_key
  const stream = key ? await deps.files.read(key) : null
  if (!stream) throw new AppError('not_found')
  return stream
}

/** The last printed logo, cached so that it is not read for each of ten thousand labels. */
let latest: { id: string; content: Buffer } | null = null

/**
 * The logo as PNG, for printing; null if there is none or it cannot be read. Documents are then printed without it.
 */
export async function findLogo(deps: Deps): Promise<Buffer | null> {
  const id = deps.settings.get('company.logo')
  if (id === null) return null
  if (latest?.id === id) return latest.content
  try {
    const content = await attachmentBytes(deps, id)
    if (content) latest = { id, content }
    return content
  } catch (error) {
    deps.log.warn({ err: error }, 'the logo could not be read; documents are printed without it')
    return null
  }
}
