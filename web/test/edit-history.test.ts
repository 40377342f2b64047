import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EditHistory } from '../src/features/parcels/bulk-grid/edit-history.ts'

describe('undo in the grid', () => {
  it('undoes and redoes the last step', () => {
    const history = new EditHistory()
    history.did([{ row: 2, before: { city: 'Ipoh' }, after: { city: 'Kuantan' } }])
    history.did([{ row: 3, before: { city: '' }, after: { city: 'Kuching' } }])
    expect(history.undo()).toEqual([{ row: 3, cells: { city: '' } }])
    expect(history.undo()).toEqual([{ row: 2, cells: { city: 'Ipoh' } }])
    expect([history.canUndo, history.undo()]).toEqual([false, []])
    expect(history.redo()).toEqual([{ row: 2, cells: { city: 'Kuantan' } }])
    history.did([{ row: 9, before: { city: 'a' }, after: { city: 'b' } }])
    expect(history.redo()).toEqual([])
  })

  it('does not redo a suggestion, because its values are unknown', () => {
    const history = new EditHistory()
    history.did([{ row: 2, before: { phone: '12' }, after: {} }])
    expect(history.undo()).toEqual([{ row: 2, cells: { phone: '12' } }])
    expect(history.redo()).toEqual([])
  })

  it('restores the initial state by undoing all steps, and the final state by redoing them (property)', () => {
    const act = fc.oneof(fc.record({ row: fc.nat(3), city: fc.string() }), fc.constantFrom('undo', 'redo'))
    fc.assert(
      fc.property(fc.array(act), (acts) => {
        const history = new EditHistory()
        const cells = new Map<number, string>()
        const write = (writes: ReturnType<EditHistory['undo']>) => {
          for (const { row, cells: newCells } of writes) cells.set(row, newCells.city ?? '')
        }
        for (const one of acts) {
          if (one === 'undo') write(history.undo())
          else if (one === 'redo') write(history.redo())
          else if (typeof one === 'object') {
            const step = [{ row: one.row, before: { city: cells.get(one.row) ?? '' }, after: { city: one.city } }]
            history.did(step)
            cells.set(one.row, one.city)
          }
        }
        const end = new Map(cells)
        let steps = 0
        for (; history.canUndo; steps++) write(history.undo())
        for (const text of cells.values()) expect(text).toBe('')
        for (; steps > 0; steps--) write(history.redo())
        expect(cells).toEqual(end)
      }),
    )
  })
})
