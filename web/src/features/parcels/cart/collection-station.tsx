import { constants } from '@waybill/contract/ground/constants'
import { postcode } from '@waybill/contract/ground/fields'
import { type Station, selfCollectionStations } from '@waybill/contract/stations/stations'
import { useState } from 'react'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import type { FieldBinding } from '../../../components/form/contract-form.ts'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { OpeningTimes } from '../../stations/shared/opening-times.tsx'

const nearest = 3

type Props = {
  field: FieldBinding<string | null>
  /** The receiver's postcode and state. Stations near them come first. */
  near: string
  state: string
}

/** The receiver's collection station: the nearest few as cards, all others in a list. */
export function CollectionStation({ field, near, state }: Props) {
  const t = useT()
  const isPlace = postcode.safeParse(near).success && near.length > 2
  const nearby = useCall(
    selfCollectionStations,
    { query: { near, limit: constants.maximumPageSize } },
    { enabled: isPlace, staleTime: 600_000 },
  )
  // Without a postcode that has a known location, stations of the state come first.
  const anywhere = useCall(
    selfCollectionStations,
    { query: { limit: constants.maximumPageSize } },
    { enabled: !isPlace || nearby.isError, staleTime: 600_000 },
  )
  const [all, setAll] = useState(false)
  if (anywhere.error) return <ErrorPanel error={anywhere.error} retry={() => void anywhere.refetch()} />
  const stations = nearby.data ?? anywhere.data
  const rank = (station: Station) => station.distanceM ?? (station.state === state ? 0 : 1)
  const byDistance = [...(stations?.items ?? [])].sort((a, b) => rank(a) - rank(b))
  const first = byDistance.slice(0, nearest)
  const elsewhere = field.value !== null && !first.some(({ id }) => id === field.value)
  if (all || elsewhere) {
    return (
      <SelectField
        field={{ ...field, required: true }}
        choices={byDistance.map((station) => ({
          value: station.id,
          label: `${station.name}, ${station.postcode} ${station.city}`,
        }))}
      />
    )
  }
  return (
    <div aria-busy={!stations}>
      <ChoiceCards
        legend={field.label}
        name={field.path}
        value={field.value}
        error={field.error}
        onChange={(id) => (id === 'all' ? setAll(true) : field.onChange(id))}
        choices={[
          ...first.map((station) => ({
            value: station.id,
            title: station.name,
            aside: <Distance metres={station.distanceM} />,
            text: (
              <>
                {station.line1}, {station.postcode} {station.city}
                <OpeningTimes station={station} />
              </>
            ),
          })),
          ...(byDistance.length > nearest ? [{ value: 'all', title: t('newParcel.otherStation') }] : []),
        ]}
      />
    </div>
  )
}

function Distance({ metres }: { metres: number | null }) {
  const format = useFormat()
  if (metres === null) return null
  return <Quiet inline>{format.distance(metres)}</Quiet>
}
