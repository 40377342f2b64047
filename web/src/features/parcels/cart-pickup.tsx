import { Button } from '@mantine/core'
import type { Party } from '@waybill/contract/addresses'
import { useState } from 'react'
import { AddressSearch } from '../../components/address/address-search.tsx'
import { partyValuesOf } from '../../components/address/party-values.ts'
import { Loading } from '../../components/loading.tsx'
import { useT } from '../../lib/i18n.ts'
import classes from './cart.module.css'
import { PartyBlock } from './party-block.tsx'
import type { PickupClock, PickupSlot } from './pickup-slots.ts'
import { PickupTime } from './pickup-time.tsx'

type Props = {
  address: Party | null
  loading: boolean
  onAddress: (address: Party) => void
  clock: PickupClock
  slot: PickupSlot | null
  onSlot: (slot: PickupSlot) => void
  /** The server's words by the field's path: `pickup.date`, `pickup.address.postcode`. */
  problems: Readonly<Record<string, string>>
}

/** Where the rider comes, and when. */
export function CartPickup({ address, loading, onAddress, clock, slot, onSlot, problems }: Props) {
  const t = useT()
  const [changing, setChanging] = useState(false)
  const atAddress = Object.entries(problems).find(([path]) => path.startsWith('pickup.address') || path === 'pickup')
  const atTime = problems['pickup.date'] ?? problems['pickup.window']
  return (
    <section className={`${classes.box} ${classes.handOver}`}>
      <h2>{t('cart.pickup')}</h2>
      <div className={classes.pickup}>
        {loading && !address ? (
          <Loading />
        ) : (
          <div className={classes.where}>
            {address && <PartyBlock title={t('cart.pickupAt')} party={address} />}
            {atAddress && (
              <p className={classes.problem} role="alert">
                {atAddress[1]}
              </p>
            )}
            {changing || !address ? (
              <AddressSearch
                label={t('cart.otherAddress')}
                placeholder={t('newParcel.searchPlaceholder')}
                autoFocus={changing}
                onPick={(picked) => {
                  onAddress(partyValuesOf(picked) as Party)
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
          </div>
        )}
        <PickupTime clock={clock} value={slot} onChange={onSlot} {...(atTime ? { error: atTime } : {})} />
      </div>
    </section>
  )
}
