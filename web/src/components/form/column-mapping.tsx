import { Button, Checkbox, NativeSelect } from '@mantine/core'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useSend } from '../feedback/use-send.ts'
import { Grid, Panel } from '../layout/boxes.tsx'

type Props<F extends string> = {
  text: string
  /** The headers of the file, and the recognised columns. */
  headers: readonly string[]
  /** The first filled cells of each column. */
  samples?: readonly (readonly string[])[]
  initial: readonly (F | null)[]
  fields: readonly F[]
  getLabel: (field: F) => string
  /** Stores the mapping; the file is then read. */
  save: (answer: { mapping: (F | null)[]; noHeader: boolean }) => Promise<unknown>
  refresh: EndpointShape[]
}

/** A phone number, a postcode or another number: a cell of data, which nobody uses as a header. */
const isData = (header: string) => /^\+?\d[\d\s.,()-]*$/.test(header)

/** A file with unknown headers: the user maps each column to a field. A field belongs to one column. */
export function ColumnMapping<F extends string>({
  text,
  headers,
  samples = [],
  initial,
  fields,
  getLabel,
  save,
  refresh,
}: Props<F>) {
  const t = useT()
  const [mapping, setMapping] = useState(initial)
  const [noHeader, setNoHeader] = useState(() => headers.some(isData))
  const read = useSend(() => save({ mapping: [...mapping], noHeader }), { refresh })
  const columns = headers.map((header, n) => ({
    label: (!noHeader && header) || t('bulk.columnNumber', { number: n + 1 }),
    cells: [...new Set([...(noHeader && header ? [header] : []), ...(samples[n] ?? [])])],
  }))
  return (
    <Panel title={t('bulk.columnsTitle')}>
      <p>{text}</p>
      <Checkbox
        label={t('bulk.noHeader')}
        checked={noHeader}
        onChange={(event) => setNoHeader(event.currentTarget.checked)}
      />
      <Grid min={220} fill>
        {columns.map(({ label, cells }, n) => (
          <NativeSelect
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other key
            key={n}
            label={label}
            description={cells.length > 0 && t('bulk.sample', { cells: cells.join(t('bulk.sampleSeparator')) })}
            value={mapping[n] ?? ''}
            onChange={(event) => {
              const field = (event.currentTarget.value || null) as F | null
              setMapping(mapping.map((each, k) => (k === n ? field : each === field ? null : each)))
            }}
          >
            <option value="">{t('bulk.ignore')}</option>
            {fields.map((field) => (
              <option key={field} value={field}>
                {getLabel(field)}
              </option>
            ))}
          </NativeSelect>
        ))}
      </Grid>
      <Button variant="filled" loading={read.pending} onClick={() => void read.send()}>
        {t('bulk.readFile')}
      </Button>
    </Panel>
  )
}
