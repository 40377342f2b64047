import { Button } from '@mantine/core'
import { isEnded } from '@waybill/contract/ground/status/parcel-status'
import { countStock, listStock, type StockCount as StockCountResult } from '@waybill/contract/parcels/stock'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { ParcelPill } from '../../../components/display/record-pills.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { Buttons, Grid, LineList, Panel } from '../../../components/layout/boxes.tsx'
import { getTone, Mono, Note, Notice, Quiet } from '../../../components/layout/text.tsx'
import { NumberList } from '../../../components/scans/number-list.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCustodyText } from '../scanning/custody-text.ts'
import type { OpenCount, useStockCount } from './use-stock-count.ts'

type Props = {
  stationId: string
  count: ReturnType<typeof useStockCount>
  open: OpenCount
  /** Called with the result of the count. */
  onEnd: (result: StockCountResult) => void
}

/**
 * A count in progress: each scan is compared with the records at once. It opens no dialog, which would take the keys of
 * the next scan.
 */
export function StockCount({ stationId, count, open, onEnd }: Props) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  /** The open confirmation, and the number of scans when it was opened. Another scan closes it. */
  const [question, setQuestion] = useState<{ about: 'end' | 'discard'; scans: number } | null>(null)
  const openQuestion = question?.scans === open.scans.length ? question.about : null
  const ask = (about: 'end' | 'discard') => setQuestion({ about, scans: open.scans.length })
  const end = useSend(
    () => callOnce(countStock, { body: { stationId, startedAt: open.at, numbers: [...open.scans] } }),
    {
      refresh: [listStock],
      onSuccess: (result) => {
        count.close()
        onEnd(result)
      },
    },
  )
  return (
    <Panel aria-label={t('stockCount.title')} title={t('stockCount.title')}>
      <Note>{t('stockCount.lead')}</Note>
      <ScanField
        label={t('stockCount.parcel')}
        action={t('stockCount.add')}
        main={count.toCome.length > 0 && openQuestion === null}
        onScan={count.scan}
      />
      <Notice as="div" size="lg" tone={getTone(count.feedback?.well)} role="status">
        <b>
          {t('stockCount.progress', {
            found: format.number(count.found.length),
            expected: format.number(open.expected.length),
          })}
        </b>
        {count.feedback && <span>{count.feedback.text}</span>}
      </Notice>
      <Grid min={240} gap={24} style={{ marginBlockEnd: 24 }}>
        <NumberList title={t('stockCount.toCome')} numbers={count.toCome} />
        <NumberList title={t('stockCount.extra')} numbers={count.extra} onUndo={count.undo} />
        <NumberList title={t('stockCount.broughtBack')} numbers={count.back} onUndo={count.undo} />
      </Grid>
      {openQuestion ? (
        <Notice as="div" size="lg" tone="waiting" role="alert">
          <span>
            {openQuestion === 'end'
              ? t('stockCount.endText', { count: count.toCome.length })
              : t('stockCount.discardText')}
          </span>
          <Buttons>
            <Button size="lg" onClick={() => setQuestion(null)}>
              {t('actions.cancel')}
            </Button>
            <Button
              size="lg"
              variant="filled"
              loading={end.pending}
              onClick={() => (openQuestion === 'end' ? void end.send() : count.close())}
            >
              {t(openQuestion === 'end' ? 'stockCount.end' : 'stockCount.discard')}
            </Button>
          </Buttons>
        </Notice>
      ) : (
        <Buttons>
          <Button size="lg" onClick={() => ask('discard')}>
            {t('stockCount.discard')}
          </Button>
          <Button
            size="lg"
            variant={count.toCome.length === 0 ? 'filled' : 'default'}
            loading={end.pending}
            onClick={() => (count.toCome.length === 0 ? void end.send() : ask('end'))}
          >
            {t('stockCount.end')}
          </Button>
        </Buttons>
      )}
    </Panel>
  )
}

type Extra = StockCountResult['extra'][number]

/** Whether a scan can take a parcel that is not on record here: a lost one arrives when it is found. */
const isScannable = ({ status }: Extra) => !isEnded(status) || status === 'lost'

function ExtraParcels({ title, parcels, hint }: { title: string; parcels: readonly Extra[]; hint: string }) {
  const custodyText = useCustodyText()
  if (parcels.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <LineList>
        {parcels.map((parcel) => (
          <li key={parcel.trackingNumber}>
            <StaffParcelLink number={parcel.trackingNumber} />
            {isEnded(parcel.status) ? (
              <ParcelPill parcel={parcel} waitsForApproval={false} />
            ) : (
              <Quiet>{custodyText(parcel.custody)}</Quiet>
            )}
          </li>
        ))}
      </LineList>
      <Note>{hint}</Note>
    </div>
  )
}

/** The result of a count: complete, or each difference with its number. */
export function StockCountEnd({ result, onClose }: { result: StockCountResult; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const { at, missing, extra, broughtBack, unknown } = result
  const isEven = missing.length + extra.length + unknown.length === 0
  const [scannable, ended] = [extra.filter(isScannable), extra.filter((parcel) => !isScannable(parcel))]
  return (
    <Panel aria-label={t('stockCount.title')} title={t('stockCount.title')}>
      <Notice as="div" size="lg" tone={getTone(isEven)} role="status">
        <b>
          {t('stockCount.progress', { found: format.number(result.found), expected: format.number(result.expected) })}
        </b>
        <span>{t(isEven ? 'stockCount.doneEven' : 'stockCount.doneDiffers')}</span>
      </Notice>
      <Quiet>{format.dateTime(at)}</Quiet>
      <Grid min={240} gap={24}>
        {missing.length > 0 && (
          <div>
            <h3>{t('stockCount.missing')}</h3>
            <LineList>
              {missing.map((number) => (
                <li key={number}>
                  <StaffParcelLink number={number} />
                </li>
              ))}
            </LineList>
            <Note>{t('stockCount.missingHint')}</Note>
          </div>
        )}
        <ExtraParcels title={t('stockCount.extra')} parcels={scannable} hint={t('stockCount.extraHint')} />
        <ExtraParcels title={t('stockCount.extraEnded')} parcels={ended} hint={t('stockCount.extraEndedHint')} />
        {broughtBack.length > 0 && (
          <div>
            <h3>{t('stockCount.broughtBack')}</h3>
            <LineList>
              {broughtBack.map((number) => (
                <li key={number}>
                  <StaffParcelLink number={number} />
                </li>
              ))}
            </LineList>
            <Note>{t('stockCount.broughtBackHint')}</Note>
          </div>
        )}
        {unknown.length > 0 && (
          <div>
            <h3>{t('stockCount.unknown')}</h3>
            <LineList>
              {unknown.map((number) => (
                <li key={number}>
                  <Mono>{format.trackingNumber(number)}</Mono>
                </li>
              ))}
            </LineList>
            <Note>{t('stockCount.unknownHint')}</Note>
          </div>
        )}
      </Grid>
      <Buttons>
        {scannable.length > 0 && <ButtonLink to="/staff/scan">{t('stockCount.toScan')}</ButtonLink>}
        {broughtBack.length > 0 && (
          <ButtonLink to="/staff/deliveries" search={{ view: 'failed' }}>
            {t('stockCount.toFailed')}
          </ButtonLink>
        )}
        <Button variant="filled" onClick={onClose}>
          {t('stockCount.close')}
        </Button>
      </Buttons>
    </Panel>
  )
}
