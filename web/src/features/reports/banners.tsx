import { listBanners } from '@waybill/contract/content/content'
import { bannerKindLabels } from '@waybill/contract/ground/enums'
import { Section } from '../../components/layout/boxes.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { useFileAddress } from '../../lib/file-link.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import classes from './dashboard.module.css'

/** Announcements of the courier. Hidden when there are none or they fail to load. */
export function Banners() {
  const t = useT()
  const label = useLabel()
  const address = useFileAddress()
  const banners = useCall(listBanners, {}, { staleTime: 600_000 })
  const items = banners.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section aria-label={t('dashboardPage.news')}>
      <ul className={classes.banners}>
        {items.map((banner) => (
          <li key={banner.id} className={classes.banner}>
            {banner.imageUrl && (
              <img src={address(banner.imageUrl)} alt="" className={classes.bannerImage} width={320} height={120} />
            )}
            <div className={classes.bannerText}>
              <Quiet>{label(bannerKindLabels, banner.kind)}</Quiet>
              <strong>{banner.title}</strong>
              {banner.body && <p>{banner.body}</p>}
              {banner.linkUrl && <a href={banner.linkUrl}>{t('dashboardPage.more')}</a>}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
