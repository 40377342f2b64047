import { Link } from '@tanstack/react-router'
import { getProfile } from '@waybill/contract/accounts/sign-in'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { currentView } from '../../../lib/view.ts'
import { OwnershipCard } from '../company/ownership-card.tsx'
import { BillingSection } from './billing-section.tsx'
import { IdentitiesSection } from './identities-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PersonSection } from './person-section.tsx'
import { PhotoSection } from './photo-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** Name, phone and language; the password; the devices that are signed in. */
export function ProfilePage() {
  const t = useT()
  const profile = useCall(getProfile, {})
  const mayBilling = useMay('account.owner')
  const isOwner = useMay('corporate.owner')
  return (
    <>
      <PageHeader
        title={t('profile.title')}
        description={[profile.data?.email, profile.data?.account?.number].filter(Boolean).join(' · ')}
      />
      {profile.error ? (
        <ErrorPanel error={profile.error} retry={() => void profile.refetch()} />
      ) : profile.data ? (
        <Stack gap={24}>
          <PhotoSection user={profile.data} />
          <PersonSection user={profile.data} />
          {!isOwner && <OwnershipCard />}
          {mayBilling && <BillingSection />}
          {profile.data.hasPassword && !currentView && <PasswordSection />}
          {!currentView && <IdentitiesSection user={profile.data} />}
          {!currentView && <SessionsSection />}
          <p>
            <Link to="/profile/delete">
              {t(profile.data.account?.isOwner ? 'closure.title' : 'closure.leaveTitle')}
            </Link>
          </p>
        </Stack>
      ) : (
        <Loading />
      )}
    </>
  )
}
