import { Button, NativeSelect } from '@mantine/core'
import {
  type AddressColumn,
  type AddressImport,
  addressColumns,
  getAddressImport,
  mapAddressImport,
} from '@waybill/contract/addresses/import'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Grid, Panel } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** A file with unknown headers: the user maps each column to a field. */
export function ImportColumns({ one }: { one: AddressImport }) {
  const t = useT()
  const [mapping, setMapping] = useState<readonly (AddressColumn | null)[]>(one.mapping)
  const read = useSend(
    () => call(mapAddressImport, { params: { id: one.id }, body: { version: one.version, mapping: [...mapping] } }),
    { refresh: [getAddressImport] },
  )
  return (
    <Panel title={t('bulk.columnsTitle')}>
      <p>{t('addressImport.columnsText', { columns: one.missing.map((name) => t(`fields.${name}`)).join(', ') })}</p>
      <Grid min={220} fill>
        {one.headers.map((header, n) => (
          <NativeSelect
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
            key={n}
            label={header || t('bulk.columnNumber', { number: n + 1 })}
            value={mapping[n] ?? ''}
            onChange={(event) => {
              const column = (event.currentTarget.value || null) as AddressColumn | null
              setMapping(mapping.map((each, k) => (k === n ? column : each === column ? null : each)))
            }}
          >
            <option value="">{t('bulk.ignore')}</option>
            {addressColumns.map((column) => (
              <option key={column} value={column}>
                {t(`fields.${column}`)}
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
