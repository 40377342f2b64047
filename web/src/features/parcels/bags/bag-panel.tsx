import { Button } from '@mantine/core'
import { type BagDetail, bagStatusLabels } from '@waybill/contract/parcels/transport/bags'
import { TextLink } from '../../../components/buttons/link.tsx'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { Columns, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { FailedScans } from '../../../components/scans/failed-scans.tsx'
import { ScanNotice } from '../../../components/scans/scan-notice.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useSession } from '../../../lib/session.ts'
import { BagActions } from './bag-actions.tsx'
import { bagLooks } from './bag-look.ts'
import { BagParcels } from './bag-parcels.tsx'
import { isContainerCode } from './container-codes.ts'
import { SealQuestionPanel } from './seal-question-panel.tsx'
import { useBag } from './use-bag.ts'
import { useReceiveBag } from './use-receive-bag.ts'

type Props = {
  bag: BagDetail
  /** The station of the user, or the one that they have chosen. */
  stationId: string | null
  /** Called with the number of the next bag. */
  onNext: (number: string) => void
  onClose: () => void
}

/** One bag: its parcels, and what can be done with it at this station. */
export function BagPanel({ bag: initialBag, stationId, onNext, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const own = useSession((state) => state.auth.user?.staff?.stationId ?? null)
  const work = useBag(initialBag, onNext)
  const receive = useReceiveBag(work, stationId)
  const { bag } = work
  const isHere = own === null || own === (bag.nextStation ?? bag.station).id
  const isFilled = isHere && bag.status === 'open'
  return (
    <>
      <Row justify="between" style={{ marginBlockEnd: 16 }}>
        <Row gap="4px 12px">
          <h2 style={{ margin: 0 }}>
            <CopyNumber size="lg" value={bag.number} text={format.trackingNumber(bag.number)} />
          </h2>
          <StatusPill look={bagLooks[bag.status]} label={label(bagStatusLabels, bag.status)} />
          <strong>{t('bagPage.goesTo', { station: bag.toStation.name })}</strong>
        </Row>
        <Button onClick={onClose}>{t('bagPage.another')}</Button>
      </Row>
      <Columns>
        <div>
          {receive.question ? (
            <Stack gap={16}>
              <ScanField
                label={t('bagPage.scanSeal')}
                action={t('bagPage.readSeal')}
                main={false}
                onScan={(numbers) => {
                  const text = numbers.at(-1) ?? ''
                  if (isContainerCode(text)) onNext(text)
                  else receive.read(text)
                }}
                onChoice={receive.choose}
              />
              <SealQuestionPanel question={receive.question} onAnswer={receive.answer} onCancel={receive.leave} />
            </Stack>
          ) : (
            <>
              <ScanField
                label={t(isFilled ? 'bagPage.scanParcel' : 'bagPage.scanBag')}
                action={t(isFilled ? 'bagPage.add' : 'bagPage.find')}
                main={isFilled && bag.parcels.length === 0}
                onScan={isFilled ? work.scan : (numbers) => onNext(numbers.at(-1) ?? '')}
              />
              <ScanNotice
                result={work.result}
                ready={isFilled ? t('bagPage.ready') : t(`bagPage.state.${bag.isMissing ? 'missing' : bag.status}`)}
              />
            </>
          )}
          <FailedScans scans={work.failures} />
          <BagParcels parcels={bag.parcels} onTakeOut={isFilled ? work.takeOut : undefined} />
        </div>
        <Panel title={t('bagPage.details')}>
          <Facts>
            <Fact label={t('bagPage.from')}>{bag.station.name}</Fact>
            <Fact label={t('bagPage.to')}>{bag.toStation.name}</Fact>
            <Fact label={t('bagPage.nextStation')}>{bag.nextStation?.name}</Fact>
            <Fact label={t(bag.isMissing ? 'bagPage.missingFrom' : 'bagPage.trip')}>
              {bag.tripId && bag.tripNumber && (
                <TextLink to="/staff/trips/$id" params={{ id: bag.tripId }}>
                  {format.trackingNumber(bag.tripNumber)}
                </TextLink>
              )}
            </Fact>
            <Fact label={t('bagPage.seal')}>{bag.sealNumber}</Fact>
            <Fact label={t('bagPage.parcels')}>{format.number(bag.parcelCount)}</Fact>
            <Fact label={t('fields.weightGrams')}>{format.weight(bag.weightGrams)}</Fact>
          </Facts>
          <BagActions work={work} receive={receive} stationId={stationId} isHere={isHere} />
        </Panel>
      </Columns>
    </>
  )
}
