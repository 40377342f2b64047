import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import {
  type AddressImport,
  addressImportLimits,
  addressTemplate,
  createAddressImport,
  listAddressImports,
} from '@waybill/contract/addresses/import'
import { useState } from 'react'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { FileDrop } from '../../../components/form/file-drop.tsx'
import { LineList, Panel, Section } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet, Tag } from '../../../components/layout/text.tsx'
import { callWithForm } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useOnce } from '../../../lib/once.ts'
import { useCall } from '../../../lib/query.ts'

/** Uploads a spreadsheet of addresses. Below it are the earlier imports. */
export function AddressImportPage() {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const [progress, setProgress] = useState<number | null>(null)
  const once = useOnce()
  const upload = useSend(
    (file: File) => {
      setProgress(0)
      const form = new FormData()
      form.set('file', file, file.name)
      // The same file again has the same three properties.
      const { name, size, lastModified } = file
      return once({ name, size, lastModified }, ({ idempotencyKey }) =>
        callWithForm(createAddressImport, { form, onProgress: setProgress, idempotencyKey }),
      )
    },
    {
      refresh: [listAddressImports],
      onSuccess: ({ id }) => navigate({ to: '/address-book/import/$id', params: { id } }),
    },
  )
  async function send(file: File) {
    if (file.size > addressImportLimits.bytes) {
      notify.error(t('bulk.tooBig', { max: format.number(addressImportLimits.bytes / 1_048_576) }))
      return
    }
    await upload.send(file)
    setProgress(null)
  }
  const template = useSend(() => saveDocument(addressTemplate, {}))
  return (
    <>
      <PageHeader
        title={t('addressImport.title')}
        description={<TextLink to="/address-book">{t('addressBook.title')}</TextLink>}
        actions={
          <Button
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={template.pending}
            onClick={() => void template.send()}
          >
            {t('bulk.template')}
          </Button>
        }
      />
      <FileDrop
        title={t('bulk.drop')}
        hint={t('addressImport.hint', {
          rows: format.number(addressImportLimits.rows),
          size: format.number(addressImportLimits.bytes / 1_048_576),
        })}
        choose={t('bulk.chooseFile')}
        accept=".xlsx,.csv,.txt,text/csv"
        onFile={send}
        pending={upload.pending}
        progress={progress === null ? null : { value: progress, label: t('bulk.uploading') }}
      />
      <Recent />
    </>
  )
}

function Recent() {
  const t = useT()
  const imports = useCall(listAddressImports, { query: { limit: 20 } }, { staleTime: 0 })
  if (imports.error) return <ErrorPanel error={imports.error} retry={() => void imports.refetch()} />
  if (!imports.data || imports.data.items.length === 0) return null
  return (
    <Section style={{ marginBlockStart: 32 }} title={t('addressImport.recent')}>
      <Panel as="div" padding={16}>
        <LineList>
          {imports.data.items.map((one) => (
            <Import key={one.id} one={one} />
          ))}
        </LineList>
      </Panel>
    </Section>
  )
}

function Import({ one }: { one: AddressImport }) {
  const t = useT()
  const format = useFormat()
  return (
    <li>
      <div>
        <TextLink to="/address-book/import/$id" params={{ id: one.id }} fw={600}>
          {one.name ?? t('bulk.unnamed')}
        </TextLink>
        <Quiet>
          <Time at={one.createdAt} />
        </Quiet>
      </div>
      <Tag tone={one.status === 'failed' ? 'danger' : 'neutral'}>
        {one.status === 'ready'
          ? t('addressImport.state.imported', { rows: format.number(one.counts.imported) })
          : t(`addressImport.status.${one.status}`)}
      </Tag>
    </li>
  )
}
