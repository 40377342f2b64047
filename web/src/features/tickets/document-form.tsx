import { Button } from '@mantine/core'
import { addDocuments, type DocumentKind, documentKindLabels, type Ticket } from '@waybill/contract/tickets/tickets'
import { useRef, useState } from 'react'
import { notify } from '../../components/feedback/notify.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons, Stack } from '../../components/layout/boxes.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { type Photo, PhotoField } from '../attachments/shared/photo-field.tsx'
import { changedByTickets } from './changed-by-tickets.ts'

/** Uploads by kind of document. */
export type Documents = Partial<Record<DocumentKind, readonly Photo[]>>

/** The documents in the format of the calls. */
export const toDocuments = (documents: Documents) =>
  Object.entries(documents).flatMap(([kind, photos]) =>
    photos.map(({ id }) => ({ kind: kind as DocumentKind, attachmentId: id })),
  )

type FieldsProps = {
  lines: readonly { kind: DocumentKind; required: boolean }[]
  value: Documents
  onChange: (change: (documents: Documents) => Documents) => void
  /** Receives whether an upload of any line is running. */
  onBusy: (busy: boolean) => void
}

/** A field for photos of each kind of document. */
export function DocumentFields({ lines, value, onChange, onBusy }: FieldsProps) {
  const t = useT()
  const label = useLabel()
  const busyLines = useRef(new Set<DocumentKind>())
  return lines.map(({ kind, required }) => {
    const name = label(documentKindLabels, kind)
    return (
      <PhotoField
        key={kind}
        label={required ? t('tickets.requiredDocument', { name }) : name}
        purpose="ticket_document"
        value={value[kind] ?? []}
        onChange={(change) => onChange((documents) => ({ ...documents, [kind]: change(documents[kind] ?? []) }))}
        onBusy={(busy) => {
          if (busy) busyLines.current.add(kind)
          else busyLines.current.delete(kind)
          onBusy(busyLines.current.size > 0)
        }}
        most={4}
      />
    )
  })
}

/** Adds documents to a ticket. */
export function DocumentForm({ ticket }: { ticket: Ticket }) {
  const t = useT()
  const [documents, setDocuments] = useState<Documents>({})
  const [busy, setBusy] = useState(false)
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
  const lines = ticket.documents.map(({ kind, required, files }) => ({
    kind,
    required: required && files.length === 0,
  }))
  return (
    <Stack>
      <DocumentFields lines={lines} value={documents} onChange={setDocuments} onBusy={setBusy} />
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
