import { Button } from '@mantine/core'
import { askApproval, listApprovals } from '@waybill/contract/orders/approvals'
import { abandonCheckouts } from '@waybill/contract/orders/checkout'
import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { changedByCheckout } from '../../parcels/shared/changed-by-checkout.ts'

type RequiredApproval = NonNullable<OrderDetail['approval']>

/** An order above the company's limit: asks for an approval and explains the steps. */
export function AskApproval({ order, approval }: { order: OrderDetail; approval: RequiredApproval }) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const form = useContractForm({
    schema: askApproval.body,
    initial: { orderId: order.id, note: '' },
    onSubmit: (body) => callOnce(askApproval, { body }),
    refresh: [...changedByCheckout, listApprovals],
    refreshOnError: [getOrder],
  })
  // An approved order is billed. Why that is closed is said here, because no approver could help.
  const billing = order.methods.find(({ method }) => method === 'monthly_billing')?.reason
  if (billing && billing !== 'approval_needed') {
    return (
      <Panel gap={12} padding={20} aria-label={t('approvals.askTitle')}>
        <h3>{t('approvals.askTitle')}</h3>
        <p>{t('approvals.cannotAsk', { reason: t(`paymentClosed.${billing}`) })}</p>
      </Panel>
    )
  }
  return (
    <Panel gap={12} padding={20} aria-label={t('approvals.askTitle')}>
      <h3>{t('approvals.askTitle')}</h3>
      <p>
        {t('approvals.askText', {
          amount: format.money(approval.aboveMinor ?? 0, order.currency),
          spent: format.money(approval.spentMinor, order.currency),
        })}
      </p>
      <ol>
        <li>{t('approvals.step1')}</li>
        <li>{t('approvals.step2', { days: approval.days })}</li>
        <li>{t('approvals.step3')}</li>
      </ol>
      <Stack {...form.props} as="form">
        <TextField field={form.field('note', t('approvals.note'))} autoComplete="off" help={t('approvals.noteHelp')} />
        <Buttons>
          <Button type="submit" variant="filled" size="md" loading={form.submitting}>
            {t('approvals.ask')}
          </Button>
        </Buttons>
      </Stack>
    </Panel>
  )
}

/** An order that waits for approval, with a button to withdraw the request or to decide it. */
export function WaitsForApproval({ order, approval }: { order: OrderDetail; approval: RequiredApproval }) {
  const t = useT()
  const format = useFormat()
  const { request } = approval
  const withdraw = useSend(() => call(abandonCheckouts, { query: { ids: order.id } }), {
    confirm: {
      title: t('approvals.withdrawTitle'),
      message: t('approvals.withdrawText'),
      action: t('approvals.withdraw'),
    },
    refresh: [...changedByCheckout, listApprovals],
  })
  if (!request) return null
  const waitsText = t('approvals.waitsText', { time: format.dateTime(request.expiresAt) })
  return (
    <Stack>
      <strong>
        {t('approvals.waits', { name: request.requestedBy.name, time: format.dateTime(request.requestedAt) })}
      </strong>
      {request.note && <Note>“{request.note}”</Note>}
      <Note>
        {request.decidable
          ? waitsText
          : t('phrase.sentences', { first: waitsText, second: t('approvals.decisionMail') })}
      </Note>
      <Buttons>
        <Button loading={withdraw.pending} onClick={() => void withdraw.send()}>
          {t('approvals.withdraw')}
        </Button>
        <ButtonLink to="/approvals" variant={request.decidable ? 'filled' : 'default'}>
          {t(request.decidable ? 'approvals.toDecide' : 'approvals.toList')}
        </ButtonLink>
      </Buttons>
    </Stack>
  )
}
