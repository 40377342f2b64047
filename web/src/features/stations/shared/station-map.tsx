import 'leaflet/dist/leaflet.css'
import type { Locale } from '@waybill/contract/ground/constants'
import { formatList } from '@waybill/contract/ground/format'
import {
  circleMarker,
  control,
  divIcon,
  Map as LeafletMap,
  latLngBounds,
  layerGroup,
  type Marker,
  marker,
  polyline,
  tileLayer,
} from 'leaflet'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { groupPins, type Pin, type PlacedStation } from './map-pins.ts'
import classes from './station-map.module.css'

const nearestZoom = 14
const maxZoom = 18
/** In pixels: the size of a pin and some space around it. */
const apart = 40
const size = 32

/** The names of the map and its pins. */
const words = {
  stations: { map: 'stations.mapOf', pin: 'stations.pin', pins: 'stations.pins' },
  places: { map: 'places.mapOf', pin: 'places.pin', pins: 'places.pins' },
} as const

type Props = {
  /** What the map shows, which determines the names. */
  of: 'stations' | 'places'
  /** Null: no tile source is configured. */
  tiles: { tileUrl: string; attribution: string } | null
  stations: readonly PlacedStation[]
  /** How many of them, from the first, are visible at first: near a place the others are far away. */
  inView: number
  /** The point of the search, if it is one. */
  here: readonly [latitude: number, longitude: number] | null
  /** Draws a line from each pin to the next. */
  joined?: boolean
  selectedId: string | null
  onSelect: (id: string) => void
}

/**
 * Stations, or the places of a parcel, as numbered buttons on a map. Loaded on demand, because most pages need no
 * Leaflet. Without tiles in the settings the pins are on a plain background.
 */
export function StationMap({ of, tiles, stations, inView, here, joined = false, selectedId, onSelect }: Props) {
  const t = useT()
  const element = useRef<HTMLElement>(null)
  const tileUrl = tiles?.tileUrl
  const { map, zoom } = useMap(element)
  const ids = stations.map(({ station }) => station.id).join()

  useEffect(() => {
    if (!map || tileUrl === undefined) return
    const layer = tileLayer(tileUrl, { className: classes.tiles ?? '', maxZoom }).addTo(map)
    return () => void layer.remove()
  }, [map, tileUrl])

  const showAll = useEffectEvent(() => {
    const bounds = getBounds(stations.slice(0, inView), here)
    if (bounds.isValid()) map?.fitBounds(bounds, { padding: [40, 40], maxZoom: nearestZoom, animate: false })
  })
  const follow = useEffectEvent((id: string | null) => {
    const selected = stations.find(({ station }) => station.id === id)?.station
    if (selected) map?.setView([selected.latitude, selected.longitude], Math.max(map.getZoom(), nearestZoom))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same stations keep the view that the user has selected
  useEffect(() => showAll(), [map, ids])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new map starts with the selection of the old one
  useEffect(() => follow(selectedId), [map, selectedId])

  useEffect(() => {
    if (!map || !here) return
    const place = circleMarker([...here], { radius: 8, interactive: false, className: classes.here ?? '' }).addTo(map)
    return () => void place.remove()
  }, [map, here])

  useEffect(() => {
    if (!map || !joined) return
    const points = stations.map(({ station }): [number, number] => [station.latitude, station.longitude])
    const line = polyline(points, { interactive: false, className: classes.way ?? '' }).addTo(map)
    return () => void line.remove()
  }, [map, joined, stations])

  usePins({ of, map, zoom, stations, selectedId, onSelect })
  return (
    <div className={classes.frame}>
      <section ref={element} className={classes.map} aria-label={t(words[of].map)} />
      {/* Plain text: HTML from a tile source would be untrusted code on our page. */}
      {tiles?.attribution && <p className={classes.attribution}>{tiles.attribution}</p>}
    </div>
  )
}

function getBounds(stations: readonly PlacedStation[], here: Props['here']) {
  const points = stations.map(({ station }): [number, number] => [station.latitude, station.longitude])
  return latLngBounds(here ? [...points, [...here]] : points)
}

/** A Leaflet map in an element, and its zoom. Null before the first rendering. */
function useMap(element: React.RefObject<HTMLElement | null>): { map: LeafletMap | null; zoom: number } {
  const t = useT()
  const [map, setMap] = useState<LeafletMap | null>(null)
  const [zoom, setZoom] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const animates = !matchMedia('(prefers-reduced-motion: reduce)').matches
    const created = new LeafletMap(element.current, {
      center: [0, 0],
      zoom: 2,
      minZoom: 2,
      maxZoom,
      zoomControl: false,
      attributionControl: false,
      // Disabled, because the page scrolls under the pointer and would get stuck on the map.
      scrollWheelZoom: false,
      zoomAnimation: animates,
      fadeAnimation: animates,
      markerZoomAnimation: animates,
    })
    const [zoomInTitle, zoomOutTitle] = [t('stations.zoomIn'), t('stations.zoomOut')]
    control.zoom({ position: 'topright', zoomInTitle, zoomOutTitle }).addTo(created)
    created.on('zoomend', () => setZoom(created.getZoom()))
    setZoom(created.getZoom())
    setMap(created)
    return () => {
      setMap(null)
      created.remove()
    }
  }, [element, t])
  return { map, zoom }
}

/** Keeps a button on the map for each station, or for several that would overlap. */
function usePins({
  of,
  map,
  zoom,
  stations,
  selectedId,
  onSelect,
}: Omit<Props, 'here' | 'inView' | 'joined' | 'tiles'> & { map: LeafletMap | null; zoom: number }): void {
  const t = useT()
  const language = useLanguage()
  const markers = useRef<{ pin: Pin; button: Marker }[]>([])
  const pins = useMemo(() => {
    if (!map) return []
    return groupPins(stations, ({ latitude, longitude }) => map.project([latitude, longitude], zoom), apart)
  }, [map, stations, zoom])

  const press = useEffectEvent((pin: Pin) => {
    const [first, ...others] = pin
    if (map && others.length > 0 && zoom < maxZoom) {
      map.fitBounds(getBounds(pin, null), { padding: [40, 40], maxZoom })
      // The pressed pin no longer exists, and its focus is lost.
      map.getContainer().focus()
      return
    }
    // Stations in one building: each press selects the next one.
    const at = pin.findIndex(({ station }) => station.id === selectedId)
    onSelect((pin[at + 1] ?? first).station.id)
  })

  useEffect(() => {
    if (!map) return
    markers.current = pins.map((pin) => ({
      pin,
      button: createPin(pin, getName(of, pin, t, language), () => press(pin)),
    }))
    const layer = layerGroup(markers.current.map(({ button }) => button)).addTo(map)
    for (const { pin, button } of markers.current) {
      button.getElement()?.setAttribute('aria-label', button.options.title ?? '')
      button.getElement()?.setAttribute('data-many', String(pin.length > 1))
    }
    return () => void layer.remove()
  }, [of, map, pins, t, language])

  // Separate from the creation: a new element for each selection would lose the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new pins are new elements
  useEffect(() => {
    for (const { pin, button } of markers.current) {
      const selected = pin.some(({ station }) => station.id === selectedId)
      button.getElement()?.setAttribute('aria-pressed', String(selected))
      button.setZIndexOffset(selected ? 1000 : 0)
    }
  }, [pins, selectedId, map, t])
}

function getName(of: Props['of'], pin: Pin, t: ReturnType<typeof useT>, language: Locale): string {
  const names = pin.map(({ station }) => station.name)
  return names.length > 1
    ? t(words[of].pins, { count: names.length, names: formatList(names, language) })
    : t(words[of].pin, { number: pin[0].number, station: names[0] })
}

function createPin(pin: Pin, name: string, onPress: () => void): Marker {
  const [{ station, number }, another] = pin
  const text = another ? `${pin.length}×` : String(number)
  const icon = divIcon({ className: classes.pin ?? '', html: text, iconSize: [size, size] })
  const button = marker([station.latitude, station.longitude], { icon, title: name })
  button.on('click', onPress)
  // Leaflet makes it a button for screen readers, but handles only mouse clicks.
  button.on('keydown', ({ originalEvent }) => {
    if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return
    originalEvent.preventDefault()
    onPress()
  })
  return button
}
