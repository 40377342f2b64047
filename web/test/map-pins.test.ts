import { describe, expect, it } from 'vitest'
import { groupPins, type PlacedStation } from '../src/features/stations/shared/map-pins.ts'

const at = (id: string, x: number, number: number): PlacedStation => ({
  station: { id, name: id, latitude: 0, longitude: x },
  number,
})
const project = ({ latitude, longitude }: PlacedStation['station']) => ({ x: longitude, y: latitude })
const members = (stations: PlacedStation[]) =>
  groupPins(stations, project, 40).map((pin) => pin.map(({ station }) => station.id))

describe('the pins of the map', () => {
  it('show each station separately if there is space', () => {
    expect(members([at('a', 0, 1), at('b', 40, 2), at('c', 90, 3)])).toEqual([['a'], ['b'], ['c']])
  })

  it('group stations that would overlap, and are never closer than the width of a pin', () => {
    const stations = Array.from({ length: 50 }, (_, index) => at(`s${index}`, index * 7, index + 1))
    const pins = groupPins(stations, project, 40)
    expect(pins.flat()).toHaveLength(50)
    const places = pins.map(([first]) => first.station.longitude)
    expect(places.every((x, index) => index === 0 || x - (places[index - 1] ?? 0) >= 40)).toBe(true)
  })
})
