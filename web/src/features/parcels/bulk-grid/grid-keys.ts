/** What a key means in the grid, as spreadsheets have it. Pure: the grid does it. */

export type Place = { row: number; column: number }
/** Of the grid: cells, and rows that fit on the screen. */
export type Size = { rows: number; columns: number; pageRows: number }
export type Key = { key: string; shift: boolean; command: boolean; alt: boolean }
/** `edit`: `typed` is what takes the place of the cell's text; null: the text stays and is edited. */
export type Meaning =
  | { kind: 'go'; place: Place; extend: boolean }
  | { kind: 'edit'; typed: string | null }
  | { kind: 'clear' | 'undo' | 'redo' | 'all' | 'suggestion' }

const between = (value: number, most: number) => Math.max(0, Math.min(value, most))

/** A place that is there. */
export const clampToGrid = ({ row, column }: Place, { rows, columns }: Pick<Size, 'rows' | 'columns'>): Place => ({
  row: between(row, rows - 1),
  column: between(column, columns - 1),
})

/** Null: the key is not the grid's, and does what it does elsewhere. */
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
  // Tab walks along the cells and leaves the grid at its ends, so that nobody is kept in it.
  if (key === 'Tab') {
    const next = at.column + (shift ? -1 : 1)
    return next < 0 || next >= size.columns ? null : go(at.row, next, false)
  }
  return key.length === 1 && !command && !alt ? { kind: 'edit', typed: key } : null
}
