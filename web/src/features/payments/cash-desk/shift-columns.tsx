import { Button } from '@mantine/core'
import type { DrawerShift, printOwnShift, printShift } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import type { Column } from '../../../components/list/column.ts'
import { openDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { Difference } from '../cod/count-fields.tsx'
import { ReopenDialog } from './reopen-dialog.tsx'

const looks = {
  open: { tone: 'waiting', icon: 'clock' },
  closed: { tone: 'success', icon: 'check' },
} as const

/** The columns of a list of drawers. `print` is the call that returns their reports. */
export function useShiftColumns(
  print: typeof printShift | typeof printOwnShift,
  everyStation: boolean,
): Column<DrawerShift>[] {
  const t = useT()
  const format = useFormat()
  const money = (row: DrawerShift, minor: number | null) => (minor === null ? '–' : format.money(minor, row.currency))
  return [
    {
      id: 'day',
      header: t('cashPage.day'),
      sort: 'day',
      card: 'title',
      phone: 'title',
      phoneCell: (row) => [everyStation && row.station.code, format.day(row.day)].filter(Boolean).join(' · '),
      cell: (row) => format.day(row.day),
    },
    ...(everyStation
      ? [
          {
            id: 'station',
            header: t('cashDoc.station'),
            minWidth: 184,
            cell: ({ station }: DrawerShift) => `${station.code} · ${station.name}`,
          },
        ]
      : []),
    {
      id: 'drawer',
      header: t('cashDoc.drawer'),
      phone: 'detail',
      phoneCell: ({ number, shift }) => t('cashPage.drawerShift', { number, shift }),
      cell: ({ number, shift }) => t('cashDoc.drawerShift', { number, shift }),
    },
    {
      id: 'state',
      header: t('fields.status'),
      phone: 'detailEnd',
      phoneCell: (row) => (row.differenceMinor ? <NamedDifference row={row} /> : <State row={row} />),
      cell: (row) => <State row={row} />,
    },
    {
      id: 'by',
      header: t('cashPage.signedBy'),
      // Beside the station there is no room for it: the reason of a difference matters more.
      show: everyStation ? 'chosen' : 'wide',
      cell: (row) => row.closedBy ?? row.openedBy,
    },
    {
      id: 'sales',
      header: t('cashPage.sales'),
      align: 'end',
      show: everyStation ? 'chosen' : 'wide',
      cell: (row) => money(row, row.sums?.salesMinor ?? null),
    },
    {
      id: 'expected',
      header: t('cashDoc.expected'),
      align: 'end',
      ...(everyStation && { show: 'wide' as const }),
      cell: (row) => money(row, row.sums?.expectedMinor ?? null),
    },
    {
      id: 'counted',
      header: t('cashDoc.counted'),
      align: 'end',
      show: 'wide',
      cell: (row) => money(row, row.countedMinor),
    },
    {
      id: 'difference',
      header: t('cashDoc.difference'),
      align: 'end',
      // A phone shows no wide columns, so this one shows the counted sum there. The line below names the difference.
      phone: 'end',
      phoneCell: (row) => money(row, row.countedMinor),
      cell: (row) => (
        <Difference differs={(row.differenceMinor ?? 0) !== 0}>{money(row, row.differenceMinor)}</Difference>
      ),
    },
    { id: 'reason', header: t('cashPage.reason'), wraps: true, minWidth: 164, cell: (row) => <Reason row={row} /> },
    {
      id: 'print',
      kind: 'actions',
      header: t('list.actions'),
      align: 'end',
      cell: (row) => (
        <Buttons as="span">
          {row.mayReopen && <Reopen row={row} />}
          <Report row={row} print={print} />
        </Buttons>
      ),
    },
  ]
}

const State = ({ row: { state } }: { row: DrawerShift }) => (
  <StatusPill look={looks[state]} label={useT()(`cashPage.state.${state}`)} />
)

/** On a phone in place of the state: only a closed drawer has a difference. */
function NamedDifference({ row: { differenceMinor, currency } }: { row: DrawerShift }) {
  const t = useT()
  const value = useFormat().money(differenceMinor ?? 0, currency)
  return <Difference differs>{t('phrase.labelled', { label: t('cashDoc.difference'), value })}</Difference>
}

/** Names a shift of a drawer in the label of a button. */
const describe = ({ day, station, number, shift }: DrawerShift, format: ReturnType<typeof useFormat>) => ({
  day: format.day(day),
  station: station.code,
  number,
  shift,
})

/** Why the count differs, how often it was counted, and why the drawer was reopened. */
function Reason({ row: { reason, reopened, counts } }: { row: DrawerShift }) {
  const t = useT()
  const format = useFormat()
  const count = counts?.length ?? 0
  return (
    <>
      {reason ?? (reopened || count > 1 ? null : '–')}
      {count > 1 && <Quiet>{t('cashPage.countedTimes', { count })}</Quiet>}
      {reopened && (
        <Quiet>
          {t('cashPage.reopenedNote', {
            name: reopened.by,
            time: format.dateTime(reopened.at),
            reason: reopened.reason,
          })}
        </Quiet>
      )}
    </>
  )
}

function Reopen({ row }: { row: DrawerShift }) {
  const t = useT()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="compact-sm"
        aria-label={t('cashPage.reopenOf', describe(row, format))}
        onClick={() => setOpen(true)}
      >
        {t('cashPage.reopen')}
      </Button>
      {open && <ReopenDialog drawer={row} onClose={() => setOpen(false)} />}
    </>
  )
}

function Report({ row, print }: { row: DrawerShift; print: typeof printShift | typeof printOwnShift }) {
  const t = useT()
  const format = useFormat()
  const open = useSend(() => openDocument(print as typeof printShift, { params: { id: row.id } }))
  return (
    <Button
      size="compact-sm"
      loading={open.pending}
      aria-label={t('cashPage.reportOf', describe(row, format))}
      onClick={() => void open.send()}
    >
      PDF
    </Button>
  )
}
