import { Button, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { notifyProblem, useSend } from '../../../components/feedback/use-send.ts'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Notice, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import type { EndpointId } from '../../../lib/refresh-answers.ts'

/** The refund, in minor units; `cardMinor` and `receivableMinor` are parts of `refundMinor`. */
export type GivenBack = {
  currency: string
  refundMinor: number
  pickupMinor: number
  keptPickupMinor: number
  cardMinor: number
  receivableMinor: number
}

export type RefundChoice = 'wallet' | 'card'

type Props = {
  title: string
  /** The number of cancelled items. */
  count: number
  keep: string
  /** What else happens. */
  note?: string | undefined
  /** Calculates the refund, once. An error closes the dialog. */
  load: () => Promise<GivenBack>
  cancel: (choice: RefundChoice, reason: string | null) => Promise<unknown>
  /** Endpoints whose queries are stale afterwards, also after an error. */
  refresh: readonly EndpointId[]
  onClose: () => void
}

/** Confirms the cancellation of something paid: the refund, its destination, and an optional reason. */
export function RefundDialog({ title, count, keep, note, load, cancel, refresh, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const [back, setBack] = useState<GivenBack | null>(null)
  const [choice, setChoice] = useState<RefundChoice>('wallet')
  const [reason, setReason] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the dialog opens
  useEffect(() => {
    let open = true
    load().then(
      (refund) => open && setBack(refund),
      (error) => {
        if (!open) return
        notifyProblem(error)
        onClose()
      },
    )
    return () => {
      open = false
    }
  }, [])
  const act = useSend(() => cancel(choice, reason.trim() || null), {
    refresh,
    refreshOnError: refresh,
    success: () => (back ? givenBackText(back) : null),
    onSuccess: onClose,
  })
  function givenBackText({ cardMinor, receivableMinor, refundMinor, currency }: GivenBack): string {
    const toCard = choice === 'card' ? cardMinor : 0
    const parts = [
      ['cancelParcel.doneWallet', refundMinor - toCard - receivableMinor],
      ['cancelParcel.doneCard', toCard],
      ['cancelParcel.doneBill', receivableMinor],
    ] as const
    return parts
      .filter(([, minor]) => minor > 0)
      .map(([key, minor]) => t(key, { amount: format.money(minor, currency) }))
      .reduce((first, second) => t('phrase.sentences', { first, second }), t('cancelParcel.done', { count }))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <p>{t('cancelParcel.text')}</p>
        {note && <p>{note}</p>}
        {back ? <Money back={back} choice={choice} setChoice={setChoice} /> : <Loading />}
        <TextInput
          label={t('cancelParcel.reason')}
          value={reason}
          maxLength={200}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Stack>
      <DialogFoot>
        <Button onClick={onClose}>{keep}</Button>
        <Button variant="filled" disabled={!back} loading={act.pending} onClick={() => void act.send()}>
          {t('cancelParcel.act', { count })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function Money({
  back,
  choice,
  setChoice,
}: {
  back: GivenBack
  choice: RefundChoice
  setChoice: (choice: RefundChoice) => void
}) {
  const t = useT()
  const format = useFormat()
  const { currency, refundMinor, pickupMinor, keptPickupMinor, cardMinor, receivableMinor } = back
  const money = (minor: number) => format.money(minor, currency)
  const atOnce = refundMinor - cardMinor - receivableMinor
  if (refundMinor === 0) return <p>{t('cancelParcel.nothing')}</p>
  return (
    <>
      <Notice>
        <strong>{t('cancelParcel.back', { amount: money(refundMinor) })}</strong>
        {pickupMinor > 0 && <Quiet>{t('cancelParcel.pickup', { amount: money(pickupMinor) })}</Quiet>}
        {keptPickupMinor > 0 && <Quiet>{t('cancelParcel.keptPickup', { amount: money(keptPickupMinor) })}</Quiet>}
        {atOnce > 0 && <Quiet>{t('cancelParcel.toWallet', { amount: money(atOnce) })}</Quiet>}
        {receivableMinor > 0 && <Quiet>{t('cancelParcel.toBill', { amount: money(receivableMinor) })}</Quiet>}
      </Notice>
      {cardMinor > 0 && (
        <ChoiceCards
          legend={t('cancelParcel.where', { amount: money(cardMinor) })}
          name="refundTo"
          value={choice}
          onChange={(value) => setChoice(value as RefundChoice)}
          choices={[
            { value: 'wallet', title: t('cancelParcel.walletChoice'), text: t('cancelParcel.walletHint') },
            { value: 'card', title: t('cancelParcel.cardChoice'), text: t('cancelParcel.cardHint') },
          ]}
        />
      )}
    </>
  )
}
