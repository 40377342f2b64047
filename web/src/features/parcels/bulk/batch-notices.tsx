import { Button } from '@mantine/core'
import { useState } from 'react'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Row, Stack } from '../../../components/layout/boxes.tsx'
import { Note, Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { AddressSearch } from '../../addresses/shared/address-search.tsx'
import type { BulkRows } from '../bulk-grid/bulk-rows.ts'
import classes from './bulk.module.css'
import { ProblemGroups } from './problem-groups.tsx'

/** Notices about the whole batch: the sender, a repeated file, problems that many rows share. */
export function BatchNotices({ rows }: { rows: BulkRows }) {
  const t = useT()
  const format = useFormat()
  const [choosing, setChoosing] = useState(false)
  const { batch } = rows
  const change = useSend((changes: { overrideDuplicates?: true; senderAddressId?: string }) => {
    setChoosing(false)
    return rows.change(changes)
  })
  const { sender } = batch
  const { refusal } = rows
  const duplicates = batch.common.filter(({ code }) => code.startsWith('duplicate_'))
  const duplicateRows = duplicates.reduce((sum, { count }) => sum + count, 0)
  return (
    <Stack gap={8} style={{ marginBlockEnd: 16 }}>
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
      {rows.loadError && (
        <Notice as="div" tone="danger" role="alert">
          <div>
            <b>{t('bulk.rowsFailed')}</b>
            <p>{rows.loadError.message}</p>
          </div>
          <Button size="compact-md" onClick={() => rows.reloadFailed()}>
            {t('bulk.tryAgain')}
          </Button>
        </Notice>
      )}
      {refusal && (
        <Notice as="div" tone="waiting" role="alert">
          <div>
            <b>{t('bulk.refused', { rows: format.number(refusal.rows), count: refusal.rows })}</b>
            <p>{t('bulk.refusedText', { message: refusal.message })}</p>
          </div>
          <Button size="compact-md" onClick={() => rows.tryAgain()}>
            {t('bulk.tryAgain')}
          </Button>
          <Button size="compact-md" variant="subtle" onClick={() => rows.dropRefused()}>
            {t('bulk.dropChanges')}
          </Button>
        </Notice>
      )}
      {batch.sameFile && (
        <Notice as="div" tone="waiting">
          <Row gap="0 8px">
            {t('bulk.sameFile')}
            <Time at={batch.sameFile.createdAt} />
          </Row>
          <TextLink to="/parcels/bulk/$id" params={{ id: batch.sameFile.id }}>
            {t('bulk.openThat')}
          </TextLink>
        </Notice>
      )}
      {duplicates.length > 0 && (
        <Notice as="div" tone="waiting">
          <p>{t('bulk.duplicates', { count: duplicateRows, rows: format.number(duplicateRows) })}</p>
          <Button
            size="compact-md"
            loading={change.pending}
            onClick={() => void change.send({ overrideDuplicates: true })}
          >
            {t('bulk.overrideDuplicates')}
          </Button>
        </Notice>
      )}
      <ProblemGroups rows={rows} />
      {batch.totalMinor > 0 && <Note>{t('bulk.withoutPickup')}</Note>}
    </Stack>
  )
}
