import { Button, TextInput } from '@mantine/core'
import { IconWand } from '@tabler/icons-react'
import type { BulkBatch, BulkField } from '@waybill/contract/parcels/bulk'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, LineList, Stack } from '../../../components/layout/boxes.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import type { BulkRows } from '../bulk-grid/bulk-rows.ts'
import type { CellChanges } from '../bulk-grid/edit-history.ts'
import { cartonNames, cartons } from '../shared/cartons.ts'
import classes from './bulk.module.css'
import { cartonCells, typedSizeCells } from './size-cells.ts'

type Problem = BulkBatch['common'][number]

const sides: readonly (BulkField | null)[] = ['length', 'width', 'height']
/** Fields that differ for each receiver: one value for all rows would be wrong. */
const ownOfReceiver: readonly (BulkField | null)[] = ['receiverName', 'phone', 'line1', 'postcode', 'city', 'state']

/** Kinds of rows that are probably not parcels. */
const leftOutRows = {
  total_row: { change: { leaveOutTotals: true }, text: 'bulk.group.totals' },
  row_hidden: { change: { leaveOutHidden: true }, text: 'bulk.group.hidden' },
} as const
const isLeftOut = (code: string): code is keyof typeof leftOutRows => code in leftOutRows

const isMissing = ({ code }: Problem) => code === 'required'
const isFillable = (problem: Problem) => isMissing(problem) && !ownOfReceiver.includes(problem.column)
/** Whether a button solves the problem in all rows. */
const hasAction = (problem: Problem) => problem.suggested > 0 || isLeftOut(problem.code) || isFillable(problem)
/** A problem of one row is in the grid; here it is only if it has an action. */
const isListed = (problem: Problem) => problem.count > 1 || hasAction(problem)
const isMissingSize = (problem: Problem) => isMissing(problem) && sides.includes(problem.column)

/** How many kinds of problems are shown at first. More of them would push the rows off the screen. */
const shownKinds = 4

/** The problems of a batch by kind: those with an action for all their rows, then the most frequent. */
export function ProblemGroups({ rows }: { rows: BulkRows }) {
  const t = useT()
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { common } = rows.batch
  // Duplicates have a separate notice.
  const problems = common.filter((problem) => !problem.code.startsWith('duplicate_') && isListed(problem))
  const sizes = problems.filter(isMissingSize)
  const groups = problems
    .filter((problem) => !isMissingSize(problem))
    .sort((a, b) => Number(hasAction(b)) - Number(hasAction(a)))
    .map((problem) =>
      isLeftOut(problem.code) ? (
        <LeftOutGroup key={problem.code} rows={rows} code={problem.code} count={problem.count} />
      ) : (
        <Group key={`${problem.code}-${problem.column}`} rows={rows} problem={problem} />
      ),
    )
  if (sizes.length > 0) {
    groups.unshift(<SizeGroup key="size" rows={rows} count={Math.max(...sizes.map(({ count }) => count))} />)
  }
  if (groups.length === 0) return null
  // A button that hides a single group would need as much space as the group.
  const isLong = groups.length > shownKinds + 1
  return (
    <div>
      <LineList aria-label={t('bulk.shared')}>{isLong && !isOpen ? groups.slice(0, shownKinds) : groups}</LineList>
      {isLong && (
        <Button size="compact-md" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen
            ? t('bulk.fewerKinds')
            : t('bulk.allKinds', { count: groups.length, kinds: format.number(groups.length) })}
        </Button>
      )}
    </div>
  )
}

/** Total or hidden rows: removal is only offered, because only the sender can be sure. */
function LeftOutGroup({ rows, code, count }: { rows: BulkRows; code: keyof typeof leftOutRows; count: number }) {
  const t = useT()
  const format = useFormat()
  const { change, text } = leftOutRows[code]
  const leaveOut = useSend(() => rows.change(change), { success: t('bulk.group.leftOut') })
  return (
    <li>
      <b>{t(text, { count, rows: format.number(count) })}</b>
      <Button size="compact-md" loading={leaveOut.pending} onClick={() => void leaveOut.send()}>
        {t('bulk.group.leaveOut', { count })}
      </Button>
    </li>
  )
}

/** Fills cells in all rows in which they are empty; can be undone. */
function useFill(rows: BulkRows) {
  const t = useT()
  return useSend((cells: CellChanges) => rows.fillAll(cells), { success: t('bulk.group.filled') })
}

/** Rows without a size: a common carton for all of them, or an individual size. */
function SizeGroup({ rows, count }: { rows: BulkRows; count: number }) {
  const t = useT()
  const format = useFormat()
  const fill = useFill(rows)
  const [isOwn, setOwn] = useState(false)
  const [size, setSize] = useState({ length: '', width: '', height: '' })
  const complete = Object.values(size).every((text) => text.trim() !== '')
  return (
    <li>
      <Stack gap={8} style={{ flex: '1 1 auto' }}>
        <div className={classes.group}>
          <b>{t('bulk.group.size', { count, rows: format.number(count) })}</b>
          <Buttons role="group" aria-label={t('bulk.group.sizes')}>
            {cartonNames.map((name) => (
              <Button
                key={name}
                size="compact-md"
                loading={fill.pending}
                title={format.dimensions(cartons[name])}
                aria-label={format.list([name.toUpperCase(), format.dimensions(cartons[name])])}
                onClick={() => void fill.send(cartonCells(cartons[name]))}
              >
                {name.toUpperCase()}
              </Button>
            ))}
            <Button size="compact-md" variant="subtle" aria-expanded={isOwn} onClick={() => setOwn(!isOwn)}>
              {t('bulk.group.own')}
            </Button>
          </Buttons>
        </div>
        {isOwn && (
          <div className={classes.group}>
            {(['length', 'width', 'height'] as const).map((side) => (
              <TextInput
                key={side}
                w={110}
                inputMode="decimal"
                label={t('phrase.detail', { text: t(`bulk.column.${side}`), detail: format.dimensionUnit })}
                value={size[side]}
                onChange={(event) => setSize({ ...size, [side]: event.currentTarget.value })}
              />
            ))}
            <Button
              loading={fill.pending}
              disabled={!complete}
              style={{ alignSelf: 'end' }}
              onClick={() => void fill.send(typedSizeCells(size, format.dimensionUnit))}
            >
              {t('bulk.group.fill')}
            </Button>
          </div>
        )}
      </Stack>
    </li>
  )
}

/** Rows with the same problem: accept every suggestion, or fill in the missing value for all. */
function Group({ rows, problem }: { rows: BulkRows; problem: Problem }) {
  const t = useT()
  const format = useFormat()
  const { code, column, count, suggested, message } = problem
  const fix = useSend(() => (column ? rows.fixAll(code, column) : undefined), { success: t('bulk.fixed') })
  const fill = useFill(rows)
  const [value, setValue] = useState('')
  const label = column ? t(`bulk.column.${column}`) : ''
  return (
    <li style={isFillable(problem) ? undefined : { flexWrap: 'nowrap' }}>
      <span>{t('bulk.group.rows', { count, rows: format.number(count), message })}</span>
      {suggested > 0 && column && (
        <Button
          size="compact-md"
          style={{ flex: 'none' }}
          leftSection={<IconWand size={16} aria-hidden />}
          loading={fix.pending}
          onClick={() => void fix.send()}
        >
          {t('bulk.fixAll', { count: suggested, rows: format.number(suggested) })}
        </Button>
      )}
      {isFillable(problem) && column && (
        <form
          className={classes.group}
          onSubmit={(event) => {
            event.preventDefault()
            if (value.trim() !== '') void fill.send({ [column]: value.trim() })
          }}
        >
          <TextInput
            size="sm"
            w={140}
            aria-label={t('bulk.group.value', { column: label })}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          <Button type="submit" size="compact-md" loading={fill.pending}>
            {t('bulk.group.fill')}
          </Button>
        </form>
      )}
    </li>
  )
}
