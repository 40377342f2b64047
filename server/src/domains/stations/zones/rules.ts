/** Rules of zones. */
import type { Scope } from '@waybill/contract/ground/enums/parcel-enums'
import type { ZoneArea } from '@waybill/contract/stations/zones'

/** A problem of an area: the path of the field, a rule of the locale files, and its variables. */
export type AreaProblem = { field: string; rule: string; vars?: Record<string, unknown> }

type Zone = { code: string; areas: readonly ZoneArea[] }
type Ground = {
  scope: Scope
  /** The deployment's home country. */
  home: string
  /** The official name of a state; null if unknown. Absent if the country's states are unknown. */
  stateNamed?: (state: string) => string | null
  /** The other zones of this scope. */
  others: readonly Zone[]
}

type Range = { from: string; to: string }
const toRange = ({ postcodeFrom, postcodeTo }: ZoneArea): Range | null =>
  postcodeFrom !== null && postcodeTo !== null ? { from: postcodeFrom, to: postcodeTo } : null

const within = (inner: Range, outer: Range) => outer.from <= inner.from && inner.to <= outer.to

/**
 * Whether a place could lie in either of two areas. A range within a wider one is allowed, because the narrower one is
 * used; an equal or overlapping one is not.
 */
function clash(a: ZoneArea, b: ZoneArea): boolean {
  if (a.country !== b.country) return false
  const [one, other] = [toRange(a), toRange(b)]
  if (!one || !other) return !one && !other && (a.state ?? '').toLowerCase() === (b.state ?? '').toLowerCase()
  if (one.from.length !== other.from.length || one.to < other.from || other.to < one.from) return false
  const same = one.from === other.from && one.to === other.to
  return same || !(within(one, other) || within(other, one))
}

/** The first rule that an area breaks by itself. */
export function shapeProblem(area: ZoneArea, { scope, home, stateNamed }: Omit<Ground, 'others'>): AreaProblem | null {
  const { country, state, postcodeFrom: from, postcodeTo: to } = area
  if (scope === 'international') {
    if (state !== null) return { field: 'state', rule: 'countryOnly' }
    return from !== null || to !== null ? { field: 'postcodeFrom', rule: 'countryOnly' } : null
  }
  if (country !== home) return { field: 'country', rule: 'homeOnly' }
  if (state !== null && (from !== null || to !== null)) return { field: 'state', rule: 'stateOrRange' }
  if (from === null && to !== null) return { field: 'postcodeFrom', rule: 'required' }
  if (from !== null && to === null) return { field: 'postcodeTo', rule: 'required' }
  if (from !== null && to !== null && (from.length !== to.length || to < from)) {
    return { field: 'postcodeTo', rule: 'rangeEnd' }
  }
  return state !== null && stateNamed && stateNamed(state) === null ? { field: 'state', rule: 'enum' } : null
}

/** The field at which an overlap is reported. */
const sharedField = (area: ZoneArea) =>
  area.postcodeFrom !== null ? 'postcodeFrom' : area.state !== null ? 'state' : 'country'

/** Every area that breaks a rule, with its first problem. */
export function areaProblems(zone: Zone, ground: Ground): AreaProblem[] {
  return zone.areas.flatMap((area, n) => {
    const at = (problem: AreaProblem) => [{ ...problem, field: `areas.${n}.${problem.field}` }]
    const shape = shapeProblem(area, ground)
    if (shape) return at(shape)
    const before = zone.areas.slice(0, n).some((each) => clash(each, area))
    const owner = before ? zone : ground.others.find((other) => other.areas.some((each) => clash(each, area)))
    return owner ? at({ field: sharedField(area), rule: 'areaTaken', vars: { zone: owner.code } }) : []
  })
}
