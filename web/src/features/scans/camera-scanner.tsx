import { useEffect, useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { openReader } from './barcode-reader.ts'
import classes from './scan.module.css'

const lookEveryMs = 200
/** A code counts again once it has been out of the picture for so long: what lies under the camera is one parcel, not one every few seconds. */
const goneAfterMs = 2_000
/** Enough pixels for the bars of a note at arm's length; what a camera gives unasked is 640 wide. */
const wanted = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } }

type Props = {
  onCode: (code: string) => void
  /** Somebody is asked something first: nothing is read meanwhile. */
  paused: boolean
}

/** Reads barcodes with the camera, one after the other. Says so where browser or device can't. */
export function CameraScanner({ onCode, paused }: Props) {
  const t = useT()
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<'noCamera' | 'cameraRefused' | null>(null)
  const now = useRef({ onCode, paused })
  now.current = { onCode, paused }

  useEffect(() => {
    let stream: MediaStream | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    let last = { code: '', at: 0 }

    async function start() {
      if (!navigator.mediaDevices) throw new Error('no camera over an insecure connection')
      stream = await navigator.mediaDevices.getUserMedia({ video: wanted })
      const element = video.current
      if (gone || !element) return stop()
      element.srcObject = stream
      await element.play()
      const read = await openReader().catch(() => null)
      if (gone) return
      if (!read) {
        setProblem('noCamera')
        return stop()
      }
      const look = async () => {
        const code = element.readyState >= 2 ? await read(element).catch(() => null) : null
        if (gone) return
        // One look after the other, however long one takes.
        timer = setTimeout(() => void look(), lookEveryMs)
        if (code === null) return
        const at = Date.now()
        const again = code === last.code && at - last.at < goneAfterMs
        last = { code, at }
        if (!again && !now.current.paused) now.current.onCode(code)
      }
      void look()
    }
    function stop() {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    start().catch(() => {
      if (!gone) setProblem('cameraRefused')
    })
    return () => {
      gone = true
      clearTimeout(timer)
      stop()
    }
  }, [])

  if (problem !== null) {
    return (
      <p className={classes.quiet} role="alert">
        {problem === 'noCamera' ? t('scanPage.noCamera') : t('scanPage.cameraRefused')}
      </p>
    )
  }
  return <video ref={video} className={classes.camera} muted playsInline aria-label={t('scanPage.cameraHere')} />
}
