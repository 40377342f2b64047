/** One figure of the quality page: ours compared with its baseline, measured in the same run. */
export type Figure = {
  /** `P1`, and a suffix if one goal has several figures. */
  id: string
  what: string
  ours: number
  floor: number | null
  unit: string
  /** The value compared with the goal: ours / floor, or only ours. */
  value: number
  goal: { compare: 'at least' | 'at most'; value: number }
  met: boolean
  note?: string
}

/** A figure of `results.json`: a run of some benchmarks replaces only their figures. */
export type StoredFigure = Figure & {
  /** ISO 8601. */
  measuredAt: string
  /** The commit of the measured code; with `+` if it had other changes. */
  commit: string
  /** The load average at the start, if it was more than the processors can carry. */
  busyLoad?: number
}

type Measured = Omit<Figure, 'value' | 'met'>

/** The ratio of our figure to a baseline measured in the same run. */
export function against(measured: Measured & { floor: number }): Figure {
  return judge(measured, measured.ours / measured.floor)
}

/** A figure with an absolute limit. */
export function alone(measured: Omit<Measured, 'floor'>): Figure {
  return judge({ ...measured, floor: null }, measured.ours)
}

function judge(measured: Measured, value: number): Figure {
  const { compare, value: limit } = measured.goal
  return { ...measured, value, met: compare === 'at least' ? value >= limit : value <= limit }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })

/** The table of `bench/README.md`. */
export function formatTable(figures: readonly StoredFigure[]): string {
  const rows = figures.map((figure) =>
    [
      figure.id,
      figure.what,
      `${plain.format(figure.ours)} ${figure.unit}`,
      figure.floor === null ? '–' : `${plain.format(figure.floor)} ${figure.unit}`,
      plain.format(figure.value) + (figure.busyLoad ? ` (busy machine, load ${Math.round(figure.busyLoad)})` : ''),
      `${figure.goal.compare} ${figure.goal.value}`,
      figure.met ? 'yes' : '**no**',
      `${figure.measuredAt.slice(0, 10)}, ${figure.commit}`,
    ].join(' | '),
  )
  const head = '| # | work | ours | floor | figure | goal | met | measured |\n|---|---|---|---|---|---|---|---|'
  return [head, ...rows.map((row) => `| ${row} |`)].join('\n')
}
