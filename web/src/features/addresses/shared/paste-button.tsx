import { Button } from '@mantine/core'
import { IconClipboardText } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { LazyPart } from '../../../components/feedback/lazy-part.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import type { PartyValues } from './party-values.ts'

const PasteAddress = lazy(() => import('./paste-address.tsx'))

/** "Paste an address": opens the dialog, which is imported on demand. */
export function PasteButton({ onUse }: { onUse: (party: PartyValues) => void }) {
  const t = useT()
  const country = useDeployment()?.countryCode ?? 'my'
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="compact-sm"
        leftSection={<IconClipboardText size={16} aria-hidden />}
        // Keeps the focus in the form: an empty field that is left for the dialog would be marked as wrong.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setOpen(true)}
      >
        {t('paste.title')}
      </Button>
      {open && (
        <LazyPart onClose={() => setOpen(false)}>
          <PasteAddress
            country={country}
            onClose={() => setOpen(false)}
            onUse={(party) => {
              setOpen(false)
              onUse(party)
            }}
          />
        </LazyPart>
      )}
    </>
  )
}
