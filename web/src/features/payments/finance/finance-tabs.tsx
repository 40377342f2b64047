import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { useT } from '../../../lib/i18n.ts'

/** A part of staff's finance: its name for the tab and what stands under it. */
export type FinanceTab = { id: string; label: string; Content: ComponentType }

/**
 * Staff's finance in tabs; the chosen one stands in the URL, what narrows another one's list does not. Which there are
 * is said where pages are put together (`app/routes`), since they belong to several features.
 */
export function FinanceTabs({ tabs }: { tabs: readonly FinanceTab[] }) {
  const t = useT()
  const navigate = useNavigate()
  const { part: tabId } = useSearch({ from: '/staff/staff/finance' })
  const current = tabs.find(({ id }) => id === tabId) ?? tabs[0]
  return (
    <>
      <PageHeader title={t('financePage.title')} />
      {tabs.length > 1 && (
        <Tabs
          label={t('financePage.tabs')}
          tabs={tabs.map(({ id, label }) => ({ key: id, label: t(label) }))}
          current={current?.id}
          onSelect={(id) => void navigate({ to: '.', search: { part: id } })}
        />
      )}
      {current && <current.Content key={current.id} />}
    </>
  )
}
