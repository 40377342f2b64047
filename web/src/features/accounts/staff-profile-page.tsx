import { getProfile } from '@waybill/contract/accounts'
import { Loading } from '../../components/loading.tsx'
import { ErrorPanel } from '../../components/message-panel.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { FactorSection } from './factor-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PersonSection } from './person-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** A member of staff's own name, password, second factor and devices. */
export function StaffProfilePage() {
  const t = useT()
  const profile = useCall(getProfile, {})
  return (
    <>
      <PageHeader title={t('profile.title')} description={profile.data?.email} />
      {profile.error ? (
        <ErrorPanel error={profile.error} retry={() => void profile.refetch()} />
      ) : profile.data ? (
        <>
          <PersonSection key={profile.data.version} user={profile.data} />
          <PasswordSection />
          <FactorSection />
          <SessionsSection />
        </>
      ) : (
        <Loading />
      )}
    </>
  )
}
