import { useNavigate, useSearch } from '@tanstack/react-router'
import { constants } from '@waybill/contract/ground/constants'
import type { EndpointShape, ResponseOf, Schema } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import { fieldLabel } from '@waybill/contract/ground/validation'
import { useMemo, useState } from 'react'
import type { CallOptions } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import type { FieldBinding } from '../form/contract-form.ts'

/**
 * A list endpoint: accepts offset, limit and sort, and returns `{ items, total, offset, limit }`; or accepts `after`
 * and `before` and returns `next` and `previous` (`keysetQuery` of the contract).
 */
export type ListEndpoint = EndpointShape & { query: Schema }
export type RowOf<E extends ListEndpoint> = ResponseOf<E> extends { items: readonly (infer R)[] } ? R : never

type Options = {
  /** Query fields of the advanced filters. */
  filters?: readonly string[]
  /** `-createdAt` */
  defaultSort?: string
  /** The query field that the tabs set; the value `all` leaves it out. `tab` unless given. */
  tabField?: string
  /** Query fields that the screen sets and the URL does not contain. */
  fixed?: Record<string, string>
  /** Parameters of the endpoint's path. */
  params?: Record<string, string>
}

const none: readonly string[] = []
/** The fields that select the page. */
const placing = new Set(['offset', 'limit', 'after', 'before'])
const limit = constants.defaultPageSize

export type ListState<E extends ListEndpoint> = {
  /** The endpoint's id, under which the user's settings for the list are stored. */
  id: string
  result: ReturnType<typeof useCall<E>>
  tab: string | undefined
  setTab: (tab: string) => void
  /** The text in the search box; `apply` searches for it. */
  search: string
  setSearch: (text: string) => void
  /** A filter as a field: `<SelectField field={list.filter('status')} …/>`. */
  filter: (name: string, label?: string) => FieldBinding<string | null>
  /** The number of active advanced filters. */
  filtersSet: number
  /** Whether a search or filter is active. */
  narrowed: boolean
  apply: () => void
  clear: () => void
  /** Sets search params at once and shows the first page, for controls that need no search button. */
  narrow: (changes: Record<string, string | undefined>) => void
  sort: { field: string; descending: boolean } | undefined
  sortBy: (field: string) => void
  page: number
  /** `replace`: without an entry in the browser history. */
  setPage: (page: number, replace?: boolean) => void
  /**
   * For a list with cursors: the rows after or before a cursor of the last response; the first page with neither.
   */
  turn: (to: { after?: string; before?: string }) => void
  /** The row in the side panel. */
  open: string | undefined
  setOpen: (id: string | undefined) => void
  /** Changes whenever other rows are requested. */
  key: string
  /** The query without the page: tab, search, filters and sort order. An export of the same rows uses it. */
  narrowing: Record<string, unknown>
  /** Parameters of the endpoint's path, which an export takes as well. */
  params: Record<string, string> | undefined
}

/**
 * A list's state, kept in the URL (`tab`, `q`, `sort`, `page` or `after` and `before`, and the filters by name), and
 * its rows. Invalid values in the URL are ignored, so that an old link still shows the list.
 */
export function useList<E extends ListEndpoint>(
  endpoint: E,
  { filters = none, tabField = 'tab', defaultSort, fixed, params }: Options = {},
): ListState<E> {
  const t = useT()
  const navigate = useNavigate()
  const searchParams: Record<string, unknown> = useSearch({ strict: false })
  const url = useMemo(() => toTexts(searchParams), [searchParams])
  const [draft, setDraft] = useState<Record<string, string | null>>({})

  const page = Math.max(1, Math.floor(Number(url.page)) || 1)
  const query = useMemo(() => {
    const query: Record<string, unknown> = {
      ...fixed,
      offset: (page - 1) * limit,
      limit,
      sort: url.sort ?? defaultSort,
    }
    const tab = url[tabField]
    if (tab) query[tabField] = tab
    if (url.q) query.search = url.q
    if (url.after) query.after = url.after
    else if (url.before) query.before = url.before
    for (const name of filters) if (url[name]) query[name] = url[name]
    return withoutInvalid(endpoint.query, query)
  }, [endpoint, url, page, tabField, defaultSort, fixed, filters])

  const result = useCall(endpoint, { ...(params && { params }), query } as unknown as CallOptions<E>, {
    keepPrevious: true,
  })
  const [sort] = parseSort(typeof query.sort === 'string' ? query.sort : undefined)

  function go(changes: Record<string, string | undefined>, replace = false) {
    void navigate({
      replace,
      to: '.',
      search: (present) => ({
        ...present,
        page: undefined,
        after: undefined,
        before: undefined,
        open: undefined,
        ...changes,
      }),
      resetScroll: false,
    })
  }

  function narrow(changes: Record<string, string | undefined>) {
    go(changes)
    setDraft({})
  }

  const names = ['q', ...filters]
  const filterValue = (name: string) => (name in draft ? (draft[name] ?? null) : (url[name] ?? null))

  return {
    id: endpoint.id,
    result,
    tab: url[tabField],
    setTab: (tab) => go({ [tabField]: tabField !== 'tab' && tab === 'all' ? undefined : tab }),
    search: filterValue('q') ?? '',
    setSearch: (text) => setDraft((present) => ({ ...present, q: text })),
    filter: (name, label) => ({
      id: `filter-${name}`,
      path: name,
      value: filterValue(name),
      onChange: (value) => setDraft((present) => ({ ...present, [name]: value })),
      onBlur: () => undefined,
      error: undefined,
      required: false,
      label: label ?? fieldLabel(name, t),
    }),
    filtersSet: filters.filter((name) => url[name]).length,
    narrowed: Boolean(url.q) || filters.some((name) => url[name]),
    apply() {
      const values = names.map((name) => [name, filterValue(name)?.trim() || undefined])
      narrow(orderPeriod(Object.fromEntries(values)))
    },
    clear: () => narrow(Object.fromEntries(names.map((name) => [name, undefined]))),
    narrow,
    sort,
    sortBy(field) {
      go({ sort: sort?.field === field && !sort.descending ? `-${field}` : `+${field}` })
    },
    page,
    setPage: (next, replace) => go({ page: next === 1 ? undefined : String(next) }, replace),
    turn: ({ after, before }) => go({ after, before }),
    open: url.open,
    setOpen(id) {
      // Rows that J and K only pass are not added to the browser history.
      const replace = url.open !== undefined && id !== undefined
      void navigate({ to: '.', search: (present) => ({ ...present, open: id }), replace, resetScroll: false })
    },
    key: JSON.stringify(query),
    params,
    narrowing: Object.fromEntries(Object.entries(query).filter(([name]) => !placing.has(name))),
  }
}

type Filters = Record<string, string | undefined>

/** A period whose days were entered in the wrong order, `from` after `to`, in the right one. */
export const orderPeriod = (values: Filters): Filters =>
  values.from && values.to && values.from > values.to ? { ...values, from: values.to, to: values.from } : values

/** The search params as texts, as they stand in the URL. */
function toTexts(params: Record<string, unknown>): Partial<Record<string, string>> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
}

/** The query without the fields that fail validation. */
function withoutInvalid(schema: Schema, query: Record<string, unknown>): Record<string, unknown> {
  const parseResult = schema.safeParse(query)
  if (parseResult.success) return query
  const wrong = new Set(parseResult.error.issues.map(({ path }) => String(path[0])))
  return Object.fromEntries(Object.entries(query).filter(([name]) => !wrong.has(name)))
}
