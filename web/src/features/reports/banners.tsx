import { listBanners } from '@waybill/contract/content/content'
import { bannerKindLabels } from '@waybill/contract/ground/enums'
import { Grid, Section } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { BannerCard } from '../content/shared/banner-card.tsx'

/** Announcements of the courier. Hidden when there are none or they fail to load. */
export function Banners() {
  const t = useT()
  const label = useLabel()
  const banners = useCall(listBanners, {}, { staleTime: 600_000 })
  const items = banners.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section aria-label={t('dashboardPage.news')} style={{ marginBlockStart: 24 }}>
      <Grid as="ul" min={260} gap={12}>
        {items.map((banner) => (
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
