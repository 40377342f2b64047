import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { getSettings } from '@waybill/contract/settings/settings'
import { type ReactNode, useState } from 'react'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Tabs } from '../../components/layout/tabs.tsx'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { HistoryDialog } from './history-dialog.tsx'
import { SectionForm } from './section-form.tsx'
import { settingSections } from './sections.ts'

/**
 * All settings of the deployment: fees, taxes, limits, names. Each shows who changed it last. `extras`: additional
 * content below the fields of a group, by the group's title.
 */
export function SettingsPage({ extras }: { extras: Record<string, ReactNode> }) {
  const t = useT()
  const navigate = useNavigate()
  const { part } = useSearch({ from: '/staff/staff/settings' })
  const [history, setHistory] = useState(false)
  const [saveCount, setSaveCount] = useState(0)
  const settings = useCall(getSettings, {})
  const section = settingSections.find(({ id }) => id === part) ?? settingSections[0]
  if (!section) return null
  return (
    <>
      <PageHeader
        title={t('settingsPage.title')}
        actions={
          <Button leftSection={<IconHistory size={18} aria-hidden />} onClick={() => setHistory(true)}>
            {t('settingsPage.history')}
          </Button>
        }
      />
      <Tabs
        label={t('settingsPage.parts')}
        tabs={settingSections.map(({ id }) => ({ key: id, label: t(`settingSection.${id}`) }))}
        current={section.id}
        onSelect={(id) => void navigate({ to: '.', search: { part: id } })}
      />
      {settings.data ? (
        <SectionForm
          key={`${section.id} ${saveCount}`}
          section={section}
          settings={settings.data}
          extras={extras}
          onSaved={() => setSaveCount(saveCount + 1)}
        />
      ) : settings.error ? (
        <ErrorPanel error={settings.error} retry={() => void settings.refetch()} />
      ) : (
        <Loading />
      )}
      {history && <HistoryDialog onClose={() => setHistory(false)} />}
    </>
  )
}
