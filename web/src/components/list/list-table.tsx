import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from './data-list.module.css'

export type Column<R> = {
  id: string
  header: string
  cell: (row: R) => ReactNode
  /** The field that the endpoint sorts by. */
  sort?: string
  /** `end` for money and other numbers. */
  align?: 'end'
  /** On a phone's card: the title, or hidden; by default a line with its label. */
  card?: 'title' | 'hidden'
}

type Props<R> = {
  label: string
  rows: readonly R[]
  columns: readonly Column<R>[]
  rowKey: (row: R) => string
  rowName: ((row: R) => string) | undefined
  sort: { field: string; descending: boolean } | undefined
  sortBy: (field: string) => void
  selection: { ids: ReadonlySet<string>; select: (ids: ReadonlySet<string>) => void } | undefined
}

/** The border around a table; on a phone each row has its own. */
export function TableFrame({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>
}

/** The rows as one table. Below 48em the style sheet lays out each row as a card. */
export function ListTable<R>({ label, rows, columns, rowKey, rowName, sort, sortBy, selection }: Props<R>) {
  const t = useT()
  const all = rows.length > 0 && rows.every((row) => selection?.ids.has(rowKey(row)))
  const some = rows.some((row) => selection?.ids.has(rowKey(row)))

  function toggle(id: string, on: boolean) {
    const ids = new Set(selection?.ids)
    if (on) ids.add(id)
    else ids.delete(id)
    selection?.select(ids)
  }

  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
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
                  onChange={(event) => selection.select(new Set(event.currentTarget.checked ? rows.map(rowKey) : []))}
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
              <tr key={id} data-selected={selection?.ids.has(id)}>
                {selection && (
                  <td className={classes.check}>
                    <input
                      type="checkbox"
                      aria-label={t('list.select', { what: rowName?.(row) ?? id })}
                      checked={selection.ids.has(id)}
                      onChange={(event) => toggle(id, event.currentTarget.checked)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.id} data-label={column.header} data-align={column.align} data-card={column.card}>
                    <div>{column.cell(row)}</div>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
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
