import { type WalkInParcel as Body, walkInParcel } from '@waybill/contract/payments/walk-ins'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import type { ReactNode } from 'react'
import type { SendOptions } from '../../../components/feedback/use-send.ts'
import { type ContractForm, useContractForm } from '../../../components/form/contract-form.ts'
import { Panel, Stack } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { PartyFields } from '../../addresses/shared/party-fields.tsx'
import { type PartyValues, partyFieldBinder } from '../../addresses/shared/party-values.ts'
import { CollectionStation } from '../cart/collection-station.tsx'
import { emptyParcel, type ParcelValues, toParcelInput } from '../new-parcel/parcel-values.ts'
import { useServiceChoice } from '../new-parcel/use-service-choice.ts'
import { WhatStep } from '../new-parcel/what-step.tsx'
import { PricePanel } from '../quotes/price-panel.tsx'
import { type Quotes, useQuotes } from '../quotes/use-quotes.ts'
import { DeliveryQuestions } from '../services/delivery-questions.tsx'
import { ScopeChoice } from '../services/scope-choice.tsx'
import { Services } from '../services/services.tsx'

type Options<T> = SendOptions<[Body], T> & {
  country: string
  /** The counter's station, where the parcel is dropped off. */
  stationId: string
  /** The sender of the parcel before, who has brought another one. */
  sender: PartyValues | null
  onSubmit: (body: Body, values: ParcelValues) => Promise<T>
}

/** The parcel of a walk-in. */
export type WalkIn = { form: ContractForm<ParcelValues>; quotes: Quotes; quote: ServiceQuote | null }

/** The form for the parcel of a sender without an account, with its prices from this station. */
export function useWalkInParcel<T>({ country, stationId, sender, ...sending }: Options<T>): WalkIn {
  const form: ContractForm<ParcelValues> = useContractForm<typeof walkInParcel, ParcelValues, T>({
    schema: walkInParcel,
    initial: { ...emptyParcel(country), deliveryMode: 'P2D', ...(sender && { sender }) },
    prepare: toParcelInput,
    ...sending,
  })
  const quotes = useQuotes(form.values, { dropOffStationId: stationId })
  const { quote } = useServiceChoice(form, quotes)
  return { form, quotes, quote }
}

/** The price of a walk-in; below it, the payment. */
export function WalkInPrice({ walkIn, children }: { walkIn: WalkIn; children: ReactNode }) {
  return (
    <PricePanel quotes={walkIn.quotes} quote={walkIn.quote}>
      {children}
    </PricePanel>
  )
}

/** All fields of a walk-in on one screen, in the order in which a clerk asks for them. */
export function WalkInParcel({ form, quotes, quote }: WalkIn) {
  const t = useT()
  const { sender, receiver, deliveryMode } = form.values
  const isAbroad = receiver.country !== (useDeployment()?.countryCode ?? sender.country)
  return (
    <Stack as="form" {...form.props}>
      <Panel title={t('newParcel.step.from')} aria-label={t('newParcel.step.from')}>
        <PartyFields field={partyFieldBinder(form, 'sender')} autoFocus showsMore />
      </Panel>
      <Panel title={t('newParcel.step.to')} aria-label={t('newParcel.step.to')}>
        <ScopeChoice form={form} />
        <PartyFields field={partyFieldBinder(form, 'receiver')} countries={isAbroad ? 'abroad' : undefined} />
      </Panel>
      <Panel title={t('newParcel.step.what')} aria-label={t('newParcel.step.what')}>
        <WhatStep form={form} quote={quote} stale={quotes.stale} hasAccount={false} />
      </Panel>
      <Panel title={t('newParcel.step.how')} aria-label={t('newParcel.step.how')}>
        <DeliveryQuestions form={form} atCounter />
        {endsAtStation(deliveryMode) && (
          <CollectionStation
            field={form.field('selfCollectionStationId')}
            near={receiver.postcode}
            state={receiver.state}
          />
        )}
        <Services form={form} quotes={quotes} />
      </Panel>
    </Stack>
  )
}
