import { Button } from '@mantine/core'
import { IconTruckDelivery } from '@tabler/icons-react'
import type { Party } from '@waybill/contract/addresses/addresses'
import type { PickupVisit } from '@waybill/contract/pickups/pickup-choice'
import { useState } from 'react'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { formatWindow } from '../../../components/display/time-window.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { Columns, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { ErrorText } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { AddressSearch } from '../../addresses/shared/address-search.tsx'
import { toPartyValues } from '../../addresses/shared/party-values.ts'
import { PartyBlock } from '../new-parcel/party-block.tsx'
import classes from './cart.module.css'
import { isOpen, type PickupClock, type PickupSlot } from './pickup-slots.ts'
import { PickupTime } from './pickup-time.tsx'

type Props = {
  address: Party | null
  loading: boolean
  onAddress: (address: Party) => void
  clock: PickupClock
  slot: PickupSlot | null
  onSlot: (slot: PickupSlot) => void
  /** The server's messages by field path: `pickup.date`, `pickup.address.postcode`. */
  problems: Readonly<Record<string, string>>
  /** The booked visit that these parcels join free of charge, and all visits at the address. */
  visit: PickupVisit | null
  visits: readonly PickupVisit[]
}

/** Address and time of the pickup. */
export function CartPickup({ address, loading, onAddress, clock, slot, onSlot, problems, visit, visits }: Props) {
  const t = useT()
  const [changing, setChanging] = useState(false)
  const atAddress = Object.entries(problems).find(([path]) => path.startsWith('pickup.address') || path === 'pickup')
  const atTime = problems['pickup.date'] ?? problems['pickup.window']
  return (
    <Panel className={classes.handOver} title={t('cart.pickup')}>
      <Columns template="minmax(0, 2fr) minmax(0, 3fr)">
        {loading && !address ? (
          <Loading />
        ) : (
          <Stack gap={12}>
            {address && <PartyBlock title={t('cart.pickupAt')} party={address} />}
            {atAddress && <ErrorText role="alert">{atAddress[1]}</ErrorText>}
            {changing || !address ? (
              <AddressSearch
                label={t('cart.otherAddress')}
                placeholder={t('newParcel.searchPlaceholder')}
                autoFocus={changing}
                onPick={(party) => {
                  onAddress(toPartyValues(party) as Party)
                  setChanging(false)
                }}
              />
            ) : (
              <div>
                <Button size="compact-sm" onClick={() => setChanging(true)}>
                  {t('cart.changeAddress')}
                </Button>
              </div>
            )}
          </Stack>
        )}
        <Stack gap={12}>
          <PickupTime clock={clock} value={slot} onChange={onSlot} {...(atTime ? { error: atTime } : {})} />
          <Visits visit={visit} visits={visits.filter((each) => isOpen(each, clock))} onSlot={onSlot} />
        </Stack>
      </Columns>
    </Panel>
  )
}

/** Says that a booked visit picks up the parcels, or offers the times of such visits. */
function Visits({ visit, visits, onSlot }: Pick<Props, 'visit' | 'visits' | 'onSlot'>) {
  const t = useT()
  const longDay = useLongDay()
  const formatTime = ({ date, window }: PickupVisit) => ({ day: longDay(date), window: formatWindow(window) })
  if (visit) {
    return (
      <Row as="p" gap={8} role="status" style={{ flexWrap: 'nowrap' }}>
        <IconTruckDelivery size={18} aria-hidden style={{ flex: 'none' }} />
        <span>{t('cart.riderComes', formatTime(visit))}</span>
      </Row>
    )
  }
  return visits.slice(0, 2).map((each) => (
    <Row key={each.number} gap={8}>
      <span>{t('cart.riderComesThen', formatTime(each))}</span>
      <Button size="compact-sm" onClick={() => onSlot({ date: each.date, window: each.window })}>
        {t('cart.joinVisit')}
      </Button>
    </Row>
  ))
}
