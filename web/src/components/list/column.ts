import type { ReactNode } from 'react'

/**
 * The places of a phone's row, which has two lines: `title` and `end` in the first, `detail` and `detailEnd` in the
 * second.
 */
export type PhonePlace = 'title' | 'end' | 'detail' | 'detailEnd'

export type Column<R> = {
  id: string
  header: string
  cell: (row: R) => ReactNode
  /** The field that the endpoint sorts by. */
  sort?: string
  /** `end` for money and other numbers. */
  align?: 'end'
  /** Never cut in a row of one line. Texts of at most 20 characters are whole anyway. */
  whole?: true
  /** The least width in a row of one line, in pixels: for what a row is known by. */
  minWidth?: number
  /**
   * Buttons of the row. `actions` are on the screen while the pointer or the focus is in the row; `work` always is,
   * because the list is there to be worked off. A phone has both behind one button.
   */
  kind?: 'actions' | 'work'
  /** `chosen`: hidden until the user chooses the column. */
  show?: 'chosen'
  /** On a phone's card: the title, or hidden; by default a line with its label. */
  card?: 'title' | 'hidden'
  /**
   * The place in a phone's row. As soon as one column has a place the list has rows in the place of cards, and the
   * other columns are behind the row's button.
   */
  phone?: PhonePlace
  /** What a phone shows in that place instead of the cell. */
  phoneCell?: (row: R) => ReactNode
}

/** Whether a phone shows these columns as rows of two lines. */
export function hasPhoneRows<R>(columns: readonly Column<R>[]): boolean {
  return columns.some(({ phone }) => phone !== undefined)
}

/** The column that names the row: users cannot hide it. */
export function isTitle<R>({ card, phone, phoneCell }: Column<R>): boolean {
  return card === 'title' || (phone === 'title' && phoneCell === undefined)
}

/** The columns of a list with a panel beside it: the name, and what a phone shows as well, as narrow as they can be. */
export function besidePanel<R>(columns: readonly Column<R>[]): readonly Column<R>[] {
  return columns
    .filter(({ card, phone }) => card === 'title' || phone !== undefined)
    .map((column) => ({ ...column, minWidth: 0 }))
}
