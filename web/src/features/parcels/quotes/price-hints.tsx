import type { PriceHint } from '@waybill/contract/pricing/pricing'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './price-hints.module.css'

/** What would make it cheaper, as the server worked it out; nothing where nothing would. */
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
    <div className={classes.hints}>
      <p className={classes.title}>{t('priceHint.title')}</p>
      <ul className={classes.list}>
        {hints.map((hint) => (
          <li key={words(hint)}>{words(hint)}</li>
        ))}
      </ul>
    </div>
  )
}
