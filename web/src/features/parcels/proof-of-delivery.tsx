import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { Photos } from '../../components/display/photos.tsx'
import { Time } from '../../components/display/time.tsx'
import { Panel } from '../../components/layout/boxes.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import classes from './list/parcels.module.css'

/** The proof of delivery: who received the parcel, when, and the signature. */
export function ProofOfDelivery({ proof }: { proof: NonNullable<ParcelDetail['proof']> }) {
  const t = useT()
  return (
    <Panel title={t('parcelPage.proof')}>
      <div>
        <p>{t('parcelPage.receivedBy', { name: proof.recipientName })}</p>
        <Quiet>
          <Time at={proof.at} relative={false} />
        </Quiet>
      </div>
      {proof.signaturePath && (
        <svg
          className={classes.signature}
          viewBox="0 0 600 200"
          role="img"
          aria-label={t('parcelPage.signature', { name: proof.recipientName })}
        >
          <path d={proof.signaturePath} />
        </svg>
      )}
      <Photos photos={proof.photos} alt={t('parcelPage.proofPhoto')} />
    </Panel>
  )
}
