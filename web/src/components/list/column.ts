import type { ReactNode } from 'react'

/**
 * The positions in a phone's two-line row: `title` and `end` in the first line, `detail` and `detailEnd` in the
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
  /** Never truncated in a dense row. Texts of at most 20 characters are never truncated anyway. */
  whole?: true
  /** Wraps in a dense row instead of being truncated: for texts that have to be read, such as reasons and errors. */
  wraps?: true
  /** The minimum width in a dense row, in pixels: for the text that identifies a row. */
  minWidth?: number
  /**
   * Buttons of the row. `actions` are visible while the pointer or the focus is in the row; `work` always is, for
   * lists of tasks. On a phone both are behind one button.
   */
  kind?: 'actions' | 'work'
  /** `chosen`: hidden until the user selects the column; `wide`: hidden in windows where not all columns fit. */
  show?: 'chosen' | 'wide'
  /** On a phone's card: the title, or hidden; by default a line with its label. */
  card?: 'title' | 'hidden'
  /**
   * The position in a phone's row. As soon as one column has a position, the list has rows instead of cards, and the
   * other columns are behind the row's button.
   */
  phone?: PhonePlace
  /** What a phone shows in that position instead of the cell. */
  phoneCell?: (row: R) => ReactNode
  /** What the sheet behind a phone's row button shows instead of the cell: buttons with words in the place of icons. */
  sheetCell?: (row: R) => ReactNode
}

/** Whether a phone shows these columns as rows of two lines. */
export function hasPhoneRows<R>(columns: readonly Column<R>[]): boolean {
  return columns.some(({ phone }) => phone !== undefined)
}

/** The column that names the row: users cannot hide it. */
export function isTitle<R>({ card, phone, phoneCell }: Column<R>): boolean {
  return card === 'title' || (phone === 'title' && phoneCell === undefined)
}

/** The columns of a list with an open side panel: the name and those that a phone shows, as narrow as possible. */
export function columnsNextToPanel<R>(columns: readonly Column<R>[]): readonly Column<R>[] {
  return columns
    .filter(({ card, phone }) => card === 'title' || phone !== undefined)
    .map((column) => ({ ...column, minWidth: 0 }))
}
