import { Button } from '@mantine/core'
import { openDrawer, type StationDrawer } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { staleCash } from '../shared/stale-cash.ts'
import { ReopenDialog } from './reopen-dialog.tsx'

/** Begins a shift of a drawer with the counted amount. A supervisor may reopen the shift before it. */
export function OpenForm({ drawer, currency }: { drawer: StationDrawer; currency: string }) {
  const t = useT()
  const format = useFormat()
  const { number, carriedMinor, lastClosed } = drawer
  const [reopening, setReopening] = useState(false)
  const callOnce = useCallOnce()
  const form = useContractForm({
    schema: openDrawer.body,
    initial: {
      drawerNumber: number,
      floatMinor: carriedMinor as number | null,
      currency,
      reason: null as string | null,
    },
    onSubmit: (body) => callOnce(openDrawer, { body }),
    refresh: staleCash,
    refreshOnError: staleCash,
    success: t('cashPage.openedSaid'),
  })
  const isShortage = (form.values.floatMinor ?? 0) < carriedMinor
  const title = t('cashPage.open', { number })
  return (
    <Panel gap={12} padding={20} style={{ maxWidth: 480 }} aria-label={title} title={title}>
      <Note>{t('cashPage.openHint')}</Note>
      {lastClosed?.closedAt && (
        <Quiet>
          {t('cashPage.lastShift', { name: lastClosed.closedBy ?? '', time: format.dateTime(lastClosed.closedAt) })}
        </Quiet>
      )}
      <Stack {...form.props} as="form">
        <MoneyField
          field={form.field('floatMinor', t('fields.floatMinor'))}
          currency={currency}
          help={
            lastClosed
              ? t('cashPage.carried', { amount: format.money(carriedMinor, currency) })
              : t('cashPage.firstFloat')
          }
          autoFocus
        />
        {isShortage && <TextField field={{ ...form.field('reason', t('cashPage.lessReason')), required: true }} />}
        <Buttons>
          <Button type="submit" variant="filled" size="lg" loading={form.submitting}>
            {t('cashPage.openAct')}
          </Button>
          {lastClosed?.mayReopen && (
            <Button size="lg" onClick={() => setReopening(true)}>
              {t('cashPage.reopen')}
            </Button>
          )}
        </Buttons>
      </Stack>
      {reopening && lastClosed && <ReopenDialog drawer={lastClosed} onClose={() => setReopening(false)} />}
    </Panel>
  )
}
