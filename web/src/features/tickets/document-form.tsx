import { Button } from '@mantine/core'
import { addDocuments, type DocumentKind, documentKindLabels, type Ticket } from '@waybill/contract/tickets/tickets'
import { useState } from 'react'
import { notify } from '../../components/feedback/notify.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons, Stack } from '../../components/layout/boxes.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { type Photo, PhotoField } from '../attachments/shared/photo-field.tsx'
import { changedByTickets } from './changed-by-tickets.ts'
import { Checklist } from './ticket-view.tsx'

/** Uploads by kind of document. */
export type Documents = Partial<Record<DocumentKind, readonly Photo[]>>

/** The documents in the format of the calls. */
export const toDocuments = (documents: Documents) =>
  Object.entries(documents).flatMap(([kind, photos]) =>
    photos.map(({ id }) => ({ kind: kind as DocumentKind, attachmentId: id })),
  )

/** Whether uploads of any kind of document are running: the form waits for them. */
export function useRunningUploads() {
  const [kinds, setKinds] = useState<ReadonlySet<DocumentKind>>(new Set())
  const onBusy = (kind: DocumentKind, busy: boolean) =>
    setKinds((present) => new Set([...present].filter((each) => each !== kind).concat(busy ? [kind] : [])))
  return { busy: kinds.size > 0, onBusy }
}

type FieldProps = {
  kind: DocumentKind
  label: string
  hideLabel?: boolean
  value: Documents
  onChange: (change: (documents: Documents) => Documents) => void
  onBusy: (kind: DocumentKind, busy: boolean) => void
}

/** A field for the files of one kind of document. */
export function DocumentField({ kind, label, hideLabel = false, value, onChange, onBusy }: FieldProps) {
  return (
    <PhotoField
      label={label}
      hideLabel={hideLabel}
      purpose="ticket_document"
      value={value[kind] ?? []}
      onChange={(change) => onChange((documents) => ({ ...documents, [kind]: change(documents[kind] ?? []) }))}
      onBusy={(busy) => onBusy(kind, busy)}
      most={4}
    />
  )
}

/** The checklist of a ticket, with a field for more files of each kind. */
export function DocumentForm({ ticket }: { ticket: Ticket }) {
  const t = useT()
  const label = useLabel()
  const [documents, setDocuments] = useState<Documents>({})
  const { busy, onBusy } = useRunningUploads()
  const sending = useSend(
    (body: { version: number; documents: ReturnType<typeof toDocuments> }) =>
      call(addDocuments, { params: { id: ticket.id }, body }),
    {
      refresh: changedByTickets,
      refreshOnError: changedByTickets,
      success: t('tickets.documentsSent'),
      onSuccess: () => setDocuments({}),
    },
  )
  const content = toDocuments(documents)
  return (
    <Stack>
      <Checklist
        ticket={ticket}
        renderField={(kind) => (
          <DocumentField
            kind={kind}
            label={label(documentKindLabels, kind)}
            hideLabel
            value={documents}
            onChange={setDocuments}
            onBusy={onBusy}
          />
        )}
      />
      <Buttons>
        <Button
          loading={sending.pending}
          onClick={() => {
            if (busy) notify.warning(t('tickets.uploading'))
            else if (content.length === 0) notify.warning(t('tickets.chooseDocument'))
            else void sending.send({ version: ticket.version, documents: content })
          }}
        >
          {t('tickets.addDocuments')}
        </Button>
      </Buttons>
    </Stack>
  )
}
