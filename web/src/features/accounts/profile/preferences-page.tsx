import { getPreferences } from '@waybill/contract/accounts/profile'
import { getNotificationPreferences } from '@waybill/contract/notifications/notifications'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Together } from '../../../components/feedback/together.tsx'
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
  const answers = [preferences, useCall(getNotificationPreferences, {})]
  return (
    <>
      <PageHeader title={t('preferences.title')} description={t('preferences.lead')} />
      <Together answers={answers}>
        {preferences.error ? (
          <ErrorPanel error={preferences.error} retry={() => void preferences.refetch()} />
        ) : (
          preferences.data && (
            <Stack gap={24}>
              <PreferencesForm preferences={preferences.data} />
              <NotificationPreferences />
              <PushSection />
            </Stack>
          )
        )}
      </Together>
    </>
  )
}
