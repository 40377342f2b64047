import { Button } from '@mantine/core'
import { IconTruckDelivery } from '@tabler/icons-react'
import { pickupDays, pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { formatWindow } from '../../../components/display/time-window.ts'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { Row, Stack } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { dayReason, useDayChoices, useWindowChoices } from '../shared/day-choices.ts'
import { isVisited, listVisits, openSlot, type PickupClock, type PickupSlot, slotReason } from './pickup-slots.ts'

type Props = { clock: PickupClock; value: PickupSlot | null; onChange: (slot: PickupSlot) => void; error?: string }

/** The day and the time window of the pickup, and whether it has a fee. `firstSlot` is preselected. */
export function PickupTime({ clock, value, onChange, error }: Props) {
  const t = useT()
  const dayChoices = useDayChoices()
  const windowChoices = useWindowChoices()
  const slot = openSlot(value, clock)
  const listWindows = (date: string) =>
    pickupWindows.map((window) => ({ window, closed: slotReason({ date, window }, clock) }))
  const days = pickupDays(clock.today).map((date) => ({ date, closed: dayReason(listWindows(date)) }))
  return (
    <Stack>
      <ChoiceCards
        legend={t('cart.day')}
        name="pickup.date"
        layout="row"
        value={slot.date}
        onChange={(date) => onChange(openSlot({ ...slot, date }, clock))}
        choices={dayChoices(days)}
      />
      <ChoiceCards
        legend={t('cart.window')}
        name="pickup.window"
        layout="row"
        value={slot.window}
        error={error}
        onChange={(window) => onChange({ ...slot, window: window as PickupSlot['window'] })}
        choices={windowChoices(listWindows(slot.date))}
      />
      <Visits clock={clock} slot={slot} onChange={onChange} />
    </Stack>
  )
}

/** Says that a booked visit picks up the parcels, or offers the times of such visits. */
function Visits({ clock, slot, onChange }: Pick<Props, 'clock' | 'onChange'> & { slot: PickupSlot }) {
  const t = useT()
  const longDay = useLongDay()
  const formatSlot = ({ date, window }: PickupSlot) => ({ day: longDay(date), window: formatWindow(window) })
  if (isVisited(slot, clock)) {
    return (
      <Row as="p" gap={8} role="status" style={{ flexWrap: 'nowrap' }}>
        <IconTruckDelivery size={18} aria-hidden style={{ flex: 'none' }} />
        <span>{t('cart.riderComes', formatSlot(slot))}</span>
      </Row>
    )
  }
  return listVisits(clock)
    .slice(0, 2)
    .map(({ date, window }) => (
      <Row key={`${date} ${window}`} gap={8}>
        <span>{t('cart.riderComesThen', formatSlot({ date, window }))}</span>
        <Button size="compact-sm" onClick={() => onChange({ date, window })}>
          {t('cart.joinVisit')}
        </Button>
      </Row>
    ))
}
