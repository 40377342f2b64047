import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { getDrawer, openDrawer } from '@waybill/contract/payments/cash-desk'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'

/** Opens the day's drawer with the counted amount. */
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
    <Panel gap={12} padding={20} style={{ maxWidth: 480 }} aria-label={t('cashPage.open')} title={t('cashPage.open')}>
      <Note>{t('cashPage.openHint')}</Note>
      <Stack {...form.props} as="form">
        <MoneyField
          field={form.field('floatMinor', t('fields.floatMinor'))}
          currency={currency}
          help={t('cashPage.carried', { amount: format.money(carriedMinor, currency) })}
          autoFocus
        />
        {less && <TextField field={{ ...form.field('reason', t('cashPage.lessReason')), required: true }} />}
        <Buttons>
          <Button type="submit" variant="filled" size="lg" loading={form.submitting}>
            {t('cashPage.openAct')}
          </Button>
        </Buttons>
      </Stack>
    </Panel>
  )
}
