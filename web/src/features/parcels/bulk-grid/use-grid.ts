/** The behaviour of the grid without its cells: active cell, range, editing, keys and clipboard. */
import { useVirtualizer } from '@tanstack/react-virtual'
import type { BulkField, BulkProblem } from '@waybill/contract/parcels/bulk'
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { copyText } from '../../../components/buttons/copy-text.ts'
import { notify } from '../../../components/feedback/notify.tsx'
import { t } from '../../../lib/i18n.ts'
import { type BulkRows, textOfCell } from './bulk-rows.ts'
import type { Editing } from './cell-input.tsx'
import { buildRange, pastedCells, type Range, rangeText } from './clipboard.ts'
import type { CellChanges } from './edit-history.ts'
import { clampToGrid, keyMeaning, type Place } from './grid-keys.ts'
import { useNeededRows } from './use-bulk-rows.ts'

/** Pixels, headers included. */
export const rowHeight = 40

export type GridProps = {
  rows: BulkRows
  columns: readonly BulkField[]
  active: Place
  setActive: (place: Place) => void
  label: string
  /** Appends rows to the batch. */
  addRows: (cells: CellChanges[]) => Promise<unknown>
}

export type Grid = ReturnType<typeof useGrid>

/** The virtual list of the visible rows. Loads their pages. */
function useVisibleRows(rows: BulkRows, box: React.RefObject<HTMLDivElement | null>) {
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The headers stay on top of the first row.
    scrollPaddingStart: rowHeight,
    paddingStart: rowHeight,
  })
  const visible = virtual.getVirtualItems()
  useNeededRows(rows, visible[0]?.index ?? 0, visible.at(-1)?.index ?? 0)
  return virtual
}

/** The edit of the active cell, and how it starts and ends. */
function useEditing({ rows, columns, active }: GridProps, focus: () => void) {
  const [editing, setEditing] = useState<Editing | null>(null)
  const field = columns[active.column] as BulkField
  const row = rows.at(active.row)
  return {
    editing,
    setText: (text: string) => setEditing((present) => present && { ...present, text }),
    begin: (text: string, typed: boolean) => {
      if (row && row.state !== 'carted') setEditing({ text, typed })
    },
    cancel: () => {
      setEditing(null)
      focus()
    },
    commit: () => {
      if (editing) rows.edit([{ place: active.row, cells: { [field]: editing.text.trim() } }])
      setEditing(null)
      focus()
    },
  }
}

/** Loads the rows of a range that were never visible. False: they could not be loaded, and the user knows it. */
async function loadRows(rows: BulkRows, from: number, to: number): Promise<boolean> {
  if (rows.hasRange(from, to)) return true
  notify.info(t('bulk.loadingRows'))
  if (await rows.loadRange(from, to)) return true
  notify.error(t('bulk.rowsNotLoaded'))
  return false
}

async function editRows(rows: BulkRows, changes: Parameters<BulkRows['edit']>[0]): Promise<void> {
  if (changes.length === 0) return
  const places = changes.map(({ place }) => place)
  if (await loadRows(rows, Math.min(...places), Math.max(...places))) rows.edit(changes)
}

function copyCells(clipboard: DataTransfer, rows: BulkRows, columns: readonly BulkField[], range: Range): void {
  if (rows.hasRange(range.top, range.bottom)) clipboard.setData('text/plain', rangeText(rows, columns, range))
  else void copyLater(rows, columns, range)
}

/** Copies rows that are not loaded yet. The event is over by then, so the text is written another way. */
async function copyLater(rows: BulkRows, columns: readonly BulkField[], range: Range): Promise<void> {
  if (!(await loadRows(rows, range.top, range.bottom))) return
  if (!(await copyText(rangeText(rows, columns, range)))) notify.error(t('bulk.notCopied'))
}

export function useGrid(props: GridProps) {
  const { rows, columns, active, setActive, addRows } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [anchor, setAnchor] = useState<Place>(active)
  const virtual = useVisibleRows(rows, box)
  const focus = () => box.current?.focus({ preventScroll: true })
  const { editing, setText, begin, cancel, commit } = useEditing(props, focus)
  const size = { rows: rows.count, columns: columns.length }
  const range = buildRange(anchor, active)

  function go(to: Place, extend = false) {
    const place = clampToGrid(to, size)
    setActive(place)
    if (!extend) setAnchor(place)
    virtual.scrollToIndex(place.row, { align: 'auto' })
    requestAnimationFrame(() => {
      const cell = document.getElementById(`${id}-${place.row}-${place.column}`)
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
  }

  function applySuggestion(place: number, { column, suggestion }: BulkProblem) {
    if (column && suggestion !== null) rows.edit([{ place, cells: { [column]: suggestion } }])
    focus()
  }

  function clear() {
    const cells: CellChanges = Object.fromEntries(columns.slice(range.left, range.right + 1).map((name) => [name, '']))
    void editRows(
      rows,
      Array.from({ length: range.bottom - range.top + 1 }, (_, n) => ({ place: range.top + n, cells })),
    )
  }

  function onKeyDown(event: KeyboardEvent) {
    if (editing) return
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 400) / rowHeight) - 2)
    const { key, shiftKey: shift, altKey: alt } = event
    const command = event.ctrlKey || event.metaKey
    const meaning = keyMeaning({ key, shift, alt, command }, active, { ...size, pageRows })
    if (!meaning) return
    event.preventDefault()
    const field = columns[active.column] as BulkField
    const row = rows.at(active.row)
    if (meaning.kind === 'go') go(meaning.place, meaning.extend)
    else if (meaning.kind === 'edit')
      begin(meaning.typed ?? (row ? textOfCell(row, field) : ''), meaning.typed !== null)
    else if (meaning.kind === 'clear') clear()
    else if (meaning.kind === 'undo') rows.undo()
    else if (meaning.kind === 'redo') rows.redo()
    else if (meaning.kind === 'suggestion') {
      const problem = row?.problems.find(({ column, suggestion }) => column === field && suggestion !== null)
      if (problem) applySuggestion(active.row, problem)
    } else {
      setAnchor({ row: 0, column: 0 })
      setActive(clampToGrid({ row: rows.count, column: columns.length }, size))
    }
  }

  function onCopy(event: ClipboardEvent) {
    if (editing) return
    event.preventDefault()
    copyCells(event.clipboardData, rows, columns, range)
  }

  function onPaste(event: ClipboardEvent) {
    if (editing) return
    event.preventDefault()
    const changes = pastedCells(event.clipboardData.getData('text/plain'), columns, range)
    void editRows(
      rows,
      changes.filter(({ place }) => place < rows.count),
    )
    // Cells below the last row become new rows.
    const beyond = changes.filter(({ place }) => place >= rows.count).map(({ cells }) => cells)
    if (beyond.length > 0) void addRows(beyond)
  }

  return {
    id,
    box,
    virtual,
    range,
    editing,
    setText,
    begin,
    cancel,
    /** Commits the edit and moves by this many cells. */
    commit: (down: number, right: number) => {
      commit()
      if (down !== 0 || right !== 0) go({ row: active.row + down, column: active.column + right })
    },
    go,
    focus,
    applySuggestion,
    handlers: { onKeyDown, onCopy, onPaste },
  }
}
