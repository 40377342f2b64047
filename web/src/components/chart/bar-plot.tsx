import { useComputedColorScheme } from '@mantine/core'
import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Bar, Series } from './series.ts'

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip)

/** The colours of the theme by the tone of a series: the legend has the same. */
const toneColours = { first: '--wb-moving', second: '--wb-success', third: '--wb-warning' } as const

type Props = { series: readonly Series[]; bars: readonly Bar[]; format: (value: number) => string }

/**
 * The bars of a chart, drawn by Chart.js. Hidden from screen readers: `BarChart` has the same figures as a table. It
 * is a separate module, so that no page loads the library before it shows a chart.
 */
export function BarPlot({ series, bars, format }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const formatValue = useEffectEvent(format)
  // A canvas does not use style sheets: it must be redrawn for other colours.
  const scheme = useComputedColorScheme('light')
  // Compared as text, so that a rerender with equal figures does not close an open tooltip.
  const figures = JSON.stringify({ series, bars } satisfies Omit<Props, 'format'>)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `scheme` changes the colours that are read from the page
  useEffect(() => {
    if (!canvas.current) return
    const content = JSON.parse(figures) as Omit<Props, 'format'>
    const chart = drawChart(canvas.current, content, (value) => formatValue(value))
    // A canvas does not wait for its fonts, and Chinese fonts load in parts.
    const texts = [...content.bars, ...content.series].map(({ label }) => label).join('')
    let isOpen = true
    void document.fonts.load(`12px ${getComputedStyle(canvas.current).fontFamily}`, texts).then(
      () => isOpen && chart.update(),
      () => undefined,
    )
    return () => {
      isOpen = false
      chart.destroy()
    }
  }, [figures, scheme])
  return <canvas ref={canvas} aria-hidden />
}

function drawChart(canvas: HTMLCanvasElement, { series, bars }: Omit<Props, 'format'>, format: Props['format']): Chart {
  const style = getComputedStyle(canvas)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const font = { family: style.fontFamily, size: 12 }
  const [dimmed, line] = [colour('--wb-dimmed'), colour('--wb-border')]
  return new Chart(canvas, {
    type: 'bar',
    data: {
      labels: bars.map(({ label }) => label),
      datasets: series.map(({ key, label, tone }) => ({
        label,
        data: bars.map(({ values }) => values[key] ?? 0),
        backgroundColor: colour(toneColours[tone]),
        borderRadius: 2,
        maxBarThickness: 24,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          border: { color: colour('--wb-border-strong') },
          grid: { display: false },
          ticks: { color: dimmed, font, maxRotation: 0, autoSkipPadding: 16 },
        },
        y: {
          beginAtZero: true,
          border: { display: false },
          grid: { color: line },
          ticks: {
            color: dimmed,
            font,
            precision: 0,
            maxTicksLimit: 4,
            callback: (value) => format(Number(value)),
          },
        },
      },
      plugins: {
        tooltip: {
          titleFont: { ...font, weight: 600 },
          bodyFont: font,
          borderColor: line,
          borderWidth: 1,
          callbacks: { label: ({ dataset, raw }) => ` ${dataset.label}: ${format(Number(raw))}` },
        },
      },
    },
  })
}
