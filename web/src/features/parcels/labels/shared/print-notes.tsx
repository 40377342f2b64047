import { lazy, Suspense, useState } from 'react'

const PrintNotesDialog = lazy(async () => ({ default: (await import('./print-notes-dialog.tsx')).PrintNotesDialog }))

/**
 * The print dialog for any screen where parcels are chosen: `const notes = usePrintNotes()`, `notes.ask(ids)`, and
 * `{notes.dialog}` somewhere in the page. It is loaded when it is first asked for.
 */
export function usePrintNotes(onPrinted?: () => void) {
  const [ids, setIds] = useState<readonly string[]>([])
  const dialog = ids.length > 0 && (
    <Suspense fallback={null}>
      <PrintNotesDialog ids={ids} onClose={() => setIds([])} onPrinted={onPrinted} />
    </Suspense>
  )
  return { ask: setIds, dialog }
}
