import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { completeParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { StepState } from '../../../components/display/step-mark.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { notifyProblem, useSend } from '../../../components/feedback/use-send.ts'
import { type ContractForm, useContractForm } from '../../../components/form/contract-form.ts'
import { DraftNotice } from '../../../components/form/draft-notice.tsx'
import { Columns, Panel } from '../../../components/layout/boxes.tsx'
import { ApiError } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useMay } from '../../../lib/session.ts'
import type { PartyValues } from '../../addresses/shared/party-values.ts'
import { isVisited, openSlot, type PickupSlot } from '../cart/pickup-slots.ts'
import { usePickupClock } from '../cart/use-pickup-clock.ts'
import { type Intent, listIntents, ParcelFormActions } from '../parcel-actions-panel.tsx'
import { PasteBox } from '../paste/paste-box.tsx'
import type { Side } from '../paste/split-addresses.ts'
import { type Reading, usePaste } from '../paste/use-paste.ts'
import { PricePanel } from '../quotes/price-panel.tsx'
import { type Quotes, useQuotes } from '../quotes/use-quotes.ts'
import { changedByCheckout } from '../shared/changed-by-checkout.ts'
import { HowStep } from './how-step.tsx'
import classes from './new-parcel.module.css'
import {
  emptyParcel,
  type ParcelValues,
  type Step,
  stepOfField,
  steps,
  toDraftInput,
  toParcelInput,
} from './parcel-values.ts'
import { PartyStep } from './party-step.tsx'
import { StepSection } from './step.tsx'
import { useSummaries } from './step-summaries.ts'
import { useLeave } from './use-leave.ts'
import { isDeclined, useKeepAddresses, useSaveParcel } from './use-save-parcel.ts'
import { useServiceChoice } from './use-service-choice.ts'
import { useSteps } from './use-steps.ts'
import { WhatStep } from './what-step.tsx'

type Props = {
  initial: ParcelValues
  /** The parcel to edit; null creates one. */
  editTarget: Parcel | null
  draftKey: string
  /** A stored draft is only offered, and the form starts with `initial`. */
  offersDraft: boolean
  hasDefaultSender: boolean
  /** The selected slot, if an order of this parcel is unpaid. */
  pickup: PickupSlot | null
}

/** The form with its steps and prices, and the navigation after it is submitted. */
function useParcelForm({ initial, editTarget, draftKey, offersDraft, hasDefaultSender, pickup }: Props) {
  const t = useT()
  const navigate = useNavigate()
  const [slot, setSlot] = useState<PickupSlot | null>(pickup)
  const parcel = useSaveParcel(editTarget)
  const keepAddresses = useKeepAddresses(hasDefaultSender)

  const form: ContractForm<ParcelValues> = useContractForm<typeof completeParcel, ParcelValues, Parcel>({
    schema: completeParcel,
    initial,
    prepare: toParcelInput,
    draftKey,
    offersDraft,
    onSubmit: async (body, values) => {
      const savedParcel = await parcel.save({ ...body, addToCart: true }, values.receiver.contactName)
      await keepAddresses(values, body, savedParcel.overrides)
      return savedParcel
    },
    refresh: changedByCheckout,
    onSuccess: (savedParcel) => {
      const intent = actions.intent.current
      return intent === 'another' ? another() : leave(intent, savedParcel, values)
    },
    onError: (error) => {
      if (isDeclined(error)) {
        if (error.code === 'address_contradiction') steps.goTo(stepOfField(error.errors[0]?.field ?? 'receiver'))
        return true
      }
      // The fields of a folded step are not mounted, so the form could not show the server's errors there.
      if (error instanceof ApiError) flushSync(() => steps.unfold(error.errors.map(({ field }) => stepOfField(field))))
      return false
    },
  })
  const { values } = form
  const steps = useSteps(form)
  const paste = usePaste(form)
  // While the sender is edited, the address lines are omitted: they would cause a request for every keystroke.
  const door = steps.open.has('from') ? {} : { line1: values.sender.line1, line2: values.sender.line2 }
  const clock = usePickupClock(values.sender.postcode, values.sender.country, door)
  // Every price on the page is the one that will be paid.
  const joinsVisit = isPickedUp(values.deliveryMode) && isVisited(openSlot(slot, clock), clock)
  const quotes = useQuotes(values, { joinsVisit })
  const { quote, settled } = useServiceChoice(form, quotes)
  const leave = useLeave({ isEditing: editTarget !== null, quote, slot, clock })

  /** The next parcel of the same sender. */
  function another() {
    const { sender, deliveryMode, contentType, isDocument, weightGrams, dimensions, receiver } = values
    notify.success(t('newParcel.added', { name: receiver.contactName }))
    parcel.restart()
    form.reset({
      ...emptyParcel(sender.country),
      ...{ sender, deliveryMode, contentType, isDocument, weightGrams, dimensions },
    })
    actions.restart()
    steps.goTo('to')
    window.scrollTo({ top: 0 })
  }

  /** Stores the form, complete or not, as a draft that is available on all devices. */
  const draft = useSend(() => parcel.save(toDraftInput(values), values.receiver.contactName), {
    refresh: changedByCheckout,
    onError: isDeclined,
    success: t('newParcel.kept'),
    onSuccess: () => {
      form.reset(emptyParcel(values.sender.country))
      return navigate({ to: '/parcels', search: { tab: 'draft' } })
    },
  })

  const actions = useActions({ form, steps, quotes, settled, draft })

  return {
    form,
    steps,
    paste,
    quotes,
    quote,
    pickup: { clock, slot, choose: setSlot },
    actions,
    restart: (next: ParcelValues) => {
      actions.restart()
      steps.restart(next)
    },
  }
}

type ActionContext = {
  form: ContractForm<ParcelValues>
  steps: ReturnType<typeof useSteps>
  quotes: Quotes
  settled: boolean
  draft: { send: () => Promise<boolean>; pending: boolean }
}

/** The actions of the buttons. `hasSubmitted`: the form was submitted, so incomplete steps are marked. */
function useActions({ form, steps, quotes, settled, draft }: ActionContext) {
  const intent = useRef<Exclude<Intent, 'draft'>>('cart')
  const [running, setRunning] = useState<Intent | null>(null)
  /** An action that waits for the price of the latest input. */
  const [waiting, setWaiting] = useState<Intent | null>(null)
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const [sheet, setSheet] = useState(false)

  function act(next: Intent) {
    if (next === 'draft') {
      void draft.send()
      return
    }
    if (quotes.missing.length === 0 && quotes.stale && [...steps.wrong.keys()].every((step) => step === 'how')) {
      setWaiting(next)
      return
    }
    if (quotes.error) {
      quotes.retry()
      notifyProblem(quotes.error)
      return
    }
    intent.current = next
    setHasSubmitted(true)
    // The first invalid field gets the focus, so its step must be open.
    if (steps.wrong.size > 0) {
      setSheet(false)
      steps.unfold([...steps.wrong.keys()])
    }
    setRunning(next)
    void form.submit().finally(() => setRunning(null))
  }

  const actNow = useEffectEvent(act)
  useEffect(() => {
    if (!waiting || !settled) return
    setWaiting(null)
    actNow(waiting)
  }, [waiting, settled])

  return {
    act,
    intent,
    running: waiting ?? (draft.pending ? 'draft' : running),
    sheet,
    setSheet,
    restart: () => {
      setHasSubmitted(false)
      setSheet(false)
    },
    state: (step: Step): StepState =>
      quotes.unknown[step] ? 'wrong' : !steps.wrong.has(step) ? 'done' : hasSubmitted ? 'wrong' : 'todo',
  }
}

/** The four steps of a parcel, with the price next to them. */
export function ParcelForm(props: Props) {
  const { editTarget, hasDefaultSender } = props
  const mayPay = useMay('pay')
  const { form, steps, paste, quotes, quote, pickup, actions, restart } = useParcelForm(props)
  const { act, running, state, sheet, setSheet } = actions
  const { values } = form
  const summaries = useSummaries(values)
  const intents = listIntents({
    editing: editTarget !== null,
    isDraft: editTarget?.status === 'pending',
    ordered: Boolean(editTarget?.orderId),
    mayPay,
  })
  const [main] = intents

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !editTarget) {
      event.preventDefault()
      act('another')
    }
  }

  /** Going on confirms the doubtful values of a step. */
  function finish(step: Step) {
    if (step === 'from') paste.confirm('sender')
    if (step === 'to') paste.confirm('receiver')
    steps.finish(step)
  }

  function takePasted(readings: readonly Reading[], isMoved: boolean) {
    const next = paste.take(readings, isMoved)
    const doubtful = readings.find(({ doubts }) => Object.keys(doubts).length > 0)
    const filled = readings.map(({ side }) => stepOfField(side))
    steps.goToOpen(next, filled, doubtful && stepOfField(doubtful.side))
  }

  const section = (step: Step) => ({
    step,
    open: steps.open.has(step),
    state: state(step),
    summary: summaries[step],
    toggle: () => steps.toggle(step),
    ...(step === 'how' ? {} : { onContinue: () => finish(step) }),
  })
  const party = (side: Side) => ({
    form,
    side,
    hasDefault: hasDefaultSender,
    pasted: { version: paste.version, doubtful: paste.doubtfulFields(side) },
    onPicked: (picked: PartyValues) => steps.finish(stepOfField(side), { ...values, [side]: picked }),
  })
  return (
    <>
      <DraftNotice form={form} getName={(draft) => draft.receiver.contactName || null} onChange={restart} />
      <Columns
        as="form"
        {...form.props}
        onSubmit={(event) => {
          event.preventDefault()
          act(main)
        }}
        onKeyDown={onKeyDown}
        className={classes.layout}
      >
        <Panel as="div" gap={0} padding={0}>
          {!editTarget && (
            <div className={classes.paste}>
              <PasteBox country={values.sender.country} onRead={takePasted} />
            </div>
          )}
          <StepSection {...section('from')}>
            <PartyStep {...party('sender')} />
          </StepSection>
          <StepSection {...section('to')}>
            <PartyStep {...party('receiver')} />
          </StepSection>
          <StepSection {...section('what')}>
            <WhatStep form={form} quote={quote} stale={quotes.stale} />
          </StepSection>
          <StepSection {...section('how')}>
            <HowStep form={form} quotes={quotes} pickup={mayPay ? pickup : null} />
          </StepSection>
        </Panel>
        <Prices {...{ quotes, quote, main, running, act, sheet, setSheet }}>
          <ParcelFormActions intents={intents} running={running} act={act} />
        </Prices>
      </Columns>
    </>
  )
}

type PricesProps = {
  quotes: Quotes
  quote: ServiceQuote | null
  main: Intent
  running: Intent | null
  act: (intent: Intent) => void
  sheet: boolean
  setSheet: (open: boolean) => void
  /** The buttons. */
  children: ReactNode
}

/** The price with the buttons: next to the steps, or on a phone in a bottom bar that opens a sheet. */
function Prices({ quotes, quote, main, running, act, sheet, setSheet, children }: PricesProps) {
  const t = useT()
  const format = useFormat()
  const [missing] = quotes.missing
  const panel = (
    <PricePanel quotes={quotes} quote={quote}>
      {children}
    </PricePanel>
  )
  return (
    <>
      <Panel as="aside" className={classes.panel} aria-label={t('newParcel.price')} title={t('newParcel.price')}>
        {panel}
      </Panel>
      <div className={classes.bar} data-foot="narrow">
        <button type="button" className={classes.barPrice} aria-haspopup="dialog" onClick={() => setSheet(true)}>
          {quote?.price && <strong>{format.money(quote.price.totalMinor, quote.price.currency)}</strong>}
          <span>
            {missing ? t('newParcel.missing', { what: t(`newParcel.needed.${missing}`) }) : t('newParcel.showPrice')}
          </span>
        </button>
        <Button variant="filled" loading={running === main} onClick={() => act(main)}>
          {t(`newParcel.action.${main}`)}
        </Button>
      </div>
      {sheet && (
        <Dialog shape="sheet" title={t('newParcel.price')} onClose={() => setSheet(false)}>
          {panel}
        </Dialog>
      )}
    </>
  )
}
