import { IconDots } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../buttons/plain-button.tsx'
import type { Column } from './column.ts'
import classes from './data-list.module.css'
import { RowDetails } from './row-details.tsx'

/** The properties shared by all rows of a list. */
export type RowProps<R> = {
  columns: readonly Column<R>[]
  /** A phone's row of two lines. */
  compact: boolean
  select: ((id: string, on: boolean) => void) | undefined
  /** A click on the row outside its links and buttons. */
  onOpen: ((row: R) => void) | undefined
}

type Props<R> = RowProps<R> & {
  row: R
  id: string
  /** The accessible name of the row's check box and button. */
  name: string
  selected: boolean
  /** It cannot be selected. */
  isClosed: boolean
  /** Shown in the side panel. */
  current: boolean
}

/** Elements in a row that handle a click themselves. */
export const ownClick = 'a, button, input, label, select, dialog'

/** A truncated date or word is meaningless, and truncating it would gain little room. */
const isShort = (content: ReactNode) => typeof content === 'string' && content.length <= 20

export function ListRow<R>(props: Props<R>) {
  const { row, id, name, columns, compact, selected, isClosed, current, select, onOpen } = props
  const t = useT()
  const visibleColumns = compact ? columns.filter(({ phone }) => phone !== undefined) : columns
  const openByClick = (event: MouseEvent) => {
    const selectsText = getSelection()?.type === 'Range'
    if (!selectsText && !(event.target as Element).closest(ownClick)) onOpen?.(row)
  }
  return (
    <tr
      data-selected={selected}
      data-opens={onOpen !== undefined}
      aria-current={current || undefined}
      tabIndex={-1}
      onClick={onOpen && openByClick}
    >
      {select && (
        <td className={classes.check}>
          <input
            type="checkbox"
            aria-label={t('list.select', { what: name })}
            checked={selected}
            disabled={isClosed}
            onChange={(event) => select(id, event.currentTarget.checked)}
          />
        </td>
      )}
      {visibleColumns.map((column) => {
        const content = compact && column.phoneCell ? column.phoneCell(row) : column.cell(row)
        return (
          <td
            key={column.id}
            data-label={column.header}
            data-align={column.align}
            data-card={column.card}
            data-kind={column.kind}
            data-place={column.phone}
            data-whole={column.whole || isShort(content) || undefined}
            data-wraps={column.wraps}
          >
            <div style={column.minWidth ? { gridTemplateColumns: `minmax(${column.minWidth}px, auto)` } : undefined}>
              <div>{content}</div>
            </div>
          </td>
        )
      })}
      {compact && visibleColumns.length < columns.length && (
        <td className={classes.more}>
          <RowMenu row={row} name={name} columns={columns} />
        </td>
      )}
    </tr>
  )
}

/** The button of a phone's row: all columns that do not fit, and its actions. */
function RowMenu<R>({ row, name, columns }: { row: R; name: string; columns: readonly Column<R>[] }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        className={classes.moreButton}
        aria-haspopup="dialog"
        aria-label={t('list.more', { what: name })}
        onClick={() => setOpen(true)}
      >
        <IconDots size={20} aria-hidden />
      </IconButton>
      {open && <RowDetails shape="sheet" row={row} name={name} columns={columns} onClose={() => setOpen(false)} />}
    </>
  )
}
