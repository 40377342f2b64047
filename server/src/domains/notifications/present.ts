/** Formats notifications for the API. */
import type { Locale } from '@waybill/contract/ground/constants'
import { groupNumbersIn } from '@waybill/contract/ground/tracking-number'
import { findKind } from '@waybill/contract/notifications/kinds'
import type { Notification } from '@waybill/contract/notifications/notifications'
import type { Deps } from '../../deps.ts'
import { formatFacts } from './facts.ts'
import type { NotificationRow } from './queries.ts'
import { buildPath } from './rules.ts'

type Reader = { kind: 'customer' | 'staff'; locale: Locale }

/**
 * Formats notifications in the reader's language, with the texts of the mail. Unknown kinds of another release are
 * omitted.
 */
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
      ...groupNumbers(formatFacts(deps, row.facts, reader.locale)),
    }
    return {
      id: row.id,
      kind: row.kind,
      topic: kind.topic,
      level: kind.level,
      // One line, but the no-break spaces of amounts and numbers stay.
      title: t(`mail.${row.kind}.subject`, words).replace(/[^\S\u00a0]+/g, ' '),
      text: t(`mail.${row.kind}.body`, words),
      path: buildPath({ kind: row.kind, subjectId: row.subject_id, items: row.items }, reader.kind),
      items: row.items,
      createdAt: row.created_at.toISOString(),
      readAt: row.read_at?.toISOString() ?? null,
    }
  })
}

/** Mails keep tracking numbers whole, for the search of a mailbox. */
function groupNumbers(words: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(words).map(([name, word]) => [name, typeof word === 'string' ? groupNumbersIn(word) : word]),
  )
}
