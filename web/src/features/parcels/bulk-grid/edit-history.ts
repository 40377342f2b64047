import type { BulkField } from '@waybill/contract/parcels/bulk'

export type CellChanges = Partial<Record<BulkField, string>>
/**
 * One step that can be undone: cells of rows as they were and as they became. `after` is empty where that is not known.
 */
export type Step = readonly { row: number; before: CellChanges; after: CellChanges }[]
export type Write = { row: number; cells: CellChanges }

/** What was written, so that it can be taken back and written again. Pure: it answers what to write. */
export class EditHistory {
  private undoable: Step[] = []
  private redoable: Step[] = []

  /** A new step; what was taken back before can't come again. */
  did(step: Step): void {
    if (step.length === 0) return
    this.undoable.push(step)
    this.redoable = []
  }

  get canUndo(): boolean {
    return this.undoable.length > 0
  }

  undo(): Write[] {
    const step = this.undoable.pop()
    if (!step) return []
    if (step.some(({ after }) => Object.keys(after).length > 0)) this.redoable.push(step)
    return step.map(({ row, before }) => ({ row, cells: before }))
  }

  redo(): Write[] {
    const step = this.redoable.pop()
    if (!step) return []
    this.undoable.push(step)
    return step.map(({ row, after }) => ({ row, cells: after }))
  }
}
