import { Dialog } from '../feedback/dialog.tsx'
import { Stack } from '../layout/boxes.tsx'
import { Fact, Facts } from '../layout/facts.tsx'
import type { Column } from './column.ts'

type Props<R> = {
  row: R
  name: string
  columns: readonly Column<R>[]
  shape: 'card' | 'sheet'
  onClose: () => void
}

/** Every column of a row in full, and its actions: what a phone's row has no room for, and what a desktop's cuts. */
export function RowDetails<R>({ row, name, columns, shape, onClose }: Props<R>) {
  return (
    <Dialog shape={shape} title={name} onClose={onClose}>
      <Stack>
        <Facts>
          {columns
            .filter(({ kind }) => kind === undefined)
            .map((column) => (
              <Fact key={column.id} label={column.header}>
                {column.cell(row)}
              </Fact>
            ))}
        </Facts>
        {columns
          .filter(({ kind }) => kind !== undefined)
          .map((column) => (
            <div key={column.id}>{(column.sheetCell ?? column.cell)(row)}</div>
          ))}
      </Stack>
    </Dialog>
  )
}
