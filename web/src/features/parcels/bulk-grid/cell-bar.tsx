import type { BulkField } from '@waybill/contract/parcels/bulk'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from '../bulk/bulk.module.css'
import { ProblemActions } from '../bulk/problem-actions.tsx'
import type { BulkRows } from './bulk-rows.ts'

/** The full messages of the active cell and its row. */
export function CellBar({ rows, field, place }: { rows: BulkRows; field: BulkField | undefined; place: number }) {
  const t = useT()
  const format = useFormat()
  const row = rows.at(place)
  const problems =
    row?.problems.filter(({ column }) => column === field || column === null || column === 'senderLabel') ?? []
  return (
    <div className={classes.cellBar} aria-live="polite">
      <strong>
        {row && `${t('bulk.row')} ${format.number(row.row)} · `}
        {field && t(`bulk.column.${field}`)}
      </strong>
      {row && problems.length === 0 && <Quiet inline>{t('bulk.nothingWrong')}</Quiet>}
      {problems.map((problem) => (
        <span key={`${problem.code}-${problem.column}`} className={classes.wrong}>
          {problem.message}
          {row && <ProblemActions rows={rows} row={row} place={place} problem={problem} />}
        </span>
      ))}
    </div>
  )
}
