import { type RefObject, useEffect, useEffectEvent } from 'react'
import { lastingUserStorage } from '../../lib/browser/user-storage.ts'

const setting = 'list-keys'

/** Whether single keys act on lists. Speech input types letters, so users can switch them off (WCAG 2.1.4). */
export const rowKeys = {
  on: () => lastingUserStorage.get(setting) !== 'off',
  set: (on: boolean) => lastingUserStorage.set(setting, on ? 'on' : 'off'),
}

type Options<R> = {
  table: RefObject<HTMLTableElement | null>
  rows: readonly R[]
  /** The keyboard moved to this row. */
  onMove: ((row: R) => void) | undefined
  onOpen: ((row: R) => void) | undefined
  onPrint: ((row: R) => void) | undefined
  /** Shows what the row cuts. */
  onDetails: ((row: R) => void) | undefined
}

/**
 * J and K move through the rows, Enter opens the focused row, Space shows it in full, P prints it. If a page has
 * several lists, the focused one is used, or else the first.
 */
export function useRowKeys<R>({ table, rows, onMove, onOpen, onPrint, onDetails }: Options<R>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const element = table.current
    if (!element || !mayAct(event) || !isMeant(element)) return
    const lines = [...(element.tBodies[0]?.rows ?? [])]
    const focused = lines.findIndex((line) => line.contains(document.activeElement))
    const at = focused >= 0 ? focused : lines.findIndex((line) => line.ariaCurrent === 'true')
    const key = event.key.toLowerCase()
    if (key === 'j' || key === 'k') {
      const next = key === 'j' ? Math.min(at + 1, lines.length - 1) : Math.max(at - 1, 0)
      lines[next]?.focus()
      lines[next]?.scrollIntoView({ block: 'nearest' })
      const row = rows[next]
      if (row !== undefined) onMove?.(row)
      event.preventDefault()
      return
    }
    const row = rows[at]
    const line = lines[at]
    if (row === undefined || !line) return
    if (key === 'p' && onPrint) onPrint(row)
    else if (key === ' ' && onDetails && document.activeElement === line) onDetails(row)
    else if (key === 'enter' && document.activeElement === line) {
      if (onOpen) onOpen(row)
      else line.querySelector<HTMLElement>('td > div a, td > div button')?.click()
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function mayAct({ defaultPrevented, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey || shiftKey || !rowKeys.on()) return false
  const element = target as HTMLElement
  const isTyping =
    element.isContentEditable ||
    (/^(input|textarea|select)$/i.test(element.tagName) && (element as HTMLInputElement).type !== 'checkbox')
  return !isTyping && !document.querySelector('dialog[open], [aria-modal="true"], :popover-open')
}

function isMeant(table: HTMLTableElement): boolean {
  const tables = [...document.querySelectorAll<HTMLTableElement>('table[data-keys]')]
  return (tables.find((one) => one.contains(document.activeElement)) ?? tables[0]) === table
}
