/** Rules of rate cards. */
import type { Scope } from '@waybill/contract/ground/enums/parcel-enums'
import type { RateLine } from '@waybill/contract/pricing/rate-cards'

/** A problem of a line: the path of the field, a rule of the locale files, and its variables. */
export type LineProblem = { field: string; rule: string; vars?: Record<string, unknown> }

type LineOfRow = { line: RateLine; n: number }

const at = (n: number, field: keyof RateLine, rule: string): LineProblem => ({ field: `lines.${n}.${field}`, rule })

/** Weight bands of a service between two zones, lightest first: each must begin where the previous one ends. */
function bandProblem(before: RateLine, { line, n }: LineOfRow): LineProblem | null {
  if (line.minWeightGrams === before.minWeightGrams && line.maxWeightGrams === before.maxWeightGrams) {
    return at(n, 'minWeightGrams', 'lineTwice')
  }
  if (line.minWeightGrams <= before.maxWeightGrams) return at(n, 'minWeightGrams', 'bandOverlap')
  return line.minWeightGrams > before.maxWeightGrams + 1 ? at(n, 'minWeightGrams', 'bandGap') : null
}

/** The first problem of every invalid line, in the order of the lines. `zones`: the existing codes. */
export function lineProblems(
  lines: readonly RateLine[],
  zones: readonly { scope: Scope; code: string }[],
): LineProblem[] {
  const zoneKeys = new Set(zones.map(({ scope, code }) => `${scope} ${code}`))
  const problems = new Map<number, LineProblem>()
  const addProblem = (n: number, problem: LineProblem | null) => {
    if (problem && !problems.has(n)) problems.set(n, problem)
  }
  const placed = lines.map((line, n) => ({ line, n }))
  for (const { line, n } of placed) {
    if (!zoneKeys.has(`${line.scope} ${line.originZone}`)) addProblem(n, at(n, 'originZone', 'zoneUnknown'))
    if (!zoneKeys.has(`${line.scope} ${line.destinationZone}`)) addProblem(n, at(n, 'destinationZone', 'zoneUnknown'))
    if (line.maxWeightGrams < line.minWeightGrams) addProblem(n, at(n, 'maxWeightGrams', 'beforeMinimum'))
  }
  const ways = Map.groupBy(placed, ({ line }) =>
    [line.scope, line.carrier, line.serviceType, line.originZone, line.destinationZone].join(' '),
  )
  for (const bands of ways.values()) {
    const sorted = bands.sort((a, b) => a.line.minWeightGrams - b.line.minWeightGrams || a.n - b.n)
    for (const [index, band] of sorted.entries()) {
      const before = sorted[index - 1]
      if (before) addProblem(band.n, bandProblem(before.line, band))
    }
  }
  return [...problems.entries()].sort(([a], [b]) => a - b).map(([, problem]) => problem)
}

/** Whether a version is valid on a day (`YYYY-MM-DD`). */
export const isValidOn = ({ validFrom, validTo }: { validFrom: string; validTo: string | null }, day: string) =>
  validFrom <= day && (validTo === null || day <= validTo)

export type Validity = { edition: number; validFrom: string; validTo: string | null }

/**
 * Whether a version may be valid between two days (`YYYY-MM-DD`), given the published ones of its card. An open-ended
 * one before it is ended the day before: `ends`. If the new version has an end day, the open-ended one goes on, and its
 * prices apply again after that day. Any other overlap is a problem.
 */
export function resolveValidity(
  validity: { validFrom: string; validTo: string | null },
  published: readonly Validity[],
  today: string,
): { ends: Validity[]; problem: LineProblem | null } {
  const { validFrom, validTo } = validity
  const none = { ends: [], problem: null }
  if (validFrom < today) return { ...none, problem: { field: 'validFrom', rule: 'dayPast' } }
  if (validTo !== null && validTo < validFrom) return { ...none, problem: { field: 'validTo', rule: 'dayBefore' } }
  const overlapping = published.filter(
    (other) =>
      (validTo === null || other.validFrom <= validTo) && (other.validTo === null || other.validTo >= validFrom),
  )
  const conflict = overlapping.find((other) => other.validTo !== null || other.validFrom >= validFrom)
  if (conflict) {
    const field = conflict.validFrom > validFrom ? 'validTo' : 'validFrom'
    return { ...none, problem: { field, rule: 'validityOverlap', vars: { edition: conflict.edition } } }
  }
  return { ends: validTo === null ? overlapping : [], problem: null }
}
