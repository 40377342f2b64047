import { carrierLabels, deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import type { ReactNode } from 'react'
import { useLongDay } from '../../../components/long-day.ts'
import { errorMessage } from '../../../components/notify.tsx'
import { PriceLines } from '../../../components/price-lines.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import classes from '../new-parcel/new-parcel.module.css'
import { PriceHints } from './price-hints.tsx'
import type { Quotes } from './use-quotes.ts'

const needs = ['from', 'to', 'weight'] as const

type Props = { quotes: Quotes; chosen: ServiceQuote | null; children: ReactNode }

/**
 * What it costs and why, for what stands in the fields now; before that, what is still needed to say so. Below it the
 * actions.
 */
export function PricePanel({ quotes, chosen, children }: Props) {
  const t = useT()
  return (
    <>
      <div aria-live="polite" aria-busy={quotes.stale} data-stale={quotes.stale} className={classes.price}>
        {quotes.needed.length > 0 ? (
          <>
            <p className={classes.note}>{t('newParcel.priceNeeds')}</p>
            <ul className={classes.needs}>
              {needs.map((name) => (
                <li key={name} data-done={!quotes.needed.includes(name)}>
                  {t(`newParcel.needed.${name}`)}
                  {!quotes.needed.includes(name) && <span className="wb-hidden"> {t('newParcel.given')}</span>}
                </li>
              ))}
            </ul>
          </>
        ) : quotes.error ? (
          <p className={classes.note}>{errorMessage(quotes.error)}</p>
        ) : chosen?.price ? (
          <Chosen quote={chosen} />
        ) : (
          <p className={classes.note}>{t(quotes.items.length > 0 ? 'home.noService' : 'list.loading')}</p>
        )}
      </div>
      {children}
    </>
  )
}

function Chosen({ quote }: { quote: ServiceQuote }) {
  const longDay = useLongDay()
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const { price } = quote
  if (!price) return null
  return (
    <>
      <p className={classes.chosen}>
        <strong>{label(serviceTypeLabels, quote.serviceType)}</strong>
        <span>
          {label(carrierLabels, quote.carrier)} · {label(deliveryModeLabels, quote.deliveryMode)}
        </span>
        {quote.expectedDate && (
          <span className={classes.expected}>
            {t('newParcel.expected', {
              day: longDay(quote.expectedDate),
            })}
          </span>
        )}
      </p>
      <PriceLines
        lines={price.lines}
        totalMinor={price.totalMinor}
        currency={price.currency}
        detail={({ kind }) =>
          kind === 'freight'
            ? t('newParcel.freightFor', {
                weight: format.weight(price.chargeableGrams),
                from: price.originZone,
                to: price.destinationZone,
              })
            : kind === 'pickup'
              ? t('cart.pickupOnce')
              : undefined
        }
      />
      <PriceHints hints={quote.hints} currency={price.currency} />
    </>
  )
}
