import { Button, NativeSelect } from '@mantine/core'
import { type BulkBatch, type BulkField, bulkFields, getBulk, mapBulk } from '@waybill/contract/parcels/bulk'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Grid, Panel } from '../../../components/layout/boxes.tsx'
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
  const [mapping, setMapping] = useState<readonly (BulkField | null)[]>(batch.mapping)
  const sendMapping = useSend(
    () => call(mapBulk, { body: { id: batch.id, version: batch.version, mapping: [...mapping] } }),
    {
      refresh: [getBulk],
    },
  )
  return (
    <Panel title={t('bulk.columnsTitle')}>
      <p>{t('bulk.columnsText', { columns: batch.missing.map((field) => t(`bulk.column.${field}`)).join(', ') })}</p>
      <Grid min={220} fill>
        {batch.headers.map((header, n) => (
          <NativeSelect
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
            key={n}
            label={header || t('bulk.columnNumber', { number: n + 1 })}
            value={mapping[n] ?? ''}
            onChange={(event) => {
              const field = (event.currentTarget.value || null) as BulkField | null
              setMapping(mapping.map((one, k) => (k === n ? field : one === field ? null : one)))
            }}
          >
            <option value="">{t('bulk.ignore')}</option>
            {bulkFields.map((field) => (
              <option key={field} value={field}>
                {t(`bulk.column.${field}`)}
              </option>
            ))}
          </NativeSelect>
        ))}
      </Grid>
      <Button variant="filled" loading={sendMapping.pending} onClick={() => void sendMapping.send()}>
        {t('bulk.readFile')}
      </Button>
    </Panel>
  )
}
