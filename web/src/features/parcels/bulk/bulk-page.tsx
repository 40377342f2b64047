import { Button, Textarea } from '@mantine/core'
import { IconClipboard } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type BulkBatch, bulkLimits, bulkTemplate, createBulk, listBulk } from '@waybill/contract/parcels/bulk'
import { useState } from 'react'
import { useWhyClosed } from '../../../components/access/why-closed.ts'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { DownloadButton, SheetUpload } from '../../../components/form/sheet-upload.tsx'
import { LineList, Panel, Row, Section } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet, Tag } from '../../../components/layout/text.tsx'
import { callWithForm } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall, useRefresh } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'

const lookEveryMs = 2_000

/** Uploads a spreadsheet of parcels: dropped, selected, or pasted as cells. Earlier batches are below. */
export function BulkPage() {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const permissions = useSession((state) => state.auth.permissions)
  const whyClosed = useWhyClosed('newParcel.mayNot')

  // Until the profile is loaded there are no permissions.
  if (permissions.length > 0 && !permissions.includes('parcels.create')) {
    return (
      <>
        <PageHeader title={t('bulk.title')} />
        <MessagePanel kind="forbidden" title={t('list.forbidden')} text={t(whyClosed)} />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={t('bulk.title')}
        description={t('bulk.lead')}
        actions={<DownloadButton label={t('bulk.template')} save={() => saveDocument(bulkTemplate, {})} />}
      />
      <SheetUpload
        hint={t('bulk.dropHint', {
          rows: format.number(bulkLimits.rows),
          size: format.number(bulkLimits.bytes / 1_048_576),
        })}
        bytes={bulkLimits.bytes}
        upload={async (options) => {
          const { id } = await callWithForm(createBulk, options)
          await refresh(listBulk)
          await navigate({ to: '/parcels/bulk/$id', params: { id } })
        }}
      >
        {(send) => <PasteButton send={send} />}
      </SheetUpload>
      <Recent />
    </>
  )
}

/** Sends cells that are pasted into a dialog as a file. */
function PasteButton({ send }: { send: (file: File) => void }) {
  const t = useT()
  const [pasting, setPasting] = useState(false)
  return (
    <>
      <Button leftSection={<IconClipboard size={18} aria-hidden />} onClick={() => setPasting(true)}>
        {t('bulk.paste')}
      </Button>
      {pasting && (
        <PasteDialog
          close={() => setPasting(false)}
          send={(text) => {
            setPasting(false)
            send(new File([text], t('bulk.pasted'), { type: 'text/tab-separated-values' }))
          }}
        />
      )}
    </>
  )
}

/** Cells copied from a spreadsheet, with their headers. */
function PasteDialog({ close, send }: { close: () => void; send: (text: string) => void }) {
  const t = useT()
  const [text, setText] = useState('')
  const [missing, setMissing] = useState(false)
  return (
    <Dialog title={t('bulk.paste')} onClose={close}>
      <Textarea
        label={t('bulk.cells')}
        description={t('bulk.cellsHint')}
        error={missing && text.trim() === '' ? t('bulk.cellsMissing') : undefined}
        rows={10}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <DialogFoot>
        <Button onClick={close}>{t('actions.cancel')}</Button>
        <Button variant="filled" onClick={() => (text.trim() === '' ? setMissing(true) : send(text))}>
          {t('bulk.readFile')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function Recent() {
  const t = useT()
  const [reading, setReading] = useState(false)
  const batches = useCall(
    listBulk,
    { query: { limit: 20 } },
    { staleTime: 0, refetchInterval: reading ? lookEveryMs : false },
  )
  if (batches.error) return <ErrorPanel error={batches.error} retry={() => void batches.refetch()} />
  if (!batches.data) return <Loading />
  const { items } = batches.data
  const busy = items.some(({ status }) => status === 'reading')
  if (busy !== reading) setReading(busy)
  return (
    <Section style={{ marginBlockStart: 32 }} title={t('bulk.recent')}>
      {items.length === 0 ? (
        <MessagePanel kind="empty" title={t('bulk.noBatches')} text={t('bulk.noBatchesHint')} />
      ) : (
        <Panel as="div" padding={16}>
          <LineList>
            {items.map((batch) => (
              <Batch key={batch.id} batch={batch} />
            ))}
          </LineList>
        </Panel>
      )}
    </Section>
  )
}

const tones = { good: 'success', bad: 'danger', carted: 'neutral' } as const

function Batch({ batch }: { batch: BulkBatch }) {
  const t = useT()
  const format = useFormat()
  const { counts, status } = batch
  const parts = (['good', 'bad', 'carted'] as const).filter((state) => counts[state] > 0)
  return (
    <li>
      <div>
        <TextLink to="/parcels/bulk/$id" params={{ id: batch.id }} fw={600}>
          {batch.name ?? t('bulk.unnamed')}
        </TextLink>
        <Quiet>
          <Time at={batch.createdAt} />
        </Quiet>
      </div>
      <Row gap={8}>
        {status === 'ready' ? (
          parts.map((state) => (
            <Tag key={state} tone={tones[state]}>
              {t(`bulk.figure.${state}`, { rows: format.number(counts[state]) })}
            </Tag>
          ))
        ) : (
          <Tag tone={status === 'failed' ? 'danger' : 'neutral'}>
            {t(`bulk.status.${status}`)}
            {status === 'reading' && counts.read > 0 && ` ${format.number(counts.read)}`}
          </Tag>
        )}
      </Row>
    </li>
  )
}
