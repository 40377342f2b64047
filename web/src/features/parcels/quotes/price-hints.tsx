import type { PriceHint } from '@waybill/contract/pricing/pricing'
import { Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/** Hints from the server on how to pay less. Hidden without one. */
export function PriceHints({ hints, currency }: { hints: readonly PriceHint[]; currency: string }) {
  const t = useT()
  const format = useFormat()
  if (hints.length === 0) return null
  const words = (hint: PriceHint) => {
    const amount = format.money(hint.savesMinor, currency)
    if (hint.kind === 'lighter') return t('priceHint.lighter', { less: format.weight(hint.lessGrams), amount })
    if (hint.kind === 'delivery_mode') {
      return t('priceHint.delivery_mode', { mode: t(`priceHint.mode.${hint.deliveryMode}`), amount })
    }
    return t('priceHint.smaller', {
      side: t(`priceHint.side.${hint.side}`),
      less: format.length(hint.lessMm),
      amount,
    })
  }
  return (
    <Notice as="section" tone="success" style={{ marginBlockStart: 12 }}>
      <strong>{t('priceHint.title')}</strong>
      <ul style={{ paddingInlineStart: 20 }}>
        {hints.map((hint) => (
          <li key={words(hint)}>{words(hint)}</li>
        ))}
      </ul>
    </Notice>
  )
}
