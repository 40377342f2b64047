import { getPreferences } from '@waybill/contract/accounts/profile'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { NotificationPreferences } from '../../notifications/shared/notification-preferences.tsx'
import { PushSection } from '../../notifications/shared/push-section.tsx'
import { PreferencesForm } from './preferences-form.tsx'

/** The user's preferences: language, units and notifications. */
export function PreferencesPage() {
  const t = useT()
  const preferences = useCall(getPreferences, {})
  return (
    <>
      <PageHeader title={t('preferences.title')} description={t('preferences.lead')} />
      {preferences.error ? (
        <ErrorPanel error={preferences.error} retry={() => void preferences.refetch()} />
      ) : preferences.data ? (
        <Stack gap={24}>
          <PreferencesForm preferences={preferences.data} />
          <NotificationPreferences />
          <PushSection />
        </Stack>
      ) : (
        <Loading />
      )}
    </>
  )
}
