import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums'
import { postcode } from '@waybill/contract/ground/fields'
import { weightGrams } from '@waybill/contract/ground/measures'
import { priceServices, type ServiceQuote } from '@waybill/contract/pricing/pricing'
import { useState } from 'react'
import * as z from 'zod/mini'
import { WeightField } from '../../components/fields/measure-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { Grid, LineList, Panel } from '../../components/layout/boxes.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { ApiError, call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useSession } from '../../lib/session.ts'
import { shipPath } from '../pricing/shared/ship-path.ts'

const threeFields = z.object({ from: postcode, to: postcode, weightGrams })
type Search = { from?: string; to?: string; grams?: number }

const initial = { from: '', to: '', weightGrams: null as number | null }

const fieldNames: Readonly<Record<string, string>> = { 'sender.postcode': 'from', 'receiver.postcode': 'to' }

/** The error with its fields by the names of this form, so that it stands beside the postcode that it is about. */
function atFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { statusCode, code, message, details } = error
  const errors = error.errors.map((each) => ({ ...each, field: fieldNames[each.field] ?? each.field }))
  return new ApiError({ statusCode, code, message, details, errors })
}

/** A price estimate from three fields, without an account. The page of prices also has other countries. */
export function PriceBox() {
  const t = useT()
  const [quotes, setQuotes] = useState<readonly ServiceQuote[] | null>(null)
  const [search, setSearch] = useState<Search>({})
  const form = useContractForm({
    schema: threeFields,
    initial,
    onSubmit: async ({ from, to, weightGrams: grams }) => {
      // Prices of other postcodes must not stand beside an error.
      setQuotes(null)
      const body = { sender: { postcode: from }, receiver: { postcode: to }, weightGrams: grams }
      const { items } = await call(priceServices, { body }).catch((error: unknown) => {
        throw atFields(error)
      })
      setQuotes(items.filter(({ open }) => open))
      setSearch({ from, to, grams })
    },
  })
  return (
    <Panel aria-labelledby="price-title" style={{ alignContent: 'start' }}>
      <h2 id="price-title">{t('home.priceTitle')}</h2>
      <Grid {...form.props} as="form" min={100} gap={12}>
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
      <div aria-live="polite">{quotes && <Quotes quotes={quotes} search={search} />}</div>
      <Link to="/public/prices" search={search}>
        {t('prices.all')}
      </Link>
    </Panel>
  )
}

function Quotes({ quotes, search }: { quotes: readonly ServiceQuote[]; search: Search }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const signedIn = useSession((state) => state.tokens.access !== null)
  if (quotes.length === 0) return <p>{t('home.noService')}</p>
  return (
    <LineList>
      {quotes.map((quote) => (
        <li key={quote.code}>
          <div>
            <strong>{label(serviceTypeLabels, quote.serviceType)}</strong>
            <Quiet as="div">
              {label(deliveryModeLabels, quote.deliveryMode)}
              {quote.expectedDate && ` · ${t('home.expected', { day: format.day(quote.expectedDate) })}`}
            </Quiet>
          </div>
          <div style={{ textAlign: 'end' }}>
            {quote.price && <strong>{format.money(quote.price.totalMinor, quote.price.currency)}</strong>}
            <div>
              <a
                href={shipPath(quote, search, signedIn)}
                aria-label={`${t('prices.ship')}: ${label(serviceTypeLabels, quote.serviceType)}`}
              >
                {t('prices.ship')}
              </a>
            </div>
          </div>
        </li>
      ))}
    </LineList>
  )
}
