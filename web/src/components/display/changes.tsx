import { useT } from '../../lib/i18n.ts'
import { Stack } from '../layout/boxes.tsx'
import { Fold } from '../layout/fold.tsx'
import { Quiet } from '../layout/text.tsx'
import { Time } from './time.tsx'

/** When something was changed and by whom; `by` is null if the name is unknown. */
export function ChangedBy({ at, by }: { at: string; by: string | null }) {
  const t = useT()
  return (
    <Quiet>
      <Time at={at} /> · {by ?? t('changes.somebody')}
    </Quiet>
  )
}

/** The latest changes, collapsed; renders nothing if there are none. */
export function Changes({ items }: { items: readonly { at: string; by: string | null; text: string }[] }) {
  const t = useT()
  if (items.length === 0) return null
  return (
    <Fold summary={t('changes.latest')} style={{ marginBlockStart: 24 }}>
      <Stack as="ul" gap={12} style={{ marginBlockStart: 8 }}>
        {items.map(({ at, by, text }) => (
          <li key={`${at} ${text}`}>
            {text}
            <ChangedBy at={at} by={by} />
          </li>
        ))}
      </Stack>
    </Fold>
  )
}
