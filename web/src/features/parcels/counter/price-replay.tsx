import { type PriceReplay, replayParcelPrice } from '@waybill/contract/pricing/price-replay'
import type { PriceBreakdown, PriceLine } from '@waybill/contract/pricing/pricing'
import { useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Fold } from '../../../components/layout/fold.tsx'
import { Note, Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { PriceLines } from '../../pricing/shared/price-lines.tsx'
import { PriceNotes } from '../quotes/price-explainer.tsx'

/** How the price of a parcel was computed, for questions about it; loaded when it is opened. */
export function PriceReplayFold({ trackingNumber }: { trackingNumber: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <Fold
      summary={t('counterPage.price.title')}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      style={{ marginBlock: 16 }}
    >
      {open && <Replayed trackingNumber={trackingNumber} />}
    </Fold>
  )
}

function Replayed({ trackingNumber }: { trackingNumber: string }) {
  const replay = useCall(replayParcelPrice, { params: { no: trackingNumber } }, { staleTime: 0 })
  if (replay.data) return <Explained replay={replay.data} />
  return replay.error ? <ErrorPanel error={replay.error} retry={() => void replay.refetch()} /> : <Loading />
}

const tones = { same: 'success', different: 'danger', impossible: 'plain' } as const

function Explained({ replay }: { replay: PriceReplay }) {
  const t = useT()
  const format = useFormat()
  const { price, replayed, result } = replay
  const detail = useLineDetail(price)
  return (
    <Stack gap={12} style={{ maxWidth: 480 }}>
      <PriceLines lines={price.lines} totalMinor={price.totalMinor} currency={price.currency} detail={detail} />
      <PriceNotes price={price} />
      <CardNote replay={replay} />
      <Notice tone={tones[result]} role="status">
        {t(`counterPage.price.${result}`, { total: format.money(replayed?.totalMinor ?? 0, price.currency) })}
      </Notice>
    </Stack>
  )
}

function CardNote({ replay: { price, validity } }: { replay: PriceReplay }) {
  const t = useT()
  const format = useFormat()
  const names = { code: price.rateCard.code, edition: price.rateCard.version }
  if (!validity) return <Note>{t('counterPage.price.deletedCard', names)}</Note>
  const { from, to } = validity
  return (
    <Note>
      {to === null
        ? t('counterPage.price.cardFrom', { ...names, from: format.day(from) })
        : t('counterPage.price.cardFromTo', { ...names, from: format.day(from), to: format.day(to) })}
    </Note>
  )
}

/** What a line was computed from: the steps of the freight, and percentages. */
function useLineDetail({ currency }: PriceBreakdown) {
  const t = useT()
  const format = useFormat()
  const percent = (basisPoints: number) => t('counterPage.price.percent', { percent: format.number(basisPoints / 100) })
  return ({ kind, basis }: PriceLine): string | undefined => {
    if (kind === 'freight' && basis.stepWeightGrams !== undefined) {
      return t('counterPage.price.freight', {
        first: format.weight(Number(basis.firstWeightGrams)),
        firstPrice: format.money(Number(basis.firstPriceMinor), currency),
        steps: format.number(Number(basis.steps)),
        step: format.weight(Number(basis.stepWeightGrams)),
        stepPrice: format.money(Number(basis.stepPriceMinor), currency),
      })
    }
    if (basis.type === 'percentage') return percent(Number(basis.value))
    return basis.basisPoints === undefined ? undefined : percent(Number(basis.basisPoints))
  }
}
