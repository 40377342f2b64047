import type { TrackingPlace, TrackingPlaces } from '@waybill/contract/tracking/places'
import { trackingPlacesRequest } from '@waybill/contract/tracking/requests'
import { useEffect, useMemo, useState } from 'react'
import { Section } from '../../../components/layout/boxes.tsx'
import { Note, Notice, Quiet } from '../../../components/layout/text.tsx'
import { send } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import type { PlacedStation } from './map-pins.ts'
import classes from './parcel-places.module.css'
import { StationMap } from './station-map.tsx'

type Props = {
  number: string
  /** A new value reloads the places. */
  revision: number
  dateTime: (instant: string) => string
}

const buildKey = (place: TrackingPlace, index: number) => `${index} ${place.name}`

/**
 * The places of a parcel as a complete list and on a map. Uses neither the settings nor the component library, because
 * the public page also shows it.
 */
export function ParcelPlaces({ number, revision, dateTime }: Props) {
  const t = useT()
  const [answer, setAnswer] = useState<TrackingPlaces | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [selectedId, setSelectedId] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parcel has moved
  useEffect(() => {
    const stop = new AbortController()
    send(trackingPlacesRequest, { query: { no: number }, signal: stop.signal })
      .then(async (response) => {
        setAnswer((await response.json()) as TrackingPlaces)
        setProblem(null)
      })
      .catch((error: Error) => {
        if (!stop.signal.aborted) setProblem(error.message)
      })
    return () => stop.abort()
  }, [number, revision])

  const marks = useMemo(
    () =>
      (answer?.places ?? []).flatMap((place, index): PlacedStation[] =>
        place.position
          ? [{ station: { id: buildKey(place, index), name: place.name, ...place.position }, number: index + 1 }]
          : [],
      ),
    [answer],
  )
  return (
    <Section title={t('places.title')}>
      {problem !== null && (
        <Notice tone="danger" role="alert">
          {problem}
        </Notice>
      )}
      {!answer && problem === null && <p role="status">{t('list.loading')}</p>}
      {answer?.places.length === 0 && <Note>{t('places.none')}</Note>}
      {answer && answer.places.length > 0 && (
        <div className={classes.columns}>
          <ol className={classes.list} aria-label={t('places.list')}>
            {answer.places.map((place, index) => (
              <li key={buildKey(place, index)} data-selected={buildKey(place, index) === selectedId}>
                <strong>{place.name}</strong>
                <Quiet>
                  {place.at === null ? t('places.expected') : dateTime(place.at)}
                  {place.position === null && ` · ${t('places.notOnMap')}`}
                </Quiet>
              </li>
            ))}
          </ol>
          {marks.length > 0 && (
            <StationMap
              of="places"
              tiles={answer.tiles}
              stations={marks}
              inView={marks.length}
              here={null}
              joined
              selectedId={selectedId}
              onSelect={setSelectedId}
            />
          )}
        </div>
      )}
    </Section>
  )
}
