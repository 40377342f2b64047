import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import {
  type AddressImport,
  addressColumns,
  getAddressImport,
  listAddressImports,
  mapAddressImport,
  removeAddressImport,
} from '@waybill/contract/addresses/import'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ColumnMapping } from '../../../components/form/column-mapping.tsx'
import { Panel } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { ImportRows } from './import-rows.tsx'

const lookEveryMs = 800
const isBusy = (status: AddressImport['status'] | undefined) => status === 'reading' || status === 'saving'

/** One import, from reading to saving in the address book. */
export function AddressImportFilePage() {
  const t = useT()
  const format = useFormat()
  const { id } = useParams({ from: '/portal/address-book/import/$id' })
  const [busy, setBusy] = useState(true)
  const answer = useCall(
    getAddressImport,
    { params: { id }, query: { limit: 1 } },
    // Polled while a job works on it: live events may be late or lost.
    { staleTime: 0, refetchInterval: busy ? lookEveryMs : false },
  )
  const one = answer.data?.import
  if (one && isBusy(one.status) !== busy) setBusy(isBusy(one.status))
  if (!one) {
    return (
      <>
        <PageHeader title={t('addressImport.title')} />
        {answer.error ? <ErrorPanel error={answer.error} retry={() => void answer.refetch()} /> : <Loading />}
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={one.name ?? t('bulk.unnamed')}
        description={<Time at={one.createdAt} />}
        actions={!isBusy(one.status) && <RemoveButton id={one.id} />}
      />
      {isBusy(one.status) && <Progress one={one} />}
      {one.status === 'columns' && (
        <ColumnMapping
          key={one.version}
          text={t('addressImport.columnsText', {
            columns: format.list(one.missing.map((name) => t(`fields.${name}`))),
          })}
          headers={one.headers}
          initial={one.mapping}
          fields={addressColumns}
          getLabel={(column) => t(`fields.${column}`)}
          save={(answer) =>
            call(mapAddressImport, { params: { id: one.id }, body: { version: one.version, ...answer } })
          }
          refresh={[getAddressImport]}
        />
      )}
      {one.status === 'ready' && <ImportRows key={one.version} one={one} />}
      {one.status === 'failed' && (
        <MessagePanel
          kind="error"
          title={t('bulk.failed')}
          text={one.fault?.message}
          action={<ButtonLink to="/address-book/import">{t('bulk.another')}</ButtonLink>}
        />
      )}
    </>
  )
}

/** Deletes the import, in whatever state: one that failed or was never saved would stay in the list for long. */
function RemoveButton({ id }: { id: string }) {
  const t = useT()
  const navigate = useNavigate()
  const remove = useSend(() => call(removeAddressImport, { params: { id } }), {
    confirm: { title: t('addressImport.remove'), message: t('addressImport.removeSure'), action: t('actions.remove') },
    refresh: [listAddressImports],
    onSuccess: () => navigate({ to: '/address-book/import' }),
  })
  return (
    <Button variant="subtle" onClick={() => void remove.send()} loading={remove.pending}>
      {t('addressImport.remove')}
    </Button>
  )
}

function Progress({ one: { status, counts } }: { one: AddressImport }) {
  const t = useT()
  const format = useFormat()
  const isSaving = status === 'saving'
  const total = counts.imported + counts.waiting
  const text = isSaving
    ? t('addressImport.saving', { done: format.number(counts.imported), total: format.number(total) })
    : `${t('bulk.reading')} ${counts.read > 0 ? t('bulk.readSoFar', { rows: format.number(counts.read) }) : ''}`
  return (
    <Panel as="div" role="status">
      <progress
        aria-label={t(isSaving ? 'addressImport.status.saving' : 'bulk.reading')}
        {...(isSaving && total > 0 ? { value: counts.imported, max: total } : {})}
      />
      <p>{text}</p>
    </Panel>
  )
}
