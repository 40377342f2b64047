import { lazy, type ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { LazyPart } from '../feedback/lazy-part.tsx'
import { Quiet } from '../layout/text.tsx'
import classes from './bar-chart.module.css'
import type { Bar, Series } from './series.ts'

const BarPlot = lazy(async () => ({ default: (await import('./bar-plot.tsx')).BarPlot }))

type Props = {
  title: string
  /** The period, below the title. */
  note?: string
  /** The most important figure, above the bars. */
  headline?: ReactNode
  series: readonly Series[]
  bars: readonly Bar[]
  format: (value: number) => string
}

/**
 * A bar chart with up to three series. The same figures follow as a table, for screen readers and exact reading. The
 * table is there before the chart's library is loaded.
 */
export function BarChart({ title, note, headline, series, bars, format }: Props) {
  const t = useT()
  return (
    <figure className={classes.root}>
      <figcaption className={classes.caption}>
        <div>
          <h2>{title}</h2>
          {note && <Quiet>{note}</Quiet>}
        </div>
        <span className={classes.legend}>
          {series.map(({ key, label, tone }) => (
            <span key={key} className={classes.key} data-tone={tone}>
              {label}
            </span>
          ))}
        </span>
      </figcaption>
      {headline}
      <div className={classes.plot}>
        <LazyPart>
          <BarPlot series={series} bars={bars} format={format} />
        </LazyPart>
      </div>
      <details className={classes.table}>
        <summary>{t('list.asTable')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              {series.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.key}>
                <th scope="row">{bar.label}</th>
                {series.map(({ key }) => (
                  <td key={key}>{format(bar.values[key] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
