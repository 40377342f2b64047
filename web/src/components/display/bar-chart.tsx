import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Quiet } from '../layout/text.tsx'
import classes from './bar-chart.module.css'

type Series = { key: string; label: string; tone: 'first' | 'second' | 'third' }
type Bar = { key: string; label: string; values: Readonly<Record<string, number>> }

type Props = {
  title: string
  /** Which period it shows, under the title. */
  note?: string
  /** The one figure that matters most, above the bars. */
  headline?: ReactNode
  series: readonly Series[]
  bars: readonly Bar[]
  format: (value: number) => string
}

/**
 * A bar chart with up to two series. The same figures follow as a table, for screen readers and exact reading.
 */
export function BarChart({ title, note, headline, series, bars, format }: Props) {
  const t = useT()
  const most = Math.max(1, ...bars.flatMap((bar) => series.map(({ key }) => bar.values[key] ?? 0)))
  const valuesInWords = (bar: Bar) =>
    series.map(({ key, label }) => `${label} ${format(bar.values[key] ?? 0)}`).join(', ')
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
      <div className={classes.plot} aria-hidden>
        <span className={classes.top}>{format(most)}</span>
        {bars.map((bar) => (
          <div key={bar.key} className={classes.group} title={`${bar.label}: ${valuesInWords(bar)}`}>
            {series.map(({ key, tone }) => (
              <span
                key={key}
                className={classes.bar}
                data-tone={tone}
                style={{ height: `${((bar.values[key] ?? 0) / most) * 100}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
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
