import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { type DeliveryMode, deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import { quoteForCustomer } from '@waybill/contract/pricing/staff-quotes'
import { useState } from 'react'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { LengthField, MoneyField, WeightField } from '../../../components/fields/measure-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { CardList, Grid, Row, Stack } from '../../../components/layout/boxes.tsx'
import { Fold } from '../../../components/layout/fold.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices, useLabel } from '../../../lib/labels.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { CountryField } from '../../addresses/shared/country-field.tsx'
import { PriceLines } from '../shared/price-lines.tsx'

type Quotes = ResponseOf<typeof quoteForCustomer>
type Values = {
  customerEmail: string | null
  sender: { postcode: string }
  receiver: { country: string; postcode: string }
  deliveryMode: DeliveryMode
  weightGrams: number | null
  dimensions: { lengthMm: number | null; widthMm: number | null; heightMm: number | null }
  insuredValueMinor: number | null
  codAmountMinor: number | null
}

/** A parcel's prices for a customer on their own conditions, or for a prospect on the public ones. */
export function QuotesPage() {
  const t = useT()
  const home = useDeployment()?.countryCode
  const [quotes, setQuotes] = useState<Quotes | null>(null)
  return (
    <>
      <PageHeader
        title={t('quotesPage.title')}
        description={t('quotesPage.lead')}
        actions={<ButtonLink to="/staff/accounts">{t('quotesPage.accounts')}</ButtonLink>}
      />
      {home === undefined ? <Loading /> : <QuoteForm home={home} onQuotes={setQuotes} />}
      <div aria-live="polite" style={{ maxWidth: 960, marginBlockStart: 32 }}>
        {quotes && <QuoteList {...quotes} />}
      </div>
    </>
  )
}

/**
 * The fields as a request. `home`: the country of the deployment. Without any side there are no dimensions; with some,
 * the others are missing. International prices depend on the country only, and there is no COD.
 */
function toRequest(values: Values, home: string) {
  const abroad = values.receiver.country !== home
  return {
    ...values,
    scope: abroad ? 'international' : 'domestic',
    sender: { ...values.sender, country: home },
    receiver: { ...values.receiver, ...(abroad ? { postcode: '0' } : {}) },
    customerEmail: values.customerEmail || null,
    dimensions: Object.values(values.dimensions).every((side) => side === null) ? null : values.dimensions,
    codAmountMinor: abroad ? null : values.codAmountMinor,
  }
}

function QuoteForm({ home, onQuotes }: { home: string; onQuotes: (quotes: Quotes) => void }) {
  const t = useT()
  const choices = useChoices()
  const form = useContractForm<typeof quoteForCustomer.body, Values>({
    schema: quoteForCustomer.body,
    initial: {
      customerEmail: null,
      sender: { postcode: '' },
      receiver: { country: home, postcode: '' },
      deliveryMode: 'D2D',
      weightGrams: null,
      dimensions: { lengthMm: null, widthMm: null, heightMm: null },
      insuredValueMinor: null,
      codAmountMinor: null,
    },
    prepare: (values) => toRequest(values, home),
    onSubmit: async (body) => onQuotes(await call(quoteForCustomer, { body })),
  })
  const abroad = form.values.receiver.country !== home
  const optional = { required: false }
  return (
    <Stack {...form.props} as="form" gap={20} style={{ maxWidth: 960 }}>
      <Grid min={240}>
        <TextField
          field={{ ...form.field('customerEmail'), ...optional }}
          type="email"
          autoComplete="off"
          help={t('quotesPage.customerHelp')}
        />
        <SelectField field={form.field('deliveryMode')} choices={choices(deliveryModeLabels)} />
      </Grid>
      <Grid min={200}>
        <TextField field={form.field('sender.postcode', t('quotesPage.from'))} inputMode="numeric" autoComplete="off" />
        <CountryField field={form.field('receiver.country', t('quotesPage.toCountry'))} />
        {!abroad && (
          <TextField
            field={form.field('receiver.postcode', t('quotesPage.to'))}
            inputMode="numeric"
            autoComplete="off"
          />
        )}
      </Grid>
      <Grid min={140}>
        <WeightField field={form.field('weightGrams')} />
        <LengthField field={{ ...form.field('dimensions.lengthMm'), ...optional }} />
        <LengthField field={{ ...form.field('dimensions.widthMm'), ...optional }} />
        <LengthField field={{ ...form.field('dimensions.heightMm'), ...optional }} />
        <MoneyField field={{ ...form.field('insuredValueMinor'), ...optional }} />
        {!abroad && <MoneyField field={{ ...form.field('codAmountMinor'), ...optional }} />}
      </Grid>
      <div>
        <Button type="submit" variant="filled" loading={form.submitting}>
          {t('quotesPage.action')}
        </Button>
      </div>
    </Stack>
  )
}

function QuoteList({ account, items }: Quotes) {
  const t = useT()
  const open = items.filter((quote) => quote.open)
  return (
    <Stack as="section" aria-labelledby="quotes">
      <div>
        <h2 id="quotes">
          {account ? t('quotesPage.forCustomer', { name: account.name }) : t('quotesPage.forProspect')}
        </h2>
        <Note>{t(account?.hasOwnPrices ? 'quotesPage.ownPrices' : 'quotesPage.generalPrices')}</Note>
        {account && (
          <TextLink to="/staff/accounts/$id" params={{ id: account.id }}>
            {t('quotesPage.account')}
          </TextLink>
        )}
      </div>
      {open.length === 0 && <p>{t('quotesPage.none')}</p>}
      <CardList aria-label={t('quotesPage.result')}>
        {items.map((quote) => (
          <li key={`${quote.code} ${quote.carrier}`}>
            <QuoteCard quote={quote} />
          </li>
        ))}
      </CardList>
    </Stack>
  )
}

function QuoteCard({ quote }: { quote: ServiceQuote }) {
  const t = useT()
  const longDay = useLongDay()
  const format = useFormat()
  const label = useLabel()
  const { price, reason } = quote
  return (
    <Stack gap={8}>
      <Row justify="between">
        <span>
          <strong>{label(serviceTypeLabels, quote.serviceType)}</strong>
          <Quiet>
            {label(deliveryModeLabels, quote.deliveryMode)} · {label(carrierLabels, quote.carrier)}
            {quote.expectedDate && ` · ${t('home.expected', { day: longDay(quote.expectedDate) })}`}
          </Quiet>
        </span>
        <strong>{price && quote.open ? format.money(price.totalMinor, price.currency) : t('quotesPage.closed')}</strong>
      </Row>
      {!quote.open && reason && (
        <Quiet>
          {t(`serviceClosed.${reason.code}`, {
            limit: reason.limit === null ? '' : format.weight(reason.limit),
            station: reason.station ?? '',
          })}
        </Quiet>
      )}
      {price && quote.open && (
        <Fold summary={t('quotesPage.lines')}>
          <PriceLines lines={price.lines} totalMinor={price.totalMinor} currency={price.currency} />
        </Fold>
      )}
    </Stack>
  )
}
