import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { useEffect } from 'react'
import { keepOnOneLine } from '../../components/display/line-breaks.ts'
import { Grid, Panel, Section } from '../../components/layout/boxes.tsx'
import { Note } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useSession } from '../../lib/session.ts'
import { loadOptions } from '../../lib/settings/load.ts'

/** The services of the deployment, and the ways to hand over a parcel. */
export function ServicesSection() {
  const t = useT()
  const label = useLabel()
  const options = useSession(({ setting }) => setting.options)
  useEffect(() => void loadOptions(), [])
  if (!options) return null
  return (
    <Section title={t('home.services')} style={{ marginBlockStart: 40 }}>
      <Grid as="ul" min={260} gap={16} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {options.serviceTypes.map((service) => (
          <li key={service} style={{ display: 'grid' }}>
            <Panel as="div" gap={8}>
              <h3>{label(serviceTypeLabels, service)}</h3>
              <Note>{t(`home.serviceText.${service}`)}</Note>
            </Panel>
          </li>
        ))}
      </Grid>
      <Note style={{ marginBlockStart: 12 }}>
        {t('home.modes', {
          modes: options.deliveryModes.map((mode) => keepOnOneLine(label(deliveryModeLabels, mode))).join(' · '),
        })}
      </Note>
    </Section>
  )
}
