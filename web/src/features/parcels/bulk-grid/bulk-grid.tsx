// biome-ignore-all lint/a11y/useSemanticElements: a table can be neither virtualised nor edited like a spreadsheet; roles and indexes say the same
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid itself has the focus, its cells are told by aria-activedescendant
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys are the grid's
import { useVirtualizer } from '@tanstack/react-virtual'
import type { BulkField, BulkProblem } from '@waybill/contract/parcels/bulk'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import type { BulkRows } from './bulk-rows.ts'
import { textOfCell } from './bulk-rows.ts'
import { CellInput, type Editing } from './cell-input.tsx'
import type { CellChanges } from './edit-history.ts'
import classes from './grid.module.css'
import { clampToGrid, keyMeaning, type Place } from './grid-keys.ts'
import { firstProblem, RowState } from './row-state.tsx'

const rowHeight = 40

type Props = {
  rows: BulkRows
  columns: readonly BulkField[]
  active: Place
  setActive: (place: Place) => void
  label: string
  /** Puts rows behind the last one. */
  addRows: (cells: CellChanges[]) => Promise<unknown>
}

const within = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b)

/**
 * Ten thousand rows under the fingers of somebody who knows spreadsheets: arrows, Tab, Enter, F2, Escape, typing,
 * ranges with Shift, copy and paste, Delete, undo. One thing has the focus, the grid itself; which cell is meant is
 * told by `aria-activedescendant`, since cells come and go as it scrolls.
 */
export function BulkGrid({ rows, columns, active, setActive, label, addRows }: Props) {
  const t = useT()
  const format = useFormat()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [anchor, setAnchor] = useState<Place>(active)
  const [editing, setEditing] = useState<Editing | null>(null)
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The headers stay over the first row.
    scrollPaddingStart: rowHeight,
    paddingStart: rowHeight,
  })
  const shown = virtual.getVirtualItems()
  const first = shown[0]?.index ?? 0
  const last = shown.at(-1)?.index ?? 0
  // Whatever is in sight and not there yet, after every change.
  useEffect(() => rows.need(first, last))

  const size = { rows: rows.count, columns: columns.length }
  const go = (to: Place, extend = false) => {
    const place = clampToGrid(to, size)
    setActive(place)
    if (!extend) setAnchor(place)
    virtual.scrollToIndex(place.row, { align: 'auto' })
    requestAnimationFrame(() => {
      const cell = document.getElementById(`${id}-${place.row}-${place.column}`)
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
  }
  const move = (down: number, right: number, extend = false) =>
    go({ row: active.row + down, column: active.column + right }, extend)
  const field = columns[active.column] as BulkField
  const current = rows.at(active.row)
  const begin = (text: string, typed: boolean) => {
    if (current && current.state !== 'carted') setEditing({ text, typed })
  }
  const commit = (down: number, right: number) => {
    if (editing) rows.edit([{ place: active.row, cells: { [field]: editing.text.trim() } }])
    setEditing(null)
    box.current?.focus({ preventScroll: true })
    if (down !== 0 || right !== 0) move(down, right)
  }
  const range = {
    top: Math.min(anchor.row, active.row),
    bottom: Math.max(anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  }
  const clear = () => {
    const cells: CellChanges = Object.fromEntries(columns.slice(range.left, range.right + 1).map((name) => [name, '']))
    rows.edit(Array.from({ length: range.bottom - range.top + 1 }, (_, n) => ({ place: range.top + n, cells })))
  }

  function press(event: KeyboardEvent) {
    if (editing) return
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 400) / rowHeight) - 2)
    const { key, shiftKey: shift, altKey: alt } = event
    const meant = keyMeaning({ key, shift, alt, command: event.ctrlKey || event.metaKey }, active, {
      ...size,
      pageRows,
    })
    if (!meant) return
    event.preventDefault()
    if (meant.kind === 'go') go(meant.place, meant.extend)
    else if (meant.kind === 'edit')
      begin(meant.typed ?? (current ? textOfCell(current, field) : ''), meant.typed !== null)
    else if (meant.kind === 'clear') clear()
    else if (meant.kind === 'undo') rows.undo()
    else if (meant.kind === 'redo') rows.redo()
    else if (meant.kind === 'suggestion') takeSuggestion()
    else {
      setAnchor({ row: 0, column: 0 })
      setActive(clampToGrid({ row: rows.count, column: columns.length }, size))
    }
  }

  function takeSuggestion() {
    const problem = current?.problems.find(({ column, suggestion }) => column === field && suggestion !== null)
    if (problem) take(active.row, problem)
  }
  function take(place: number, { column, suggestion }: BulkProblem) {
    if (column && suggestion !== null) rows.edit([{ place, cells: { [column]: suggestion } }])
    box.current?.focus({ preventScroll: true })
  }

  function copy(event: ClipboardEvent) {
    if (editing) return
    const lines = Array.from({ length: range.bottom - range.top + 1 }, (_, n) => {
      const row = rows.at(range.top + n)
      return columns
        .slice(range.left, range.right + 1)
        .map((name) => (row ? textOfCell(row, name) : ''))
        .join('\t')
    })
    event.clipboardData.setData('text/plain', lines.join('\n'))
    event.preventDefault()
  }

  function paste(event: ClipboardEvent) {
    if (editing) return
    event.preventDefault()
    const lines = event.clipboardData
      .getData('text/plain')
      .replace(/\r\n?/g, '\n')
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => line.split('\t'))
    // One cell fills the whole range; more are put down from its corner.
    const single = lines.length === 1 && lines[0]?.length === 1
    const height = single ? range.bottom - range.top + 1 : lines.length
    const written = Array.from({ length: height }, (_, n) => {
      const line = single ? Array<string>(range.right - range.left + 1).fill(lines[0]?.[0] ?? '') : (lines[n] ?? [])
      const cells = Object.fromEntries(
        line.flatMap((text, k) => {
          const name = columns[range.left + k]
          return name ? [[name, text.trim().slice(0, 2000)]] : []
        }),
      ) as CellChanges
      return { place: range.top + n, cells }
    })
    rows.edit(written.filter(({ place }) => place < rows.count))
    // What goes beyond the last row is new rows.
    const beyond = written.filter(({ place }) => place >= rows.count).map(({ cells }) => cells)
    if (beyond.length > 0) void addRows(beyond)
  }

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
      onKeyDown={press}
      onCopy={copy}
      onPaste={paste}
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
        {shown.map(({ index, start }) => {
          const row = rows.at(index)
          const problem = row && firstProblem(row)
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className={classes.line}
              data-state={row?.state}
              data-unsaved={(row && rows.isRefused(row.row)) || undefined}
              style={{ transform: `translateY(${start - rowHeight}px)`, position: 'absolute', top: 0 }}
            >
              <div role="rowheader" aria-colindex={1} className={classes.number}>
                {row ? format.number(row.row) : '…'}
              </div>
              <div role="gridcell" aria-colindex={2} className={classes.problem}>
                {row && (
                  <RowState
                    row={row}
                    unsaved={rows.isRefused(row.row)}
                    problem={problem}
                    take={(chosen) => take(index, chosen)}
                    look={(column) => {
                      const at = columns.indexOf(column)
                      if (at >= 0) go({ row: index, column: at })
                      box.current?.focus({ preventScroll: true })
                    }}
                  />
                )}
              </div>
              {columns.map((name, n) => {
                const here = index === active.row && n === active.column
                const chosen = within(index, anchor.row, active.row) && within(n, anchor.column, active.column)
                const told = row?.problems.find(({ column }) => column === name)
                return (
                  <div
                    key={name}
                    id={`${id}-${index}-${n}`}
                    role="gridcell"
                    aria-colindex={n + 3}
                    aria-selected={chosen}
                    aria-invalid={told?.blocking || undefined}
                    aria-readonly={row?.state === 'carted' || undefined}
                    className={classes.cell}
                    data-field={name}
                    data-here={here || undefined}
                    data-chosen={(chosen && !here) || undefined}
                    data-problem={told ? (told.blocking ? 'bad' : 'mild') : undefined}
                    title={told?.message}
                    onMouseDown={(event) => {
                      if (here && editing) return
                      if (editing) commit(0, 0)
                      go({ row: index, column: n }, event.shiftKey)
                    }}
                    onMouseEnter={(event) => {
                      if (event.buttons === 1 && !editing) go({ row: index, column: n }, true)
                    }}
                    onDoubleClick={() => row && begin(textOfCell(row, name), false)}
                  >
                    {here && editing ? (
                      <CellInput
                        label={`${t(`bulk.column.${name}`)}, ${t('bulk.row')} ${row?.row ?? ''}`}
                        editing={editing}
                        setText={(text) => setEditing({ ...editing, text })}
                        commit={commit}
                        cancel={() => {
                          setEditing(null)
                          box.current?.focus({ preventScroll: true })
                        }}
                      />
                    ) : (
                      row && textOfCell(row, name)
                    )}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Head({
  text,
  className,
  index,
  field,
}: {
  text: string
  className: string | undefined
  index: number
  field?: BulkField
}) {
  return (
    <div role="columnheader" aria-colindex={index} className={className} data-field={field}>
      {text}
    </div>
  )
}
