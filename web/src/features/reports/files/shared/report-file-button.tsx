import { Button } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import type { ReportFile } from '@waybill/contract/reports/files'
import { useState } from 'react'
import { useT } from '../../../../lib/i18n.ts'
import { type ReportFileCalls, ReportFileDialog } from './report-file-dialog.tsx'

/**
 * Opens the dialog that creates and downloads a report as a file. The file is remembered while the page is open, so
 * that the dialog can be closed and reopened. Pass the filters as `key`: other filters need another file.
 */
export function ReportFileButton({ calls }: { calls: ReportFileCalls }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const [file, setFile] = useState<ReportFile | null>(null)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileDownload size={18} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('reports.file.open')}
      </Button>
      {open && <ReportFileDialog calls={calls} file={file} onFile={setFile} onClose={() => setOpen(false)} />}
    </>
  )
}
