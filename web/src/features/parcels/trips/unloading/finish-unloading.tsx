import { Button } from '@mantine/core'
import { listBags } from '@waybill/contract/parcels/transport/bags'
import { closeTrip, listTrips, type TripLoad, tripManifest } from '@waybill/contract/parcels/transport/trips'
import { useState } from 'react'
import { PrintButton } from '../../../../components/buttons/print-button.tsx'
import { useSend } from '../../../../components/feedback/use-send.ts'
import { Buttons, Panel } from '../../../../components/layout/boxes.tsx'
import { Notice } from '../../../../components/layout/text.tsx'
import type { useUnrecordedScans } from '../../../../components/scans/use-unrecorded-scans.ts'
import { ApiError, errorMessage } from '../../../../lib/api.ts'
import { beep } from '../../../../lib/browser/sound.ts'
import { useT } from '../../../../lib/i18n.ts'
import { useCallOnce } from '../../../../lib/once.ts'
import classes from '../../bags/load-rows.module.css'
import { TripFacts } from '../trip-facts.tsx'
import type { TripRecord } from '../use-trip-record.ts'

type Props = {
  record: TripRecord
  scans: ReturnType<typeof useUnrecordedScans>
  toCome: readonly TripLoad[]
  /** Whether the question about what is still to come is open. */
  isAsking: boolean
  onAsk: (asks: boolean) => void
  /** Whether a seal has to be read first. */
  isBusy: boolean
}

/** The end of the unloading. The question about missing loads is in the page: a dialog would take the next scan. */
export function FinishUnloading({ record, scans, toCome, isAsking, onAsk, isBusy }: Props) {
  const t = useT()
  const callOnce = useCallOnce()
  const [problem, setProblem] = useState<string | null>(null)
  const { trip, latest, take, reload } = record
  const params = { id: trip.id }
  const finish = useSend(() => callOnce(closeTrip, { params, body: { version: latest().version } }), {
    refresh: [listTrips, listBags],
    onSuccess: take,
    onError: (error) => {
      beep(false)
      setProblem(errorMessage(error))
      if (error instanceof ApiError && error.statusCode === 409) reload()
      return true
    },
  })
  function end() {
    setProblem(null)
    // After the scans that are still being sent.
    void scans.inOrder('finish', () => finish.send())
  }
  const isComplete = toCome.length === 0
  return (
    <Panel title={t('tripPage.unloading')}>
      <TripFacts trip={trip} />
      {problem && (
        <Notice tone="danger" role="alert">
          {problem}
        </Notice>
      )}
      {isAsking ? (
        <Notice as="div" tone="waiting" role="alert">
          <p>{t('tripPage.finishText', { count: toCome.length })}</p>
          <Buttons className={classes.actions}>
            <Button onClick={() => onAsk(false)}>{t('actions.cancel')}</Button>
            <Button variant="filled" loading={finish.pending} onClick={end}>
              {t('tripPage.finish')}
            </Button>
          </Buttons>
        </Notice>
      ) : (
        <Buttons className={classes.actions}>
          <PrintButton label={t('tripPage.manifest')} endpoint={tripManifest} options={{ params }} />
          <Button
            variant={isComplete && !isBusy ? 'filled' : 'default'}
            loading={finish.pending}
            onClick={() => (isComplete ? end() : onAsk(true))}
          >
            {t('tripPage.finish')}
          </Button>
        </Buttons>
      )}
    </Panel>
  )
}
