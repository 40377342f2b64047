import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import type { ReactNode } from 'react'
import { Row, Stack } from '../../../components/layout/boxes.tsx'
import { ErrorText, Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { PriceLines } from '../../pricing/shared/price-lines.tsx'
import { ExpectedDay } from './expected-day.tsx'
import { formatZones } from './format-zones.ts'
import { PriceHints } from './price-hints.tsx'
import { PriceProblem } from './price-problem.tsx'
import type { MissingInput, Quotes } from './use-quotes.ts'

const needs = ['from', 'to', 'weight'] as const

type Props = { quotes: Quotes; quote: ServiceQuote | null; children: ReactNode }

/** The price of the current input and its explanation; before that, the missing fields. Below are the buttons. */
export function PricePanel({ quotes, quote, children }: Props) {
  const t = useT()
  return (
    <>
      <div aria-live="polite" aria-busy={quotes.stale} data-stale={quotes.stale}>
        {quotes.missing.length > 0 ? (
          <>
            <Note>{t('newParcel.priceNeeds')}</Note>
            <Stack as="ul" gap={4} style={{ marginBlockStart: 12 }}>
              {needs.map((name) => (
                <Need key={name} name={name} quotes={quotes} />
              ))}
            </Stack>
          </>
        ) : quotes.offline ? (
          <Note>{t('newParcel.offline')}</Note>
        ) : quotes.error ? (
          <PriceProblem quotes={quotes} />
        ) : quote?.price ? (
          <Chosen quote={quote} />
        ) : (
          <Note>{t(quotes.items.length > 0 ? 'home.noService' : 'list.loading')}</Note>
        )}
      </div>
      {children}
    </>
  )
}

/** A field that the price needs: open, filled in, or with the message of a postcode that does not exist. */
function Need({ name, quotes: { missing, unknown } }: { name: MissingInput; quotes: Quotes }) {
  const t = useT()
  const problem = unknown[name]
  const isGiven = !missing.includes(name) && problem === undefined
  return (
    <li>
      <Row gap={8}>
        {isGiven ? (
          <IconCircleCheck size={16} color="var(--wb-success)" aria-hidden />
        ) : (
          <IconCircle size={16} aria-hidden />
        )}
        {t(`newParcel.needed.${name}`)}
        {isGiven && <span className="wb-hidden"> {t('newParcel.given')}</span>}
      </Row>
      {problem !== undefined && <ErrorText>{problem}</ErrorText>}
    </li>
  )
}

function Chosen({ quote }: { quote: ServiceQuote }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const language = useLanguage()
  const { price } = quote
  if (!price) return null
  return (
    <>
      <div style={{ marginBlockEnd: 16 }}>
        <strong>{label(serviceTypeLabels, quote.serviceType)}</strong>
        <Note as="div">
          <span>
            {label(carrierLabels, quote.carrier)} · {label(deliveryModeLabels, quote.deliveryMode)}
          </span>
          <ExpectedDay day={quote.expectedDate} />
        </Note>
      </div>
      <PriceLines
        lines={price.lines}
        totalMinor={price.totalMinor}
        currency={price.currency}
        detail={({ kind, amountMinor }) =>
          kind === 'freight'
            ? [format.weight(price.chargeableGrams), formatZones(t, language, price)].filter(Boolean).join(' · ')
            : kind === 'pickup'
              ? t(amountMinor === 0 ? 'newParcel.pickupFree' : 'cart.pickupOnce')
              : undefined
        }
      />
      <PriceHints hints={quote.hints} currency={price.currency} />
    </>
  )
}
