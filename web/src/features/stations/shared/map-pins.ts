import type { Station } from '@waybill/contract/stations/stations'

export type PlacedStation = {
  station: Pick<Station, 'id' | 'name' | 'latitude' | 'longitude'>
  /** Its number in the list, from 1. */
  number: number
}

/** A pin on the map: a station, or several that would overlap. It is at the position of the first. */
export type Pin = readonly [PlacedStation, ...PlacedStation[]]

/**
 * Groups stations into pins that are at least `apart` pixels from each other, so that each can be pressed. `project`
 * returns the pixel position of a station at the current zoom.
 */
export function groupPins(
  stations: readonly PlacedStation[],
  project: (station: PlacedStation['station']) => { x: number; y: number },
  apart: number,
): Pin[] {
  const pins: { x: number; y: number; members: [PlacedStation, ...PlacedStation[]] }[] = []
  for (const placed of stations) {
    const { x, y } = project(placed.station)
    const near = pins.find((pin) => Math.hypot(pin.x - x, pin.y - y) < apart)
    if (near) near.members.push(placed)
    else pins.push({ x, y, members: [placed] })
  }
  return pins.map(({ members }) => members)
}
