import { PhoneLink } from '../../components/display/phone-link.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { Grid, Panel, Row } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import { useDeployment } from '../../lib/settings/deployment.ts'

/** `/public/contact`: who runs the portal and how to reach them, from the settings. */
export function ContactPage() {
  const t = useT()
  const deployment = useDeployment()
  // The tracking page ends the session: it clears the storage.
  const isSignedIn = useSession(({ tokens }) => tokens.access !== null)
  if (!deployment) {
    return (
      <>
        <PageHeader title={t('legal.contact')} />
        <Loading />
      </>
    )
  }
  const { companyName, imprint } = deployment
  return (
    <>
      <PageHeader title={t('legal.contact')} description={t('legal.contactLead')} />
      <Grid min={320} gap={24}>
        <Panel title={t('legal.reach')}>
          <Facts>
            <Fact label={t('fields.phone')}>{imprint.phone && <PhoneLink phone={imprint.phone} />}</Fact>
            <Fact label={t('fields.email')}>
              {imprint.email && <a href={`mailto:${imprint.email}`}>{imprint.email}</a>}
            </Fact>
          </Facts>
          <Row>
            <a href="/public/stations">{t('legal.visit')}</a>
            {!isSignedIn && <a href="/public/track-parcels">{t('legal.aboutParcel')}</a>}
          </Row>
        </Panel>
        <Panel title={t('legal.imprint')}>
          <Facts>
            <Fact label={t('fields.companyName')}>{companyName}</Fact>
            <Fact label={t('fields.address')}>
              {imprint.address && <span style={{ whiteSpace: 'pre-line' }}>{imprint.address}</span>}
            </Fact>
            <Fact label={t('fields.registrationNumber')}>{imprint.registrationNumber}</Fact>
            <Fact label={t('fields.taxNumber')}>{imprint.taxNumber}</Fact>
          </Facts>
        </Panel>
      </Grid>
    </>
  )
}
