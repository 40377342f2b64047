// biome-ignore-all lint/a11y/useSemanticElements: a table can be neither virtualised nor edited like a spreadsheet; roles and indexes say the same
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid itself has the focus, its cells are told by aria-activedescendant
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys are the grid's
import { IconAlertTriangle, IconCheck, IconCloudOff, IconShoppingCart } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type BulkField, type BulkProblem, type BulkRow, bulkFields } from '@waybill/contract/bulk'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './bulk.module.css'
import type { CellChanges } from './edit-history.ts'
import { inside, meaningOf, type Place } from './grid-keys.ts'
import { type BulkRows, cellOf } from './use-bulk-rows.ts'

const rowHeight = 40

type Editing = { text: string; typed: boolean } | null

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
const firstProblem = (row: BulkRow) => row.problems.find(({ blocking }) => blocking) ?? row.problems[0]

/**
 * Ten thousand rows under the fingers of somebody who knows spreadsheets: arrows, Tab, Enter, F2, Escape, typing, ranges with Shift, copy and paste,
 * Delete, undo. One thing has the focus, the grid itself; which cell is meant is told by `aria-activedescendant`, since cells come and go as it scrolls.
 */
export function BulkGrid({ rows, columns, active, setActive, label, addRows }: Props) {
  const t = useT()
  const format = useFormat()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [anchor, setAnchor] = useState<Place>(active)
  const [editing, setEditing] = useState<Editing>(null)
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
    const place = inside(to, size)
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
    const meant = meaningOf({ key, shift, alt, command: event.ctrlKey || event.metaKey }, active, { ...size, pageRows })
    if (!meant) return
    event.preventDefault()
    if (meant.kind === 'go') go(meant.place, meant.extend)
    else if (meant.kind === 'edit') begin(meant.typed ?? (current ? cellOf(current, field) : ''), meant.typed !== null)
    else if (meant.kind === 'clear') clear()
    else if (meant.kind === 'undo') rows.undo()
    else if (meant.kind === 'redo') rows.redo()
    else if (meant.kind === 'suggestion') takeSuggestion()
    else {
      setAnchor({ row: 0, column: 0 })
      setActive(inside({ row: rows.count, column: columns.length }, size))
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
        .map((name) => (row ? cellOf(row, name) : ''))
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
                    onDoubleClick={() => row && begin(cellOf(row, name), false)}
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
                      row && cellOf(row, name)
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

type StateProps = {
  row: BulkRow
  unsaved: boolean
  problem: BulkProblem | undefined
  take: (problem: BulkProblem) => void
  look: (column: BulkField) => void
}

/** How a row stands: what is wrong first, with what to put there instead. */
function RowState({ row, unsaved, problem, take, look }: StateProps) {
  const t = useT()
  const format = useFormat()
  if (unsaved) {
    return (
      <span className={classes.unsaved}>
        <IconCloudOff size={16} aria-hidden /> {t('bulk.notSaved')}
      </span>
    )
  }
  if (row.state === 'carted') {
    return (
      <span className={classes.carted}>
        <IconShoppingCart size={16} aria-hidden /> {t('bulk.inCart')}
      </span>
    )
  }
  if (!problem) {
    return (
      <span className={classes.good}>
        <IconCheck size={16} aria-hidden /> {row.priceMinor === null ? t('bulk.good') : format.money(row.priceMinor)}
      </span>
    )
  }
  const more = row.problems.length - 1
  const { column } = problem
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        className={classes.told}
        title={problem.message}
        data-mild={!problem.blocking || undefined}
        disabled={column === null}
        onClick={() => column && look(column)}
      >
        <IconAlertTriangle size={16} aria-hidden />
        <span>{problem.message}</span>
        {more > 0 && <b>+{more}</b>}
      </button>
      {problem.suggestion !== null && (
        <button type="button" tabIndex={-1} className={classes.suggestion} onClick={() => take(problem)}>
          <span className="wb-hidden">{t('bulk.use')} </span>
          {problem.suggestion}
        </button>
      )}
    </>
  )
}

type InputProps = {
  label: string
  editing: NonNullable<Editing>
  setText: (text: string) => void
  commit: (down: number, right: number) => void
  cancel: () => void
}

function CellInput({ label, editing, setText, commit, cancel }: InputProps) {
  const input = useRef<HTMLInputElement>(null)
  // Leaving by a key takes the focus away as well: only the first way out counts.
  const left = useRef(false)
  useEffect(() => {
    input.current?.focus({ preventScroll: true })
    const end = input.current?.value.length ?? 0
    input.current?.setSelectionRange(end, end)
  }, [])
  function press(event: KeyboardEvent) {
    // An input method is still composing a character.
    if (event.nativeEvent.isComposing) return
    event.stopPropagation()
    const moves = new Map<string, () => void>([
      ['Enter', () => commit(event.shiftKey ? -1 : 1, 0)],
      ['Tab', () => commit(0, event.shiftKey ? -1 : 1)],
      ['Escape', cancel],
    ])
    if (editing.typed) moves.set('ArrowDown', () => commit(1, 0)).set('ArrowUp', () => commit(-1, 0))
    const handle = moves.get(event.key)
    if (!handle) return
    event.preventDefault()
    left.current = true
    handle()
  }
  return (
    <input
      ref={input}
      className={classes.input}
      aria-label={label}
      value={editing.text}
      maxLength={2000}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={press}
      onBlur={() => left.current || commit(0, 0)}
    />
  )
}

/** Columns to show: what the file had, what is needed, in the template's order. */
export function columnsShown(mapping: readonly (BulkField | null)[], everything: boolean): readonly BulkField[] {
  const always: readonly BulkField[] = [
    'receiverName',
    'phone',
    'line1',
    'postcode',
    'city',
    'state',
    'weight',
    'length',
    'width',
    'height',
  ]
  const wanted = new Set([...always, ...mapping])
  return bulkFields.filter((field) => (everything ? field !== 'scope' || wanted.has(field) : wanted.has(field)))
}
