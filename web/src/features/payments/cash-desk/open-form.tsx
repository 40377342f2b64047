import { Button } from '@mantine/core'
import { openDrawer, type StationDrawer } from '@waybill/contract/payments/cash-desk'
import { isBelowCoin, roundToCash } from '@waybill/contract/payments/coins'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
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

type Props = { drawer: StationDrawer; currency: string }

function useOpening({ drawer: { number, carriedMinor }, currency }: Props, onSuccess?: () => void) {
  const t = useT()
  const callOnce = useCallOnce()
  return useContractForm({
    schema: openDrawer.body,
    initial: {
      drawerNumber: number,
      // A drawer from before this rule may hold an amount that no coins make.
      floatMinor: roundToCash(carriedMinor, currency) as number | null,
      currency,
      reason: null as string | null,
    },
    onSubmit: (body) => callOnce(openDrawer, { body }),
    refresh: staleCash,
    refreshOnError: staleCash,
    success: t('cashPage.openedSaid'),
    onSuccess,
  })
}

/** Begins a shift of a drawer with the counted amount. A supervisor may reopen the shift before it. */
export function OpenForm({ drawer, currency }: Props) {
  const t = useT()
  const { number, lastClosed } = drawer
  const [reopening, setReopening] = useState(false)
  const form = useOpening({ drawer, currency })
  const title = t('cashPage.open', { number })
  return (
    <Panel gap={12} padding={20} style={{ maxWidth: 480 }} aria-label={title} title={title}>
      <LastShift drawer={drawer} />
      <Stack {...form.props} as="form">
        <FloatFields drawer={drawer} currency={currency} form={form} />
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

/** The same in a dialog, on a page whose input must not be lost. */
export function OpenDialog({ drawer, currency, onClose }: Props & { onClose: () => void }) {
  const t = useT()
  const form = useOpening({ drawer, currency }, onClose)
  const title = t('cashPage.open', { number: drawer.number })
  return (
    <SaveDialog title={title} form={form} onClose={onClose} save={t('cashPage.openAct')}>
      <LastShift drawer={drawer} />
      <FloatFields drawer={drawer} currency={currency} form={form} />
    </SaveDialog>
  )
}

/** What to do, and who closed the drawer last. */
function LastShift({ drawer: { lastClosed } }: Pick<Props, 'drawer'>) {
  const t = useT()
  const format = useFormat()
  return (
    <>
      <Note>{t('cashPage.openHint')}</Note>
      {lastClosed?.closedAt && (
        <Quiet>
          {t('cashPage.lastShift', { name: lastClosed.closedBy ?? '', time: format.dateTime(lastClosed.closedAt) })}
        </Quiet>
      )}
    </>
  )
}

function FloatFields({ drawer, currency, form }: Props & { form: ReturnType<typeof useOpening> }) {
  const t = useT()
  const format = useFormat()
  const { carriedMinor, lastClosed } = drawer
  const difference = (form.values.floatMinor ?? 0) - carriedMinor
  const isShortage = difference < 0 && !isBelowCoin(difference, currency)
  return (
    <>
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
    </>
  )
}
