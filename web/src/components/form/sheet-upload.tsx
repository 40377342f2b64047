import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useOnce, type WithKey } from '../../lib/once.ts'
import { notify } from '../feedback/notify.tsx'
import { useSend } from '../feedback/use-send.ts'
import { FileDrop } from './file-drop.tsx'

type UploadOptions = WithKey<{ form: FormData; onProgress: (fraction: number) => void }>

type Props = {
  hint: string
  /** The maximum file size. */
  bytes: number
  /** Sends the form with the file, and handles the response. The same file again has the same idempotency key. */
  upload: (options: UploadOptions) => Promise<unknown>
  /** Additional buttons, which may send a different file. */
  children?: (send: (file: File) => void) => ReactNode
}

/** A drop zone for a spreadsheet, with the progress of its upload. */
export function SheetUpload({ hint, bytes, upload, children }: Props) {
  const t = useT()
  const format = useFormat()
  const once = useOnce()
  const [progress, setProgress] = useState<number | null>(null)
  const sending = useSend((file: File) => {
    setProgress(0)
    const form = new FormData()
    form.set('file', file, file.name)
    // Identifies the same file by these three properties.
    const { name, size, lastModified } = file
    return once({ name, size, lastModified }, ({ idempotencyKey }) =>
      upload({ form, onProgress: setProgress, idempotencyKey }),
    )
  })
  async function send(file: File) {
    if (file.size > bytes) {
      notify.error(t('bulk.tooBig', { max: format.number(bytes / 1_048_576) }))
      return
    }
    await sending.send(file)
    setProgress(null)
  }
  return (
    <FileDrop
      title={t('bulk.drop')}
      hint={hint}
      choose={t('bulk.chooseFile')}
      accept=".xlsx,.csv,.txt,text/csv"
      onFile={send}
      pending={sending.pending}
      progress={progress === null ? null : { value: progress, label: t('bulk.uploading') }}
    >
      {children?.((file) => void send(file))}
    </FileDrop>
  )
}

/** Saves a file. `save` calls `saveDocument`. */
export function DownloadButton({ label, save }: { label: string; save: () => Promise<void> }) {
  const download = useSend(save)
  return (
    <Button
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={download.pending}
      onClick={() => void download.send()}
    >
      {label}
    </Button>
  )
}
