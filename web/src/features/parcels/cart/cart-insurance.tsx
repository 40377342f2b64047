import { Button } from '@mantine/core'
import { positiveMinorAmount } from '@waybill/contract/ground/money'
import { changeInsurance } from '@waybill/contract/parcels/cart'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { priceInsurance } from '@waybill/contract/pricing/pricing'
import * as z from 'zod/mini'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { changedByCheckout } from '../shared/changed-by-checkout.ts'

const insuredSchema = z.object({
  insuredValueMinor: positiveMinorAmount,
})

/** Insures one parcel of the cart, with the premium for the typed value. */
export default function CartInsurance({ parcel, onClose }: { parcel: Parcel; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const params = { id: parcel.id }
  const afterwards = { refresh: changedByCheckout, onSuccess: onClose }
  const form = useContractForm<typeof insuredSchema, { insuredValueMinor: number | null }>({
    schema: insuredSchema,
    initial: { insuredValueMinor: parcel.insuredValueMinor ?? parcel.declaredValueMinor },
    onSubmit: ({ insuredValueMinor }) => {
      // The declared value must not be lower than the insured one.
      const declaredValueMinor = Math.max(insuredValueMinor, parcel.declaredValueMinor ?? 0)
      const body = { version: parcel.version, insuredValueMinor, declaredValueMinor }
      return call(changeInsurance, { params, body })
    },
    ...afterwards,
  })
  const value = form.values.insuredValueMinor
  const premium = useCall(
    priceInsurance,
    { body: { insuredValueMinor: value ?? 1 } },
    { enabled: value !== null && insuredSchema.safeParse({ insuredValueMinor: value }).success, keepPrevious: true },
  )
  const takeOff = useSend(
    () => call(changeInsurance, { params, body: { version: parcel.version, insuredValueMinor: null } }),
    afterwards,
  )
  return (
    <Dialog title={t('cart.insureTitle', { name: parcel.receiver?.contactName ?? '' })} onClose={onClose}>
      <form {...form.props}>
        <MoneyField
          field={form.field('insuredValueMinor')}
          data-autofocus
          help={
            premium.data && value
              ? t('newParcel.insureFor', { amount: format.money(premium.data.premiumMinor) })
              : t('newParcel.insureHelp')
          }
        />
        <DialogFoot>
          {parcel.insuredValueMinor ? (
            <Button loading={takeOff.pending} onClick={() => void takeOff.send()}>
              {t('cart.uninsure')}
            </Button>
          ) : (
            <Button onClick={onClose}>{t('actions.cancel')}</Button>
          )}
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('cart.insure')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
