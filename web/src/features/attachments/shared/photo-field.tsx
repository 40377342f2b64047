import { Button, Input } from '@mantine/core'
import { IconCamera, IconFileText, IconPhotoPlus, IconX } from '@tabler/icons-react'
import {
  type Attachment,
  type AttachmentPurpose,
  attachmentPurposes,
  createAttachment,
} from '@waybill/contract/attachments/attachments'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Buttons, Row } from '../../../components/layout/boxes.tsx'
import { ErrorText } from '../../../components/layout/text.tsx'
import { callWithForm, errorMessage } from '../../../lib/api.ts'
import { useFileAddress } from '../../../lib/file-link.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './photo-field.module.css'
import { shrunkPhoto } from './shrink-photo.ts'

/** An uploaded photo, or a PDF if the purpose allows one. The form sends the ids. */
export type Photo = Pick<Attachment, 'id' | 'link' | 'name'> & { mediaType?: Attachment['mediaType'] }

const imageTypes = 'image/jpeg,image/png,image/webp,image/gif'
const isPdf = ({ mediaType }: Photo) => mediaType === 'application/pdf'

type Props = {
  label: string
  /** The label is only read out, because a heading above the field shows the same. */
  hideLabel?: boolean
  help?: string
  purpose: AttachmentPurpose
  value: readonly Photo[]
  /** Takes an updater function like React's setters, because uploads end in any order. */
  onChange: (change: (photos: readonly Photo[]) => readonly Photo[]) => void
  /** The maximum number of photos. */
  most?: number
  error?: string | undefined
  /** Receives whether an upload is running: the form waits for it. */
  onBusy?: (busy: boolean) => void
}

type Upload = { key: number; name: string; progress: number; stop: AbortController }

const pickPhoto = ({ id, link, name, mediaType }: Attachment): Photo => ({ id, link, name, mediaType })

let nextKey = 1

/** Uploads photos as soon as they are selected. `previews` are object URLs, so that a new photo needs no download. */
function useUploads({ purpose, onChange, onBusy }: Pick<Props, 'purpose' | 'onChange' | 'onBusy'>) {
  const t = useT()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [previews, setPreviews] = useState<Readonly<Record<string, string>>>({})
  const busy = uploads.length > 0

  const reportBusy = useEffectEvent((now: boolean) => onBusy?.(now))
  useEffect(() => {
    reportBusy(busy)
    // The form does not wait for a field that it no longer has.
    return () => reportBusy(false)
  }, [busy])

  const addresses = useRef<string[]>([])
  useEffect(
    () => () => {
      for (const each of addresses.current) URL.revokeObjectURL(each)
    },
    [],
  )

  async function upload(file: File) {
    const entry: Upload = { key: nextKey++, name: file.name, progress: 0, stop: new AbortController() }
    const change = (to: (present: Upload) => Upload | null) =>
      setUploads((present) => present.flatMap((each) => (each.key === entry.key ? (to(each) ?? []) : each)))
    setUploads((present) => [...present, entry])
    try {
      const photo = await shrunkPhoto(file)
      const form = new FormData()
      form.set('purpose', purpose)
      form.set('file', photo, file.name)
      const attachment = await callWithForm(createAttachment, {
        form,
        signal: entry.stop.signal,
        onProgress: (progress) => change((present) => ({ ...present, progress })),
      })
      if (attachment.mediaType?.startsWith('image/')) {
        const preview = URL.createObjectURL(photo)
        addresses.current.push(preview)
        setPreviews((present) => ({ ...present, [attachment.id]: preview }))
      }
      onChange((photos) => [...photos, pickPhoto(attachment)])
    } catch (error) {
      if (!entry.stop.signal.aborted) setProblem(t('phrase.labelled', { label: file.name, value: errorMessage(error) }))
    } finally {
      change(() => null)
    }
  }

  return { uploads, upload, problem, setProblem, previews }
}

/**
 * Photos of a form: selected, taken with the camera or dropped, scaled down and uploaded at once. The form sends their
 * ids. The purpose decides whether the chooser offers PDFs, as it does on the server. The server deletes a photo that
 * no form has sent after a day.
 */
export function PhotoField({ label, hideLabel, help, purpose, value, onChange, most = 4, error, onBusy }: Props) {
  const t = useT()
  const format = useFormat()
  const address = useFileAddress()
  const labelId = useId()
  const choose = useRef<HTMLInputElement>(null)
  const take = useRef<HTMLInputElement>(null)
  const { uploads, upload, problem, setProblem, previews } = useUploads({ purpose, onChange, onBusy })
  const [over, setOver] = useState(false)
  const takesPdf = attachmentPurposes[purpose].pdf
  const remaining = most - value.length - uploads.length

  function add(files: FileList | null) {
    setProblem(null)
    const selection = [...(files ?? [])]
    if (selection.length > remaining)
      setProblem(t(takesPdf ? 'photoField.mostFiles' : 'photoField.most', { count: most }))
    for (const file of selection.slice(0, Math.max(0, remaining))) void upload(file)
  }

  const input = (ref: typeof choose, camera: boolean) => (
    <input
      ref={ref}
      type="file"
      accept={takesPdf && !camera ? `${imageTypes},application/pdf` : imageTypes}
      {...(camera ? { capture: 'environment' as const } : { multiple: most > 1 })}
      className={classes.hidden}
      tabIndex={-1}
      aria-hidden
      data-purpose={camera ? undefined : purpose}
      onChange={(event) => {
        add(event.currentTarget.files)
        event.currentTarget.value = ''
      }}
    />
  )

  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id: labelId, className: hideLabel ? 'wb-hidden' : undefined }}
      description={help}
      error={error}
    >
      <fieldset
        aria-labelledby={labelId}
        className={classes.root}
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          add(event.dataTransfer.files)
        }}
      >
        {(value.length > 0 || uploads.length > 0) && (
          <Row as="ul" gap={12}>
            {value.map((photo) => (
              <li key={photo.id} className={classes.photo} data-purpose={purpose}>
                {isPdf(photo) ? (
                  <>
                    <IconFileText size={28} stroke={1.5} aria-hidden />
                    <span className={classes.name}>{photo.name}</span>
                  </>
                ) : (
                  <img src={previews[photo.id] ?? address(photo.link)} alt={photo.name} />
                )}
                <button
                  type="button"
                  className={classes.remove}
                  aria-label={t('photoField.remove', { name: photo.name })}
                  onClick={() => onChange((photos) => photos.filter(({ id }) => id !== photo.id))}
                >
                  <IconX size={16} aria-hidden />
                </button>
              </li>
            ))}
            {uploads.map((entry) => (
              <li key={entry.key} className={classes.photo}>
                <progress max={1} value={entry.progress} aria-hidden />
                <span role="status">
                  {t('photoField.sending', { done: format.number(Math.round(entry.progress * 100)) })}
                </span>
                <button
                  type="button"
                  className={classes.remove}
                  aria-label={t('photoField.stop', { name: entry.name })}
                  onClick={() => entry.stop.abort()}
                >
                  <IconX size={16} aria-hidden />
                </button>
              </li>
            ))}
          </Row>
        )}
        {remaining > 0 && (
          <Buttons>
            <Button
              size="sm"
              leftSection={<IconPhotoPlus size={18} aria-hidden />}
              onClick={() => choose.current?.click()}
            >
              {t(takesPdf ? 'photoField.chooseFiles' : 'photoField.choose', { count: most })}
            </Button>
            <Button
              size="sm"
              className={classes.camera}
              leftSection={<IconCamera size={18} aria-hidden />}
              onClick={() => take.current?.click()}
            >
              {t('photoField.take')}
            </Button>
            {input(choose, false)}
            {input(take, true)}
          </Buttons>
        )}
      </fieldset>
      {problem && <ErrorText role="alert">{problem}</ErrorText>}
    </Input.Wrapper>
  )
}
