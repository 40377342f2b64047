/** Notifications as the API returns them. */
import type { Locale } from '@waybill/contract/ground/constants'
import { findKind } from '@waybill/contract/notifications/kinds'
import type { Notification } from '@waybill/contract/notifications/notifications'
import type { Deps } from '../../deps.ts'
import { formatFacts } from './facts.ts'
import type { NotificationRow } from './queries.ts'
import { buildPath } from './rules.ts'

type Reader = { kind: 'customer' | 'staff'; locale: Locale }

/** In the reader's language, with the texts of the mail. Rows of a kind of another release are left out. */
export function presentNotifications(deps: Deps, rows: readonly NotificationRow[], reader: Reader): Notification[] {
  return rows.flatMap((row) => {
    const kind = findKind(row.kind)
    if (!kind) return []
    const t = deps.translations(reader.locale)
    const { settings } = deps
    const words = {
      name: '',
      count: row.items,
      appName: settings.get('app.name'),
      companyName: settings.get('company.name'),
      ...formatFacts(deps, row.facts, reader.locale),
    }
    return {
      id: row.id,
      kind: row.kind,
      topic: kind.topic,
      level: kind.level,
      // As in the header of the mail, which has neither line breaks nor special spaces.
      title: t(`mail.${row.kind}.subject`, words).replace(/\s+/g, ' '),
      text: t(`mail.${row.kind}.body`, words),
      path: buildPath({ kind: row.kind, subjectId: row.subject_id, items: row.items }, reader.kind),
      items: row.items,
      createdAt: row.created_at.toISOString(),
      readAt: row.read_at?.toISOString() ?? null,
    }
  })
}
