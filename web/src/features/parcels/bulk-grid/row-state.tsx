import { IconAlertTriangle, IconCheck, IconCloudOff, IconShoppingCart } from '@tabler/icons-react'
import type { BulkField, BulkProblem, BulkRow } from '@waybill/contract/parcels/bulk'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './grid.module.css'

/** The problem that decides a row's state: an error before a warning. */
export const firstProblem = (row: BulkRow): BulkProblem | undefined =>
  row.problems.find(({ blocking }) => blocking) ?? row.problems[0]

type StateProps = {
  row: BulkRow
  unsaved: boolean
  problem: BulkProblem | undefined
  take: (problem: BulkProblem) => void
  look: (column: BulkField) => void
}

/** The state of a row in the grid: the first problem and its suggestion. */
export function RowState({ row, unsaved, problem, take, look }: StateProps) {
  const t = useT()
  const format = useFormat()
  if (unsaved) {
    return (
      <span className={classes.unsaved}>
        <IconCloudOff size={16} aria-hidden /> {t('bulk.notSaved')}
      </span>
    )
  }
  if (row.state === 'carted') {
    return (
      <span className={classes.carted}>
        <IconShoppingCart size={16} aria-hidden /> {t('bulk.inCart')}
      </span>
    )
  }
  if (!problem) {
    return (
      <span className={classes.good}>
        <IconCheck size={16} aria-hidden /> {row.priceMinor === null ? t('bulk.good') : format.money(row.priceMinor)}
      </span>
    )
  }
  const more = row.problems.length - 1
  const { column } = problem
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        className={classes.problemButton}
        title={problem.message}
        data-warning={!problem.blocking || undefined}
        disabled={column === null}
        onClick={() => column && look(column)}
      >
        <IconAlertTriangle size={16} aria-hidden />
        <span>{problem.message}</span>
        {more > 0 && <b>+{more}</b>}
      </button>
      {problem.suggestion !== null && (
        <button type="button" tabIndex={-1} className={classes.suggestion} onClick={() => take(problem)}>
          <span className="wb-hidden">{t('bulk.use')} </span>
          {problem.suggestion}
        </button>
      )}
    </>
  )
}
