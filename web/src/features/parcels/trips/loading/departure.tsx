import { Button, TextInput } from '@mantine/core'
import { listBags } from '@waybill/contract/parcels/transport/bags'
import { departTrip, listTrips, type TripLoad, tripManifest } from '@waybill/contract/parcels/transport/trips'
import { useRef, useState } from 'react'
import { PrintButton } from '../../../../components/buttons/print-button.tsx'
import { useSend } from '../../../../components/feedback/use-send.ts'
import { Buttons, LineList, Panel, Stack } from '../../../../components/layout/boxes.tsx'
import { Mono, Note, Notice } from '../../../../components/layout/text.tsx'
import type { useUnrecordedScans } from '../../../../components/scans/use-unrecorded-scans.ts'
import { ApiError, errorMessage } from '../../../../lib/api.ts'
import { beep } from '../../../../lib/browser/sound.ts'
import { useFormat } from '../../../../lib/format.ts'
import { useT } from '../../../../lib/i18n.ts'
import { useCallOnce } from '../../../../lib/once.ts'
import classes from '../../bags/load-rows.module.css'
import { TripFacts } from '../trip-facts.tsx'
import type { TripRecord } from '../use-trip-record.ts'

type Props = {
  record: TripRecord
  scans: ReturnType<typeof useUnrecordedScans>
  onTakeOff: (loadId: string, number: string) => void
}

/** The numbers in the details of `trip_not_ready`. */
function readNumbers(error: unknown): readonly string[] {
  const numbers = error instanceof ApiError && error.code === 'trip_not_ready' ? error.details.numbers : null
  return Array.isArray(numbers) ? numbers.map(String) : []
}

/** What departs, the vehicle's seal, and the departure itself. */
export function Departure({ record, scans, onTakeOff }: Props) {
  const t = useT()
  const callOnce = useCallOnce()
  const button = useRef<HTMLButtonElement>(null)
  const [seal, setSeal] = useState('')
  const [problem, setProblem] = useState<{ text: string; numbers: readonly string[] } | null>(null)
  const { trip, latest, take, reload } = record
  const params = { id: trip.id }
  const depart = useSend(
    () => callOnce(departTrip, { params, body: { version: latest().version, sealNumber: seal.trim() || null } }),
    {
      refresh: [listTrips, listBags],
      onSuccess: take,
      // Not in a dialog: the clerk may be scanning the next parcel.
      onError: (error) => {
        beep(false)
        setProblem({ text: errorMessage(error), numbers: readNumbers(error) })
        if (error instanceof ApiError && error.statusCode === 409) reload()
        return true
      },
    },
  )
  const unreadyLoads = trip.loads.filter(({ number }) => problem?.numbers.includes(number))
  const isReady = trip.loads.length > 0 && unreadyLoads.length === 0
  const misroutedCount = trip.loads.filter(({ misroute }) => misroute !== null).length
  return (
    <Panel title={t('tripPage.departure')}>
      <TripFacts trip={trip} />
      <TextInput
        label={t('tripPage.vehicleSeal')}
        description={t('tripPage.vehicleSealHelp')}
        value={seal}
        maxLength={40}
        autoComplete="off"
        onChange={(event) => setSeal(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // The Enter of a scanner must not send the vehicle off: a second one presses the button.
          event.preventDefault()
          button.current?.focus()
        }}
      />
      {problem && (unreadyLoads.length > 0 || problem.numbers.length === 0) && (
        <Stack gap={12}>
          <Notice tone="danger" role="alert">
            {problem.text}
          </Notice>
          <UnreadyLoads loads={unreadyLoads} onTakeOff={onTakeOff} />
        </Stack>
      )}
      {misroutedCount > 0 && (
        <Notice tone="warning" role="note">
          {t('misroute.count', { count: misroutedCount })}
        </Notice>
      )}
      {trip.loads.length === 0 && <Note>{t('tripPage.departsLoaded')}</Note>}
      <Buttons className={classes.actions}>
        <PrintButton label={t('tripPage.manifest')} endpoint={tripManifest} options={{ params }} />
        <Button
          ref={button}
          variant={isReady ? 'filled' : 'default'}
          loading={depart.pending}
          onClick={() => {
            setProblem(null)
            // After the scans that are still being sent, with the version that they leave.
            void scans.inOrder('depart', () => depart.send())
          }}
        >
          {t('tripPage.depart')}
        </Button>
      </Buttons>
    </Panel>
  )
}

/** Loads that can no longer depart from here. */
function UnreadyLoads({ loads, onTakeOff }: { loads: readonly TripLoad[]; onTakeOff: Props['onTakeOff'] }) {
  const t = useT()
  const format = useFormat()
  if (loads.length === 0) return null
  const isSingle = loads.length === 1
  return (
    <>
      <LineList>
        {loads.map(({ id, number }) => (
          <li key={id}>
            <Mono>{format.trackingNumber(number)}</Mono>
            <Button size="sm" variant={isSingle ? 'filled' : 'default'} onClick={() => onTakeOff(id, number)}>
              {t('tripPage.takeOff')}
            </Button>
          </li>
        ))}
      </LineList>
      {!isSingle && (
        <Button
          variant="filled"
          onClick={() => {
            for (const { id, number } of loads) onTakeOff(id, number)
          }}
        >
          {t('tripPage.takeAllOff')}
        </Button>
      )}
    </>
  )
}
