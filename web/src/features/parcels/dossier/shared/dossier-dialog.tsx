import { Button, NativeSelect } from '@mantine/core'
import {
  createDossier,
  type Dossier,
  type DossierFormat,
  dossierFormats,
  downloadDossier,
  getDossier,
} from '@waybill/contract/orders/dossier'
import { useEffect, useEffectEvent, useState } from 'react'
import { Dialog, DialogFoot } from '../../../../components/feedback/dialog.tsx'
import { JobProgress } from '../../../../components/feedback/job-progress.tsx'
import { useSend } from '../../../../components/feedback/use-send.ts'
import { Stack } from '../../../../components/layout/boxes.tsx'
import { Note, Notice } from '../../../../components/layout/text.tsx'
import { call } from '../../../../lib/api.ts'
import { saveDocument } from '../../../../lib/download.ts'
import { useFormat } from '../../../../lib/format.ts'
import { useT } from '../../../../lib/i18n.ts'
import { useCall } from '../../../../lib/query.ts'
import { useAccountMonths } from '../../../../lib/time/account-months.ts'
import type { DossierSubject } from './subject.ts'

const lookEveryMs = 700

/**
 * Selects the file, shows the progress while the server creates it, and saves it. Closing the dialog does not stop the
 * server.
 */
export function DossierDialog({ of, onClose }: { of: DossierSubject; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const [fileFormat, setFileFormat] = useState<DossierFormat>('pdf')
  const asksMonth = 'month' in of && of.month === null
  const months = useAccountMonths()
  const [month, setMonth] = useState(months[0] ?? '')
  const [created, setCreated] = useState<Dossier | null>(null)
  const [running, setRunning] = useState(false)
  const { data: latest = created } = useCall(
    getDossier,
    { params: { id: created?.id ?? '' } },
    { enabled: running, staleTime: 0, refetchInterval: lookEveryMs },
  )
  if (running && latest?.state !== 'running') setRunning(false)

  const make = useSend(() => call(createDossier, { body: { format: fileFormat, ...(asksMonth ? { month } : of) } }), {
    onSuccess: (dossier) => {
      setCreated(dossier)
      setRunning(dossier.state === 'running')
    },
  })
  const save = useSend((id: string) => saveDocument(downloadDossier, { params: { id } }), {
    success: t('dossier.saved'),
    onSuccess: onClose,
  })
  const saveReady = useEffectEvent((id: string) => void save.send(id))
  const readyId = latest?.state === 'ready' ? latest.id : null
  useEffect(() => {
    if (readyId !== null) saveReady(readyId)
  }, [readyId])

  return (
    <Dialog title={t('dossier.title')} onClose={onClose}>
      <Stack>
        <Note>{t('month' in of ? 'dossier.leadMonth' : 'dossier.lead')}</Note>
        {asksMonth && (
          <NativeSelect
            data-autofocus
            label={t('dossier.month')}
            value={month}
            onChange={(event) => setMonth(event.currentTarget.value)}
            data={months.map((value) => ({ value, label: format.month(value) }))}
          />
        )}
        <NativeSelect
          {...(asksMonth ? {} : { 'data-autofocus': true })}
          label={t('dossier.format')}
          value={fileFormat}
          onChange={(event) => setFileFormat(event.currentTarget.value as DossierFormat)}
          data={dossierFormats.map((value) => ({ value, label: t(`dossier.${value}`) }))}
        />
        {latest?.state === 'running' && <Progress {...latest} />}
        {latest?.state === 'failed' && (
          <Notice tone="danger" role="alert">
            {t('dossier.failed')}
          </Notice>
        )}
      </Stack>
      <DialogFoot>
        <Button variant="filled" loading={make.pending || running || save.pending} onClick={() => void make.send()}>
          {t('dossier.make')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function Progress({ done, total }: Dossier) {
  const t = useT()
  const format = useFormat()
  const text = t('dossier.running', { done: format.number(done), total: format.number(total) })
  return (
    <div role="status">
      <JobProgress done={done} total={total} text={text} />
    </div>
  )
}
