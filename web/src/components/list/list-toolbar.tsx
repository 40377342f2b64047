import { Button, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react'
import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import { countLimit } from '@waybill/contract/ground/paging'
import { type ReactNode, useId, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Grid, Panel, Row } from '../layout/boxes.tsx'
import { SaveBar } from '../layout/save-bar.tsx'
import { Tabs } from '../layout/tabs.tsx'
import classes from './data-list.module.css'
import { DownloadExcel } from './download-excel.tsx'
import type { ListEndpoint, ListState } from './list-state.ts'
import { filterWidth } from './more-filters.tsx'

/** The server may stop counting at `countedTo`: the count then has a plus sign. */
export type ListTab = { value: string; label: string; count?: number | undefined; countedTo?: number }

/** The count of a tab, with a plus sign where the server stopped counting; undefined: no count. */
export function formatCount({ count, countedTo = Infinity }: ListTab, formatNumber: (value: number) => string) {
  return count === undefined ? undefined : `${formatNumber(count)}${count >= countedTo ? '+' : ''}`
}

/** A tab for all rows and one for each status. `counts` has no entry for 0; without it the tabs have no counts. */
export function getStatusTabs<S extends string>(
  all: string,
  statuses: readonly { value: S; label: string }[],
  counts: Partial<Record<S, number>> | null | undefined,
): ListTab[] {
  const tabs = statuses.map(({ value, label }) => ({ value, label, count: counts ? (counts[value] ?? 0) : undefined }))
  return [
    { value: 'all', label: all, count: counts ? tabs.reduce((sum, tab) => sum + (tab.count ?? 0), 0) : undefined },
    ...tabs,
  ]
}

/** Tabs with the counts of `tabCounts`. */
export function getCountedTabs<T extends string>(
  tabs: readonly T[],
  label: (tab: T) => string,
  counts: Record<T, number> | undefined,
): ListTab[] {
  return tabs.map((value) => ({ value, label: label(value), count: counts?.[value], countedTo: countLimit }))
}

type Props<E extends ListEndpoint> = {
  list: ListState<E>
  tabs: readonly ListTab[] | undefined
  searchLabel: string | undefined
  filters: ReactNode
  sheet: (EndpointShape & { query: Schema }) | undefined
}

/** Tabs, the search box, the advanced filters behind their button, and the list as a spreadsheet. */
export function ListToolbar<E extends ListEndpoint>({ list, tabs, searchLabel, filters, sheet }: Props<E>) {
  const t = useT()
  const format = useFormat()
  const filtersId = useId()
  const [open, setOpen] = useState(list.filtersSet > 0)
  const present = list.tab ?? tabs?.[0]?.value
  const download = sheet && (
    <Row justify="end" style={{ marginInlineStart: 'auto' }}>
      <DownloadExcel endpoint={sheet} narrowing={list.narrowing} params={list.params} />
    </Row>
  )
  return (
    <>
      {tabs && (
        <Tabs
          label={t('list.tabs')}
          tabs={tabs.map((tab) => ({ key: tab.value, label: tab.label, count: formatCount(tab, format.number) }))}
          current={present}
          onSelect={list.setTab}
        />
      )}
      {(searchLabel || filters) && (
        <search>
          <Row
            as="form"
            gap={8}
            onSubmit={(event) => {
              event.preventDefault()
              list.apply()
            }}
          >
            {searchLabel && (
              <TextInput
                className={classes.search}
                flex="1 1 260px"
                maw={420}
                type="search"
                aria-label={searchLabel}
                placeholder={searchLabel}
                leftSection={<IconSearch size={18} aria-hidden />}
                value={list.search}
                maxLength={120}
                onChange={(event) => list.setSearch(event.currentTarget.value)}
              />
            )}
            {(searchLabel || open) && (
              <Button className={classes.searchButton} type="submit" aria-label={t('actions.search')}>
                <IconSearch className={classes.searchIcon} size={20} aria-hidden />
                <span className={classes.searchWord}>{t('actions.search')}</span>
              </Button>
            )}
            {(list.narrowed || list.search !== '') && (
              <Button variant="subtle" color="gray" onClick={list.clear}>
                {t('actions.clear')}
              </Button>
            )}
            {filters && (
              <Button
                className={classes.filtersButton}
                variant="subtle"
                color="gray"
                aria-expanded={open}
                aria-controls={filtersId}
                leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
                onClick={() => setOpen(!open)}
              >
                {open
                  ? t('actions.hideFilters')
                  : list.filtersSet > 0
                    ? t('phrase.detail', { text: t('actions.showFilters'), detail: list.filtersSet })
                    : t('actions.showFilters')}
              </Button>
            )}
            {download}
            {filters && (
              <Panel as="div" id={filtersId} padding={16} style={{ flex: '1 0 100%' }} hidden={!open}>
                <Grid fill min={filterWidth} gap="12px 16px">
                  {filters}
                </Grid>
                {/* On a phone the fields are longer than the screen, so the search button would be out of sight. */}
                <SaveBar className={classes.apply}>
                  <Button type="submit" variant="filled">
                    {t('list.apply')}
                  </Button>
                </SaveBar>
              </Panel>
            )}
          </Row>
        </search>
      )}
      {!searchLabel && !filters && download}
    </>
  )
}
