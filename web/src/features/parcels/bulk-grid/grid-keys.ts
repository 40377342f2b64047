/** The action of a key in the grid, as in spreadsheets. Pure: the grid executes it. */

export type Place = { row: number; column: number }
/** The size of the grid: columns, rows, and rows of one screen. */
export type Size = { rows: number; columns: number; pageRows: number }
export type Key = { key: string; shift: boolean; command: boolean; alt: boolean }
/** `edit`: `typed` replaces the text of the cell; null keeps it. */
export type Meaning =
  | { kind: 'go'; place: Place; extend: boolean }
  | { kind: 'edit'; typed: string | null }
  | { kind: 'clear' | 'undo' | 'redo' | 'all' | 'suggestion' }

const between = (value: number, most: number) => Math.max(0, Math.min(value, most))

/** Limits a position to the grid. */
export const clampToGrid = ({ row, column }: Place, { rows, columns }: Pick<Size, 'rows' | 'columns'>): Place => ({
  row: between(row, rows - 1),
  column: between(column, columns - 1),
})

/** Null: the grid does not handle the key. */
export function keyMeaning({ key, shift, command, alt }: Key, at: Place, size: Size): Meaning | null {
  const go = (row: number, column: number, extend = shift): Meaning => ({
    kind: 'go',
    place: clampToGrid({ row, column }, size),
    extend,
  })
  const far = command ? Number.MAX_SAFE_INTEGER : 1
  const keyMeanings = new Map<string, () => Meaning>([
    ['ArrowDown', () => go(at.row + far, at.column)],
    ['ArrowUp', () => go(at.row - far, at.column)],
    ['ArrowRight', () => go(at.row, at.column + far)],
    ['ArrowLeft', () => go(at.row, at.column - far)],
    ['PageDown', () => go(at.row + size.pageRows, at.column)],
    ['PageUp', () => go(at.row - size.pageRows, at.column)],
    ['Home', () => go(command ? 0 : at.row, 0)],
    ['End', () => go(command ? size.rows - 1 : at.row, size.columns - 1)],
    ['Enter', () => (alt ? { kind: 'suggestion' } : { kind: 'edit', typed: null })],
    ['F2', () => ({ kind: 'edit', typed: null })],
    ['Delete', () => ({ kind: 'clear' })],
    ['Backspace', () => ({ kind: 'clear' })],
  ])
  const letter = key.toLowerCase()
  if (command && letter === 'z') return { kind: shift ? 'redo' : 'undo' }
  if (command && letter === 'y') return { kind: 'redo' }
  if (command && letter === 'a') return { kind: 'all' }
  const meaning = keyMeanings.get(key)
  if (meaning) return meaning()
  // Tab moves through the cells and leaves the grid at its ends, so that it does not trap the keyboard.
  if (key === 'Tab') {
    const next = at.column + (shift ? -1 : 1)
    return next < 0 || next >= size.columns ? null : go(at.row, next, false)
  }
  return key.length === 1 && !command && !alt ? { kind: 'edit', typed: key } : null
}
