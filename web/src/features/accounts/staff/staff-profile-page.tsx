import { getProfile, type SessionUser } from '@waybill/contract/accounts/sign-in'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { IdentitiesSection } from '../profile/identities-section.tsx'
import { PasswordSection } from '../profile/password-section.tsx'
import { PersonSection } from '../profile/person-section.tsx'
import { PhotoSection } from '../profile/photo-section.tsx'
import { SessionsSection } from '../profile/sessions-section.tsx'
import { FactorSection } from '../second-factor/factor-section.tsx'
import { usePositionLabel, useStationName } from './positions.ts'

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
        <Stack gap={24}>
          <OwnPosition user={profile.data} />
          <PhotoSection user={profile.data} />
          <PersonSection user={profile.data} />
          {profile.data.hasPassword && <PasswordSection />}
          <IdentitiesSection user={profile.data} />
          <FactorSection />
          <SessionsSection />
        </Stack>
      ) : (
        <Loading />
      )}
    </>
  )
}

/** Their role and station, which only somebody else can change. */
function OwnPosition({ user: { staff } }: { user: SessionUser }) {
  const t = useT()
  const positionLabel = usePositionLabel()
  const stationName = useStationName()
  if (!staff) return null
  return (
    <Panel style={{ maxWidth: 800 }} title={t('profile.position')}>
      <Facts layout="tiles" min={200}>
        <Fact label={t('teamPage.role')}>{positionLabel(staff)}</Fact>
        <Fact label={t('teamPage.station')}>{stationName(staff.stationId)}</Fact>
      </Facts>
      <Note>{t('profile.positionHelp')}</Note>
    </Panel>
  )
}
