import { Button } from '@mantine/core'
import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useRoomForPanel } from '../../lib/browser/use-media.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { ErrorPanel, MessagePanel } from '../feedback/message-panel.tsx'
import { Buttons, Row, Stack } from '../layout/boxes.tsx'
import { Quiet } from '../layout/text.tsx'
import { type BulkAction, BulkBar } from './bulk-bar.tsx'
import { type Column, columnsNextToPanel } from './column.ts'
import { ColumnsMenu, useColumns } from './columns-menu.tsx'
import classes from './data-list.module.css'
import type { ListEndpoint, ListState, RowOf } from './list-state.ts'
import { ListTable } from './list-table.tsx'
import { formatCount, type ListTab, ListToolbar } from './list-toolbar.tsx'
import { SidePanel } from './side-panel.tsx'

type Props<E extends ListEndpoint> = {
  list: ListState<E>
  /** The accessible name of the table. */
  label: string
  columns: readonly Column<RowOf<E>>[]
  rowKey: (row: RowOf<E>) => string
  /** The accessible name of a row's check box and of its button on a phone. */
  rowName?: (row: RowOf<E>) => string
  tabs?: readonly ListTab[]
  /** Omitted if the endpoint cannot search. */
  searchLabel?: string
  /** Fields of the advanced filters, bound by `list.filter(name)`. */
  filters?: ReactNode
  /** The list as a spreadsheet, with a button next to the search; for a list that is a part of a page. */
  sheet?: EndpointShape & { query: Schema }
  /** Without bulk actions rows cannot be selected. */
  bulkActions?: readonly BulkAction<RowOf<E>>[]
  /** The server stops counting here: a total this high means "this many or more". */
  countedTo?: number | undefined
  /** Shown while there are no rows at all, with the action that creates the first one. */
  empty: { title: string; text?: string; action?: ReactNode }
  /** Rows of several lines or with pictures, instead of those of 40 pixels. */
  tall?: boolean
  /** Prints a row: the key P. */
  print?: (row: RowOf<E>) => void
  /**
   * The details of a row next to the list, on a wide screen, opened by a click on the row or by Enter. The URL has its
   * id (`open`). Without it Enter follows the row's first link or button.
   */
  panel?: { title: (row: RowOf<E> | undefined) => string; show: (id: string) => ReactNode }
}

type Page<R> = { items: readonly R[]; total: number; limit: number } & (
  | { offset: number; next?: undefined }
  | { next: string | null; previous: string | null; offset?: undefined }
)

/**
 * The list of every screen: tabs with counts, search, advanced filters, sorting, pages of 50, selection, selectable
 * columns, and keys (J, K, Enter, P). On a phone a row has two lines, or becomes a card.
 */
export function DataList<E extends ListEndpoint>(props: Props<E>) {
  const { list, label, rowKey, rowName, bulkActions, empty, panel } = props
  const t = useT()
  const format = useFormat()
  const columns = useColumns(list.id, props.columns)
  const [selected, setSelected] = useState<{ key: string; ids: ReadonlySet<string> }>({ key: '', ids: new Set() })
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = list.result
  const page = data as Page<RowOf<E>> | undefined
  const rows = page?.items ?? []
  // The selection belongs to the visible rows: another page or filter clears it.
  const ids = selected.key === list.key ? selected.ids : new Set<string>()
  const select = (next: ReadonlySet<string>) => setSelected({ key: list.key, ids: next })
  const panelRow = usePanelRow(list, panel !== undefined)
  // Other tabs may have rows, so an empty tab must not offer to create the first one.
  const isPart = props.tabs?.[0]?.value === 'all' && (list.tab ?? 'all') !== 'all'
  const currentTab = list.tab ?? props.tabs?.[0]?.value
  const filledTab = list.narrowed
    ? undefined
    : props.tabs?.find(({ value, count = 0 }) => value !== currentTab && count > 0)
  const toFilledTab = filledTab && (
    <Button onClick={() => list.setTab(filledTab.value)}>
      {t('list.showTab', { tab: filledTab.label, number: formatCount(filledTab, format.number) })}
    </Button>
  )

  // The last row of the last page was removed, or an old link leads beyond it.
  const lastPage = page?.offset === undefined ? null : countPages(page)
  const pastEnd = !isPlaceholderData && lastPage !== null && list.page > lastPage
  const { setPage } = list
  const leaveEmptyPage = useEffectEvent(() => setPage(lastPage ?? 1, true))
  useEffect(() => {
    if (pastEnd) leaveEmptyPage()
  }, [pastEnd])

  return (
    <Stack>
      <ListToolbar
        list={list}
        tabs={props.tabs}
        searchLabel={props.searchLabel}
        filters={props.filters}
        sheet={props.sheet}
      />
      <div className={classes.beside} data-open={panelRow.id !== undefined}>
        <div className={classes.body} data-stale={isFetching && isPlaceholderData} aria-busy={isFetching}>
          {error ? (
            <ErrorPanel error={error} retry={() => void refetch()} />
          ) : isPending || pastEnd ? (
            <Skeleton />
          ) : rows.length === 0 ? (
            list.narrowed || isPart ? (
              <MessagePanel
                kind="empty"
                title={t('list.nothingFound')}
                text={list.narrowed ? t('list.nothingFoundHint') : filledTab ? undefined : t('list.nothingInTab')}
                action={toFilledTab}
              />
            ) : (
              <MessagePanel kind="empty" {...empty} action={empty.action ?? toFilledTab} />
            )
          ) : (
            <>
              <ListTable
                dense={!props.tall}
                label={label}
                rows={rows}
                columns={panelRow.id === undefined ? columns.visible : columnsNextToPanel(columns.visible)}
                rowKey={rowKey}
                rowName={rowName}
                sort={list.sort}
                sortBy={list.sortBy}
                selection={bulkActions && bulkActions.length > 0 ? { ids, select } : undefined}
                currentId={panelRow.id}
                onOpen={panelRow.open && ((row) => panelRow.open?.(rowKey(row)))}
                onMove={panelRow.id === undefined ? undefined : (row) => panelRow.follow(rowKey(row))}
                onPrint={props.print}
              />
              <ColumnsMenu options={columns.options} choose={columns.choose} prints={props.print !== undefined} />
            </>
          )}
        </div>
        {panel && panelRow.id !== undefined && (
          <SidePanel
            key={panelRow.id}
            title={panel.title(rows.find((row) => rowKey(row) === panelRow.id))}
            focused={panelRow.focused}
            onClose={panelRow.close}
          >
            {panel.show(panelRow.id)}
          </SidePanel>
        )}
      </div>
      {page && page.total > 0 && <Pages list={list} page={page} countedTo={props.countedTo} />}
      {bulkActions && ids.size > 0 && (
        <BulkBar
          actions={bulkActions}
          rows={rows.filter((row) => ids.has(rowKey(row)))}
          clear={() => select(new Set())}
        />
      )}
    </Stack>
  )
}

/** The row in the side panel, if there is room for one. */
function usePanelRow<E extends ListEndpoint>(list: ListState<E>, hasPanel: boolean) {
  const room = useRoomForPanel() && hasPanel
  const [focused, setFocused] = useState(false)
  return {
    id: room ? list.open : undefined,
    focused,
    open: room
      ? (id: string) => {
          // After a click the focus stays; after Enter it moves to the panel.
          setFocused(document.activeElement instanceof HTMLTableRowElement)
          list.setOpen(id)
        }
      : undefined,
    /** The panel follows the focused row, without taking the focus. */
    follow(id: string) {
      setFocused(false)
      list.setOpen(id)
    },
    close() {
      list.setOpen(undefined)
      document.querySelector<HTMLElement>('tr[aria-current="true"]')?.focus()
    },
  }
}

/** Placeholder rows while the content is loading. They have the height of real ones, so that nothing moves. */
function Skeleton() {
  const t = useT()
  return (
    <div role="status">
      <span className="wb-hidden">{t('list.loading')}</span>
      {[70, 45, 60, 80, 50, 65, 40, 75, 55, 60].map((width, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={n} className={classes.ghost} aria-hidden>
          <span style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  )
}

const countPages = ({ total, limit }: Page<unknown>) => Math.max(1, Math.ceil(total / limit))

type PagesProps = {
  /** `turn`: of a list with cursors. */
  list: Pick<ListState<ListEndpoint>, 'page' | 'setPage'> & Partial<Pick<ListState<ListEndpoint>, 'turn'>>
  page: Page<unknown>
  countedTo?: number | undefined
}

/** The range of the visible rows, with links to the other pages, up to where the server stopped counting. */
export function Pages({ list, page, countedTo }: PagesProps) {
  const t = useT()
  const format = useFormat()
  const more = countedTo !== undefined && page.total >= countedTo
  const total = `${format.number(page.total)}${more ? '+' : ''}`
  const all = more
    ? t('list.matchingMore', { total: format.number(page.total) })
    : t('list.matching', { count: page.total })
  if (page.offset === undefined) {
    const { next, previous } = page
    return (
      <Row as="nav" justify="between" className={classes.pages} aria-label={t('list.pages')}>
        <span>{all}</span>
        {(next !== null || previous !== null) && (
          <Buttons as="span">
            {previous !== null && <Button onClick={() => list.turn?.({})}>{t('list.first')}</Button>}
            <Button disabled={previous === null} onClick={() => list.turn?.({ before: previous ?? '' })}>
              {t('list.previous')}
            </Button>
            <Button disabled={next === null} onClick={() => list.turn?.({ after: next ?? '' })}>
              {t('list.next')}
            </Button>
          </Buttons>
        )}
      </Row>
    )
  }
  const last = countPages(page)
  return (
    <Row as="nav" justify="between" className={classes.pages} aria-label={t('list.pages')}>
      <span>
        {last > 1
          ? t('list.range', {
              from: format.number(Math.min(page.offset + 1, page.total)),
              to: format.number(page.offset + page.items.length),
              total,
            })
          : all}
        {more && list.page >= last && <Quiet>{t('list.notAll')}</Quiet>}
      </span>
      {last > 1 && (
        <Buttons as="span">
          <Button disabled={list.page <= 1} onClick={() => list.setPage(list.page - 1)}>
            {t('list.previous')}
          </Button>
          <Button disabled={list.page >= last} onClick={() => list.setPage(list.page + 1)}>
            {t('list.next')}
          </Button>
        </Buttons>
      )}
    </Row>
  )
}
