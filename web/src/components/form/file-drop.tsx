import { Button } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Buttons } from '../layout/boxes.tsx'
import { Note } from '../layout/text.tsx'
import classes from './file-drop.module.css'

type Props = {
  title: string
  hint: string
  /** The label of the button that opens the file dialog. */
  choose: string
  accept: string
  onFile: (file: File) => Promise<void>
  pending: boolean
  /** From 0 to 1 while the file is sent; null otherwise. */
  progress: { value: number; label: string } | null
  /** Additional buttons. */
  children?: ReactNode
}

/** A drop zone for one file, with a button to select it. */
export function FileDrop({ title, hint, choose, accept, onFile, pending, progress, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const inputId = useId()
  const [over, setOver] = useState(false)

  async function send(file: File | undefined) {
    if (!file) return
    await onFile(file)
    // Otherwise selecting the same file again would not be a change.
    if (input.current) input.current.value = ''
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    void send(event.dataTransfer.files[0])
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button inside does the same
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileSpreadsheet size={40} stroke={1.5} aria-hidden />
      <p className={classes.dropTitle}>{title}</p>
      <Note>{hint}</Note>
      <input
        ref={input}
        id={inputId}
        className="wb-hidden"
        type="file"
        tabIndex={-1}
        aria-label={choose}
        accept={accept}
        onChange={(event) => void send(event.currentTarget.files?.[0])}
      />
      <Buttons align="center">
        <Button variant="filled" loading={pending} onClick={() => input.current?.click()}>
          {choose}
        </Button>
        {children}
      </Buttons>
      {progress && <progress aria-label={progress.label} value={progress.value} max={1} />}
    </div>
  )
}
