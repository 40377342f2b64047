import { Button, Checkbox } from '@mantine/core'
import { getBilling, getConsent, putConsent } from '@waybill/contract/orders/monthly-billing'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Panel } from '../../../components/layout/boxes.tsx'
import { Fold } from '../../../components/layout/fold.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

/** The credit terms, which the owner accepts after reading. The card then shows who accepted them and when. */
export function ConsentCard() {
  const t = useT()
  const format = useFormat()
  const consent = useCall(getConsent, {})
  const [hasRead, setHasRead] = useState(false)
  const accept = useSend(() => call(putConsent, { body: { version: consent.data?.version ?? '', accept: true } }), {
    refresh: [getConsent, getBilling],
    success: t('billing.accepted'),
  })
  if (!consent.data) return null
  const { version, accepted } = consent.data
  const isAccepted = accepted?.version === version
  return (
    <Panel aria-label={t('billing.terms')} title={t('billing.terms')}>
      <Fold open={!isAccepted} summary={t('billing.readTerms', { version })}>
        <p style={{ whiteSpace: 'pre-line' }}>{t('billing.termsText')}</p>
      </Fold>
      {accepted && (
        <Note>
          {t(isAccepted ? 'billing.acceptedBy' : 'billing.acceptedOlder', {
            name: accepted.by ?? '–',
            time: format.dateTime(accepted.at),
            version: accepted.version,
          })}
        </Note>
      )}
      {!isAccepted && (
        <>
          <Checkbox
            label={t('billing.iAccept')}
            checked={hasRead}
            onChange={(event) => setHasRead(event.currentTarget.checked)}
          />
          <Buttons>
            <Button variant="filled" disabled={!hasRead} loading={accept.pending} onClick={() => void accept.send()}>
              {t('billing.accept')}
            </Button>
          </Buttons>
        </>
      )}
    </Panel>
  )
}
