import { Button } from '@mantine/core'
import { countLimit } from '@waybill/contract/ground/paging'
import {
  exportWebhookDeliveries,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  testEvent,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEventLabels,
} from '@waybill/contract/integrations/webhooks'
import { useEffect, useMemo, useState } from 'react'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Time } from '../../components/display/time.tsx'
import { Dialog, DialogFoot } from '../../components/feedback/dialog.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { SelectField } from '../../components/fields/select-field.tsx'
import { Buttons, Section, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { useList } from '../../components/list/list-state.ts'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import classes from './integrations.module.css'
import { deliveryLooks } from './looks.ts'

const filters = ['status'] as const

/** How often the log is refetched while a delivery is pending. */
const refetchMs = 2_000

/** The label of an event; a test event is not one of the kinds. */
function useEventLabel() {
  const t = useT()
  const label = useLabel()
  return (event: string) =>
    event === testEvent ? t('developers.testEvent') : label(webhookEventLabels, event as WebhookEvent)
}

/** The deliveries of a webhook, newest first, each with its attempts and the response. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const t = useT()
  const eventLabel = useEventLabel()
  const params = useMemo(() => ({ id: webhook.id }), [webhook.id])
  const list = useList(listWebhookDeliveries, { filters, params })
  const [opened, setOpened] = useState<WebhookDelivery | null>(null)
  const { data, refetch } = list.result
  const isSending = data?.items.some(({ status, attempts }) => status === 'pending' && attempts === 0) ?? false
  useEffect(() => {
    if (!isSending) return
    const timer = setInterval(() => void refetch(), refetchMs)
    return () => clearInterval(timer)
  }, [isSending, refetch])
  return (
    <Section title={t('developers.log')}>
      <DataList
        list={list}
        label={t('developers.log')}
        rowKey={(row: WebhookDelivery) => row.id}
        rowName={(row) => `${eventLabel(row.event)} ${row.sequence}`}
        countedTo={countLimit}
        sheet={exportWebhookDeliveries}
        filters={
          <SelectField
            field={list.filter('status', t('fields.status'))}
            choices={(['pending', 'delivered', 'failed'] as const).map((value) => ({
              value,
              label: t(`developers.deliveryStatus.${value}`),
            }))}
          />
        }
        columns={[
          {
            id: 'event',
            header: t('developers.event'),
            card: 'title',
            phone: 'title',
            phoneCell: (row) => eventLabel(row.event),
            cell: (row) => (
              <>
                <strong>{eventLabel(row.event)}</strong>
                <Quiet>{t('developers.sequence', { number: row.sequence })}</Quiet>
              </>
            ),
          },
          {
            id: 'at',
            header: t('developers.happened'),
            phone: 'detailEnd',
            cell: (row) => <Time at={row.createdAt} />,
          },
          {
            id: 'status',
            header: t('fields.status'),
            phone: 'end',
            phoneCell: (row) => (
              <StatusPill look={deliveryLooks[row.status]} label={t(`developers.deliveryStatus.${row.status}`)} />
            ),
            cell: (row) => (
              <>
                <StatusPill look={deliveryLooks[row.status]} label={t(`developers.deliveryStatus.${row.status}`)} />
                <Quiet>{t('developers.attempts', { count: row.attempts })}</Quiet>
              </>
            ),
          },
          {
            id: 'response',
            header: t('developers.response'),
            phone: 'detail',
            cell: (row) => <Response delivery={row} />,
          },
          {
            id: 'actions',
            kind: 'actions',
            header: t('developers.actions'),
            cell: (row) => (
              <Buttons as="span">
                <Button
                  size="compact-sm"
                  aria-label={t('phrase.labelled', {
                    label: t('actions.view'),
                    value: `${eventLabel(row.event)} ${row.sequence}`,
                  })}
                  onClick={() => setOpened(row)}
                >
                  {t('actions.view')}
                </Button>
                <SendAgain webhook={webhook} delivery={row} name={`${eventLabel(row.event)} ${row.sequence}`} />
              </Buttons>
            ),
          },
        ]}
        empty={{ title: t('developers.noDeliveries'), text: t('developers.noDeliveriesHint') }}
      />
      {opened && <DeliveryDialog delivery={opened} title={eventLabel(opened.event)} onClose={() => setOpened(null)} />}
    </Section>
  )
}

/** The status of the response and its duration, or why there was none. */
function Response({ delivery: { responseStatus, problem, durationMs } }: { delivery: WebhookDelivery }) {
  const t = useT()
  const format = useFormat()
  if (responseStatus === null && problem === null) return '–'
  return (
    <>
      {problem ? t(`developers.problem.${problem}`) : responseStatus}
      {durationMs !== null && <Quiet>{t('developers.duration', { ms: format.number(durationMs) })}</Quiet>}
    </>
  )
}

function SendAgain({ webhook, delivery, name }: { webhook: Webhook; delivery: WebhookDelivery; name: string }) {
  const t = useT()
  const params = { id: webhook.id, deliveryId: delivery.id }
  const resend = useSend(() => call(resendWebhookDelivery, { params }), {
    refresh: [listWebhookDeliveries, listWebhooks],
    success: t('developers.resent'),
  })
  return (
    <Button
      size="compact-sm"
      aria-label={t('phrase.labelled', { label: t('developers.sendAgain'), value: name })}
      disabled={webhook.status !== 'active'}
      loading={resend.pending}
      onClick={() => void resend.send()}
    >
      {t('developers.sendAgain')}
    </Button>
  )
}

function DeliveryDialog({
  delivery,
  title,
  onClose,
}: {
  delivery: WebhookDelivery
  title: string
  onClose: () => void
}) {
  const t = useT()
  return (
    <Dialog title={title} shape="wide" onClose={onClose}>
      <Stack>
        <Facts layout="tiles">
          <Fact label={t('developers.lastAttempt')}>{delivery.attemptedAt && <Time at={delivery.attemptedAt} />}</Fact>
          <Fact label={t('developers.nextAttempt')}>{delivery.dueAt && <Time at={delivery.dueAt} />}</Fact>
          <Fact label={t('developers.response')}>
            <Response delivery={delivery} />
          </Fact>
        </Facts>
        <h3>{t('developers.sentBody')}</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
        <pre className={classes.body} tabIndex={0}>
          {JSON.stringify(JSON.parse(delivery.body), null, 2)}
        </pre>
        {delivery.responseExcerpt && (
          <>
            <h3>{t('developers.responseBody')}</h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
            <pre className={classes.body} tabIndex={0}>
              {delivery.responseExcerpt}
            </pre>
          </>
        )}
        <DialogFoot>
          <Button onClick={onClose} data-autofocus>
            {t('actions.close')}
          </Button>
        </DialogFoot>
      </Stack>
    </Dialog>
  )
}
