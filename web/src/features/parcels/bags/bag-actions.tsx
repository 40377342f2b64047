import { Button, TextInput } from '@mantine/core'
import { type BagDetail, bagLabel } from '@waybill/contract/parcels/transport/bags'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { PrintButton } from '../../../components/buttons/print-button.tsx'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { Note, Notice } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useNotePaper } from '../labels/shared/note-paper.ts'
import classes from './load-rows.module.css'
import type { useBag } from './use-bag.ts'
import type { useReceiveBag } from './use-receive-bag.ts'

type Props = {
  work: ReturnType<typeof useBag>
  receive: ReturnType<typeof useReceiveBag>
  /** The station of the user, or the one that they have chosen. */
  stationId: string | null
  /** Whether the bag is at the user's station, or on the way there. */
  isHere: boolean
}

/** What can be done with a bag in its status, with one main action. */
export function BagActions({ work, receive, stationId, isHere }: Props) {
  const t = useT()
  const { bag } = work
  const isAtDestination = bag.station.id === bag.toStation.id
  const isLoaded = bag.tripId !== null
  if (bag.status === 'emptied') {
    if (!receive.isOpened) return <Note>{t('bagPage.state.emptied')}</Note>
    return (
      <Buttons className={classes.actions}>
        <ButtonLink variant="filled" to="/staff/scan">
          {t('bagPage.scanParcels')}
        </ButtonLink>
      </Buttons>
    )
  }
  // One whose parcels were all scanned individually would be on the way for ever.
  if (bag.status === 'in_transit' && !(isHere && bag.parcels.length === 0))
    return <OnTheWay bag={bag} receive={receive} stationId={stationId} />
  if (!isHere) return <Note>{t('bagPage.notHere', { station: bag.station.name })}</Note>
  if (bag.status === 'open') return <Seal work={work} />
  const empty = (
    <Button
      variant={bag.status === 'at_station' && isAtDestination ? 'filled' : 'default'}
      loading={work.pending}
      onClick={work.empty}
    >
      {t('bagPage.empty')}
    </Button>
  )
  if (bag.status === 'in_transit') {
    return (
      <Stack gap={12}>
        <Note>{t('bagPage.inTransitEmptyNote')}</Note>
        <Buttons className={classes.actions}>{empty}</Buttons>
      </Stack>
    )
  }
  return (
    <Stack gap={12}>
      {isLoaded && <Note>{t('bagPage.loadedNote')}</Note>}
      {bag.status === 'at_station' && !isAtDestination && !isLoaded && (
        <Notice tone="waiting" role="note">
          {t('bagPage.goesOn', { station: bag.toStation.name })}
        </Notice>
      )}
      <Buttons className={classes.actions}>
        {!isLoaded && !(bag.status === 'at_station' && isAtDestination) && empty}
        {bag.status === 'sealed' && !isLoaded && (
          <Button loading={work.pending} onClick={work.open}>
            {t('bagPage.openAgain')}
          </Button>
        )}
        <LabelButton work={work} isMain={bag.status === 'sealed'} />
        {!isLoaded && bag.status === 'at_station' && isAtDestination && empty}
      </Buttons>
    </Stack>
  )
}

/** A bag on its way is unloaded with its trip, or received without it where it has turned up. */
function OnTheWay({ bag, receive, stationId }: Pick<Props, 'receive' | 'stationId'> & { bag: BagDetail }) {
  const t = useT()
  const isExpected = bag.nextStation?.id === stationId
  if (isExpected && bag.tripId !== null && !bag.isMissing) return <Note>{t('bagPage.inTransitNote')}</Note>
  if (stationId === null) return <Note>{t('bagPage.strayStation')}</Note>
  const station = bag.nextStation?.name ?? ''
  return (
    <Stack gap={12}>
      <Note>{isExpected ? t('bagPage.missingNote') : t('bagPage.strayNote', { station, to: bag.toStation.name })}</Note>
      {receive.question === null && (
        <Buttons className={classes.actions}>
          <Button variant={isExpected ? 'filled' : 'default'} loading={receive.pending} onClick={receive.ask}>
            {t('bagPage.receive')}
          </Button>
        </Buttons>
      )}
    </Stack>
  )
}

/** The label in this device's paper size. */
function LabelButton({ work: { bag }, isMain }: { work: Props['work']; isMain: boolean }) {
  const t = useT()
  const [paper] = useNotePaper()
  // The labels of bags are printed individually, by a browser.
  const format = paper === '4x6' ? paper : 'a6'
  return (
    <PrintButton
      label={t('bagPage.label')}
      endpoint={bagLabel}
      options={{ params: { id: bag.id }, query: { format } }}
      main={isMain}
    />
  )
}

/** The seal of an open bag; its Enter seals it, as the Enter of a scanner does. */
function Seal({ work }: { work: Props['work'] }) {
  const t = useT()
  const [seal, setSeal] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { bag } = work
  const isFilled = bag.parcels.length > 0
  return (
    <Stack
      as="form"
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(seal.trim() === '')
        if (seal.trim() !== '') work.seal(seal.trim())
      }}
    >
      <TextInput
        label={t('fields.sealNumber')}
        description={t('bagPage.sealHelp')}
        value={seal}
        maxLength={40}
        autoComplete="off"
        error={isMissing && seal.trim() === '' ? t('bagPage.sealMissing') : undefined}
        onChange={(event) => setSeal(event.currentTarget.value)}
      />
      <Buttons className={classes.actions}>
        <Button loading={work.pending} onClick={work.empty}>
          {t(isFilled ? 'bagPage.empty' : 'bagPage.discard')}
        </Button>
        <Button type="submit" variant={isFilled ? 'filled' : 'default'} loading={work.pending}>
          {t('bagPage.sealAction')}
        </Button>
      </Buttons>
    </Stack>
  )
}
