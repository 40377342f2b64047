import { Button } from '@mantine/core'
import { IconWand } from '@tabler/icons-react'
import type { BulkField } from '@waybill/contract/parcels/bulk'
import { useState } from 'react'
import { AddressSearch } from '../../../components/address/address-search.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { TextLink } from '../../../components/link.tsx'
import { Time } from '../../../components/time.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import type { BulkRows } from '../bulk-grid/bulk-rows.ts'
import classes from './bulk.module.css'

/** What concerns the whole batch: who sends, the same file again, problems that many rows share. */
export function BatchNotices({ rows }: { rows: BulkRows }) {
  const t = useT()
  const format = useFormat()
  const [choosing, setChoosing] = useState(false)
  const { batch } = rows
  const fix = useSend((code: string, column: BulkField) => rows.fixAll(code, column), { success: t('bulk.fixed') })
  const change = useSend((changes: { anyway?: true; senderAddressId?: string }) => {
    setChoosing(false)
    return rows.change(changes)
  })
  const { sender } = batch
  const { refusal } = rows
  const twins = batch.common.filter(({ code }) => code.startsWith('duplicate_'))
  const shared = batch.common.filter(({ suggested, column }) => suggested > 0 && column !== null)
  return (
    <div className={classes.notices}>
      <p className={classes.sender} data-missing={!sender || undefined}>
        <span>{sender ? t('bulk.from', { name: sender.contactName, city: sender.city }) : t('bulk.noSender')}</span>
        <Button size="compact-md" variant="subtle" loading={change.pending} onClick={() => setChoosing(true)}>
          {t('bulk.chooseSender')}
        </Button>
      </p>
      {choosing && (
        <Dialog title={t('bulk.chooseSender')} onClose={() => setChoosing(false)}>
          <AddressSearch
            label={t('bulk.sender')}
            kind="sender"
            autoFocus
            onPick={({ id }) => void change.send({ senderAddressId: id })}
          />
        </Dialog>
      )}
      {refusal && (
        <div className={classes.refused} role="alert">
          <p>
            <b>{t('bulk.refused', { rows: format.number(refusal.rows), count: refusal.rows })}</b>{' '}
            {t('bulk.refusedText', { message: refusal.message })}
          </p>
          <Button size="compact-md" onClick={() => rows.tryAgain()}>
            {t('bulk.tryAgain')}
          </Button>
          <Button size="compact-md" variant="subtle" onClick={() => rows.dropRefused()}>
            {t('bulk.dropChanges')}
          </Button>
        </div>
      )}
      {batch.sameFile && (
        <p className={classes.same}>
          <span>
            {t('bulk.sameFile')} <Time at={batch.sameFile.createdAt} />
          </span>
          <TextLink to="/parcels/bulk/$id" params={{ id: batch.sameFile.id }}>
            {t('bulk.openThat')}
          </TextLink>
        </p>
      )}
      {twins.length > 0 && (
        <p className={classes.same}>
          {t('bulk.twins', { rows: format.number(twins.reduce((sum, { count }) => sum + count, 0)) })}{' '}
          <Button size="compact-md" loading={change.pending} onClick={() => void change.send({ anyway: true })}>
            {t('bulk.anyway')}
          </Button>
        </p>
      )}
      {shared.length > 0 && (
        <ul className={classes.shared} aria-label={t('bulk.shared')}>
          {shared.map(({ code, column, suggested, message }) => (
            <li key={`${code}-${column}`}>
              <span>
                <b>{column && t(`bulk.column.${column}`)}</b> {message}
              </span>
              <Button
                size="compact-md"
                leftSection={<IconWand size={16} aria-hidden />}
                loading={fix.pending}
                onClick={() => column && void fix.send(code, column)}
              >
                {t('bulk.fixAll', { rows: format.number(suggested) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
