import { Button } from '@mantine/core'
import { IconFileCertificate } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { LazyPart } from '../../../../components/feedback/lazy-part.tsx'
import { useT } from '../../../../lib/i18n.ts'
import type { DossierSubject } from './subject.ts'

const DossierDialog = lazy(async () => ({ default: (await import('./dossier-dialog.tsx')).DossierDialog }))

type Props = { of: DossierSubject; size?: 'sm' }

/** Opens the dialog that creates and saves a proof dossier. */
export function DossierButton({ of, size }: Props) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        {...(size ? { size } : { leftSection: <IconFileCertificate size={18} aria-hidden /> })}
        aria-label={'month' in of && of.month ? `${t('dossier.open')} ${of.month}` : undefined}
        onClick={() => setOpen(true)}
      >
        {t('dossier.open')}
      </Button>
      {open && (
        <LazyPart onClose={() => setOpen(false)}>
          <DossierDialog of={of} onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </>
  )
}
