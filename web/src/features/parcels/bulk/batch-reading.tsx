import { type BulkBatch, bulkFields, getBulk, mapBulk } from '@waybill/contract/parcels/bulk'
import { ColumnMapping } from '../../../components/form/column-mapping.tsx'
import { Panel } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/** Progress of the job that reads the file. */
export function BatchReading({ batch }: { batch: BulkBatch }) {
  const t = useT()
  const format = useFormat()
  return (
    <Panel as="div" role="status">
      <progress aria-label={t('bulk.reading')} />
      <p>
        {t('bulk.reading')} {batch.counts.read > 0 && t('bulk.readSoFar', { rows: format.number(batch.counts.read) })}
      </p>
    </Panel>
  )
}

/** A file with unknown headers: the sender maps each column to a field. */
export function BatchColumns({ batch }: { batch: BulkBatch }) {
  const t = useT()
  const format = useFormat()
  const { id, version } = batch
  return (
    <ColumnMapping
      text={t('bulk.columnsText', { columns: format.list(batch.missing.map((field) => t(`bulk.column.${field}`))) })}
      headers={batch.headers}
      samples={batch.samples}
      initial={batch.mapping}
      fields={bulkFields}
      getLabel={(field) => t(`bulk.column.${field}`)}
      save={(answer) => call(mapBulk, { body: { id, version, ...answer } })}
      refresh={[getBulk]}
    />
  )
}
