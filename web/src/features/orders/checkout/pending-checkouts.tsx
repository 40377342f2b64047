import { Button } from '@mantine/core'
import { abandonCheckouts, pendingCheckouts } from '@waybill/contract/orders/checkout'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, LineList, Panel, Row } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { changedByCheckout } from '../../parcels/shared/changed-by-checkout.ts'

type Pending = {
  id: string
  number: string
  totalMinor: number
  currency: string
  expiresAt: string | null
  parcelCount: number
  waitsForApproval: boolean
}

/** Unpaid checkouts, each with its payment and a button that abandons it. Hidden if there are none. */
export function PendingCheckouts() {
  const t = useT()
  const mayPay = useMay('pay')
  const pending = useCall(pendingCheckouts, {})
  const items = pending.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Panel
      padding={16}
      style={{ borderInlineStart: '4px solid var(--wb-waiting)', marginBlockEnd: 24 }}
      aria-label={t('pendingCheckout.title', { count: items.length })}
      title={t('pendingCheckout.title', { count: items.length })}
    >
      <LineList>
        {items.map((order) => (
          <li key={order.id}>
            <PendingOrder order={order} />
            {mayPay && <PendingActions order={order} />}
          </li>
        ))}
      </LineList>
    </Panel>
  )
}

function PendingOrder({ order }: { order: Pending }) {
  const t = useT()
  const format = useFormat()
  return (
    <div>
      <Row gap="4px 12px">
        <TextLink to="/orders/$id" params={{ id: order.id }}>
          {order.number}
        </TextLink>
        <span>{t('pendingCheckout.parcels', { count: order.parcelCount })}</span>
        <span>{format.money(order.totalMinor, order.currency)}</span>
      </Row>
      {order.expiresAt && (
        <Quiet as="div">
          {t(order.waitsForApproval ? 'pendingCheckout.decideUntil' : 'pendingCheckout.until', {
            time: format.dateTime(order.expiresAt),
          })}
        </Quiet>
      )}
    </div>
  )
}

function PendingActions({ order }: { order: Pending }) {
  const t = useT()
  const abandon = useSend(() => call(abandonCheckouts, { query: { ids: order.id } }), {
    confirm: {
      title: t('pendingCheckout.confirm'),
      message: t('pendingCheckout.confirmText', { number: order.number }),
      action: t('pendingCheckout.abandon'),
    },
    refresh: changedByCheckout,
    success: ({ parcelIds }) => t('pendingCheckout.done', { count: parcelIds.length }),
  })
  if (order.waitsForApproval) {
    return (
      <Buttons>
        <ButtonLink to="/checkout/$orderId" params={{ orderId: order.id }}>
          {t('pendingCheckout.approval')}
        </ButtonLink>
      </Buttons>
    )
  }
  return (
    <Buttons>
      <Button variant="default" loading={abandon.pending} onClick={() => void abandon.send()}>
        {t('pendingCheckout.abandon')}
      </Button>
      <ButtonLink to="/checkout/$orderId" params={{ orderId: order.id }}>
        {t('pendingCheckout.pay')}
      </ButtonLink>
    </Buttons>
  )
}
