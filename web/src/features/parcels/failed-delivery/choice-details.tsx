import type { DeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { useState } from 'react'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useDayChoices } from '../shared/day-choices.ts'

type Choice = Pick<DeliveryChoice, 'dates' | 'stations'>

/** The day of another attempt and the station of a self-collection. The first of each is preselected. */
export function useChoiceDetails({ dates, stations }: Choice) {
  const [date, setDate] = useState(dates[0] ?? null)
  const [stationId, setStationId] = useState(stations[0]?.id ?? null)
  return {
    date,
    setDate,
    stationId,
    setStationId,
    /** The part of the request for this kind of choice. */
    sentFor: (kind: string) => ({
      date: kind === 'retry' ? date : null,
      stationId: kind === 'divert' ? stationId : null,
    }),
  }
}

type Props = { kind: string | null; choice: Choice; details: ReturnType<typeof useChoiceDetails> }

/** Asks for the day or the station of a delivery choice, on the sender's page and on the receiver's. */
export function ChoiceDetails({ kind, choice, details }: Props) {
  const t = useT()
  const format = useFormat()
  const dayChoices = useDayChoices()
  if (kind === 'retry') {
    return (
      <ChoiceCards
        legend={t('deliveryChoice.whichDay')}
        name="date"
        layout="row"
        value={details.date}
        onChange={details.setDate}
        choices={dayChoices(choice.dates.map((date) => ({ date, closed: null })))}
      />
    )
  }
  if (kind !== 'divert') return null
  return (
    <ChoiceCards
      legend={t('deliveryChoice.whichStation')}
      name="stationId"
      value={details.stationId}
      onChange={details.setStationId}
      choices={choice.stations.map(({ id, name, line1, postcode, city, distanceM }) => ({
        value: id,
        title: name,
        text: `${line1}, ${postcode} ${city}`,
        aside: distanceM === null ? undefined : format.distance(distanceM),
      }))}
    />
  )
}
