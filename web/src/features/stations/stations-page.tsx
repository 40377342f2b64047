import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { publicStations, type Station } from '@waybill/contract/stations/stations'
import { lazy, useMemo, useState } from 'react'
import { ToggleButton } from '../../components/buttons/toggle-button.tsx'
import { LazyPart } from '../../components/feedback/lazy-part.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { CardList, Row, Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Note } from '../../components/layout/text.tsx'
import { Pages } from '../../components/list/data-list.tsx'
import { type ListState, useList } from '../../components/list/list-state.ts'
import { ApiError } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useDeployment } from '../../lib/settings/deployment.ts'
import { CoverageDialog } from './coverage-dialog.tsx'
import { StationCard } from './station-card.tsx'
import { isPoint, StationSearch } from './station-search.tsx'
import classes from './stations.module.css'

const StationMap = lazy(async () => ({ default: (await import('./shared/station-map.tsx')).StationMap }))

const filters = ['near', 'service', 'type', 'state', 'openNow'] as const
const none: readonly Station[] = []
/** The number of stations that the map shows first when they are sorted by distance. */
const nearCount = 8

/**
 * The same stations as a list and on a map. On a narrow screen one of the two is visible, and the map is loaded when
 * it is selected. The same page for visitors and customers.
 */
export function StationsPage() {
  const t = useT()
  const tiles = useDeployment()?.map ?? null
  const navigate = useNavigate()
  const list = useList(publicStations, { filters })
  const url: { near?: unknown; view?: unknown } = useSearch({ strict: false })
  const near = url.near === undefined ? null : String(url.near)
  const wide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const view = url.view === 'map' ? 'map' : 'list'
  const [selected, setSelected] = useState<string | null>(null)
  const [coverageStation, setCoverageStation] = useState<Station | null>(null)
  const { data, error, isPending, refetch } = list.result
  const stations = data?.items ?? none
  const offset = data?.offset ?? 0
  const placed = useMemo(
    () => stations.map((station, index) => ({ station, number: offset + index + 1 })),
    [stations, offset],
  )
  /** The problem of the place, such as a town that does not exist. */
  const problem = error instanceof ApiError ? error.errors.find(({ field }) => field === 'near')?.message : undefined
  const here = useMemo(() => readPoint(near), [near])

  const setView = (next: 'list' | 'map') =>
    void navigate({
      to: '.',
      search: (present) => ({ ...present, view: next === 'map' ? next : undefined }),
      resetScroll: false,
    })
  const showOnMap = (id: string) => {
    setSelected(id)
    if (!wide) setView('map')
  }
  return (
    <>
      <PageHeader title={t('stations.title')} description={t('stations.description')} />
      <Stack>
        <StationSearch list={list} near={near} />
        {problem ? (
          <MessagePanel
            kind="empty"
            title={t('stations.none')}
            text={problem}
            action={<Button onClick={list.clear}>{t('stations.clear')}</Button>}
          />
        ) : error ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : isPending ? (
          <div className={classes.pending}>
            <Loading />
          </div>
        ) : stations.length === 0 ? (
          <NoStations list={list} near={near} />
        ) : (
          <>
            <Row justify="between">
              <Note role="status">
                {t('stations.count', { count: data?.total ?? 0 })}
                {near && !list.sort && ' · '}
                {near && !list.sort && t(here ? 'stations.nearYou' : 'stations.nearPlace', { place: near })}
              </Note>
              {!wide && (
                <Row gap={4} role="group" aria-label={t('stations.view')}>
                  {(['list', 'map'] as const).map((one) => (
                    <ToggleButton key={one} pressed={view === one} onClick={() => setView(one)}>
                      {t(`stations.${one}`)}
                    </ToggleButton>
                  ))}
                </Row>
              )}
            </Row>
            <div className={classes.both}>
              {(wide || view === 'list') && (
                <CardList aria-label={t('stations.title')}>
                  {placed.map(({ station, number }) => (
                    <StationCard
                      key={station.id}
                      station={station}
                      number={number}
                      selected={station.id === selected}
                      onShowOnMap={() => showOnMap(station.id)}
                      onCoverage={() => setCoverageStation(station)}
                    />
                  ))}
                </CardList>
              )}
              {(wide || view === 'map') && (
                <div className={classes.map}>
                  <LazyPart fallback={<Loading />}>
                    <StationMap
                      of="stations"
                      tiles={tiles}
                      stations={placed}
                      inView={near && !list.sort ? nearCount : placed.length}
                      here={here}
                      selectedId={selected}
                      onSelect={setSelected}
                    />
                  </LazyPart>
                </div>
              )}
            </div>
            {!wide && view === 'map' && <SelectedStation {...{ placed, selected, setCoverageStation }} />}
            {data && <Pages list={list} page={data} />}
          </>
        )}
      </Stack>
      {coverageStation && <CoverageDialog station={coverageStation} onClose={() => setCoverageStation(null)} />}
    </>
  )
}

/** The station that was pressed on the map, if the list is not visible. */
function SelectedStation({
  placed,
  selected,
  setCoverageStation,
}: {
  placed: readonly { station: Station; number: number }[]
  selected: string | null
  setCoverageStation: (station: Station) => void
}) {
  const entry = placed.find(({ station }) => station.id === selected)
  return (
    <div aria-live="polite">
      {entry && (
        <CardList>
          <StationCard {...entry} selected onCoverage={() => setCoverageStation(entry.station)} />
        </CardList>
      )}
    </div>
  )
}

/** No station matches. A town without a station has stations around it. */
function NoStations({ list, near }: { list: ListState<typeof publicStations>; near: string | null }) {
  const t = useT()
  const place = list.search.trim()
  if (!list.narrowed) return <MessagePanel kind="empty" title={t('stations.empty')} text={t('stations.emptyText')} />
  return (
    <MessagePanel
      kind="empty"
      title={t('stations.none')}
      text={t('stations.noneHint')}
      action={
        place.length >= 2 && !near ? (
          <Button onClick={() => list.narrow({ q: undefined, near: place, sort: undefined })}>
            {t('stations.tryNear', { place })}
          </Button>
        ) : (
          <Button onClick={list.clear}>{t('stations.clear')}</Button>
        )
      }
    />
  )
}

/** The point of `lat,lng`; null for a postcode or a town. */
function readPoint(near: string | null): readonly [number, number] | null {
  if (near === null || !isPoint(near)) return null
  const [latitude, longitude] = near.split(',').map(Number)
  const valid = Math.abs(latitude ?? Number.NaN) <= 90 && Math.abs(longitude ?? Number.NaN) <= 180
  return valid ? [latitude ?? 0, longitude ?? 0] : null
}
