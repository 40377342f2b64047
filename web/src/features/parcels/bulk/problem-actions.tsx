import { Button } from '@mantine/core'
import type { BulkProblem, BulkRow } from '@waybill/contract/parcels/bulk'
import { useT } from '../../../lib/i18n.ts'
import type { BulkRows } from '../bulk-grid/bulk-rows.ts'

/** Contradictions that the user may override, by the code of the problem. */
const overridesByCode: Readonly<Record<string, BulkRow['overrides']>> = {
  city_mismatch: ['receiver.city'],
  state_mismatch: ['receiver.state'],
  sender_mismatch: ['sender.city', 'sender.state'],
}

type Props = { rows: BulkRows; row: BulkRow; place: number; problem: BulkProblem }

/**
 * Solutions of a row's problem without typing: accept the suggestion, ship unchanged, ship a duplicate, remove the
 * row.
 */
export function ProblemActions({ rows, row, place, problem: { code, column, suggestion } }: Props) {
  const t = useT()
  const overrides = overridesByCode[code]
  return (
    <>
      {suggestion !== null && column && (
        <Button size="compact-md" onClick={() => rows.edit([{ place, cells: { [column]: suggestion } }])}>
          {t('bulk.use')} {suggestion}
        </Button>
      )}
      {overrides && (
        <Button size="compact-md" onClick={() => rows.mark(row.row, { override: [...row.overrides, ...overrides] })}>
          {t('bulk.override')}
        </Button>
      )}
      {(code === 'total_row' || code === 'row_hidden') && (
        <Button size="compact-md" onClick={() => rows.mark(row.row, { remove: true })}>
          {t('bulk.group.leaveOut', { count: 1 })}
        </Button>
      )}
      {code.startsWith('duplicate_') && (
        <>
          <Button size="compact-md" onClick={() => rows.mark(row.row, { overrideDuplicate: true })}>
            {t('bulk.overrideDuplicate')}
          </Button>
          <Button size="compact-md" variant="subtle" onClick={() => rows.mark(row.row, { remove: true })}>
            {t('bulk.removeRow')}
          </Button>
        </>
      )}
    </>
  )
}
