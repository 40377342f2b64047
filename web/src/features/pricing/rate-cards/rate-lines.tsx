import { Button, NativeSelect } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { scopeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { fractionDigits } from '@waybill/contract/ground/format'
import { fieldLabel } from '@waybill/contract/ground/validation'
import type { RateLine } from '@waybill/contract/pricing/rate-cards'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { Row } from '../../../components/layout/boxes.tsx'
import { ErrorText, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { NewLineButton } from './new-line.tsx'
import { figures } from './rate-figures.ts'
import classes from './rates.module.css'

const zones = ['originZone', 'destinationZone'] as const
type Figure = (typeof figures)[number]
type Field = (typeof zones)[number] | Figure

const getGroup = ({ scope, carrier, serviceType }: RateLine) => `${scope} ${carrier} ${serviceType}`

type Props = {
  lines: readonly RateLine[]
  currency: string
  /** Without it the lines are read-only. */
  onChange?: ((lines: RateLine[]) => void) | undefined
  /** Errors by field path: `lines.3.originZone`. */
  problems: ReadonlyMap<string, string>
}

/** The lines of a rate card, one service of one carrier at a time. */
export function RateLines({ lines, currency, onChange, problems }: Props) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const groups = useMemo(() => [...new Map(lines.map((line) => [getGroup(line), line])).entries()], [lines])
  const [groupKey, setGroupKey] = useState<string | null>(null)
  const wrong = [...problems.keys()][0]
  const heading = useHeading(currency, onChange !== undefined)
  // The lines as a whole, such as a card without any.
  const wholeProblems = [...problems].flatMap(([path, message]) => (/^lines\.\d/.test(path) ? [] : [message]))
  // Opens the group with the first problem, which would otherwise stay hidden.
  useEffect(() => {
    const line = lines[Number(wrong?.split('.')[1])]
    if (line) setGroupKey(getGroup(line))
  }, [wrong, lines])
  const group = groups.some(([key]) => key === groupKey) ? groupKey : (groups[0]?.[0] ?? null)
  const table = useFirstWrongCell(problems, groupKey)
  const focusLine = useLineFocus(table)
  const groupLines = lines.flatMap((line, n) => (getGroup(line) === group ? [{ line, n }] : []))
  const name = ({ scope, carrier, serviceType }: RateLine) =>
    [label(scopeLabels, scope), label(carrierLabels, carrier), label(serviceTypeLabels, serviceType)].join(' · ')
  const change = (n: number, some: Partial<RateLine>) =>
    onChange?.(lines.map((line, index) => (index === n ? { ...line, ...some } : line)))
  const add = () => {
    const last = groupLines.at(-1)
    if (!last) return
    onChange?.([...lines.slice(0, last.n + 1), { ...last.line }, ...lines.slice(last.n + 1)])
    focusLine(`lines.${last.n + 1}`)
  }

  return (
    <>
      <Row align="end" style={{ marginBlockEnd: 12 }}>
        <NativeSelect
          label={t('fields.serviceType')}
          value={group ?? ''}
          onChange={(event) => setGroupKey(event.currentTarget.value)}
          data={groups.map(([value, line]) => ({ value, label: name(line) }))}
        />
        {onChange && (
          <>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add} disabled={groupLines.length === 0}>
              {t('ratesPage.addLine')}
            </Button>
            <NewLineButton
              currency={currency}
              like={groupLines.at(-1)?.line}
              onAdd={(line) => {
                onChange([...lines, line])
                setGroupKey(getGroup(line))
              }}
            />
          </>
        )}
        <Quiet style={{ marginInlineStart: 'auto' }}>
          {t('ratesPage.linesOf', { shown: format.number(groupLines.length), total: format.number(lines.length) })}
        </Quiet>
      </Row>
      {wholeProblems.map((message) => (
        <ErrorText key={message} role="alert" style={{ marginBlockEnd: 12 }}>
          {message}
        </ErrorText>
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable with the keyboard */}
      <section className={classes.scroll} aria-label={t('fields.lines')} tabIndex={0}>
        <table ref={table} className={classes.table}>
          <thead>
            <tr>
              {zones.map((field) => (
                <th key={field}>{fieldLabel(field, t)}</th>
              ))}
              {figures.map((field) => (
                <th key={field} data-align="end">
                  {heading(field)}
                </th>
              ))}
              {onChange && <th>{t('ratesPage.actions')}</th>}
            </tr>
          </thead>
          <tbody>
            {groupLines.map(({ line, n }) => (
              <Line
                key={n}
                line={line}
                path={`lines.${n}`}
                currency={currency}
                problems={problems}
                onChange={onChange && ((some) => change(n, some))}
                onRemove={() => onChange?.(lines.filter((_, index) => index !== n))}
              />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** The name of a figure, with the unit of its input. */
function useHeading(currency: string, editable: boolean) {
  const t = useT()
  const format = useFormat()
  return (field: Figure) => {
    const name = fieldLabel(field, t)
    if (!editable || field === 'transitDays') return name
    const unit = field.endsWith('Minor') ? format.currencySymbol(currency) : format.weightUnit
    return t('phrase.detail', { text: name, detail: unit })
  }
}

type LineProps = {
  line: RateLine
  /** The line in the paths of problems: `lines.3`. */
  path: string
  currency: string
  problems: ReadonlyMap<string, string>
  onChange: ((some: Partial<RateLine>) => void) | undefined
  onRemove: () => void
}

/** One line, and above it what is wrong with it: on a phone, the bar with the save button would cover it below. */
function Line({ line, path, currency, problems, onChange, onRemove }: LineProps) {
  const t = useT()
  const format = useFormat()
  const heading = useHeading(currency, onChange !== undefined)
  const ownProblems = [...problems].filter(([field]) => field.startsWith(`${path}.`))
  const route = `${line.originZone} – ${line.destinationZone}`
  const bind = (field: Field) => {
    const at = `${path}.${field}`
    const label = t('phrase.labelled', { label: fieldLabel(field, t), value: route })
    // The message has the path as its id.
    return { label, invalid: problems.has(at), describedBy: problems.has(at) ? at : undefined }
  }
  const figureText = (figure: Figure) =>
    figure === 'transitDays'
      ? format.number(line[figure])
      : figure.endsWith('Minor')
        ? format.money(line[figure], currency)
        : format.weight(line[figure])
  return (
    <>
      {ownProblems.map(([field, message]) => (
        <tr key={field} data-wrong="true" data-problem>
          <td id={field} colSpan={zones.length + figures.length + 1} className={classes.problem}>
            {message}
          </td>
        </tr>
      ))}
      <tr data-wrong={ownProblems.length > 0} data-line={path}>
        {zones.map((field) => (
          <td key={field} data-label={fieldLabel(field, t)}>
            {onChange ? (
              <ZoneCell
                {...bind(field)}
                value={line[field]}
                onChange={(value) => onChange({ [field]: value.toUpperCase() })}
              />
            ) : (
              line[field]
            )}
          </td>
        ))}
        {figures.map((field) => (
          <td key={field} data-align="end" data-label={heading(field)}>
            {onChange ? (
              <FigureCell
                {...bind(field)}
                field={field}
                value={line[field]}
                currency={currency}
                onChange={(value) => onChange({ [field]: value })}
              />
            ) : (
              figureText(field)
            )}
          </td>
        ))}
        {onChange && (
          <td>
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={16} aria-hidden />}
              aria-label={t('phrase.labelled', { label: t('actions.remove'), value: route })}
              onClick={onRemove}
            >
              {t('actions.remove')}
            </Button>
          </td>
        )}
      </tr>
    </>
  )
}

/** Moves the focus to the first wrong cell, once: the user may look at another service before correcting it. */
function useFirstWrongCell(problems: Props['problems'], groupKey: string | null) {
  const table = useRef<HTMLTableElement>(null)
  const reported = useRef(problems)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a cell exists only once its service is shown
  useEffect(() => {
    if (problems.size === 0 || reported.current === problems) return
    const cell = table.current?.querySelector<HTMLElement>('tr[data-wrong] [aria-invalid="true"]')
    if (!cell) return
    reported.current = problems
    cell.focus()
  }, [problems, groupKey])
  return table
}

/** Focuses a line once it is there: a new one is the last of its service, and may be far below the button. */
function useLineFocus(table: RefObject<HTMLTableElement | null>): (path: string) => void {
  const [path, setPath] = useState<string | null>(null)
  useEffect(() => {
    if (path === null) return
    table.current?.querySelector<HTMLElement>(`[data-line="${path}"] input`)?.focus()
    setPath(null)
  }, [path, table])
  return setPath
}

type CellProps = { label: string; invalid: boolean; describedBy: string | undefined }

function ZoneCell(props: CellProps & { value: string; onChange: (value: string) => void }) {
  return (
    <input
      className={classes.cell}
      data-kind="zone"
      aria-label={props.label}
      aria-invalid={props.invalid}
      aria-describedby={props.describedBy}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}

type FigureProps = CellProps & {
  field: Figure
  value: number
  currency: string
  onChange: (value: number) => void
}

/** One number in its usual unit: money, weight, or days. */
function FigureCell({ label, field, value, currency, invalid, describedBy, onChange }: FigureProps) {
  const format = useFormat()
  const money = field.endsWith('Minor')
  const write = (figure: number) => {
    if (Number.isNaN(figure)) return ''
    if (field === 'transitDays') return String(figure)
    if (!money) return format.weightInput(figure)
    // Too many decimals: the cell shows them, marked as wrong.
    if (!Number.isInteger(figure)) return String(figure / 10 ** fractionDigits(currency))
    return format.moneyInput(figure, currency)
  }
  const parseInput = (text: string): number => {
    if (money) return format.readMoney(text, currency) ?? Number.NaN
    if (field === 'transitDays') return text.trim() === '' ? Number.NaN : Number(text)
    return format.readWeight(text) ?? Number.NaN
  }
  // While the user types, the text stays unchanged.
  const [text, setText] = useState<string | null>(null)
  return (
    <input
      className={classes.cell}
      inputMode="decimal"
      aria-label={label}
      aria-invalid={invalid || !Number.isInteger(value)}
      aria-describedby={describedBy}
      value={text ?? write(value)}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(parseInput(event.currentTarget.value))
      }}
      onBlur={() => setText(null)}
    />
  )
}
