import { describe, expect, it } from 'vitest'
import { clampToGrid, type Key, keyMeaning } from '../src/features/parcels/bulk-grid/grid-keys.ts'

const size = { rows: 100, columns: 5, pageRows: 10 }
const at = { row: 50, column: 2 }
const press = (key: string, more: Partial<Key> = {}, from = at) =>
  keyMeaning({ key, shift: false, command: false, alt: false, ...more }, from, size)
const go = (row: number, column: number, extend = false) => ({ kind: 'go', place: { row, column }, extend })

describe('keys of the grid', () => {
  it.each([
    ['ArrowDown', go(51, 2)],
    ['ArrowUp', go(49, 2)],
    ['ArrowRight', go(50, 3)],
    ['ArrowLeft', go(50, 1)],
    ['PageDown', go(60, 2)],
    ['PageUp', go(40, 2)],
    ['Home', go(50, 0)],
    ['End', go(50, 4)],
    ['Tab', go(50, 3)],
    ['Enter', { kind: 'edit', typed: null }],
    ['F2', { kind: 'edit', typed: null }],
    ['Delete', { kind: 'clear' }],
    ['Backspace', { kind: 'clear' }],
    ['a', { kind: 'edit', typed: 'a' }],
    ['陈', { kind: 'edit', typed: '陈' }],
  ])('%s', (key, meaning) => expect(press(key)).toEqual(meaning))

  it('moves to the edges with Ctrl, and extends the selection with Shift', () => {
    expect(press('ArrowDown', { command: true, shift: true })).toEqual(go(99, 2, true))
    expect(press('ArrowLeft', { command: true })).toEqual(go(50, 0))
    expect(press('End', { command: true })).toEqual(go(99, 4))
    expect(press('Home', { command: true })).toEqual(go(0, 0))
  })

  it('undoes, redoes, selects all and accepts the suggestion', () => {
    expect(press('z', { command: true })).toEqual({ kind: 'undo' })
    expect(press('Z', { command: true, shift: true })).toEqual({ kind: 'redo' })
    expect(press('y', { command: true })).toEqual({ kind: 'redo' })
    expect(press('a', { command: true })).toEqual({ kind: 'all' })
    expect(press('Enter', { alt: true })).toEqual({ kind: 'suggestion' })
  })

  it('never moves outside the cells, and does not trap the keyboard focus', () => {
    expect(press('ArrowUp', {}, { row: 0, column: 0 })).toEqual(go(0, 0))
    expect(press('PageDown', {}, { row: 99, column: 4 })).toEqual(go(99, 4))
    expect(press('Tab', {}, { row: 3, column: 4 })).toBeNull()
    expect(press('Tab', { shift: true }, { row: 3, column: 0 })).toBeNull()
    expect(clampToGrid({ row: 7, column: 7 }, { rows: 0, columns: 5 })).toEqual({ row: 0, column: 4 })
  })

  it('ignores the keys of the browser', () => {
    for (const key of ['Escape', 'F5', 'Shift', 'toString']) expect(press(key)).toBeNull()
    for (const key of ['c', 'v', 'f']) expect(press(key, { command: true })).toBeNull()
  })
})
