import { useT } from '../../lib/i18n.ts'
import { Notice } from '../layout/text.tsx'

/**
 * After a version conflict: the input is kept, and the next save replaces the other change. `text` replaces the usual
 * sentence.
 */
export function ConflictNotice({ text }: { text?: string | undefined }) {
  const t = useT()
  return (
    <Notice tone="warning" role="alert">
      {text ?? t('unsaved.conflict')}
    </Notice>
  )
}
