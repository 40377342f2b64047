import { Button, NativeSelect } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Row } from '../../../components/layout/boxes.tsx'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useT } from '../../../lib/i18n.ts'
import { recordAction } from '../../../lib/input/activity.ts'
import { openReader } from './barcode-reader.ts'
import classes from './scan.module.css'

const lookEveryMs = 200
/**
 * A code counts again after it was out of the frame for this long. Otherwise a parcel that stays under the camera
 * would count every few seconds.
 */
const goneAfterMs = 2_000
/** Enough pixels for the bars of a note at arm's length. By default a camera returns 640 pixels. */
const size = { width: { ideal: 1280 }, height: { ideal: 720 } }

type Problem = 'noCamera' | 'cameraRefused'
type Props = {
  onCode: (code: string) => void
  /** Pauses reading while the user answers a question. */
  paused: boolean
}

/** The camera, with a choice if there are several. If permission was denied the user can try again. */
export function CameraScanner(props: Props) {
  const t = useT()
  const [attempt, setAttempt] = useState(0)
  const [deviceId, chooseDevice] = useKept<string | null>('scan-camera', null)
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  const [problem, setProblem] = useState<Problem | null>(null)
  if (problem !== null) {
    return (
      <Row role="alert">
        <p>{problem === 'noCamera' ? t('scanPage.noCamera') : t('scanPage.cameraRefused')}</p>
        {problem === 'cameraRefused' && (
          <Button
            onClick={() => {
              // The camera selected earlier may be missing.
              chooseDevice(null)
              setProblem(null)
              setAttempt(attempt + 1)
            }}
          >
            {t('scanPage.cameraAgain')}
          </Button>
        )}
      </Row>
    )
  }
  return (
    <>
      {devices.length > 1 && (
        <NativeSelect
          maw={320}
          mb={16}
          label={t('scanPage.cameraChoice')}
          value={deviceId ?? devices[0]?.deviceId ?? ''}
          onChange={(event) => chooseDevice(event.currentTarget.value)}
          data={devices.map((device, index) => ({
            value: device.deviceId,
            label: device.label || t('scanPage.cameraNumber', { number: index + 1 }),
          }))}
        />
      )}
      <CameraView
        key={`${attempt} ${deviceId}`}
        {...props}
        deviceId={deviceId}
        onOpen={setDevices}
        onProblem={setProblem}
      />
    </>
  )
}

type ViewProps = Props & {
  deviceId: string | null
  /** The cameras of this device. A browser names them only after the permission is granted. */
  onOpen: (devices: readonly MediaDeviceInfo[]) => void
  onProblem: (problem: Problem) => void
}

/** Reads barcodes with the camera, one after the other. */
function CameraView({ onCode, paused, deviceId, onOpen, onProblem }: ViewProps) {
  const t = useT()
  const video = useRef<HTMLVideoElement>(null)
  const now = useRef({ onCode, paused, onOpen, onProblem })
  now.current = { onCode, paused, onOpen, onProblem }

  useEffect(() => {
    let stream: MediaStream | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let isUnmounted = false
    let last = { code: '', at: 0 }

    async function start() {
      if (!navigator.mediaDevices) throw new Error('no camera over an insecure connection')
      const which = deviceId === null ? { facingMode: 'environment' } : { deviceId: { exact: deviceId } }
      stream = await navigator.mediaDevices.getUserMedia({ video: { ...which, ...size } })
      const element = video.current
      if (isUnmounted || !element) return stop()
      const devices = await navigator.mediaDevices.enumerateDevices()
      now.current.onOpen(devices.filter(({ kind }) => kind === 'videoinput'))
      if (isUnmounted) return stop()
      element.srcObject = stream
      await element.play()
      const readFrame = await openReader().catch(() => null)
      if (isUnmounted) return
      if (!readFrame) {
        now.current.onProblem('noCamera')
        return stop()
      }
      const look = async () => {
        const code = element.readyState >= 2 ? await readFrame(element).catch(() => null) : null
        if (isUnmounted) return
        // The next frame is read only after the previous one, however long that takes.
        timer = setTimeout(() => void look(), lookEveryMs)
        if (code === null) return
        const at = Date.now()
        const again = code === last.code && at - last.at < goneAfterMs
        last = { code, at }
        if (again || now.current.paused) return
        // Whoever scans with the camera may touch nothing for hours.
        recordAction()
        now.current.onCode(code)
      }
      void look()
    }
    function stop() {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    start().catch(() => {
      stop()
      if (!isUnmounted) now.current.onProblem('cameraRefused')
    })
    return () => {
      isUnmounted = true
      clearTimeout(timer)
      stop()
    }
  }, [deviceId])

  return <video ref={video} className={classes.camera} muted playsInline aria-label={t('scanPage.cameraHere')} />
}
