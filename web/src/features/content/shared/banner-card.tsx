import type { BannerKind } from '@waybill/contract/ground/enums/enums'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFileAddress } from '../../../lib/file-link.ts'
import classes from './banner-card.module.css'

type Props = {
  banner: { kind: BannerKind; title: string; body: string | null; imageUrl: string | null; linkUrl: string | null }
  kindLabel: string
  /** The text of the link; `site` is the host of a link that leaves the portal. */
  linkLabel: (site: string | null) => string
}

/** A banner as customers see it. A link to another site names that site. */
export function BannerCard({ banner: { title, body, imageUrl, linkUrl }, kindLabel, linkLabel }: Props) {
  const address = useFileAddress()
  const site = linkUrl && readHost(linkUrl)
  return (
    <div className={classes.banner}>
      {imageUrl && <img src={address(imageUrl)} alt="" className={classes.image} width={320} height={120} />}
      <div className={classes.text}>
        <Quiet>{kindLabel}</Quiet>
        <strong>{title}</strong>
        {body && <p>{body}</p>}
        {linkUrl && (
          <a href={linkUrl} rel={site ? 'noopener noreferrer' : undefined}>
            {linkLabel(site)}
          </a>
        )}
      </div>
    </div>
  )
}

/** The host of a link that leaves the portal; null for a page of the portal and for an invalid URL. */
function readHost(link: string): string | null {
  const url = URL.parse(link, location.origin)
  return url && url.host !== location.host ? url.host : null
}
