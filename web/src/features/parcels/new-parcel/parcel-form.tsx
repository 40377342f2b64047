import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { createAddress, getDefaultAddress, listAddresses, type Party } from '@waybill/contract/addresses/addresses'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import {
  createParcel,
  getParcel,
  type Parcel,
  type ShippedAnyway,
  updateParcel,
} from '@waybill/contract/parcels/parcels'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { confirm } from '../../../components/confirm.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { errorMessage, notify } from '../../../components/feedback/notify.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { DraftNotice } from '../../../components/form/draft-notice.tsx'
import { Columns, Panel } from '../../../components/layout/boxes.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useChanged } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import type { PartyValues } from '../../addresses/shared/party-values.ts'
import { openSlot, type PickupSlot } from '../cart/pickup-slots.ts'
import { usePickupClock } from '../cart/pickup-time.tsx'
import { changedByOrder, placeOrder } from '../cart/place-order.ts'
import { type Intent, listIntents, ParcelFormActions } from '../parcel-actions-panel.tsx'
import { PricePanel } from '../quotes/price-panel.tsx'
import { useQuotes } from '../quotes/use-quotes.ts'
import { HowStep } from './how-step.tsx'
import classes from './new-parcel.module.css'
import {
  completeParcel,
  emptyParcel,
  isFetched,
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
import { WhatStep } from './what-step.tsx'

type Props = {
  initial: ParcelValues
  /** The parcel that is edited; null makes a new one. */
  edited: Parcel | null
  draftKey: string
  /** A kept draft is offered, and the form begins with `initial` all the same. */
  offersDraft: boolean
  hasDefaultSender: boolean
  /** When the rider was to come, where an order of this parcel waits for its payment. */
  pickup: PickupSlot | null
}

/** Steps whose fields are not in order yet. */
function wrongSteps(values: ParcelValues): ReadonlyMap<Step, readonly string[]> {
  const read = completeParcel.safeParse(toParcelInput(values))
  const wrong = new Map<Step, string[]>()
  for (const { path } of read.success ? [] : read.error.issues) {
    const field = path.map(String).join('.')
    wrong.set(stepOfField(field), [...(wrong.get(stepOfField(field)) ?? []), field])
  }
  return wrong
}

/** The first step that is not in order, or the last one. */
function firstOpen(values: ParcelValues): ReadonlySet<Step> {
  const wrong = wrongSteps(values)
  return new Set([steps.find((step) => wrong.has(step)) ?? 'how'])
}

/** The four steps of a parcel with its price beside them. */
export function ParcelForm({ initial, edited, draftKey, offersDraft, hasDefaultSender, pickup }: Props) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const changed = useChanged()
  const mayPay = useMay('pay')
  const mayKeep = useMay('addresses')
  const intent = useRef<Intent>('cart')
  const insisted = useRef<ShippedAnyway['field'][]>([])
  const twinWanted = useRef(false)
  const callOnce = useCallOnce()
  const [running, setRunning] = useState<Intent | null>(null)
  const [held, setHeld] = useState<Intent | null>(null)
  const [tried, setTried] = useState(false)
  const [slot, setSlot] = useState<PickupSlot | null>(pickup)
  const [sheet, setSheet] = useState(false)

  const form = useContractForm<typeof completeParcel, ParcelValues>({
    schema: completeParcel,
    initial,
    prepare: toParcelInput,
    draftKey,
    offersDraft,
    onSubmit: async (body, values) => {
      const saved = await save({ ...body, shipAnyway: insisted.current, addToCart: true })
      await keepAddresses(values, body)
      await changed(getCart, cartCount, listParcels, getParcel)
      await next(saved, values)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'address_contradiction') {
        void insist(error)
        return true
      }
      if (error instanceof ApiError && error.code === 'parcel_identical') {
        void askForTwin(error)
        return true
      }
      // What the server says must stand at a field that is in sight.
      if (error instanceof ApiError) flushSync(() => unfold(error.errors.map(({ field }) => stepOfField(field))))
      return false
    },
  })
  const { values } = form

  /** The same words sent again, after a time-out say, make no second parcel. */
  async function save(body: BodyIn<typeof createParcel>): Promise<Parcel> {
    if (edited) return call(updateParcel, { body: { ...body, id: edited.id, version: edited.version } })
    const content = { ...body, refuseIdentical: !twinWanted.current }
    return callOnce(createParcel, { body: content })
  }

  /** The same parcel was made minutes ago: nobody ships twice by Back and a second click. */
  async function askForTwin({ details }: ApiError) {
    const at = typeof details.createdAt === 'string' ? format.time(details.createdAt) : ''
    const wanted = await confirm({
      title: t('newParcel.twin'),
      message: t('newParcel.twinText', { name: values.receiver.contactName, at }),
      action: t('newParcel.twinAction'),
    })
    if (!wanted) return
    twinWanted.current = true
    act(intent.current)
  }

  /**
   * The address contradicts itself: its sender corrects it, or says that it is right, which is kept with the parcel.
   */
  async function insist(error: ApiError) {
    const told = error.errors.map(({ message }) => message).join(' ')
    const anyway = await confirm({
      title: t('newParcel.contradiction'),
      message: t('newParcel.contradictionText', { told }),
      action: t('newParcel.shipAnyway'),
    })
    if (!anyway) {
      goTo(stepOfField(error.errors[0]?.field ?? 'receiver'))
      return
    }
    insisted.current = (error.details.insist as ShippedAnyway['field'][] | undefined) ?? []
    act(intent.current)
  }

  /** As it stands, complete or not: it waits among the drafts, on every device. */
  async function keepDraft() {
    setRunning('draft')
    try {
      await save({ ...toDraftInput(values), shipAnyway: insisted.current })
      await changed(getCart, cartCount, listParcels, getParcel)
      form.reset(emptyParcel(values.sender.country))
      notify.success(t('newParcel.kept'))
      await navigate({ to: '/parcels', search: { tab: 'draft' } })
    } catch (error) {
      notify.problem(error)
    } finally {
      setRunning(null)
    }
  }

  const quotes = useQuotes(values)
  const chosen =
    quotes.items.find((quote) => quote.serviceType === values.serviceType && quote.carrier === values.carrier) ?? null
  const wrong = wrongSteps(values)
  const [open, setOpen] = useState<ReadonlySet<Step>>(() => firstOpen(values))
  // Not with every letter of an address that is being typed.
  const door = open.has('from') ? {} : { line1: values.sender.line1, line2: values.sender.line2 }
  const clock = usePickupClock(values.sender.postcode, values.sender.country, door)
  const unfold = (more: readonly Step[]) => setOpen((present) => new Set([...present, ...more]))

  // Until somebody chooses, the cheapest service is taken; one that closes is given up.
  const cheapest = quotes.items.find((quote) => quote.open) ?? null
  const settled = quotes.needed.length === 0 && !quotes.stale
  const keep = values.servicePicked && chosen?.open === true
  useEffect(() => {
    if (!settled || keep || (cheapest?.serviceType === values.serviceType && cheapest?.carrier === values.carrier))
      return
    if (!cheapest && values.serviceType === null) return
    form.fillIn({
      serviceType: cheapest?.serviceType ?? null,
      carrier: cheapest?.carrier ?? null,
      servicePicked: false,
    })
  })

  async function keepAddresses(typed: ParcelValues, { sender, receiver }: { sender: Party; receiver: Party }) {
    const wanted = [
      ...(typed.saveSender && !hasDefaultSender ? [{ ...sender, kind: 'sender' as const, isDefault: true }] : []),
      ...(typed.saveReceiver && !typed.receiverKnown ? [{ ...receiver, kind: 'receiver' as const }] : []),
    ]
    if (wanted.length === 0 || !mayKeep) return
    // The parcel is made already; an address that can't be kept must not look as if it were not.
    try {
      for (const body of wanted) await call(createAddress, { body })
      await changed(listAddresses, getDefaultAddress)
    } catch (error) {
      notify.warning(t('newParcel.notSaved', { why: errorMessage(error) }))
    }
  }

  async function next(saved: Parcel, typed: ParcelValues) {
    const tab = isFetched(typed.deliveryMode) ? 'pickup' : 'dropoff'
    const name = typed.receiver.contactName
    if (intent.current === 'another') {
      notify.success(t('newParcel.added', { name }))
      const { sender, deliveryMode, contentType } = typed
      insisted.current = []
      twinWanted.current = false
      form.reset({ ...emptyParcel(sender.country), sender, deliveryMode, contentType })
      setTried(false)
      goTo('to')
      window.scrollTo({ top: 0 })
      return
    }
    if (intent.current === 'pay') {
      const order = await payFor(saved, typed)
      if (order) {
        // Back leads to this parcel, not to an empty form that would make it a second time.
        await navigate({ to: '/parcels/new', search: { id: saved.id }, replace: true })
        await navigate({ to: '/checkout/$orderId', params: { orderId: order.id } })
        return
      }
    } else {
      notify.success(t(edited ? 'newParcel.saved' : 'newParcel.added', { name }))
    }
    await navigate({ to: '/cart', search: { tab } })
  }

  /** Null: the parcel is in the cart, where the order can be made again. */
  async function payFor(saved: Parcel, typed: ParcelValues) {
    const pickup = isFetched(typed.deliveryMode) ? { address: saved.sender as Party, ...openSlot(slot, clock) } : null
    try {
      const shownMinor = chosen?.price?.totalMinor ?? saved.priceMinor ?? 0
      // A rider who comes anyway costs nothing: less than what was shown needs no question.
      const summary = await call(priceSummary, { body: { parcelIds: [saved.id], pickup } })
      const expectedTotalMinor = Math.min(shownMinor, summary.totalMinor)
      const order = await placeOrder({ parcelIds: [saved.id], expectedTotalMinor, pickup }, { format, callOnce })
      await changed(...changedByOrder, getParcel)
      return order
    } catch (error) {
      notify.problem(error)
      return null
    }
  }

  function focusIn(step: Step) {
    const body = document.getElementById(`step-${step}`)
    const first =
      body?.querySelector<HTMLElement>('[data-first]') ??
      body?.querySelector<HTMLElement>('input:checked') ??
      body?.querySelector<HTMLElement>('input:not(:disabled)')
    first?.focus()
  }

  /** Folds all others and leads into this one. */
  function goTo(step: Step) {
    flushSync(() => setOpen(new Set([step])))
    focusIn(step)
  }

  function finish(step: Step, done: ParcelValues = values) {
    const fields = wrongSteps(done).get(step) ?? []
    if (step !== 'how' && fields.length > 0) {
      flushSync(() => {
        for (const field of fields) form.fieldAt(field).onBlur()
        unfold([step])
      })
      document.querySelector<HTMLElement>(`#step-${step} [aria-invalid="true"]:not([type="hidden"])`)?.focus()
      return
    }
    const following = steps.slice(steps.indexOf(step) + 1)
    goTo(following.find((each) => wrongSteps(done).has(each)) ?? 'how')
  }

  function act(wanted: Intent) {
    if (wanted === 'draft') {
      void keepDraft()
      return
    }
    if (quotes.needed.length === 0 && quotes.stale && [...wrong.keys()].every((step) => step === 'how')) {
      setRunning(wanted)
      setHeld(wanted)
      return
    }
    intent.current = wanted
    setTried(true)
    if (wrong.size > 0) {
      // The first wrong field gets the focus: its step has to be open.
      setSheet(false)
      flushSync(() => unfold([...wrong.keys()]))
    }
    setRunning(wanted)
    void form.submit().finally(() => setRunning(null))
  }

  // Who is quicker than the price is taken at their word once it has come, and the service is chosen by it.
  useEffect(() => {
    if (!held || quotes.stale || (cheapest && values.serviceType === null)) return
    setHeld(null)
    // After this effect: what is wrong is unfolded at once, which React doesn't do within one.
    queueMicrotask(() => act(held))
  })

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !edited) {
      event.preventDefault()
      act('another')
    }
  }

  const summaries = useSummaries(values)
  const section = (step: Step) => ({
    step,
    open: open.has(step),
    state: !wrong.has(step) ? ('done' as const) : tried ? ('wrong' as const) : ('todo' as const),
    summary: summaries[step],
    toggle: () => {
      const next = new Set(open)
      if (!next.delete(step)) next.add(step)
      setOpen(next)
    },
    ...(step === 'how' ? {} : { onContinue: () => finish(step) }),
  })
  const intents = listIntents({ editing: edited !== null, ordered: Boolean(edited?.orderId), mayPay })
  const actions = <ParcelFormActions intents={intents} running={running} act={act} />
  const [main] = intents
  const picked = (side: 'sender' | 'receiver', party: PartyValues) =>
    finish(side === 'sender' ? 'from' : 'to', { ...values, [side]: party })

  return (
    <>
      <DraftNotice
        form={form}
        nameOf={(draft) => draft.receiver.contactName || null}
        onChange={(next) => {
          setTried(false)
          setOpen(firstOpen(next))
        }}
      />
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
          <StepSection {...section('from')}>
            <PartyStep
              form={form}
              side="sender"
              hasDefault={hasDefaultSender}
              onPicked={(party) => picked('sender', party)}
            />
          </StepSection>
          <StepSection {...section('to')}>
            <PartyStep
              form={form}
              side="receiver"
              hasDefault={hasDefaultSender}
              onPicked={(party) => picked('receiver', party)}
            />
          </StepSection>
          <StepSection {...section('what')}>
            <WhatStep form={form} quote={chosen} />
          </StepSection>
          <StepSection {...section('how')}>
            <HowStep form={form} quotes={quotes} pickup={mayPay ? { clock, slot, choose: setSlot } : null} />
          </StepSection>
        </Panel>
        <Panel as="aside" className={classes.panel} aria-label={t('newParcel.price')} title={t('newParcel.price')}>
          <PricePanel quotes={quotes} chosen={chosen}>
            {actions}
          </PricePanel>
        </Panel>
        <div className={classes.bar}>
          <button type="button" className={classes.barPrice} aria-haspopup="dialog" onClick={() => setSheet(true)}>
            <strong>{chosen?.price ? format.money(chosen.price.totalMinor, chosen.price.currency) : '–'}</strong>
            <span>{t('newParcel.showPrice')}</span>
          </button>
          <Button variant="filled" loading={running === main} onClick={() => act(main)}>
            {t(`newParcel.action.${main}`)}
          </Button>
        </div>
        {sheet && (
          <Dialog shape="sheet" title={t('newParcel.price')} onClose={() => setSheet(false)}>
            <PricePanel quotes={quotes} chosen={chosen}>
              {actions}
            </PricePanel>
          </Dialog>
        )}
      </Columns>
    </>
  )
}
