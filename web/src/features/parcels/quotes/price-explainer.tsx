import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { AmountLines } from '../../../components/display/amount-lines.tsx'
import { Panel } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { formatZones } from './format-zones.ts'

/** The explanation of a price: compared weights, zones and every line. `note`: what may still change it. */
export function PriceExplainer({ price, note }: { price: PriceBreakdown; note?: string | undefined }) {
  const t = useT()
  const format = useFormat()
  return (
    <Panel title={t('parcelPage.price')}>
      <AmountLines
        lines={price.lines.map((line) => ({
          key: line.kind,
          label: t(`price.line.${line.kind}`),
          amount: format.money(line.amountMinor, price.currency),
        }))}
        total={{ label: t('parcelPage.total'), amount: format.money(price.totalMinor, price.currency) }}
      />
      <PriceNotes price={price} />
      {note && <Note>{note}</Note>}
    </Panel>
  )
}

/** The weights and zones of a price, in sentences. */
export function PriceNotes({ price }: { price: PriceBreakdown }) {
  const t = useT()
  const format = useFormat()
  const weights = t(price.volumetricGrams ? 'parcelPage.weights' : 'parcelPage.oneWeight', {
    actual: format.weight(price.weightGrams),
    volumetric: format.weight(price.volumetricGrams),
    chargeable: format.weight(price.chargeableGrams),
  })
  const zones = formatZones(t, useLanguage(), price)
  return (
    <>
      <Note>{weights}</Note>
      {zones && <Note>{zones}</Note>}
    </>
  )
}
