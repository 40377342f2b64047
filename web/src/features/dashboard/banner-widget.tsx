import type { WidgetData } from '@waybill/contract/dashboard/widgets'
import { bannerKindLabels } from '@waybill/contract/ground/enums/enums'
import { Grid, Panel, Section } from '../../components/layout/boxes.tsx'
import { Note } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { BannerCard } from '../content/shared/banner-card.tsx'

/** Announcements of the courier. */
export function BannerWidget({ data: { banners } }: { data: WidgetData['banner'] }) {
  const t = useT()
  const label = useLabel()
  if (banners.length === 0) {
    return (
      <Panel title={t('dashboardPage.news')}>
        <Note>{t('dashboardPage.noNews')}</Note>
      </Panel>
    )
  }
  return (
    <Section aria-label={t('dashboardPage.news')}>
      <Grid as="ul" min={260} gap={12}>
        {banners.map((banner) => (
          <li key={banner.id}>
            <BannerCard
              banner={banner}
              kindLabel={label(bannerKindLabels, banner.kind)}
              linkLabel={(site) => (site ? t('dashboardPage.moreAt', { site }) : t('dashboardPage.more'))}
            />
          </li>
        ))}
      </Grid>
    </Section>
  )
}
