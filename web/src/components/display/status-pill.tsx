import {
  IconAlertCircle,
  IconArrowBackUp,
  IconArrowsSort,
  IconBike,
  IconBuildingWarehouse,
  IconCheck,
  IconClock,
  IconCoin,
  IconHome,
  IconPencil,
  IconShoppingCart,
  IconTruck,
  IconWalk,
  IconX,
} from '@tabler/icons-react'
import type { Look, StatusIcon } from '@waybill/contract/ground/status/status-look'
import { Tag } from '../layout/text.tsx'

const icons = {
  edit: IconPencil,
  cart: IconShoppingCart,
  clock: IconClock,
  coin: IconCoin,
  walk: IconWalk,
  home: IconHome,
  building: IconBuildingWarehouse,
  sort: IconArrowsSort,
  truck: IconTruck,
  bike: IconBike,
  check: IconCheck,
  alert: IconAlertCircle,
  back: IconArrowBackUp,
  cross: IconX,
} as const satisfies Record<StatusIcon, unknown>

/** A status with its words, colour and icon: `<StatusPill look={parcelStatusLooks[status]} label={…} />`. */
export function StatusPill({ look, label }: { look: Look; label: string }) {
  const Icon = icons[look.icon]
  return (
    <Tag tone={look.tone}>
      <Icon size={14} stroke={2} aria-hidden />
      {label}
    </Tag>
  )
}
