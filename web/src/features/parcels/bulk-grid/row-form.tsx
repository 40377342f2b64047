import { Button, TextInput } from '@mantine/core'
import { type BulkField, type BulkRow, bulkFields } from '@waybill/contract/parcels/bulk'
import { type FormEvent, useState } from 'react'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { Grid } from '../../../components/layout/boxes.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { type BulkRows, textOfCell } from './bulk-rows.ts'
import classes from './cards.module.css'
import type { CellChanges } from './edit-history.ts'
import { useNeededRows } from './use-bulk-rows.ts'

/** Short fields share a line. */
const short: ReadonlySet<BulkField> = new Set([
  'postcode',
  'city',
  'state',
  'country',
  'weight',
  'length',
  'width',
  'height',
  'declaredValue',
  'insuredValue',
  'codAmount',
])
const figures: ReadonlySet<BulkField> = new Set([
  'weight',
  'length',
  'width',
  'height',
  'declaredValue',
  'insuredValue',
  'codAmount',
])

type Props = {
  rows: BulkRows
  /** The row's index in the list. */
  place: number
  /** The fields of the file and the required ones; a button shows the rest. */
  columns: readonly BulkField[]
  close: () => void
}

/** The cells of one row as a form, to correct a row on a phone. Each problem is below its field. */
export function RowForm({ rows, place, columns, close }: Props) {
  const t = useT()
  const format = useFormat()
  const row = rows.at(place)
  // A new row is still being saved.
  useNeededRows(rows, place, place)
  return (
    <Dialog
      shape="sheet"
      title={row ? t('bulk.rowNumber', { row: format.number(row.row) }) : t('actions.edit')}
      onClose={close}
    >
      {row ? <Fields rows={rows} row={row} place={place} columns={columns} close={close} /> : <Loading />}
    </Dialog>
  )
}

function Fields({ rows, row, place, columns, close }: Props & { row: BulkRow }) {
  const t = useT()
  const [edits, setEdits] = useState<CellChanges>({})
  const [everything, setEverything] = useState(false)
  const problemFields = row.problems.flatMap(({ column }) => column ?? [])
  const ownFields = new Set<BulkField>([...columns, ...problemFields])
  const fields = everything ? bulkFields : bulkFields.filter((field) => ownFields.has(field))
  const first = fields.find((field) => problemFields.includes(field)) ?? fields[0]

  function save(event: FormEvent) {
    event.preventDefault()
    const cells = Object.fromEntries(Object.entries(edits).map(([field, text]) => [field, text.trim()]))
    rows.edit([{ place, cells }])
    close()
  }

  return (
    <form onSubmit={save}>
      <Grid min={140} gap={12}>
        {fields.map((field) => {
          const problem = row.problems.find(({ column }) => column === field)
          // An edited field is validated again when it is saved.
          const openProblem = edits[field] === undefined ? problem : undefined
          return (
            <TextInput
              key={field}
              className={short.has(field) ? undefined : classes.wide}
              label={t(`bulk.column.${field}`)}
              value={edits[field] ?? textOfCell(row, field)}
              maxLength={2000}
              autoComplete="off"
              inputMode={figures.has(field) ? 'decimal' : field === 'phone' ? 'tel' : undefined}
              data-autofocus={field === first || undefined}
              error={openProblem?.blocking ? openProblem.message : undefined}
              description={openProblem && !openProblem.blocking ? openProblem.message : undefined}
              onChange={(event) => setEdits({ ...edits, [field]: event.currentTarget.value })}
            />
          )
        })}
      </Grid>
      <DialogFoot>
        <Button variant="subtle" onClick={() => setEverything(!everything)} aria-pressed={everything}>
          {t(everything ? 'bulk.fewerColumns' : 'bulk.allColumns')}
        </Button>
        <Button onClick={close}>{t('actions.cancel')}</Button>
        <Button variant="filled" type="submit">
          {t('actions.save')}
        </Button>
      </DialogFoot>
    </form>
  )
}
