import { Button } from '@mantine/core'
import type { BagDetail } from '@waybill/contract/parcels/transport/bags'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { Panel } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './load-rows.module.css'
import { MisrouteNote } from './misroute.tsx'

type Props = {
  parcels: BagDetail['parcels']
  /** Takes a parcel out; undefined if the bag is closed. */
  onTakeOut: ((parcelId: string, number: string) => void) | undefined
}

/** The parcels in a bag, those added last first; nothing if there are none. */
export function BagParcels({ parcels, onTakeOut }: Props) {
  const t = useT()
  const format = useFormat()
  if (parcels.length === 0) return null
  return (
    <Panel title={t('bagPage.inBag', { count: parcels.length })}>
      <ul className={classes.rows}>
        {parcels.map(({ id, trackingNumber, receiverPlace, weightGrams, misroute }) => (
          <li key={id} className={classes.row}>
            <StaffParcelLink number={trackingNumber} />
            <span className={classes.details}>
              {receiverPlace && <span>{receiverPlace}</span>}
              {weightGrams !== null && <Quiet inline>{format.weight(weightGrams)}</Quiet>}
            </span>
            {onTakeOut && (
              <Button
                size="sm"
                variant="subtle"
                aria-label={t('bagPage.takeOutNumber', { number: format.trackingNumber(trackingNumber) })}
                onClick={() => onTakeOut(id, trackingNumber)}
              >
                {t('bagPage.takeOut')}
              </Button>
            )}
            <MisrouteNote misroute={misroute} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
