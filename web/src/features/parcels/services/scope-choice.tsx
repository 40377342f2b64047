import { scopeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices } from '../../../lib/labels.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import type { ParcelValues } from '../new-parcel/parcel-values.ts'

/** Whether the receiver is in the deployment's country or abroad. A change empties the place of the receiver. */
export function ScopeChoice({ form }: { form: ContractForm<ParcelValues> }) {
  const t = useT()
  const choices = useChoices()
  const { sender, receiver, deliveryMode } = form.values
  const home = useDeployment()?.countryCode ?? sender.country
  return (
    <ChoiceCards
      legend={t('fields.scope')}
      name="scope"
      layout="row"
      value={receiver.country !== home ? 'international' : 'domestic'}
      onChange={(scope) =>
        form.patch({
          receiver: { ...receiver, country: scope === 'domestic' ? home : '', postcode: '', city: '', state: '' },
          receiverKnown: false,
          servicePicked: false,
          // International parcels are always delivered to the door.
          ...(scope === 'domestic' ? {} : { deliveryMode: isPickedUp(deliveryMode) ? 'D2D' : 'P2D' }),
        })
      }
      choices={choices(scopeLabels).map(({ value, label }) => ({ value, title: label }))}
    />
  )
}
