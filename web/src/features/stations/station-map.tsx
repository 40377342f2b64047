import 'leaflet/dist/leaflet.css'
import { divIcon, type Marker as LeafletMarker, latLngBounds } from 'leaflet'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { CircleMarker, MapContainer, Marker, TileLayer, useMap, useMapEvents, ZoomControl } from 'react-leaflet'
import { useT } from '../../lib/i18n.ts'
import { useDeployment } from '../../lib/settings/deployment.ts'
import { groupPins, type Pin, type PlacedStation } from './map-pins.ts'
import classes from './station-map.module.css'

const nearestZoom = 14
const maxZoom = 18
/** In pixels: the size of a mark and some room around it. */
const apart = 40
const size = 32

type Props = {
  stations: readonly PlacedStation[]
  /** How many of them, from the first, are in view at the beginning: near a place the others are far away. */
  inView: number
  /** Where the search begins, if it is a point. */
  here: readonly [latitude: number, longitude: number] | null
  selectedId: string | null
  onSelect: (id: string) => void
}

/**
 * The stations of the list as numbered buttons on a map. Loaded on demand, because no other page needs Leaflet. Without
 * tiles in the settings the places stand on a plain ground.
 */
export function StationMap({ stations, inView, here, selectedId, onSelect }: Props) {
  const t = useT()
  const map = useDeployment()?.map ?? null
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  return (
    <div className={classes.frame}>
      <MapContainer
        className={classes.map ?? ''}
        bounds={boundsOf(stations.slice(0, inView), here)}
        maxZoom={maxZoom}
        minZoom={2}
        zoomControl={false}
        attributionControl={false}
        scrollWheelZoom={false}
        zoomAnimation={!still}
        fadeAnimation={!still}
        markerZoomAnimation={!still}
      >
        <ZoomControl position="topright" zoomInTitle={t('stations.zoomIn')} zoomOutTitle={t('stations.zoomOut')} />
        {map && <TileLayer className={classes.tiles ?? ''} url={map.tileUrl} maxZoom={maxZoom} />}
        <View stations={stations} inView={inView} here={here} selectedId={selectedId} />
        {here && (
          <CircleMarker
            center={[...here]}
            radius={8}
            interactive={false}
            pathOptions={{ className: classes.here ?? '' }}
          />
        )}
        <Pins stations={stations} selectedId={selectedId} onSelect={onSelect} />
      </MapContainer>
      {/* Plain text: a source's HTML would be foreign code on our page. */}
      {map?.attribution && <p className={classes.attribution}>{map.attribution}</p>}
    </div>
  )
}

function boundsOf(stations: readonly PlacedStation[], here: Props['here']) {
  const points = stations.map(({ station }): [number, number] => [station.latitude, station.longitude])
  return latLngBounds(here ? [...points, [...here]] : points)
}

/** Names the map for screen readers, shows all its stations whenever the list changes, and follows the selection. */
function View({ stations, inView, here, selectedId }: Omit<Props, 'onSelect'>) {
  const map = useMap()
  const t = useT()
  const shown = stations.map(({ station }) => station.id).join()

  useEffect(() => {
    map.getContainer().setAttribute('role', 'group')
    map.getContainer().setAttribute('aria-label', t('stations.mapOf'))
  }, [map, t])
  const showAll = useEffectEvent(() => {
    const bounds = boundsOf(stations.slice(0, inView), here)
    if (bounds.isValid()) map.fitBounds(bounds, { padding: [40, 40], maxZoom: nearestZoom, animate: false })
  })
  const follow = useEffectEvent((id: string | null) => {
    const selected = stations.find(({ station }) => station.id === id)?.station
    if (selected) map.setView([selected.latitude, selected.longitude], Math.max(map.getZoom(), nearestZoom))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same stations keep the view that the user has chosen
  useEffect(() => showAll(), [shown])
  useEffect(() => follow(selectedId), [selectedId])
  return null
}

function Pins({ stations, selectedId, onSelect }: Omit<Props, 'here' | 'inView'>) {
  const map = useMap()
  const [zoom, setZoom] = useState(() => map.getZoom())
  useMapEvents({ zoomend: () => setZoom(map.getZoom()) })
  const pins = useMemo(
    () => groupPins(stations, ({ latitude, longitude }) => map.project([latitude, longitude], zoom), apart),
    [map, stations, zoom],
  )

  function press(pin: Pin) {
    const [first, ...others] = pin
    if (others.length > 0 && zoom < maxZoom) {
      map.fitBounds(boundsOf(pin, null), { padding: [40, 40], maxZoom })
      // The mark that was pressed is gone then, and the focus with it.
      map.getContainer().focus()
      return
    }
    // Stations in one building: each press selects the next one.
    const at = pin.findIndex(({ station }) => station.id === selectedId)
    onSelect((pin[at + 1] ?? first).station.id)
  }
  return pins.map((pin) => (
    <PinMarker
      key={pin.map(({ station }) => station.id).join()}
      pin={pin}
      selected={pin.some(({ station }) => station.id === selectedId)}
      onPress={() => press(pin)}
    />
  ))
}

function PinMarker({ pin, selected, onPress }: { pin: Pin; selected: boolean; onPress: () => void }) {
  const t = useT()
  const marker = useRef<LeafletMarker>(null)
  const [{ station, number }] = pin
  const many = pin.length > 1
  const name = many
    ? t('stations.pins', { count: pin.length, names: pin.map((placed) => placed.station.name).join(', ') })
    : t('stations.pin', { number, station: station.name })
  const text = many ? `${pin.length}×` : String(number)
  const icon = useMemo(() => divIcon({ className: classes.pin ?? '', html: text, iconSize: [size, size] }), [text])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new icon is a new element
  useEffect(() => {
    const element = marker.current?.getElement()
    if (!element) return
    element.setAttribute('aria-label', name)
    element.setAttribute('aria-pressed', String(selected))
    element.dataset.many = String(many)
  }, [name, selected, many, icon])
  return (
    <Marker
      ref={marker}
      position={[station.latitude, station.longitude]}
      icon={icon}
      title={many ? name : station.name}
      zIndexOffset={selected ? 1000 : 0}
      eventHandlers={{
        click: onPress,
        // Leaflet makes it a button for screen readers, but presses it by mouse only.
        keydown: ({ originalEvent }) => {
          if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return
          originalEvent.preventDefault()
          onPress()
        },
      }}
    />
  )
}
