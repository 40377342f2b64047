import { Button, NativeSelect } from '@mantine/core'
import { IconDownload, IconExternalLink, IconPrinter } from '@tabler/icons-react'
import {
  createPrintRun,
  downloadPrintRun,
  getPrintRun,
  type NotePaper,
  noteFormats,
  notesAtOnce,
  postNotes,
  previewNotes,
} from '@waybill/contract/parcels/labels'
import { useEffect, useRef, useState } from 'react'
import { Dialog, DialogFoot } from '../../../../components/feedback/dialog.tsx'
import { Loading } from '../../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../../components/feedback/message-panel.tsx'
import { notify } from '../../../../components/feedback/notify.tsx'
import { useSend } from '../../../../components/feedback/use-send.ts'
import { Columns, Stack } from '../../../../components/layout/boxes.tsx'
import { Note } from '../../../../components/layout/text.tsx'
import { call } from '../../../../lib/api.ts'
import { openDocument, printDocument, saveDocument } from '../../../../lib/download.ts'
import { useFormat } from '../../../../lib/format.ts'
import { useT } from '../../../../lib/i18n.ts'
import { useCallOnce } from '../../../../lib/once.ts'
import { useCall } from '../../../../lib/query.ts'
import { useNotePaper } from './note-paper.ts'
import { NotePreview } from './note-preview.tsx'
import classes from './print-notes.module.css'

const places = [1, 2, 3, 4] as const
const lookEveryMs = 700

type Props = { ids: readonly string[]; onClose: () => void; onPrinted?: (() => void) | undefined }

/**
 * Prints consignment notes: paper, first free label of a partly used sheet, a preview in real size; then print, open
 * or save. Large numbers are printed as a run with its progress.
 */
export function PrintNotesDialog({ ids, onClose, onPrinted }: Props) {
  const t = useT()
  const [paper, setPaper] = useNotePaper()
  const [startAt, setStartAt] = useState(1)
  const [progress, setProgress] = useState<{ printed: number; total: number } | null>(null)
  const body = { ids: [...ids], format: paper, startAt: paper === 'a4' ? startAt : 1 }
  const preview = useCall(previewNotes, { body }, { keepPrevious: true })
  const callOnce = useCallOnce()
  /** Closing the dialog aborts the download. */
  const closing = useRef(new AbortController())
  useEffect(() => {
    closing.current = new AbortController()
    return () => closing.current.abort()
  }, [])

  /** A large run renders while it is downloaded, so the run itself reports the progress. */
  async function throughRun(use: typeof saveDocument, signal: AbortSignal): Promise<void> {
    const run = await callOnce(createPrintRun, { body })
    signal.throwIfAborted()
    const params = { id: run.id }
    setProgress({ printed: 0, total: run.total })
    const timer = setInterval(() => {
      void call(getPrintRun, { params, signal }).then(
        // A response after the end must not show the progress again.
        ({ printed, total }) => setProgress((before) => before && { printed, total }),
        () => undefined,
      )
    }, lookEveryMs)
    try {
      await use(downloadPrintRun, { params, signal })
    } finally {
      clearInterval(timer)
      setProgress(null)
    }
  }

  const act = useSend(async (use: typeof saveDocument) => {
    const { signal } = closing.current
    if (ids.length > notesAtOnce) await throughRun(use, signal)
    else await use(postNotes, { body, signal })
    onPrinted?.()
    if (use === saveDocument) notify.success(t('printNotes.saved'))
    onClose()
  })
  const zpl = paper === 'zpl'
  return (
    <Dialog title={t('printNotes.title')} onClose={onClose} shape="wide">
      <Columns template="220px minmax(0, 1fr)">
        <Stack>
          <p className={classes.count}>{t('printNotes.count', { count: ids.length })}</p>
          <NativeSelect
            data-autofocus
            label={t('printNotes.paper')}
            value={paper}
            onChange={(event) => setPaper(event.currentTarget.value as NotePaper)}
            data={noteFormats.map((format) => ({ value: format, label: t(`printNotes.${format}`) }))}
          />
          {paper === 'a4' && <StartAt value={startAt} onChange={setStartAt} />}
          <Note>{t(zpl ? 'printNotes.zplHint' : 'printNotes.trueSize')}</Note>
        </Stack>
        <Stack gap={8} style={{ minHeight: 320 }}>
          {preview.error ? (
            <ErrorPanel error={preview.error} retry={() => void preview.refetch()} />
          ) : preview.data ? (
            <>
              <NotePreview sheet={preview.data} label={t('printNotes.preview')} />
              {preview.data.sheets > 1 && <Note>{t('printNotes.more', { count: preview.data.sheets })}</Note>}
            </>
          ) : (
            <Loading />
          )}
        </Stack>
      </Columns>
      {progress && <RunProgress {...progress} />}
      <DialogFoot>
        <Button
          {...(zpl ? { variant: 'filled' } : {})}
          leftSection={<IconDownload size={18} aria-hidden />}
          loading={act.pending && zpl}
          disabled={act.pending || Boolean(preview.error)}
          onClick={() => void act.send(saveDocument)}
        >
          {t('printNotes.save')}
        </Button>
        {!zpl && (
          <>
            <Button
              leftSection={<IconExternalLink size={18} aria-hidden />}
              disabled={act.pending || Boolean(preview.error)}
              onClick={() => void act.send(openDocument)}
            >
              {t('printNotes.open')}
            </Button>
            <Button
              variant="filled"
              leftSection={<IconPrinter size={18} aria-hidden />}
              loading={act.pending}
              disabled={Boolean(preview.error)}
              onClick={() => void act.send(printDocument)}
            >
              {t('printNotes.print')}
            </Button>
          </>
        )}
      </DialogFoot>
    </Dialog>
  )
}

function RunProgress({ printed, total }: { printed: number; total: number }) {
  const t = useT()
  const format = useFormat()
  const text = t('printNotes.running', { printed: format.number(printed), total: format.number(total) })
  return (
    <div className={classes.progress} role="status">
      <progress value={printed} max={total} aria-label={text} />
      <span>{text}</span>
    </div>
  )
}

/** The four labels of a sheet, in their positions. */
function StartAt({ value, onChange }: { value: number; onChange: (place: number) => void }) {
  const t = useT()
  return (
    <fieldset className={classes.start}>
      <legend>{t('printNotes.startAt')}</legend>
      <div className={classes.places}>
        {places.map((place) => (
          <label key={place} className={classes.place} data-used={place < value}>
            <input type="radio" name="startAt" checked={place === value} onChange={() => onChange(place)} />
            <span>{t(`printNotes.startAt${place}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
