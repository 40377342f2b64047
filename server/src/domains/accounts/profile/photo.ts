/** The signed-in user's photo. */

import type { getPhoto } from '@waybill/contract/accounts/profile'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { claimAttachments, releaseAttachments } from '../../attachments/service.ts'
import { photoUrl } from '../present.ts'
import { findUser, lockUserForUpdate, updatePhoto } from '../queries.ts'

type Photo = ResponseOf<typeof getPhoto>

/** A fresh link to the caller's photo. */
export async function readPhoto(deps: Deps, caller: UserCaller): Promise<Photo> {
  const user = await findUser(deps.db, caller.userId)
  return { url: photoUrl(deps, user?.photo_id ?? null) }
}

/**
 * Replaces the caller's photo; null removes it. The previous one is deleted with the next cleanup.
 * @throws AppError validation for an upload that is not the caller's, is used already, or has another purpose
 */
export async function changePhoto(deps: Deps, caller: UserCaller, attachmentId: string | null): Promise<Photo> {
  await tx(deps.db, async (trx) => {
    const user = await lockUserForUpdate(trx, caller.userId)
    if (!user) throw new AppError('session_expired')
    if (user.photo_id === attachmentId) return
    if (attachmentId !== null) {
      const subject = { kind: 'user', id: user.id, accountId: user.account_id, purpose: 'profile_photo' } as const
      await claimAttachments(deps, trx, [attachmentId], caller, { ...subject, field: 'attachmentId' })
    }
    await updatePhoto(trx, user.id, attachmentId)
    if (user.photo_id) await releaseAttachments(deps, trx, [user.photo_id])
    await recordActivity(trx, {
      action: attachmentId === null ? 'auth.photoRemoved' : 'auth.photoChanged',
      accountId: user.account_id,
      userId: user.id,
      at: deps.clock.now(),
    })
  })
  return { url: photoUrl(deps, attachmentId) }
}
