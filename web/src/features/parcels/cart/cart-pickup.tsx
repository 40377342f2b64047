import { Button } from '@mantine/core'
import type { Party } from '@waybill/contract/addresses/addresses'
import { useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { Columns, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { ErrorText, Notice } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { AddressSearch } from '../../addresses/shared/address-search.tsx'
import { toPartyValues } from '../../addresses/shared/party-values.ts'
import { PartyBlock } from '../new-parcel/party-block.tsx'
import classes from './cart.module.css'
import type { PickupClock, PickupSlot } from './pickup-slots.ts'
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
  /** The number of selected parcels whose sender is at another door, and how to leave them out. */
  elsewhere: number
  onLeaveOut: () => void
}

/** Address and time of the pickup. */
export function CartPickup(props: Props) {
  const { address, loading, onAddress, clock, slot, onSlot, problems, elsewhere, onLeaveOut } = props
  const t = useT()
  const [changing, setChanging] = useState(false)
  const atAddress = Object.entries(problems).find(([path]) => path.startsWith('pickup.address') || path === 'pickup')
  const atTime = problems['pickup.date'] ?? problems['pickup.window']
  return (
    <Panel className={classes.handOver} title={t('cart.pickup')}>
      {elsewhere > 0 && (
        <Notice as="div" tone="warning" role="status">
          <span>{t('cart.elsewhere', { count: elsewhere })}</span>
          <Button size="sm" onClick={onLeaveOut}>
            {t('cart.leaveOut', { count: elsewhere })}
          </Button>
        </Notice>
      )}
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
        <PickupTime clock={clock} value={slot} onChange={onSlot} {...(atTime ? { error: atTime } : {})} />
      </Columns>
    </Panel>
  )
}
