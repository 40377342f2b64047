// biome-ignore-all lint/a11y/useSemanticElements: a table can't be virtualised; roles and indexes replace it
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, aria-activedescendant names the cell
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys are the grid's
import type { BulkField, BulkRow } from '@waybill/contract/parcels/bulk'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { textOfCell } from './bulk-rows.ts'
import { CellInput } from './cell-input.tsx'
import { isInRange } from './clipboard.ts'
import classes from './grid.module.css'
import { firstProblem, RowState } from './row-state.tsx'
import { type Grid, type GridProps, rowHeight, useGrid } from './use-grid.ts'

/**
 * Ten thousand rows, edited as in a spreadsheet: arrows, Tab, Enter, F2, Escape, typing, ranges with Shift, copy and
 * paste, Delete, undo. Only the grid has the focus, and `aria-activedescendant` names the active cell, because cells
 * unmount as the grid scrolls.
 */
export function BulkGrid(props: GridProps) {
  const t = useT()
  const { rows, columns, active, label } = props
  const grid = useGrid(props)
  const { id, box, virtual } = grid
  return (
    <div
      ref={box}
      className={classes.grid}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.count + 1}
      aria-colcount={columns.length + 2}
      aria-multiselectable
      aria-activedescendant={rows.count > 0 ? `${id}-${active.row}-${active.column}` : undefined}
      {...grid.handlers}
    >
      <div role="rowgroup" className={classes.heads}>
        <div role="row" aria-rowindex={1} className={classes.line}>
          <Head className={classes.number} index={1} text={t('bulk.row')} />
          <Head className={classes.problem} index={2} text={t('bulk.problemColumn')} />
          {columns.map((name, n) => (
            <Head key={name} className={classes.head} index={n + 3} text={t(`bulk.column.${name}`)} field={name} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() - rowHeight }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <Row key={index} {...props} grid={grid} place={index} top={start - rowHeight} />
        ))}
      </div>
    </div>
  )
}

type HeadProps = { text: string; className: string | undefined; index: number; field?: BulkField }

function Head({ text, className, index, field }: HeadProps) {
  return (
    <div role="columnheader" aria-colindex={index} className={className} data-field={field}>
      {text}
    </div>
  )
}

type RowProps = GridProps & { grid: Grid; place: number; top: number }

function Row({ grid, place, top, ...props }: RowProps) {
  const format = useFormat()
  const { rows, columns, active } = props
  const row = rows.at(place)
  const unsaved = row !== undefined && rows.isRefused(row.row)
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      className={classes.line}
      data-state={row?.state}
      data-unsaved={unsaved || undefined}
      style={{ transform: `translateY(${top}px)`, position: 'absolute', top: 0 }}
    >
      <div role="rowheader" aria-colindex={1} className={classes.number}>
        {row ? format.number(row.row) : '…'}
      </div>
      <div role="gridcell" aria-colindex={2} className={classes.problem}>
        {row && (
          <RowState
            row={row}
            unsaved={unsaved}
            problem={firstProblem(row)}
            take={(problem) => grid.applySuggestion(place, problem)}
            look={(field) => {
              const column = columns.indexOf(field)
              if (column >= 0) grid.go({ row: place, column })
              grid.focus()
            }}
          />
        )}
      </div>
      {columns.map((name, column) => (
        <Cell
          key={name}
          grid={grid}
          row={row}
          name={name}
          place={place}
          column={column}
          isActive={place === active.row && column === active.column}
        />
      ))}
    </div>
  )
}

type CellProps = {
  grid: Grid
  row: BulkRow | undefined
  name: BulkField
  place: number
  column: number
  isActive: boolean
}

function Cell({ grid, row, name, place, column, isActive }: CellProps) {
  const t = useT()
  const { id, editing, range, go } = grid
  const here = { row: place, column }
  const isSelected = isInRange(range, here)
  const problem = row?.problems.find((each) => each.column === name)
  return (
    <div
      id={`${id}-${place}-${column}`}
      role="gridcell"
      aria-colindex={column + 3}
      aria-selected={isSelected}
      aria-invalid={problem?.blocking || undefined}
      aria-readonly={row?.state === 'carted' || undefined}
      className={classes.cell}
      data-field={name}
      data-here={isActive || undefined}
      data-chosen={(isSelected && !isActive) || undefined}
      data-problem={problem ? (problem.blocking ? 'bad' : 'warning') : undefined}
      title={problem?.message}
      onMouseDown={(event) => {
        if (isActive && editing) return
        if (editing) grid.commit(0, 0)
        go(here, event.shiftKey)
      }}
      onMouseEnter={(event) => {
        if (event.buttons === 1 && !editing) go(here, true)
      }}
      onDoubleClick={() => row && grid.begin(textOfCell(row, name), false)}
    >
      {isActive && editing ? (
        <CellInput
          label={t('phrase.labelled', { label: t(`bulk.column.${name}`), value: `${t('bulk.row')} ${row?.row ?? ''}` })}
          editing={editing}
          setText={grid.setText}
          commit={grid.commit}
          cancel={grid.cancel}
        />
      ) : (
        row && textOfCell(row, name)
      )}
    </div>
  )
}
