import { useState } from 'react'
import { FailedScans } from '../../../components/scans/failed-scans.tsx'
import { useT } from '../../../lib/i18n.ts'
import type { ScanDetails } from '../scanning/scan-details.tsx'
import { findOtherHolder, TakeOverDialog } from '../scanning/take-over-dialog.tsx'

/** The actions of a counter on a parcel. */
export const counterEvents = ['accepted', 'handed_over', 'return_received'] as const
export type CounterEvent = (typeof counterEvents)[number]

type Report = { number: string; event: CounterEvent; details: ScanDetails }
type RefusedReport = Report & { text: string; error: unknown }

/** The reports of a counter that the server refused, until they are resolved or dismissed. */
export function useRefusedReports() {
  const [reports, setReports] = useState<readonly RefusedReport[]>([])
  const without = (entries: readonly RefusedReport[], { number, event }: Omit<Report, 'details'>) =>
    entries.filter((each) => each.number !== number || each.event !== event)
  return {
    reports,
    refuse: (report: RefusedReport) => setReports((before) => [...without(before, report), report]),
    forget: (report: Omit<Report, 'details'>) => setReports((before) => without(before, report)),
  }
}

type Props = {
  refused: ReturnType<typeof useRefusedReports>
  /** Sends a report again. */
  onReport: (report: Report) => Promise<unknown>
}

/** Refused reports, and the question whether to take a parcel over. It opens only when a clerk asks for it. */
export function RefusedReports({ refused: { reports, forget }, onReport }: Props) {
  const t = useT()
  const [takeOver, setTakeOver] = useState<RefusedReport | null>(null)
  const holder = takeOver && findOtherHolder(takeOver.error)
  return (
    <>
      <FailedScans
        scans={reports.map((report) => ({
          id: `${report.number} ${report.event}`,
          number: report.number,
          text: report.text,
          event: t(`scanPage.event.${report.event}`),
          open: findOtherHolder(report.error)
            ? { label: t('scanPage.open'), onClick: () => setTakeOver(report) }
            : undefined,
          onAgain: () => void onReport(report),
          onDismiss: () => forget(report),
        }))}
      />
      {takeOver && holder && (
        <TakeOverDialog
          refusal={holder}
          onClose={() => setTakeOver(null)}
          onTakeOver={async (reason) => {
            setTakeOver(null)
            await onReport({ ...takeOver, details: { ...takeOver.details, takeOver: { reason } } })
          }}
        />
      )}
    </>
  )
}
