import { Button } from '@mantine/core'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums'
import { postcode } from '@waybill/contract/ground/fields'
import { weightGrams } from '@waybill/contract/ground/measures'
import { priceServices, type ServiceQuote } from '@waybill/contract/pricing/pricing'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useContractForm } from '../../components/form/contract-form.ts'
import { WeightField } from '../../components/form/measure-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import classes from './home.module.css'

const threeFields = z.object({ from: postcode, to: postcode, weightGrams })
const initial = { from: '', to: '', weightGrams: null as number | null }

/** A price in three fields, without an account. */
export function PriceBox() {
  const t = useT()
  const [quotes, setQuotes] = useState<readonly ServiceQuote[] | null>(null)
  const form = useContractForm({
    schema: threeFields,
    initial,
    onSubmit: async ({ from, to, weightGrams: grams }) => {
      const body = { sender: { postcode: from }, receiver: { postcode: to }, weightGrams: grams }
      const { items } = await call(priceServices, { body })
      setQuotes(items.filter(({ open }) => open))
    },
  })
  return (
    <section className={classes.box} aria-labelledby="price-title">
      <h2 id="price-title">{t('home.priceTitle')}</h2>
      <form {...form.props} className={classes.three}>
        <TextField
          field={form.field('from', t('home.from'))}
          inputMode="numeric"
          autoComplete="off"
          withAsterisk={false}
        />
        <TextField field={form.field('to', t('home.to'))} inputMode="numeric" autoComplete="off" withAsterisk={false} />
        <WeightField field={form.field('weightGrams')} withAsterisk={false} />
        <Button type="submit" loading={form.submitting} className={classes.whole}>
          {t('home.priceAction')}
        </Button>
      </form>
      <div aria-live="polite">{quotes && <Quotes quotes={quotes} />}</div>
    </section>
  )
}

function Quotes({ quotes }: { quotes: readonly ServiceQuote[] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  if (quotes.length === 0) return <p className={classes.answer}>{t('home.noService')}</p>
  return (
    <ul className={classes.quotes}>
      {quotes.map((quote) => (
        <li key={quote.code}>
          <div>
            <div className={classes.strong}>{label(serviceTypeLabels, quote.serviceType)}</div>
            <div className={classes.quiet}>
              {label(deliveryModeLabels, quote.deliveryMode)}
              {quote.expectedDate && ` · ${t('home.expected', { day: format.day(quote.expectedDate) })}`}
            </div>
          </div>
          {quote.price && (
            <div className={classes.price}>{format.money(quote.price.totalMinor, quote.price.currency)}</div>
          )}
        </li>
      ))}
    </ul>
  )
}
