import type { Party } from '@waybill/contract/addresses/addresses'
import type { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import { pickupSlots } from '@waybill/contract/pickups/slots'
import { useEffect, useEffectEvent } from 'react'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { ChoiceCards } from '../../components/fields/choice-cards.tsx'
import { Stack } from '../../components/layout/boxes.tsx'
import { ErrorText } from '../../components/layout/text.tsx'
import { ApiError } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { dayReason, useDayChoices, useWindowChoices } from '../parcels/shared/day-choices.ts'

export type Slot = { date: string; window: (typeof pickupWindows)[number] }

/** The number of days shown here; the server looks further ahead. */
const daysShown = 8

type Props = {
  address: Pick<Party, 'postcode' | 'country'>
  value: Slot | null
  onChange: (slot: Slot) => void
  error?: string | undefined
}

/**
 * The day and the time window of a pickup, limited by the capacity of the address's station. The first open slot is
 * proposed, as in the cart. A closed window shows the reason.
 */
export function SlotChoice({ address, value, onChange, error }: Props) {
  const t = useT()
  const dayChoices = useDayChoices()
  const windowChoices = useWindowChoices()
  const { postcode, country } = address
  const slots = useCall(pickupSlots, { query: { postcode, country, days: daysShown } }, { staleTime: 30_000 })
  const proposal = slots.data?.items.find(({ closed }) => closed === null)
  const propose = useEffectEvent(({ date, window }: Slot) => onChange({ date, window }))
  useEffect(() => {
    if (value === null && proposal) propose(proposal)
  }, [value, proposal])
  if (slots.error) {
    const nowhere = slots.error instanceof ApiError && slots.error.statusCode === 422
    return nowhere ? (
      <MessagePanel kind="empty" title={t('pickupsPage.noSlots')} />
    ) : (
      <ErrorPanel error={slots.error} retry={() => void slots.refetch()} />
    )
  }
  if (!slots.data) return <Loading />
  const { items } = slots.data
  const days = [...new Set(items.map(({ date }) => date))]
  const ofDay = (date: string) => items.filter((slot) => slot.date === date)
  const firstOpen = (date: string) => ofDay(date).find(({ closed }) => closed === null)
  return (
    <Stack gap={20}>
      <ChoiceCards
        legend={t('pickupsPage.day')}
        name="date"
        layout="row"
        value={value?.date ?? null}
        onChange={(date) => {
          const same = ofDay(date).find(({ window, closed }) => closed === null && window === value?.window)
          const slot = same ?? firstOpen(date)
          if (slot) onChange({ date, window: slot.window })
        }}
        choices={dayChoices(days.map((date) => ({ date, closed: dayReason(ofDay(date)) })))}
      />
      {value && (
        <ChoiceCards
          legend={t('pickupsPage.window')}
          name="window"
          layout="row"
          value={value.window}
          error={error}
          onChange={(window) => onChange({ date: value.date, window: window as Slot['window'] })}
          choices={windowChoices(ofDay(value.date))}
        />
      )}
      {!value && error && <ErrorText role="alert">{error}</ErrorText>}
    </Stack>
  )
}
