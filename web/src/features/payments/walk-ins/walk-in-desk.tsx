import { Button } from '@mantine/core'
import type { Locale } from '@waybill/contract/ground/constants'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { locale } from '@waybill/contract/ground/fields'
import type { ParcelOverride } from '@waybill/contract/parcels/parcels'
import { recentScans } from '@waybill/contract/parcels/scanning'
import { listStock } from '@waybill/contract/parcels/stock'
import type { StationDrawer } from '@waybill/contract/payments/cash-desk'
import { roundToCash } from '@waybill/contract/payments/coins'
import { bookWalkIn } from '@waybill/contract/payments/walk-ins'
import { priceServices } from '@waybill/contract/pricing/pricing'
import { type FormEvent, useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { notify } from '../../../components/feedback/notify.tsx'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { languageChoices } from '../../../components/form/language-choices.ts'
import { useUnsavedGuard } from '../../../components/form/use-unsaved-guard.ts'
import { Columns, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Figure, Note } from '../../../components/layout/text.tsx'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useRefresh } from '../../../lib/query.ts'
import type { PartyValues } from '../../addresses/shared/party-values.ts'
import { useOverride } from '../../addresses/shared/use-override.ts'
import { useWalkInParcel, type WalkIn, WalkInParcel, WalkInPrice } from '../../parcels/shared/walk-in-parcel.tsx'
import { OpenDialog } from '../cash-desk/open-form.tsx'
import { CashGiven, cashGivenSchema } from '../shared/cash-given.tsx'
import { staleCash } from '../shared/stale-cash.ts'
import { ClosedDrawerNotice, takesCash } from './no-drawer.tsx'

/** The sender of a walk-in, with the language of the mails. */
export type WalkInSender = { party: PartyValues; language: Locale }

/** A parcel that was booked, with its sender and receiver for the screen. */
export type Booking = ResponseOf<typeof bookWalkIn> & { sender: WalkInSender; receiver: string }

type Payment = { givenMinor: number; language: Locale }

type Props = {
  stationId: string
  drawer: StationDrawer
  currency: string
  country: string
  /** The sender of the parcel before, who has brought another one. */
  sender: WalkInSender | null
  onBooked: (booking: Booking) => void
}

/** The parcel, its price and the cash. One button books, sells and accepts. */
export function WalkInDesk(props: Props) {
  const { stationId, drawer, currency, country, sender, onBooked } = props
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const refresh = useRefresh()
  const override = useOverride({ text: t('newParcel.contradictionText'), action: t('newParcel.override') })
  const screenLanguage = useLanguage()
  /** The payment that is being sent; null while the cash field is invalid. */
  const payment = useRef<Payment | null>(null)
  const [opening, setOpening] = useState(false)

  const walkIn: WalkIn = useWalkInParcel<Booking | null>({
    country,
    stationId,
    sender: sender?.party ?? null,
    onSubmit: async (body, values) => {
      // The parcel is valid. Next are its price and the cash, whose field gets the focus if it is not.
      payment.current = null
      if (totalMinor === null) {
        if (quotes.error) quotes.retry()
        notify.warning(quotes.error ? errorMessage(quotes.error) : t('walkInPage.noPrice'))
        return null
      }
      await cash.submit()
      // The compiler does not know that the submission sets it.
      const cashPayment = payment.current as Payment | null
      if (!cashPayment) return null
      const sale = { ...cashPayment, drawerNumber: drawer.number, expectedTotalMinor: totalMinor, currency }
      const booked = await override.save<ResponseOf<typeof bookWalkIn>, ParcelOverride['field']>((fields) =>
        callOnce(bookWalkIn, { body: { ...body, ...sale, override: fields } }),
      )
      const { language } = sale
      return { ...booked, sender: { party: values.sender, language }, receiver: values.receiver.contactName }
    },
    refreshOnError: [...staleCash, priceServices],
    // The drawer can be opened here, so the dialog is the answer.
    onError: (error) => {
      const isClosed = error instanceof ApiError && error.code === 'drawer_not_open'
      if (isClosed) setOpening(true)
      return isClosed
    },
    onSuccess: (booking) => {
      if (!booking) return
      onBooked(booking)
      // Only after a booking: until the lists are loaded, the button would ignore the next press.
      void refresh(...staleCash, recentScans, listStock)
    },
  })
  const { quotes, quote, form } = walkIn
  useUnsavedGuard(form.dirty && !form.submitting)
  const isPriced = quotes.missing.length === 0 && !quotes.stale
  const totalMinor = isPriced ? (quote?.price?.totalMinor ?? null) : null
  const cashMinor = totalMinor === null ? null : roundToCash(totalMinor, currency)
  const schema = useMemo(
    () => z.extend(cashGivenSchema(cashMinor ?? 0, currency), { language: locale }),
    [cashMinor, currency],
  )
  const cash = useContractForm({
    schema,
    initial: { givenMinor: null as number | null, language: sender?.language ?? screenLanguage },
    onSubmit: (body) => {
      payment.current = body
    },
  })
  function pay(event: FormEvent) {
    event.preventDefault()
    if (drawer.open === null) setOpening(true)
    else void form.submit()
  }
  return (
    <Columns>
      <WalkInParcel {...walkIn} />
      <Panel
        title={t('walkInPage.payment')}
        aria-label={t('walkInPage.payment')}
        style={{ position: 'sticky', insetBlockStart: 80 }}
      >
        <WalkInPrice walkIn={walkIn}>
          <Stack {...cash.props} onSubmit={pay} as="form">
            {cashMinor !== null && (
              <>
                <Facts>
                  <Fact total label={t('cashPage.toPay')}>
                    <Figure as="span">{format.money(cashMinor, currency)}</Figure>
                  </Fact>
                </Facts>
                <CashGiven field={cash.field('givenMinor')} cashMinor={cashMinor} currency={currency} />
                {(form.values.sender.email || form.values.receiver.email) && (
                  <RadioField field={cash.field('language', t('walkInPage.mailLanguage'))} choices={languageChoices} />
                )}
              </>
            )}
            {!takesCash(drawer) && <ClosedDrawerNotice drawer={drawer} onOpen={() => setOpening(true)} />}
            <Button type="submit" variant="filled" size="lg" loading={form.submitting}>
              {t('walkInPage.take')}
            </Button>
            <Note>{t('walkInPage.terms')}</Note>
          </Stack>
        </WalkInPrice>
      </Panel>
      {opening && drawer.open === null && (
        <OpenDialog drawer={drawer} currency={currency} onClose={() => setOpening(false)} />
      )}
    </Columns>
  )
}
