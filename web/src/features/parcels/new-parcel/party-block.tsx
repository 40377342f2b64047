import type { Party } from '@waybill/contract/addresses/addresses'
import { PhoneLink } from '../../../components/display/phone-link.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { formatPlace } from '../../addresses/shared/format-place.ts'
import classes from '../list/parcels.module.css'

/** An address as it is printed on the parcel. */
export function PartyBlock({ title, party }: { title: string; party: Party | null }) {
  const t = useT()
  return (
    <div className={classes.party}>
      <h3>{title}</h3>
      {party ? (
        <address>
          <strong>{party.contactName}</strong>
          {party.company && <div>{party.company}</div>}
          <div>{party.line1}</div>
          {party.line2 && <div>{party.line2}</div>}
          <div>{formatPlace(party)}</div>
          <div>
            <PhoneLink phone={party.phone} />
          </div>
        </address>
      ) : (
        <Note>{t('parcelsPage.missing')}</Note>
      )}
    </div>
  )
}
