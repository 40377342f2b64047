import {
  IconAddressBook,
  IconBox,
  IconBuildingStore,
  IconMessage,
  IconReceipt,
  IconStack2,
  IconTruckReturn,
  IconUserCircle,
} from '@tabler/icons-react'
import type { SearchHit, SearchKind } from '@waybill/contract/search/search'
import type { ReactNode } from 'react'
import { Quiet } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './search.module.css'

/** Kinds of staff have the icon of a document: every page of the portal loads these icons. */
const icons: Partial<Record<SearchKind, typeof IconBox>> = {
  parcel: IconBox,
  gunny: IconStack2,
  pickup: IconTruckReturn,
  ticket: IconMessage,
  account: IconUserCircle,
  user: IconUserCircle,
  colleague: IconUserCircle,
  address: IconAddressBook,
  station: IconBuildingStore,
}

const hasTrackingNumber = ({ kind }: SearchHit) => ['parcel', 'gunny', 'bag', 'trip', 'carrier_booking'].includes(kind)

/** A hit: its kind as an icon and a word, its number or name, and a distinguishing detail. */
export function HitOption({ hit }: { hit: SearchHit }) {
  const t = useT()
  const format = useFormat()
  const Icon = icons[hit.kind] ?? IconReceipt
  return (
    <span className={classes.option}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span className={classes.text}>
        <strong>{hasTrackingNumber(hit) ? format.trackingNumber(hit.title) : hit.title}</strong>
        {hit.detail && <Quiet>{format.trackingNumber(hit.detail)}</Quiet>}
      </span>
      <Quiet>{t(`search.kinds.${hit.kind}`)}</Quiet>
    </span>
  )
}

/** A page or an action. */
export function PageOption({ page: { label, icon } }: { page: { label: string; icon: ReactNode } }) {
  return (
    <span className={classes.option}>
      {icon}
      <span className={classes.text}>{label}</span>
    </span>
  )
}
