import { getPreferences } from '@waybill/contract/accounts/profile'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { PreferencesForm } from './preferences-form.tsx'

/** How the portal looks and writes to this user. */
export function PreferencesPage() {
  const t = useT()
  const preferences = useCall(getPreferences, {})
  return (
    <>
      <PageHeader title={t('preferences.title')} description={t('preferences.lead')} />
      {preferences.error ? (
        <ErrorPanel error={preferences.error} retry={() => void preferences.refetch()} />
      ) : preferences.data ? (
        <PreferencesForm key={preferences.data.user.version} preferences={preferences.data} />
      ) : (
        <Loading />
      )}
    </>
  )
}
