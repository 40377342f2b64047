import type { BulkField } from '@waybill/contract/parcels/bulk'

export type CellChanges = Partial<Record<BulkField, string>>
/** An undo step: the cells of rows before and after. `after` is empty if it is unknown. */
export type Step = readonly { row: number; before: CellChanges; after: CellChanges }[]
export type Write = { row: number; cells: CellChanges }

/** The undo history. Pure: it returns the cells to write. */
export class EditHistory {
  private undoable: Step[] = []
  private redoable: Step[] = []

  /** Adds a step and clears the redo steps. */
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
