import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/** A tab of the finance page: its label and its content. */
export type FinanceTab = { id: string; label: string; Content: ComponentType }

type Props = {
  tabs: readonly FinanceTab[]
  /** How much waits on a tab, by its id. */
  counts: Readonly<Record<string, number | undefined>>
}

/**
 * The finance page of staff in tabs. The URL has the selected tab; filters belong to one tab only. `app/pages` puts the
 * tabs together, because they come from several features.
 */
export function FinanceTabs({ tabs, counts }: Props) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const { part: tabId } = useSearch({ from: '/staff/staff/finance' })
  const current = tabs.find(({ id }) => id === tabId) ?? tabs[0]
  return (
    <>
      <PageHeader title={t('financePage.title')} />
      {tabs.length > 1 && (
        <Tabs
          label={t('financePage.tabs')}
          tabs={tabs.map(({ id, label }) => ({
            key: id,
            label: t(label),
            count: counts[id] ? format.number(counts[id]) : undefined,
          }))}
          current={current?.id}
          onSelect={(id) => void navigate({ to: '.', search: { part: id } })}
        />
      )}
      {current && <current.Content key={current.id} />}
    </>
  )
}
