import { Button, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useFormat } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { useAction } from './action.ts'
import { ChoiceCards } from './choice-cards.tsx'
import { Dialog, DialogFoot } from './dialog.tsx'
import { Stack } from './layout/boxes.tsx'
import { Notice, Quiet } from './layout/text.tsx'
import { Loading } from './loading.tsx'
import { notify } from './notify.tsx'

/** What is given back, in minor units; `cardMinor` and `receivableMinor` are parts of `refundMinor`. */
export type GivenBack = {
  currency: string
  refundMinor: number
  pickupMinor: number
  cardMinor: number
  receivableMinor: number
}

export type RefundChoice = 'wallet' | 'card'

type Props = {
  title: string
  /** How many things are cancelled. */
  count: number
  keep: string
  /** Works out what is given back; asked once. What it throws is told, and the dialog closes. */
  load: () => Promise<GivenBack>
  cancel: (choice: RefundChoice, reason: string | null) => Promise<void>
  onClose: () => void
}

/**
 * Asks before something paid is cancelled: what is given back, where it goes, and a reason for whoever wants to say
 * one.
 */
export function RefundDialog({ title, count, keep, load, cancel, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const [back, setBack] = useState<GivenBack | null>(null)
  const [choice, setChoice] = useState<RefundChoice>('wallet')
  const [reason, setReason] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens
  useEffect(() => {
    let open = true
    load().then(
      (found) => open && setBack(found),
      (error) => {
        if (!open) return
        notify.problem(error)
        onClose()
      },
    )
    return () => {
      open = false
    }
  }, [])
  const act = useAction(async () => {
    if (!back) return
    await cancel(choice, reason.trim() || null)
    const toCard = choice === 'card' ? back.cardMinor : 0
    const money = (minor: number) => format.money(minor, back.currency)
    const said =
      toCard > 0
        ? t('cancelParcel.doneCard', { amount: money(toCard) })
        : back.receivableMinor > 0
          ? t('cancelParcel.doneBill', { amount: money(back.receivableMinor) })
          : back.refundMinor > 0
            ? t('cancelParcel.doneWallet', { amount: money(back.refundMinor) })
            : t('cancelParcel.doneNothing', { count })
    notify.success(said)
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <p>{t('cancelParcel.text')}</p>
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
        <Button variant="filled" disabled={!back} loading={act.running} onClick={() => void act.run()}>
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
  const { currency, refundMinor, pickupMinor, cardMinor, receivableMinor } = back
  const money = (minor: number) => format.money(minor, currency)
  const atOnce = refundMinor - cardMinor - receivableMinor
  if (refundMinor === 0) return <p>{t('cancelParcel.nothing')}</p>
  return (
    <>
      <Notice>
        <strong>{t('cancelParcel.back', { amount: money(refundMinor) })}</strong>
        {pickupMinor > 0 && <Quiet>{t('cancelParcel.pickup', { amount: money(pickupMinor) })}</Quiet>}
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
