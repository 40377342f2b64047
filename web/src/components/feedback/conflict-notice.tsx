import { useT } from '../../lib/i18n.ts'
import { Notice } from '../layout/text.tsx'

/** After a version conflict: the input is kept, and the next save replaces the other change. */
export function ConflictNotice() {
  const t = useT()
  return (
    <Notice tone="warning" role="alert">
      {t('unsaved.conflict')}
    </Notice>
  )
}
