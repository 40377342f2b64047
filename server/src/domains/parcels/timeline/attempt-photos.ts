// The photos that riders took at failed attempts.
import type { Attachment } from '@waybill/contract/attachments/attachments'
import type { Deps } from '../../../deps.ts'
import { listAttachmentsBySubject } from '../../attachments/service.ts'
import type { EventRow } from './queries.ts'

/** The photos of failed attempts, by the id of their event. */
export const listAttemptPhotos = (
  deps: Deps,
  events: readonly Pick<EventRow, 'id' | 'event'>[],
): Promise<Map<string, Attachment[]>> =>
  listAttachmentsBySubject(
    deps,
    deps.db,
    'parcel_attempt',
    events.flatMap(({ id, event }) => (event === 'attempt_failed' ? id : [])),
  )
