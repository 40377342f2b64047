import { lazy, useState } from 'react'
import { LazyPart } from '../../../../components/feedback/lazy-part.tsx'

const PrintNotesDialog = lazy(async () => ({ default: (await import('./print-notes-dialog.tsx')).PrintNotesDialog }))

/**
 * The print dialog for any screen with parcels: `const notes = usePrintNotes()`, `notes.ask(ids)`, and `{notes.dialog}`
 * in the page. Imported when it is first used.
 */
export function usePrintNotes(onPrinted?: () => void) {
  const [ids, setIds] = useState<readonly string[]>([])
  const dialog = ids.length > 0 && (
    <LazyPart onClose={() => setIds([])}>
      <PrintNotesDialog ids={ids} onClose={() => setIds([])} onPrinted={onPrinted} />
    </LazyPart>
  )
  return { ask: setIds, dialog }
}
