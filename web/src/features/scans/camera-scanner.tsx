import { useEffect, useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from './scan.module.css'

/** The browser's own reader of barcodes (Shape Detection API); TypeScript's library doesn't know it yet. */
type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: string[] }) => Detector
const detectorClass = (): DetectorClass | undefined =>
  (globalThis as unknown as { BarcodeDetector?: DetectorClass }).BarcodeDetector

const lookEveryMs = 200
/** The same code held into the picture is read once in this time. */
const sameAfterMs = 3_000

/** Reads barcodes with the camera, one after the other. Says so where browser or device can't. */
export function CameraScanner({ onCode }: { onCode: (code: string) => void }) {
  const t = useT()
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = useRef(onCode)
  read.current = onCode

  useEffect(() => {
    const Reader = detectorClass()
    if (!Reader) {
      setProblem('noCamera')
      return
    }
    const detector = new Reader({ formats: ['code_128', 'qr_code'] })
    let stream: MediaStream | null = null
    let timer: ReturnType<typeof setInterval> | undefined
    let gone = false
    let last = { code: '', at: 0 }
    const look = async () => {
      if (!video.current || video.current.readyState < 2) return
      const [found] = await detector.detect(video.current).catch(() => [])
      if (!found || gone) return
      const now = Date.now()
      if (found.rawValue === last.code && now - last.at < sameAfterMs) return
      last = { code: found.rawValue, at: now }
      read.current(found.rawValue)
    }
    navigator.mediaDevices
      ?.getUserMedia({ video: { facingMode: 'environment' } })
      .then(async (given) => {
        stream = given
        if (gone || !video.current) {
          for (const track of given.getTracks()) track.stop()
          return
        }
        video.current.srcObject = given
        await video.current.play()
        timer = setInterval(() => void look(), lookEveryMs)
      })
      .catch(() => setProblem('cameraRefused'))
    if (!navigator.mediaDevices) setProblem('cameraRefused')
    return () => {
      gone = true
      clearInterval(timer)
      for (const track of stream?.getTracks() ?? []) track.stop()
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
