import { useParams } from '@tanstack/react-router'
import { getBulk } from '@waybill/contract/parcels/bulk'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { BatchColumns, BatchReading } from './batch-reading.tsx'
import { DeleteBatchButton } from './delete-batch-button.tsx'
import { ReadyBatch } from './ready-batch.tsx'

const lookEveryMs = 800

/** One batch, from reading to the cart. */
export function BulkBatchPage() {
  const t = useT()
  const { id } = useParams({ from: '/portal/parcels/bulk/$id' })
  const [reading, setReading] = useState(true)
  const answer = useCall(
    getBulk,
    { params: { id }, query: { limit: 1 } },
    { refetchInterval: reading ? lookEveryMs : false, staleTime: 0 },
  )
  const batch = answer.data?.batch
  if (batch && (batch.status === 'reading') !== reading) setReading(batch.status === 'reading')
  const title = batch?.name ?? t('bulk.unnamed')
  if (!batch || !answer.isFetchedAfterMount) {
    return (
      <>
        <PageHeader title={t('bulk.title')} />
        {answer.error ? <ErrorPanel error={answer.error} retry={() => void answer.refetch()} /> : <Loading />}
      </>
    )
  }
  if (batch.status === 'ready') return <ReadyBatch key={batch.id} batch={batch} title={title} />
  return (
    <>
      <PageHeader
        title={title}
        description={<Time at={batch.createdAt} />}
        actions={batch.status !== 'reading' && <DeleteBatchButton id={batch.id} />}
      />
      {batch.status === 'reading' && <BatchReading batch={batch} />}
      {batch.status === 'columns' && <BatchColumns key={batch.version} batch={batch} />}
      {batch.status === 'failed' && (
        <MessagePanel
          kind="error"
          title={t('bulk.failed')}
          text={batch.fault?.message}
          action={<ButtonLink to="/parcels/bulk">{t('bulk.another')}</ButtonLink>}
        />
      )}
    </>
  )
}
