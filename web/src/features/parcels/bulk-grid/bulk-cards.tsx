import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCloudOff, IconPencil, IconShoppingCart } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { BulkProblem, BulkRow } from '@waybill/contract/parcels/bulk'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { ProblemActions } from '../bulk/problem-actions.tsx'
import { type BulkRows, textOfCell } from './bulk-rows.ts'
import classes from './cards.module.css'
import { useNeededRows } from './use-bulk-rows.ts'

/** The estimated height, until a card is measured. */
const usualHeight = 168

type Props = {
  rows: BulkRows
  label: string
  /** Opens the form of the row at this index. */
  open: (place: number) => void
}

/** The rows of a batch on a phone: one card each, with its problems and their solutions. The page itself scrolls. */
export function BulkCards({ rows, label, open }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // The offset of the virtual list, which moves when a notice above it appears or disappears.
  useLayoutEffect(() => {
    const measure = () => {
      const now = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      setTop((present) => (Math.abs(now - present) > 1 ? now : present))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtual = useWindowVirtualizer({
    count: rows.count,
    estimateSize: () => usualHeight,
    overscan: 6,
    gap: 12,
    scrollMargin: top,
  })
  const visible = virtual.getVirtualItems()
  useNeededRows(rows, visible[0]?.index ?? 0, visible.at(-1)?.index ?? 0)
  return (
    <ul ref={list} className={classes.list} aria-label={label} style={{ height: virtual.getTotalSize() }}>
      {visible.map(({ index, start }) => {
        const row = rows.at(index)
        return (
          <li
            key={index}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={rows.count}
            aria-posinset={index + 1}
            className={classes.place}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {row ? <Card rows={rows} row={row} place={index} open={open} /> : <div className={classes.awaited} />}
          </li>
        )
      })}
    </ul>
  )
}

function Card({ rows, row, place, open }: { rows: BulkRows; row: BulkRow; place: number; open: Props['open'] }) {
  const t = useT()
  const format = useFormat()
  const title = useId()
  const cell = (field: Parameters<typeof textOfCell>[1]) => textOfCell(row, field)
  const sides = [cell('length'), cell('width'), cell('height')].filter(Boolean)
  const lines = [
    [cell('line1'), cell('line2')],
    [`${cell('postcode')} ${cell('city')}`.trim(), cell('state'), cell('country')],
    [
      cell('weight') && `${t('bulk.column.weight')} ${cell('weight')}`,
      sides.join(' × '),
      cell('serviceType'),
      cell('contentDescription'),
    ],
  ].map((parts) => parts.filter(Boolean).join(', '))
  const number = t('bulk.rowNumber', { row: format.number(row.row) })
  const name = cell('receiverName') || t('bulk.noName')
  return (
    <article className={classes.card} data-state={row.state} aria-labelledby={title}>
      <div className={classes.head}>
        <h2 id={title}>
          <span className="wb-hidden">{number}, </span>
          {name}
        </h2>
        <Quiet aria-hidden>{number}</Quiet>
      </div>
      {cell('phone') && <p className={classes.line}>{cell('phone')}</p>}
      {lines.map((text, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have a fixed order and no key
        <p key={n} className={classes.line}>
          {text}
        </p>
      ))}
      {row.problems.length > 0 && (
        <ul className={classes.problems} data-warning={row.state !== 'bad' || undefined}>
          {row.problems.map((problem) => (
            <li key={`${problem.code}-${problem.column}`}>
              <p>
                <ProblemText problem={problem} />
              </p>
              <div className={classes.actions}>
                <ProblemActions rows={rows} row={row} place={place} problem={problem} />
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.foot}>
        <Standing row={row} unsaved={rows.isRefused(row.row)} />
        {row.state !== 'carted' && (
          <Button
            size="compact-md"
            leftSection={<IconPencil size={16} aria-hidden />}
            aria-label={t('bulk.editRow', { row: format.number(row.row), name })}
            onClick={() => open(place)}
          >
            {t('actions.edit')}
          </Button>
        )}
      </div>
    </article>
  )
}

/** The problem, prefixed with the column if the message does not name it. */
function ProblemText({ problem: { column, message } }: { problem: BulkProblem }) {
  const t = useT()
  const language = useLanguage()
  const name = column && t(`bulk.column.${column}`)
  return (
    <>
      {name && !message.includes(name) && <b>{`${name}${language === 'cn_zh' ? '：' : ': '}`}</b>}
      {message}
    </>
  )
}

/** The overall state of the row. */
function Standing({ row, unsaved }: { row: BulkRow; unsaved: boolean }) {
  const t = useT()
  const format = useFormat()
  const [state, Icon, text] = unsaved
    ? (['unsaved', IconCloudOff, t('bulk.notSaved')] as const)
    : row.state === 'carted'
      ? (['carted', IconShoppingCart, t('bulk.inCart')] as const)
      : row.state === 'bad'
        ? (['bad', IconAlertTriangle, t('bulk.only.bad')] as const)
        : (['good', IconCheck, row.priceMinor === null ? t('bulk.good') : format.money(row.priceMinor)] as const)
  return (
    <span className={classes.standing} data-state={state}>
      <Icon size={16} aria-hidden /> {text}
    </span>
  )
}
