import { Button, Textarea } from '@mantine/core'
import { ticketStatusLabels } from '@waybill/contract/ground/enums/enums'
import { optionalText, text } from '@waybill/contract/ground/fields'
import {
  artworkStatuses,
  decideArtwork,
  exportArtworks,
  type StaffArtwork,
  staffArtworks,
} from '@waybill/contract/parcels/labels'
import { useState } from 'react'
import * as z from 'zod/mini'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { fieldProps } from '../../../components/form/field-props.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { call } from '../../../lib/api.ts'
import { useFileAddress } from '../../../lib/file-link.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import classes from './artwork.module.css'
import { artworkLooks } from './artwork-look.ts'

type OpenDecision = { artwork: StaffArtwork; event: StaffArtwork['allowed'][number] }
const filters = ['status'] as const

/**
 * Artwork that companies submitted for approval, with the actions that its status allows. A phone shows cards, because
 * a row would not show the picture.
 */
export function StaffArtworksPage() {
  const t = useT()
  const label = useLabel()
  const address = useFileAddress()
  const list = useList(staffArtworks, { filters })
  const [decision, setDecision] = useState<OpenDecision | null>(null)
  return (
    <>
      <PageHeader
        title={t('artwork.staffTitle')}
        actions={<DownloadExcel endpoint={exportArtworks} narrowing={list.narrowing} />}
      />
      <DataList
        tall
        list={list}
        label={t('artwork.staffTitle')}
        rowKey={(row: StaffArtwork) => row.id}
        rowName={(row) => row.accountName}
        filters={
          <SelectField
            field={list.filter('status')}
            choices={artworkStatuses.map((value) => ({ value, label: label(ticketStatusLabels, value) }))}
          />
        }
        columns={[
          {
            id: 'account',
            header: t('artwork.account'),
            card: 'title',
            cell: (row) => <span style={{ whiteSpace: 'nowrap' }}>{row.accountName}</span>,
          },
          {
            id: 'picture',
            header: t('artwork.picture'),
            cell: (row) =>
              row.imageUrl && (
                <img
                  src={address(row.imageUrl)}
                  alt={t('artwork.alt', { account: row.accountName })}
                  className={classes.picture}
                />
              ),
          },
          { id: 'changed', header: t('fields.updatedAt'), cell: (row) => <Time at={row.updatedAt} /> },
          {
            id: 'status',
            header: t('artwork.status'),
            cell: (row) => <StatusPill look={artworkLooks[row.status]} label={label(ticketStatusLabels, row.status)} />,
          },
          {
            id: 'decide',
            kind: 'work',
            header: t('list.actions'),
            cell: (row) => (
              <Stack as="span" gap={4} style={{ width: 'max-content' }}>
                {row.allowed.map((event) => (
                  <Button key={event} size="compact-sm" onClick={() => setDecision({ artwork: row, event })}>
                    {t(`artwork.decide.${event}`)}
                  </Button>
                ))}
              </Stack>
            ),
          },
        ]}
        empty={{ title: t('artwork.none'), text: t('artwork.noneText') }}
      />
      {decision && <DecisionDialog {...decision} onClose={() => setDecision(null)} />}
    </>
  )
}

const schemas = {
  accepted: z.object({ remark: optionalText(400) }),
  rejected: z.object({ remark: text(400) }),
}

/** The picture in full size, and the decision about it; a rejection needs a reason. */
function DecisionDialog({ artwork, event, onClose }: OpenDecision & { onClose: () => void }) {
  const t = useT()
  const label = useLabel()
  const address = useFileAddress()
  const { id, version, accountName, imageUrl } = artwork
  const isRejection = event.endsWith('rejected')
  const form = useContractForm<(typeof schemas)[keyof typeof schemas], { remark: string }, StaffArtwork>({
    schema: isRejection ? schemas.rejected : schemas.accepted,
    initial: { remark: '' },
    onSubmit: ({ remark }) => call(decideArtwork, { params: { id }, body: { version, event, remark } }),
    refresh: [staffArtworks],
    refreshOnError: [staffArtworks],
    success: ({ status }) => t('artwork.decided', { account: accountName, status: label(ticketStatusLabels, status) }),
    onSuccess: onClose,
  })
  const remark = form.field('remark', t('artwork.remark'))
  return (
    <SaveDialog
      title={t('artwork.decideTitle', { decision: t(`artwork.decide.${event}`), account: accountName })}
      onClose={onClose}
      form={form}
      save={t(`artwork.decide.${event}`)}
    >
      {imageUrl && (
        <img
          src={address(imageUrl)}
          alt={t('artwork.alt', { account: accountName })}
          className={classes.picture}
          data-large
        />
      )}
      {isRejection && (
        <Textarea
          {...fieldProps(remark)}
          value={remark.value}
          onChange={(change) => remark.onChange(change.currentTarget.value)}
          description={t('artwork.remarkHelp')}
          maxLength={400}
          autosize
          minRows={3}
          data-autofocus
        />
      )}
    </SaveDialog>
  )
}
