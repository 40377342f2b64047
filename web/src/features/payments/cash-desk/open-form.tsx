import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { getDrawer, openDrawer } from '@waybill/contract/payments/cash-desk'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { MoneyField } from '../../../components/form/measure-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import classes from './cash.module.css'

/** Opens the day's drawer with the cash that was counted in it. */
export function OpenForm({ now }: { now: ResponseOf<typeof getDrawer> }) {
  const t = useT()
  const format = useFormat()
  const { carriedMinor, currency } = now
  const callOnce = useCallOnce()
  const form = useContractForm({
    schema: openDrawer.body,
    initial: { floatMinor: carriedMinor as number | null, currency, reason: null as string | null },
    onSubmit: (body) => callOnce(openDrawer, { body }),
    refresh: [getDrawer],
    refreshOnError: [getDrawer],
    success: t('cashPage.openedSaid'),
  })
  const less = (form.values.floatMinor ?? 0) < carriedMinor
  return (
    <section className={`${classes.card} ${classes.narrow}`} aria-label={t('cashPage.open')}>
      <h2>{t('cashPage.open')}</h2>
      <p className={classes.quiet}>{t('cashPage.openHint')}</p>
      <form {...form.props} className={classes.form}>
        <MoneyField
          field={form.field('floatMinor', t('fields.floatMinor'))}
          currency={currency}
          help={t('cashPage.carried', { amount: format.money(carriedMinor, currency) })}
          autoFocus
        />
        {less && <TextField field={{ ...form.field('reason', t('cashPage.lessReason')), required: true }} />}
        <div className={classes.buttons}>
          <Button type="submit" variant="filled" size="lg" loading={form.submitting}>
            {t('cashPage.openAct')}
          </Button>
        </div>
      </form>
    </section>
  )
}
