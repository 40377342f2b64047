import { Button, TextInput } from '@mantine/core'
import { arriveTrip, listTrips } from '@waybill/contract/parcels/transport/trips'
import { type FormEvent, useRef, useState } from 'react'
import { useSend } from '../../../../components/feedback/use-send.ts'
import { Buttons, Panel, Stack } from '../../../../components/layout/boxes.tsx'
import { Note, Notice } from '../../../../components/layout/text.tsx'
import { useT } from '../../../../lib/i18n.ts'
import { useCallOnce } from '../../../../lib/once.ts'
import { isSameSeal } from '../../bags/container-codes.ts'
import classes from '../../scanning/scan.module.css'
import type { TripRecord } from '../use-trip-record.ts'

/** The arrival of a vehicle at its destination: staff type the seal that they see. */
export function Arrival({ record: { trip, latest, take, reload } }: { record: TripRecord }) {
  const t = useT()
  const callOnce = useCallOnce()
  const [seal, setSeal] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const [isAsking, setAsking] = useState(false)
  const reading = seal.trim()
  const isIntact = isSameSeal(reading, trip.sealNumber ?? '')
  const arrive = useSend(
    () => {
      // The seal on record, whatever the case in which it was typed.
      const sealNumber = isIntact ? trip.sealNumber : reading || null
      return callOnce(arriveTrip, { params: { id: trip.id }, body: { version: latest().version, sealNumber } })
    },
    {
      refresh: [listTrips],
      onSuccess: take,
      onError: () => {
        reload()
        return false
      },
    },
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isIntact) void arrive.send()
    else setAsking(true)
  }
  const values = { seal: trip.sealNumber ?? '', reading }
  return (
    <Panel title={t('tripPage.arrival')}>
      <Stack as="form" onSubmit={submit}>
        <TextInput
          ref={input}
          label={t('tripPage.vehicleSeal')}
          description={t('tripPage.arrivalSealHelp')}
          value={seal}
          maxLength={40}
          autoComplete="off"
          style={{ maxWidth: 420 }}
          onChange={(event) => {
            setSeal(event.currentTarget.value)
            setAsking(false)
          }}
        />
        {isAsking ? (
          <Notice as="div" size="lg" tone="warning" role="alert">
            <span>
              {trip.sealNumber === null
                ? t('tripPage.sealAdded', values)
                : reading === ''
                  ? t('tripPage.sealGone', values)
                  : t('tripPage.sealOther', values)}
            </span>
            <Buttons className={classes.actions} style={{ marginBlockStart: 8 }}>
              <Button
                size="lg"
                onClick={() => {
                  setAsking(false)
                  input.current?.focus()
                }}
              >
                {t('tripPage.sealCorrect')}
              </Button>
              <Button size="lg" variant="filled" loading={arrive.pending} onClick={() => void arrive.send()}>
                {t('tripPage.arriveBroken')}
              </Button>
            </Buttons>
          </Notice>
        ) : (
          <Buttons>
            <Button type="submit" variant="filled" loading={arrive.pending}>
              {t('tripPage.arrive')}
            </Button>
          </Buttons>
        )}
        <Note>{t('tripPage.arrivalNote')}</Note>
      </Stack>
    </Panel>
  )
}
