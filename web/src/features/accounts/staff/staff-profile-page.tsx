import { getProfile } from '@waybill/contract/accounts/sign-in'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { IdentitiesSection } from '../profile/identities-section.tsx'
import { PasswordSection } from '../profile/password-section.tsx'
import { PersonSection } from '../profile/person-section.tsx'
import { PhotoSection } from '../profile/photo-section.tsx'
import { SessionsSection } from '../profile/sessions-section.tsx'
import { FactorSection } from '../second-factor/factor-section.tsx'

/** A staff member's own name, password, second factor and devices. */
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
          <PhotoSection user={profile.data} />
          <PersonSection key={profile.data.version} user={profile.data} />
          {profile.data.hasPassword && <PasswordSection />}
          <IdentitiesSection user={profile.data} />
          <FactorSection />
          <SessionsSection />
        </>
      ) : (
        <Loading />
      )}
    </>
  )
}
