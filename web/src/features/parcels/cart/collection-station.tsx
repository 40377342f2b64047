import { postcode } from '@waybill/contract/ground/fields'
import { nearbyServiceCenters, type Station, selfCollectionStations } from '@waybill/contract/stations/stations'
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
  const stations = useCall(selfCollectionStations, { query: {} }, { staleTime: 600_000 })
  const nearby = useCall(
    nearbyServiceCenters,
    { params: { x: near } },
    { enabled: postcode.safeParse(near).success && near.length > 2, staleTime: 600_000 },
  )
  const [all, setAll] = useState(false)
  if (stations.error) return <ErrorPanel error={stations.error} retry={() => void stations.refetch()} />
  const items = stations.data?.items ?? []
  // Distances are unknown for remote stations and unknown postcodes: stations of the state come first.
  const metres = new Map(nearby.data?.items.map(({ id, distanceM }) => [id, distanceM ?? Number.POSITIVE_INFINITY]))
  const away = (station: Station) => metres.get(station.id) ?? (station.state === state ? 1e9 : 2e9)
  const byDistance = [...items].sort((a, b) => away(a) - away(b))
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
    <div aria-busy={stations.isPending}>
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
            aside: <Distance metres={metres.get(station.id)} />,
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

function Distance({ metres }: { metres: number | undefined }) {
  const format = useFormat()
  if (metres === undefined || !Number.isFinite(metres)) return null
  return <Quiet inline>{format.distance(metres)}</Quiet>
}
