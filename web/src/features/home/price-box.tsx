import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { postcode } from '@waybill/contract/ground/fields'
import { weightGrams } from '@waybill/contract/ground/measures'
import { priceServices, type ServiceQuote } from '@waybill/contract/pricing/pricing'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { WeightField } from '../../components/fields/measure-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { Grid, LineList, Panel, Row } from '../../components/layout/boxes.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { ApiError, call } from '../../lib/api.ts'
import { newParcelPath, viaSignIn } from '../../lib/browser/new-parcel-path.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useSession } from '../../lib/session.ts'

const threeFields = z.object({ from: postcode, to: postcode, weightGrams })
const initial = { from: '', to: '', weightGrams: null as number | null }

type Answer = { search: { from: string; to: string; grams: number }; quotes: readonly ServiceQuote[] }

/** A price estimate from three fields, without an account. The prices page also supports other countries. */
export function PriceBox() {
  const t = useT()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const form = useContractForm({
    schema: threeFields,
    initial,
    onSubmit: async ({ from, to, weightGrams: grams }) => {
      setAnswer(null)
      const body = { sender: { postcode: from }, receiver: { postcode: to }, weightGrams: grams }
      const { items } = await call(priceServices, { body }).catch(nameFields)
      setAnswer({ search: { from, to, grams }, quotes: items.filter(({ open }) => open) })
    },
  })
  // Prices for other places than those in the fields would be misleading.
  const { from, to, weightGrams: grams } = form.values
  const isCurrent =
    answer !== null &&
    answer.search.from === from.trim() &&
    answer.search.to === to.trim() &&
    answer.search.grams === grams
  const current = isCurrent ? answer : null
  return (
    <Panel aria-labelledby="price-title">
      <h2 id="price-title">{t('home.priceTitle')}</h2>
      <Grid {...form.props} as="form" min={130} gap={12}>
        <TextField
          field={form.field('from', t('home.from'))}
          inputMode="numeric"
          autoComplete="off"
          withAsterisk={false}
        />
        <TextField field={form.field('to', t('home.to'))} inputMode="numeric" autoComplete="off" withAsterisk={false} />
        <WeightField field={form.field('weightGrams')} withAsterisk={false} />
        <Button type="submit" loading={form.submitting} data-wide>
          {t('home.priceAction')}
        </Button>
      </Grid>
      <div aria-live="polite">{current && <Quotes {...current} />}</div>
      <Link to="/public/prices" search={current?.search ?? {}}>
        {t('prices.all')}
      </Link>
    </Panel>
  )
}

/** The fields of the request by their names in this form, so that each error is shown at its field. */
const fieldNames: Readonly<Record<string, string>> = { 'sender.postcode': 'from', 'receiver.postcode': 'to' }

/** Throws the error again, with the names of this form's fields. */
function nameFields(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  const { statusCode, code, message, errors, details } = error
  const renamed = errors.map((each) => ({ ...each, field: fieldNames[each.field] ?? each.field }))
  throw new ApiError({ statusCode, code, message, errors: renamed, details })
}

/** The prices. Each leads to a new parcel with the same input, for a visitor through the registration. */
function Quotes({ search, quotes }: Answer) {
  const t = useT()
  const signedIn = useSession((state) => state.tokens.access !== null)
  const longDay = useLongDay()
  const format = useFormat()
  const label = useLabel()
  const shipHref = ({ code }: ServiceQuote) => {
    const path = newParcelPath({ ...search, service: code })
    return signedIn ? path : viaSignIn('/register', path)
  }
  if (quotes.length === 0) return <p>{t('home.noService')}</p>
  return (
    <LineList>
      {quotes.map((quote) => (
        <li key={quote.code}>
          <div>
            <strong>{label(serviceTypeLabels, quote.serviceType)}</strong>
            <Quiet as="div">
              <div>{label(deliveryModeLabels, quote.deliveryMode)}</div>
              {quote.expectedDate && t('home.expected', { day: longDay(quote.expectedDate) })}
            </Quiet>
          </div>
          <Row gap={12}>
            {quote.price && <strong>{format.money(quote.price.totalMinor, quote.price.currency)}</strong>}
            <Button
              component="a"
              size="compact-sm"
              href={shipHref(quote)}
              aria-label={t('phrase.labelled', {
                label: t('prices.ship'),
                value: label(serviceTypeLabels, quote.serviceType),
              })}
            >
              {t('prices.ship')}
            </Button>
          </Row>
        </li>
      ))}
    </LineList>
  )
}
