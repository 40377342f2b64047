import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { usePhone } from '../../lib/browser/use-media.ts'
import { useT } from '../../lib/i18n.ts'
import { type Column, hasPhoneRows } from './column.ts'
import classes from './data-list.module.css'
import { ListRow, ownClick } from './list-row.tsx'
import { RowDetails } from './row-details.tsx'
import { useRowKeys } from './use-row-keys.ts'

type Props<R> = {
  label: string
  rows: readonly R[]
  columns: readonly Column<R>[]
  rowKey: (row: R) => string
  rowName: ((row: R) => string) | undefined
  sort: { field: string; descending: boolean } | undefined
  sortBy: (field: string) => void
  /** `isClosed`: the row cannot be selected. */
  selection:
    | { ids: ReadonlySet<string>; select: (ids: ReadonlySet<string>) => void; isClosed?: (row: R) => boolean }
    | undefined
  /**
   * Dense rows, 40 pixels high: text that does not fit ends in an ellipsis. Its full text is in its title, and a click
   * on it shows the whole row, as does Space in the focused row.
   */
  dense?: boolean
  /** The row in the side panel. */
  currentId?: string | undefined
  /** By Enter or a click on the row. Without it Enter follows the row's first link or button. */
  onOpen?: ((row: R) => void) | undefined
  onMove?: ((row: R) => void) | undefined
  onPrint?: ((row: R) => void) | undefined
}

/** The border around a table; on a phone each row has its own. */
export function TableFrame({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>
}

/** The rows as one table. Below 48em they become two-line rows if columns have positions in it, or else cards. */
export function ListTable<R>(props: Props<R>) {
  const { label, rows, columns, rowKey, rowName, sort, sortBy, selection, dense = false } = props
  const t = useT()
  const table = useRef<HTMLTableElement>(null)
  const compact = usePhone() && hasPhoneRows(columns)
  const [whole, setWhole] = useState<R | null>(null)
  useRowKeys({
    table,
    rows,
    onMove: props.onMove,
    onOpen: props.onOpen,
    onPrint: props.onPrint,
    onDetails: dense && !compact ? setWhole : undefined,
  })
  const openRows = rows.filter((row) => !selection?.isClosed?.(row))
  const all = openRows.length > 0 && openRows.every((row) => selection?.ids.has(rowKey(row)))
  const some = rows.some((row) => selection?.ids.has(rowKey(row)))

  function toggle(id: string, on: boolean) {
    const ids = new Set(selection?.ids)
    if (on) ids.add(id)
    else ids.delete(id)
    selection?.select(ids)
  }

  function openCutText({ target }: MouseEvent) {
    const element = target as Element
    const line = element.closest('tr')
    const row = rows[line ? line.sectionRowIndex : -1]
    if (row !== undefined && findCutText(element) && !element.closest(ownClick)) setWhole(row)
  }

  return (
    <div className={classes.scroll}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Space does the same (useRowKeys) */}
      <table
        ref={table}
        className={classes.table}
        aria-label={label}
        data-dense={dense}
        data-compact={compact}
        data-keys={rows.length > 0 || undefined}
        onPointerOver={dense ? showWholeText : undefined}
        // A click in a row that opens a panel opens that.
        onClick={dense && !compact && !props.onOpen ? openCutText : undefined}
      >
        <thead>
          <tr>
            {selection && (
              <th className={classes.check}>
                <input
                  type="checkbox"
                  aria-label={t('list.selectAll')}
                  checked={all}
                  ref={(box) => {
                    if (box) box.indeterminate = some && !all
                  }}
                  onChange={(event) =>
                    selection.select(new Set(event.currentTarget.checked ? openRows.map(rowKey) : []))
                  }
                />
              </th>
            )}
            {columns.map((column) => (
              <Header key={column.id} column={column} sort={sort} sortBy={sortBy} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const id = rowKey(row)
            return (
              <ListRow
                key={id}
                row={row}
                id={id}
                name={rowName?.(row) ?? id}
                columns={columns}
                compact={compact}
                selected={selection?.ids.has(id) ?? false}
                current={props.currentId === id}
                select={selection && toggle}
                isClosed={selection?.isClosed?.(row) ?? false}
                onOpen={props.onOpen}
              />
            )
          })}
        </tbody>
      </table>
      {whole !== null && (
        <RowDetails
          shape="card"
          row={whole}
          name={rowName?.(whole) ?? label}
          columns={columns}
          onClose={() => setWhole(null)}
        />
      )}
    </div>
  )
}

/** The truncated text at an element, if any. */
function findCutText(element: Element): HTMLElement | null {
  const text = element.closest<HTMLElement>('td > div > div')
  if (!text || text.closest('td')?.dataset.kind === 'actions') return null
  return text.scrollWidth > text.clientWidth ? text : null
}

/** Puts the full text of a truncated cell into its title, on hover. */
function showWholeText({ target }: PointerEvent): void {
  const text = (target as Element).closest<HTMLElement>('td > div > div')
  if (!text) return
  const isCut = findCutText(text) !== null
  text.toggleAttribute('data-cut', isCut)
  if (isCut) text.title = [...text.childNodes].map(({ textContent }) => textContent).join(' ')
  else text.removeAttribute('title')
}

function Header<R>({ column, sort, sortBy }: { column: Column<R> } & Pick<Props<R>, 'sort' | 'sortBy'>) {
  const t = useT()
  const field = column.sort
  if (!field) {
    return <th data-align={column.align}>{column.header}</th>
  }
  const direction = sort?.field !== field ? 'none' : sort.descending ? 'descending' : 'ascending'
  const Icon = direction === 'none' ? IconArrowsSort : direction === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <th data-align={column.align} aria-sort={direction}>
      <button
        type="button"
        className={classes.sort}
        title={t('list.sortBy', { what: column.header })}
        onClick={() => sortBy(field)}
      >
        {column.header}
        <Icon size={14} aria-hidden data-active={direction !== 'none'} />
      </button>
    </th>
  )
}
